/// The lanes that wait for room to run, first come first served: pure.
///
/// Only a few runs of each kind go on at once. A slow run, such as a hook that hangs, gives up its place and goes on
/// without one, unless too many do so; then it keeps its place until its own timeout. So a change does not start a crowd,
/// quick runs wait only a moment for slow ones, and hooks do not delay apps.
struct RunQueue: Sendable {
  /// How many have a place, for how long, and how many may go on without one.
  struct Room: Sendable {
    var places = Limits.places
    var time = Limits.placeTime
    var slow = Limits.slowRuns
  }

  private let room: Room
  private(set) var waiting: [LaneName] = []
  /// When a run gives up the next place, if a lane waits for one.
  private(set) var roomAt: Int?

  init(_ room: Room = Room()) { self.room = room }

  /// Adds a lane that has something to do.
  mutating func append(_ name: LaneName) { if !waiting.contains(name) { waiting.append(name) } }

  /// Removes the lanes whose turn it is, and those with nothing to do any more.
  mutating func next(_ lanes: [LaneName: Lane], now: Int) -> [LaneName] {
    waiting.removeAll { lanes[$0]?.queued == nil }
    roomAt = nil
    guard !waiting.isEmpty else { return [] }
    var next: [LaneName] = []
    for kind in LaneName.Kind.allCases {
      let waiting = waiting.filter { $0.kind == kind }
      guard !waiting.isEmpty else { continue }
      let ends = lanes.filter { $0.key.kind == kind && $0.value.isRunning }.map { $0.value.startedAt + room.time }
      let quick = ends.filter { $0 > now }
      let taken = quick.count + max(0, ends.count - quick.count - room.slow)
      let those = waiting.prefix(max(0, room.places - taken))
      next += those
      // The next place is given up by one of those that run by now, or that begin.
      let first = (quick + those.prefix(1).map { _ in now + room.time }).min()
      if those.count < waiting.count, ends.count - quick.count < room.slow, let first {
        roomAt = min(roomAt ?? first, first)
      }
    }
    waiting.removeAll { next.contains($0) }
    return next
  }
}
