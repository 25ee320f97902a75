package import ThemeResolution

/// What decided a field of the state, and until when, where an override did.
public struct ThemeOrigin: Sendable, Hashable {
  package let inner: Origin

  package init(_ inner: Origin) { self.inner = inner }

  /// The origin of a field that this rule decided.
  public init(
    _ rule: Rule, isPinned: Bool = false, isRemembered: Bool = false, expiresAt: ThemeTime? = nil,
    untilDesktopChanges: Bool = false
  ) {
    inner = Origin(
      Origin.Rule(rawValue: rule.rawValue.inner), isPinned: isPinned, isRemembered: isRemembered,
      expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
  }

  /// The rule that decided it.
  public var rule: Rule { Rule(rawValue: ThemeText(inner.rule.rawValue)) }
  /// Whether an override of this app pins it to what lies below the overrides.
  public var isPinned: Bool { inner.isPinned }
  /// Whether the desktop's word that decided it is remembered from before this session: it has not been heard yet.
  public var isRemembered: Bool { inner.isRemembered }
  /// When the override that decided or pinned it ends; nil: not by the clock.
  public var expiresAt: ThemeTime? { inner.expiresAt.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// Whether that override ends when the desktop's own preference changes.
  public var untilDesktopChanges: Bool { inner.untilDesktopChanges }

  /// The rule that decided a field.
  ///
  /// An open set: expect others than those named here.
  public struct Rule: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// Its name on the wire.
    public let rawValue: ThemeText

    /// The rule of this name.
    public init(rawValue: ThemeText) { self.rawValue = rawValue }

    /// Its name on the wire.
    public var description: String { rawValue.string }

    /// The override of this app.
    public static let appOverride = Rule(rawValue: "app_override")
    /// The override of all apps.
    public static let override = Rule(rawValue: "override")
    /// The schedule.
    public static let schedule = Rule(rawValue: "schedule")
    /// The desktop's preference.
    public static let portal = Rule(rawValue: "portal")
    /// Another daemon, which this one follows in the desktop's place.
    public static let upstream = Rule(rawValue: "upstream")
    /// The configured default.
    public static let `default` = Rule(rawValue: "default")
  }
}
