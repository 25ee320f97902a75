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
}

/// What the schedule says of the scheme.
public enum Scheduled: Sendable, Hashable {
  /// Nothing: there is none.
  case off
  /// There is one, of which nothing is known yet: what it said last holds, nil where that is not known either.
  case unknown(ColorScheme?)
  /// This, until the next turn; nil where there is none within a year.
  case by(ColorScheme, next: Switch?)

  /// What it says; nil where the desktop is to be asked.
  public var scheme: ColorScheme? {
    switch self {
    case .off: nil
    case .unknown(let scheme): scheme
    case .by(let scheme, _): scheme
    }
  }

  /// Its next turn, as far as that is known.
  public var next: Switch? {
    if case .by(_, let next) = self { next } else { nil }
  }
}
