internal import Glibc
package import ThemeInterface
package import ThemeModel
internal import ThemedSystem

/// A switch of the schedule to light or dark.
public struct ThemeSwitch: Sendable, Hashable {
  /// When the schedule switches.
  public let time: ThemeTime
  /// The scheme that the schedule asks for from then on.
  public let scheme: ThemeScheme
  /// How far the clocks of the schedule's time zone are ahead of UTC at that time.
  ///
  /// Nil if it is not known, as always in ``ThemeState/nextSwitch``.
  public let offset: Duration?

  /// Creates a switch to a scheme at a time, for your program's tests.
  public init(time: ThemeTime, scheme: ThemeScheme, offset: Duration? = nil) {
    (self.time, self.scheme, self.offset) = (time, scheme, offset)
  }

  package init(_ inner: Switch, offset: Int64? = nil) {
    self.init(
      time: ThemeTime(secondsSinceEpoch: inner.time), scheme: inner.scheme,
      offset: offset.map(Duration.seconds))
  }

  package var inner: Switch { Switch(time: time.secondsSinceEpoch, scheme: scheme) }
}

/// The schedule and its next switches.
public struct ThemeForecast: Sendable, Hashable {
  // A wrapper, because the interface counts seconds where the library has times.
  package let inner: Forecast

  package init(_ inner: Forecast) { self.inner = inner }

  /// The configured mode: `off`, `times` or `sun`; later versions may add others.
  public var mode: ThemeText { inner.mode }
  /// The scheme that the schedule asks for now; nil if the schedule is off, or its scheme is not known yet.
  public var scheme: ThemeScheme? { inner.scheme }
  /// All switches of the next seven days, and at least the next two.
  public var switches: [ThemeSwitch] { inner.switches.map { ThemeSwitch($0.turn, offset: $0.offset) } }
  /// The next sunrise; nil if the place is not known, or there is no sunrise within a year.
  public var sunrise: ThemeTime? { inner.sunrise.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// The next sunset; nil if the place is not known, or there is no sunset within a year.
  public var sunset: ThemeTime? { inner.sunset.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// The place for sunrise and sunset; nil if the place is not known.
  public var coordinates: Coordinates? { inner.coordinates.map { Coordinates(inner: $0) } }
  /// The name of the time zone; nil if the time zone is not known.
  public var zone: ThemeText? { inner.zone }
  /// Why the daemon does not follow the schedule, or does not follow it as configured, in words.
  public var problem: String? { inner.problem }
  /// A warning about something that may surprise the user, in words.
  ///
  /// For example, a configured time may be skipped when the clocks change.
  public var warning: String? { inner.warning }

  /// The reply of the interface's method `GetSchedule`, as one line of JSON.
  public var json: String { inner.json }

  /// The place for which sunrise and sunset are computed.
  public struct Coordinates: Sendable, Hashable {
    fileprivate let inner: Forecast.Coordinates

    /// In degrees north of the equator.
    public var latitude: Double { inner.latitude }
    /// In degrees east of Greenwich.
    public var longitude: Double { inner.longitude }
    /// `configuration`, or the name of the time zone if the place is the city of that time zone.
    public var origin: ThemeText { inner.origin }
  }
}

/// A point in time, in whole seconds.
///
/// ```swift
/// var override = ThemeOverride(scheme: .dark)
/// override.expiresAt = .now + .seconds(3600)
/// ```
public struct ThemeTime: Sendable, Hashable {
  /// The number of seconds since the beginning of 1970, UTC.
  public let secondsSinceEpoch: Int64

  /// Creates the time that is this many seconds after the beginning of 1970, UTC.
  public init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

  /// The current time.
  public static var now: ThemeTime { ThemeTime(secondsSinceEpoch: Int64(time(nil))) }

  /// The time that is `duration` after `time`, rounded up to whole seconds.
  ///
  /// If the result is out of range, you get the earliest or the latest possible time.
  public static func + (time: ThemeTime, duration: Duration) -> ThemeTime {
    let (seconds, rest) = duration.components
    let added = seconds.addingReportingOverflow(rest > 0 ? 1 : 0)
    let sum = time.secondsSinceEpoch.addingReportingOverflow(added.overflow ? .max : added.partialValue)
    guard sum.overflow else { return ThemeTime(secondsSinceEpoch: sum.partialValue) }
    return ThemeTime(secondsSinceEpoch: seconds < 0 ? .min : .max)
  }
}

extension ThemeTime: Comparable {
  /// Whether `one` is before `other`.
  public static func < (one: ThemeTime, other: ThemeTime) -> Bool { one.secondsSinceEpoch < other.secondsSinceEpoch }
}

extension ThemeTime: Codable {
  /// Decodes the number of seconds since the beginning of 1970, UTC.
  public init(from decoder: any Decoder) throws {
    self.init(secondsSinceEpoch: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Encodes the time as ``secondsSinceEpoch``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsSinceEpoch)
  }
}
