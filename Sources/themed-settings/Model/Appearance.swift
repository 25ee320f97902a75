/// The end of an override, as the window offers it.
package enum End: Sendable, Hashable {
  case never, nextSwitch, tomorrow, oneHour, fourHours
  /// A time that the user has set elsewhere.
  case at(String)

  /// The ends that are always offered.
  static let offered: [End] = [.never, .nextSwitch, .tomorrow, .oneHour, .fourHours]

  package var label: String {
    switch self {
    case .never: tr("Until you change it")
    case .nextSwitch: tr("Until the next switch")
    case .tomorrow: tr("Until tomorrow")
    case .oneHour: tr("For 1 hour")
    case .fourHours: tr("For 4 hours")
    case .at(let time): tr("Until {time}", ["time": time])
    }
  }

  var words: [String] {
    switch self {
    case .never, .at: []
    case .nextSwitch: ["--until", "changed"]
    case .tomorrow: ["--until", "tomorrow"]
    case .oneHour: ["--for", "1h"]
    case .fourHours: ["--for", "4h"]
    }
  }
}

/// The page of what is shown, and why.
package struct Appearance: Sendable, Hashable {
  /// The choice between light, dark and automatic.
  package enum Choice: String, Sendable, Hashable, CaseIterable { case light, dark, automatic }

  package let side: Side
  /// The state and its reason, in one sentence.
  package let sentence: String
  package let choice: Choice
  /// The ends to choose from, and the one in force; nil if nothing is overridden.
  package let ends: [End]
  package let end: Int?

  package init(_ status: Status, now: Int) {
    side = status.scheme
    sentence = Self.sentence(status, now)
    let override = status.origins["scheme"].flatMap { $0.rule == "override" ? $0 : nil }
    choice = override == nil ? .automatic : side == .light ? .light : .dark
    let current = override.map { Self.end(of: $0, now) }
    let other = current.flatMap { End.offered.contains($0) ? nil : $0 }
    let ends = End.offered + (other.map { [$0] } ?? [])
    (self.ends, end) = (ends, current.flatMap { ends.firstIndex(of: $0) })
  }

  /// The arguments that choose this.
  package static func command(_ choice: Choice, end: End = .never) -> [String] {
    choice == .automatic ? ["unset", "scheme"] : ["set", choice.rawValue] + end.words
  }

  private static func end(of origin: Status.Origin, _ now: Int) -> End {
    if let time = origin.expiresAt { return time == tomorrow(after: now) ? .tomorrow : .at(clockText(time, now: now)) }
    return origin.untilDesktopChanges == true ? .nextSwitch : .never
  }

  /// The sentence of `themectl status`, without the part about a desktop that asks for something else.
  private static func sentence(_ status: Status, _ now: Int) -> String {
    let scheme = status.scheme.name
    guard let origin = status.origins["scheme"] else { return status.scheme.name }
    let next = status.nextSwitch.map { clockText($0.time, now: now) }
    switch origin.rule {
    case "override":
      if let time = origin.expiresAt {
        return tr(
          "{scheme}, because you set it (until {time}).", ["scheme": scheme, "time": clockText(time, now: now)])
      }
      guard origin.untilDesktopChanges == true else { return tr("{scheme}, because you set it.", ["scheme": scheme]) }
      guard let next else {
        return tr("{scheme}, because you set it (until the desktop's setting changes).", ["scheme": scheme])
      }
      return tr(
        "{scheme}, because you set it (until the desktop's setting changes or until the schedule switches at {time}).",
        ["scheme": scheme, "time": next])
    case "portal" where origin.remembered == true:
      return tr("{scheme}, as the desktop last asked; it has not answered yet in this session.", ["scheme": scheme])
    case "portal": return tr("{scheme}, as the desktop asks.", ["scheme": scheme])
    case "upstream": return tr("{scheme}, as the upstream themed shows.", ["scheme": scheme])
    case "schedule":
      guard let next else { return tr("{scheme}, by the schedule.", ["scheme": scheme]) }
      return tr("{scheme}, by the schedule until {time}.", ["scheme": scheme, "time": next])
    default:
      return status.desktop == "none"
        ? tr("{scheme} by default, because the desktop has no preference.", ["scheme": scheme])
        : tr("{scheme} by default, because the desktop's setting is unavailable.", ["scheme": scheme])
    }
  }
}
