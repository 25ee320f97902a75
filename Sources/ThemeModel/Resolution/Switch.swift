/// A switch of the schedule to light or dark.
public struct Switch: Sendable, Hashable {
  /// When the schedule switches, in seconds since the epoch.
  public var time: Int64
  /// The schedule's scheme from then on.
  public var scheme: ColorScheme

  /// A switch to `scheme` at `time`.
  public init(time: Int64, scheme: ColorScheme) {
    (self.time, self.scheme) = (time, scheme)
  }

  /// How far ahead a switch can be, in seconds; more than a year, and more than the longest polar night.
  public static let farthest: Int64 = 370 * 86_400
}

/// The schedule's current scheme, if there is a schedule and it is known.
public enum Scheduled: Sendable, Hashable {
  /// There is no schedule.
  case off
  /// There is a schedule, but what it says is not known yet: the last scheme that it said stays in force.
  case unknown
  /// This scheme until the next switch; nil if there is no switch within a year.
  case by(ColorScheme, next: Switch?)

  /// The scheme that the schedule says; nil if the desktop decides instead.
  public var scheme: ColorScheme? {
    switch self {
    case .off, .unknown: nil
    case .by(let scheme, _): scheme
    }
  }

  /// The next switch, if it is known.
  public var next: Switch? {
    if case .by(_, let next) = self { next } else { nil }
  }
}

extension Overrides {
  /// Removes the rules that end at a switch of the schedule, which now says `scheduled`.
  ///
  /// A schedule that is not known yet has not switched, and the first thing that it says is not a switch either.
  public mutating func scheduleTurned(_ scheduled: Scheduled, now: Int64) {
    switch scheduled {
    case .unknown: return
    case .off: awaitTurn { _ in .turn(nil) }
    case .by(let scheme, let next):
      awaitTurn { awaited in
        // No switch can be this far ahead: the machine's clock is not set yet.
        if let awaited, awaited.time > now, awaited.time - max(0, now) > Switch.farthest {
          return .turn(awaited)
        }
        if let awaited, awaited.time <= now || awaited.scheme == scheme { return .nothing }
        return .turn(next ?? Switch(time: now + Switch.farthest, scheme: scheme.opposite))
      }
    }
  }
}
