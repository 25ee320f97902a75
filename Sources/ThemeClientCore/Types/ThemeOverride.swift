internal import ThemeInterface
package import ThemeResolution
internal import ThemedText

/// What the user wants instead of the desktop's preference: to be set, or as it was set.
///
/// ```swift
/// var override = ThemeOverride(scheme: .dark)
/// override.expiresAt = .now + .seconds(3600)
/// _ = try await ThemeCalls().setOverride(override)
/// ```
///
/// A field that is nil, and not pinned, is not meant.
public struct ThemeOverride: Sendable, Hashable {
  package var inner: Override

  package init(_ inner: Override) { self.inner = inner }

  /// An override of what is given.
  public init(
    app: ThemeText? = nil, scheme: ThemeScheme? = nil, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: ThemeColor? = nil, lightTheme: ThemeText? = nil, darkTheme: ThemeText? = nil,
    pinned: Set<ThemeField> = [], expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) {
    inner = Override(
      app: app?.inner, scheme: scheme.map { Mode($0.inner) }, highContrast: highContrast,
      reducedMotion: reducedMotion, accentColor: accentColor?.inner, lightTheme: lightTheme?.inner,
      darkTheme: darkTheme?.inner, expiresAt: expiresAt?.secondsSinceEpoch,
      untilDesktopChanges: untilDesktopChanges ? true : nil)
    if !pinned.isEmpty { self.pinned = pinned }
  }

  /// The app that it is for, by the name that it gives itself; nil for all.
  public var app: ThemeText? {
    get { inner.app.map { ThemeText($0) } }
    set { inner.app = newValue?.inner }
  }
  /// Light or dark.
  public var scheme: ThemeScheme? {
    get { inner.scheme?.scheme.map { ThemeScheme($0) } }
    set { inner.scheme = newValue.map { Mode($0.inner) } }
  }
  /// Higher contrast or not.
  public var highContrast: Bool? {
    get { inner.highContrast }
    set { inner.highContrast = newValue }
  }
  /// Less motion or not.
  public var reducedMotion: Bool? {
    get { inner.reducedMotion }
    set { inner.reducedMotion = newValue }
  }
  /// The accent colour.
  public var accentColor: ThemeColor? {
    get { inner.accentColor.map { ThemeColor($0) } }
    set { inner.accentColor = newValue?.inner }
  }
  /// The theme where the scheme is light, by name.
  public var lightTheme: ThemeText? {
    get { inner.lightTheme.map { ThemeText($0) } }
    set { inner.lightTheme = newValue?.inner }
  }
  /// The theme where the scheme is dark, by name.
  public var darkTheme: ThemeText? {
    get { inner.darkTheme.map { ThemeText($0) } }
    set { inner.darkTheme = newValue?.inner }
  }
  /// The fields that are pinned, for an app, to what lies below the overrides, whatever those of all apps say.
  ///
  /// A scheme that is pinned is not given: whichever of the two is said last holds.
  public var pinned: Set<ThemeField> {
    get { Set(inner.auto.map { ThemeField($0) }).union(inner.scheme == .auto ? [.scheme] : []) }
    set {
      inner.auto = Set(newValue.map(\.inner)).subtracting([.scheme])
      if newValue.contains(.scheme) { inner.scheme = .auto } else if inner.scheme == .auto { inner.scheme = nil }
    }
  }
  /// When it ends; nil: not by the clock.
  public var expiresAt: ThemeTime? {
    get { inner.expiresAt.map(ThemeTime.init(secondsSinceEpoch:)) }
    set { inner.expiresAt = newValue?.secondsSinceEpoch }
  }
  /// Whether it ends when the desktop's own preference next changes.
  public var untilDesktopChanges: Bool {
    get { inner.untilDesktopChanges ?? false }
    set { inner.untilDesktopChanges = newValue ? true : nil }
  }

  /// The interface's `Override` as one line of JSON.
  public var json: String { inner.json }
}

/// What an override, or its removal, led to.
public struct ThemeChange: Sendable, Hashable {
  /// The state that resulted, and holds already; without details.
  public let state: ThemeState
  /// Whether it is on the disk; if not, it is lost when the daemon ends, and the daemon's log says why.
  public let isSaved: Bool

  /// A change that led to this.
  public init(state: ThemeState, isSaved: Bool = true) {
    self.state = state
    self.isSaved = isSaved
  }

  package init(_ inner: Changed) { self.init(state: ThemeState(inner.state), isSaved: inner.saved) }
}
