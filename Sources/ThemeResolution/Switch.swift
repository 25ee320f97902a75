/// A turn of the schedule.
public struct Switch: Sendable, Hashable {
  /// When, in seconds since the epoch.
  public var time: Int64
  /// What the schedule says from then on.
  public var scheme: ColorScheme

  /// A turn to `scheme` at `time`.
  public init(time: Int64, scheme: ColorScheme) {
    (self.time, self.scheme) = (time, scheme)
  }

  /// How far ahead a turn lies at most, in seconds: a year is shorter, and so is the longest polar night.
  public static let farthest: Int64 = 370 * 86_400
}

/// What the schedule says of the scheme.
public enum Scheduled: Sendable, Hashable {
  /// Nothing: there is none.
  case off
  /// There is one, of which nothing is known yet: what it said last is to hold.
  case unknown
  /// This, until the next turn; nil where there is none within a year.
  case by(ColorScheme, next: Switch?)

  /// What it says; nil where the desktop is to be asked.
  public var scheme: ColorScheme? {
    switch self {
    case .off, .unknown: nil
    case .by(let scheme, _): scheme
    }
  }

  /// Its next turn, as far as that is known.
  public var next: Switch? {
    if case .by(_, let next) = self { next } else { nil }
  }
}

extension Overrides {
  /// Removes the rules that end by the schedule, now that it says this.
  ///
  /// One that has said nothing yet has not changed, and the first that it says is no change either.
  public mutating func scheduleTurned(_ scheduled: Scheduled, now: Int64) {
    switch scheduled {
    case .unknown: return
    case .off: awaitTurn { _ in .turn(nil) }
    case .by(let scheme, let next):
      awaitTurn { awaited in
        // What is awaited farther ahead than any turn lies was so by another clock: this one is not set yet.
        if let awaited, awaited.time > now, awaited.time - max(0, now) > Switch.farthest {
          return .turn(awaited)
        }
        if let awaited, awaited.time <= now || awaited.scheme == scheme { return .nothing }
        return .turn(next ?? Switch(time: now + Switch.farthest, scheme: scheme.opposite))
      }
    }
  }
}
