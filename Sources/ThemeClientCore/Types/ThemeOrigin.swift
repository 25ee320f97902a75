package import ThemeModel

/// The source that decided a field of the state; if an override decided the field, also the end of that override.
public struct ThemeOrigin: Sendable, Hashable {
  package let inner: Origin

  package init(_ inner: Origin) { self.inner = inner }

  /// Creates the origin of a field that this rule decided, for your program's tests.
  public init(
    _ rule: Rule, isPinned: Bool = false, isRemembered: Bool = false, expiresAt: ThemeTime? = nil,
    untilDesktopChanges: Bool = false
  ) {
    inner = Origin(
      Origin.Rule(rawValue: rule.rawValue.inner), isPinned: isPinned, isRemembered: isRemembered,
      expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)
  }

  /// The rule that decided the field, such as an override or the schedule.
  public var rule: Rule { Rule(rawValue: ThemeText(inner.rule.rawValue)) }
  /// Whether an override for this app pins the field, so that the override for all apps does not apply to the field.
  public var isPinned: Bool { inner.isPinned }
  /// Whether the field shows the desktop's preference from an earlier session.
  ///
  /// This is so as long as the desktop of this session has not answered yet.
  public var isRemembered: Bool { inner.isRemembered }
  /// When the override that decided or pinned the field ends; nil for no set time.
  public var expiresAt: ThemeTime? { inner.expiresAt.map(ThemeTime.init(secondsSinceEpoch:)) }
  /// Whether the override that decided or pinned the field ends when the desktop's own preference changes, or at the
  /// schedule's next switch.
  public var untilDesktopChanges: Bool { inner.untilDesktopChanges }

  /// A rule: a source that can decide a field.
  ///
  /// Later versions may add rules, so a `switch` needs a default.
  public struct Rule: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the rule in the interface.
    public let rawValue: ThemeText

    /// Creates the rule of this name.
    public init(rawValue: ThemeText) { self.rawValue = rawValue }

    /// The name of the rule in the interface.
    public var description: String { rawValue.string }

    /// The override for this app.
    public static let appOverride = Rule(rawValue: "app_override")
    /// The override for all apps.
    public static let override = Rule(rawValue: "override")
    /// The schedule.
    public static let schedule = Rule(rawValue: "schedule")
    /// The desktop's preference, from its settings portal.
    public static let portal = Rule(rawValue: "portal")
    /// Another daemon, which this daemon follows in place of the desktop.
    public static let upstream = Rule(rawValue: "upstream")
    /// The configured default.
    public static let `default` = Rule(rawValue: "default")
  }
}
