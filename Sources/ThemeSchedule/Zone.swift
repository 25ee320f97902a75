/// A time zone's rules: how far its clocks are ahead of UTC, and when that changes.
public struct Zone: Sendable, Hashable {
  /// A change of the offset.
  struct Transition: Sendable, Hashable {
    /// When, in seconds since the epoch.
    let time: Int64
    /// What the offset is from then on, in seconds.
    let offset: Int
  }

  /// More changes than this have no zone's clocks seen, by far: each turn is looked for among them on the loop.
  static let mostTransitions = 2_000

  /// No clock is farther from UTC than this, in seconds (RFC 9636).
  static let farthestOffset = 93_600

  private let initial: Int
  private let transitions: [Transition]
  /// What holds behind the last of them.
  private let rule: PosixZone?

  /// UTC.
  public static let utc = Zone(initial: 0, transitions: [], rule: nil)

  /// A zone whose offset is `initial` until the first of these transitions, which are in order; and which goes on by
  /// `rule` behind the last.
  init(initial: Int, transitions: [Transition], rule: PosixZone?) {
    (self.initial, self.transitions, self.rule) = (initial, transitions, rule)
  }

  /// How many seconds the clocks are ahead of UTC at a time.
  public func offset(at time: Int64) -> Int {
    if let rule, time >= transitions.last?.time ?? .min { return rule.offset(at: time) }
    let index = firstIndex(after: time)
    return index == 0 ? initial : transitions[index - 1].offset
  }

  /// The number of the first transition behind a time.
  private func firstIndex(after time: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// When the offset next is another one.
  func nextTransition(after time: Int64) -> Transition? {
    let index = firstIndex(after: time)
    if index < transitions.count { return transitions[index] }
    return rule?.nextTransition(after: time)
  }

  /// When the clocks first show this local time or a later one: of a time that they show twice the first, of one that
  /// they skip the moment when they do.
  ///
  /// `local` counts seconds as if it were UTC.
  func time(ofLocal local: Int64) -> Int64 {
    var time = local - Int64(Self.farthestOffset)
    while true {
      let candidate = max(time, local - Int64(offset(at: time)))
      guard let next = nextTransition(after: time), next.time <= candidate else { return candidate }
      time = next.time
    }
  }

  /// What the clocks show at a time, in seconds as if it were UTC.
  public func local(at time: Int64) -> Int64 { time + Int64(offset(at: time)) }
}
