package import ThemeInterface
package import ThemeResolution
internal import ThemedText

/// A time at which the schedule switches, and to what.
public struct ThemeSwitch: Sendable, Hashable {
  /// When.
  public let time: ThemeTime
  /// What the schedule says from then on.
  public let scheme: ThemeScheme
  /// How far ahead of UTC the clocks of the schedule's time zone are then; nil where that is not told.
  public let offset: Duration?

  /// A switch to a scheme at a time, such as for the tests of a program.
  public init(time: ThemeTime, scheme: ThemeScheme, offset: Duration? = nil) {
    (self.time, self.scheme, self.offset) = (time, scheme, offset)
  }

  package init(_ inner: Switch, offset: Int64? = nil) {
    self.init(
      time: ThemeTime(secondsSinceEpoch: inner.time), scheme: ThemeScheme(inner.scheme),
      offset: offset.map(Duration.seconds))
  }

  package var inner: Switch { Switch(time: time.secondsSinceEpoch, scheme: scheme.inner) }
}

/// The schedule, and what it will say.
public struct ThemeForecast: Sendable, Hashable {
  package let inner: Forecast

  package init(_ inner: Forecast) { self.inner = inner }

  /// How it is configured: `off`, `times` or `sun`; an open set.
  public var mode: ThemeText { ThemeText(inner.mode) }
  /// What it says now; nil where it is off, or nothing is known of it yet.
  public var scheme: ThemeScheme? { inner.scheme.map { ThemeScheme($0) } }
  /// The switches of the next seven days, and the next two.
  public var switches: [ThemeSwitch] { inner.switches.map { ThemeSwitch($0.turn, offset: $0.offset) } }
  /// The next sunrise; nil where no place is known, or there is none.
  public var sunrise: ThemeTime? { inner.sunrise.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// The next sunset; nil where no place is known, or there is none.
  public var sunset: ThemeTime? { inner.sunset.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// Where the sun is looked at; nil where no place is known.
  public var coordinates: Coordinates? { inner.coordinates.map { Coordinates(inner: $0) } }
  /// The name of the time zone; nil where it is not known.
  public var zone: ThemeText? { inner.zone.map { ThemeText($0) } }
  /// Why the schedule is not followed, or not as it is configured.
  public var problem: String? { inner.problem }
  /// What may surprise, such as a time that the clocks pass over.
  public var warning: String? { inner.warning }

  /// The reply of `GetSchedule` as one line of JSON.
  public var json: String { inner.json }

  /// Where the sun is looked at.
  public struct Coordinates: Sendable, Hashable {
    fileprivate let inner: Forecast.Coordinates

    /// In degrees, north of the equator.
    public var latitude: Double { inner.latitude }
    /// In degrees, east of Greenwich.
    public var longitude: Double { inner.longitude }
    /// Who says so: `configuration`, or the name of a time zone.
    public var origin: ThemeText { ThemeText(inner.origin) }
  }
}
