internal import ThemeInterface
package import ThemeModel
internal import ThemedVarlink

/// The user's choices for one app or for all apps, which win over the schedule and the desktop's preference.
///
/// ```swift
/// var override = ThemeOverride(scheme: .dark)
/// override.expiresAt = .now + .seconds(3600)
/// _ = try await ThemeCalls().call(.setOverride(override))
/// ```
///
/// A field that is nil and not ``pinned`` is not part of the override.
public struct ThemeOverride: Sendable, Hashable {
  // A wrapper, because in the interface an end is a number.
  package var inner: Override

  package init(_ inner: Override) { self.inner = inner }

  /// Creates an override of these fields.
  public init(
    app: ThemeText? = nil, scheme: ThemeScheme? = nil, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: ThemeColor? = nil, lightTheme: ThemeText? = nil, darkTheme: ThemeText? = nil,
    pinned: Set<ThemeField> = [], expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) {
    inner = Override(
      app: app, scheme: scheme, highContrast: highContrast,
      reducedMotion: reducedMotion, accentColor: accentColor, lightTheme: lightTheme, darkTheme: darkTheme,
      expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges ? true : nil)
    if !pinned.isEmpty { self.pinned = pinned }
  }

  /// The app to override, by the name that the app gives itself; nil for all apps.
  public var app: ThemeText? {
    get { inner.app }
    set { inner.app = newValue }
  }
  /// Whether to show light or dark.
  public var scheme: ThemeScheme? {
    get { inner.scheme }
    set {
      inner.scheme = newValue
      if newValue != nil { inner.auto.remove(.scheme) }
    }
  }
  /// Whether to show higher contrast.
  public var highContrast: Bool? {
    get { inner.highContrast }
    set { inner.highContrast = newValue }
  }
  /// Whether to animate less.
  public var reducedMotion: Bool? {
    get { inner.reducedMotion }
    set { inner.reducedMotion = newValue }
  }
  /// The accent colour.
  public var accentColor: ThemeColor? {
    get { inner.accentColor }
    set { inner.accentColor = newValue }
  }
  /// The name of the theme to show while the scheme is light.
  public var lightTheme: ThemeText? {
    get { inner.lightTheme }
    set { inner.lightTheme = newValue }
  }
  /// The name of the theme to show while the scheme is dark.
  public var darkTheme: ThemeText? {
    get { inner.darkTheme }
    set { inner.darkTheme = newValue }
  }
  /// The fields that the override pins.
  ///
  /// If an app's own override pins a field, the app ignores the override for all apps in this field. Instead, the
  /// schedule, the desktop or the default decides the field.
  ///
  /// If ``app`` is nil, there is no other override to ignore: the daemon removes the pinned fields from the override for
  /// all apps. ``expiresAt`` must then be nil, and ``untilDesktopChanges`` must be false.
  ///
  /// A field cannot be pinned and have a value. If you pin ``ThemeField/scheme``, ``scheme`` becomes nil. If you set
  /// ``scheme``, it is no longer pinned. With any other field that is pinned and has a value, the daemon refuses the
  /// override.
  public var pinned: Set<ThemeField> {
    get { Set(inner.auto.map { ThemeField($0) }) }
    set {
      inner.auto = Set(newValue.map(\.inner))
      if newValue.contains(.scheme) { inner.scheme = nil }
    }
  }
  /// When the override ends, at most ten years ahead; nil for no set time.
  public var expiresAt: ThemeTime? {
    get { inner.expiresAt.map(ThemeTime.init(secondsSinceEpoch:)) }
    set { inner.expiresAt = newValue?.secondsSinceEpoch }
  }
  /// Whether the override ends when the desktop's own preference changes, or at the schedule's next switch.
  ///
  /// If ``expiresAt`` is set too, the override ends at the earliest of these times.
  public var untilDesktopChanges: Bool {
    get { inner.untilDesktopChanges ?? false }
    set { inner.untilDesktopChanges = newValue ? true : nil }
  }

  /// The override as one line of JSON, in the form of the interface's type `Override`.
  public var json: String { inner.json }
}

/// The result of setting or removing an override.
public struct ThemeChange: Sendable, Hashable {
  /// The new state, without details; the change is already in effect.
  public let state: ThemeState
  /// Whether the daemon has saved the override to disk.
  ///
  /// If not, the override is lost when the daemon stops; the daemon's log has the reason.
  public let isSaved: Bool

  /// Creates a result with these parts, for your program's tests.
  public init(state: ThemeState, isSaved: Bool = true) {
    (self.state, self.isSaved) = (state, isSaved)
  }

  init(reading reply: inout Parameters) throws(VarlinkError) {
    state = try ThemeState(reading: &reply)
    isSaved = try reply.require(reply.bool("saved"), "saved")
  }
}
