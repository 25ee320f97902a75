/// Who waits for room to run, first come first served: pure.
///
/// Of each kind so many run at once. One that takes its time, as a hook that hangs, gives up its place and goes on, until
/// too many do so: then it holds its place to its own time limit, at which it is ended. So a change starts no crowd, what
/// is quick waits for what is slow only a moment, and hooks keep no app waiting.
struct RunQueue: Sendable {
  /// How many have a place, for how long, and how many may go on without one.
  struct Room: Sendable {
    var places = Limits.places
    var time = Limits.placeTime
    var slow = Limits.slowRuns
  }

  private let room: Room
  private(set) var waiting: [LaneName] = []
  /// When the next place is given up, where somebody waits for one.
  private(set) var roomAt: Int?

  init(_ room: Room = Room()) { self.room = room }

  /// Somebody has something to do.
  mutating func append(_ name: LaneName) { if !waiting.contains(name) { waiting.append(name) } }

  /// Takes out whose turn it is, and those who have nothing to do any more.
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
