/// The rules of a time zone: how far its clocks are ahead of UTC, and when that changes.
public struct Zone: Sendable, Hashable {
  /// A change of the offset.
  struct Transition: Sendable, Hashable {
    /// When the offset changes, in seconds since the epoch.
    let time: Int64
    /// The offset from then on, in seconds.
    let offset: Int
  }

  /// Far more changes than any real zone has.
  ///
  /// The limit exists because the main loop searches them for each switch.
  static let mostTransitions = 2_000

  /// The greatest possible distance from UTC, in seconds (RFC 9636).
  static let farthestOffset = 93_600

  private let initial: Int
  private let transitions: [Transition]
  /// The rule after the last transition.
  private let rule: PosixZone?

  /// UTC.
  public static let utc = Zone(initial: 0, transitions: [], rule: nil)

  /// A zone whose offset is `initial` until the first transition.
  ///
  /// The transitions are in order, and `rule` applies after the last one.
  init(initial: Int, transitions: [Transition], rule: PosixZone?) {
    (self.initial, self.transitions, self.rule) = (initial, transitions, rule)
  }

  /// How many seconds the clocks are ahead of UTC at a time.
  public func offset(at time: Int64) -> Int {
    if let rule, time >= transitions.last?.time ?? .min { return rule.offset(at: time) }
    let index = firstIndex(after: time)
    return index == 0 ? initial : transitions[index - 1].offset
  }

  /// The index of the first transition after a time.
  private func firstIndex(after time: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The next time at which the offset changes.
  func nextTransition(after time: Int64) -> Transition? {
    let index = firstIndex(after: time)
    if index < transitions.count { return transitions[index] }
    return rule?.nextTransition(after: time)
  }

  /// When the clocks first show this local time or a later one.
  ///
  /// If they show the time twice, it is the first; if they skip it, it is the moment of the change.
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

  /// The local time of the zone's clocks at a time, in seconds as if it were UTC.
  public func local(at time: Int64) -> Int64 { time + Int64(offset(at: time)) }
}
