internal import Glibc
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// The user's choices for one app or for all apps, which win over the schedule and the desktop's preference.
///
/// ```swift
/// try await client.setOverride(ThemeOverride(scheme: .dark, expiresAt: .now + .seconds(3600)))
/// ```
///
/// A field that is nil and not ``pinned`` is not part of the override.
public struct ThemeOverride: Sendable, Hashable {
  /// The app to override, by the name that the app gives itself; nil for all apps.
  public var app: String?
  /// Whether to show light or dark.
  public var scheme: ThemeScheme?
  /// Whether to show higher contrast.
  public var highContrast: Bool?
  /// Whether to animate less.
  public var reducedMotion: Bool?
  /// The accent colour.
  public var accentColor: ThemeColor?
  /// The name of the theme to show while the scheme is light.
  public var lightTheme: String?
  /// The name of the theme to show while the scheme is dark.
  public var darkTheme: String?
  /// The fields that the override pins.
  ///
  /// If an app's own override pins a field, the app ignores the override for all apps in this field. Instead, the
  /// schedule, the desktop or the default decides the field.
  ///
  /// If ``app`` is nil, there is no other override to ignore: the daemon removes the pinned fields from the override for
  /// all apps. ``expiresAt`` must then be nil, and ``untilDesktopChanges`` must be false.
  ///
  /// The daemon refuses an override with a field that is pinned and has a value.
  public var pinned: Set<ThemeState.Field>
  /// When the override ends, at most ten years ahead; nil for no set time.
  public var expiresAt: ThemeTime?
  /// Whether the override ends when the desktop's own preference changes, or at the schedule's next switch.
  ///
  /// If ``expiresAt`` is set too, the override ends at the earliest of these times.
  public var untilDesktopChanges: Bool

  /// Creates an override of these fields.
  public init(
    app: String? = nil, scheme: ThemeScheme? = nil, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: ThemeColor? = nil, lightTheme: String? = nil, darkTheme: String? = nil,
    pinned: Set<ThemeState.Field> = [], expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) {
    self.app = app
    self.scheme = scheme
    self.highContrast = highContrast
    self.reducedMotion = reducedMotion
    self.accentColor = accentColor
    self.lightTheme = lightTheme
    self.darkTheme = darkTheme
    self.pinned = pinned
    self.expiresAt = expiresAt
    self.untilDesktopChanges = untilDesktopChanges
  }

  init(_ inner: Override) {
    self.init(
      app: inner.app?.string, scheme: inner.scheme.map { ThemeScheme($0) }, highContrast: inner.highContrast,
      reducedMotion: inner.reducedMotion, accentColor: inner.accentColor.map { ThemeColor($0) },
      lightTheme: inner.lightTheme?.string, darkTheme: inner.darkTheme?.string,
      pinned: Set(inner.auto.map { ThemeState.Field($0) }),
      expiresAt: inner.expiresAt.map { ThemeTime(secondsSinceEpoch: $0) },
      untilDesktopChanges: inner.untilDesktopChanges ?? false)
  }

  var inner: Override {
    Override(
      app: app.map { Text($0) }, scheme: scheme?.inner, highContrast: highContrast, reducedMotion: reducedMotion,
      accentColor: accentColor?.inner, lightTheme: lightTheme.map { Text($0) }, darkTheme: darkTheme.map { Text($0) },
      auto: Set(pinned.map(\.inner)), expiresAt: expiresAt?.secondsSinceEpoch,
      untilDesktopChanges: untilDesktopChanges ? true : nil)
  }

  /// The result of setting or removing an override.
  public struct Change: Sendable, Hashable {
    /// The new state of the app that was named, without details; without an app, that of a client without a name.
    ///
    /// The change is already in effect. To know what your own app shows, follow the state.
    public let state: ThemeState
    /// Whether the daemon has saved the override to disk.
    ///
    /// If not, the override is lost when the daemon stops; the daemon's log has the reason.
    public let isSaved: Bool

    /// Creates a result with these parts, for your program's tests.
    public init(state: ThemeState, isSaved: Bool = true) { (self.state, self.isSaved) = (state, isSaved) }

    init(_ inner: OverrideChange) { (state, isSaved) = (ThemeState(inner.state), inner.isSaved) }
  }
}

/// A point in time, in whole seconds.
public struct ThemeTime: Sendable, Hashable, Comparable {
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

  /// Whether `one` is before `other`.
  public static func < (one: ThemeTime, other: ThemeTime) -> Bool { one.secondsSinceEpoch < other.secondsSinceEpoch }
}
