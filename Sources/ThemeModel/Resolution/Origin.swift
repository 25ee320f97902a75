public import ThemedSystem

/// The source of a field's value in the state, and if that is an override, when it ends.
public struct Origin: Sendable, Hashable {
  /// A rule that can decide a field.
  ///
  /// Later versions may add others.
  public struct Rule: RawRepresentable, Sendable, Hashable {
    /// Its name on the wire.
    public let rawValue: Text

    /// The rule of this name.
    public init(rawValue: Text) {
      self.rawValue = rawValue
    }

    // Computed at each call, which costs no more than the check whether a stored value is initialized.

    /// The override of this app.
    public static var appOverride: Rule { Rule(rawValue: "app_override") }
    /// The override of all apps.
    public static var override: Rule { Rule(rawValue: "override") }
    /// The schedule.
    public static var schedule: Rule { Rule(rawValue: "schedule") }
    /// The desktop's preference, from its settings portal.
    public static var portal: Rule { Rule(rawValue: "portal") }
    /// The daemon that this one follows in place of the desktop.
    public static var upstream: Rule { Rule(rawValue: "upstream") }
    /// The configured default.
    public static var `default`: Rule { Rule(rawValue: "default") }
  }

  /// The rule that decided the field.
  public var rule: Rule
  /// Whether an override of this app sets the field to `auto`, so that the overrides of all apps do not apply to it.
  public var isPinned: Bool
  /// Whether the desktop's preference that decided the field is remembered from an earlier session, because this session's
  /// desktop has not been heard yet.
  public var isRemembered = false
  /// When the override that decided or pinned the field ends, in seconds since the epoch; nil: not at a certain time.
  public var expiresAt: Int64?
  /// Whether that override ends when the desktop's own preference changes.
  public var untilDesktopChanges: Bool

  /// The origin of a field that this rule decided.
  public init(
    _ rule: Rule, isPinned: Bool = false, isRemembered: Bool = false, expiresAt: Int64? = nil,
    untilDesktopChanges: Bool = false
  ) {
    self.rule = rule
    self.isPinned = isPinned
    self.isRemembered = isRemembered
    self.expiresAt = expiresAt
    self.untilDesktopChanges = untilDesktopChanges
  }

  /// The origin of a field that this rule decided; `end` is the end of the override that decided or pinned the field.
  init(_ rule: Rule, isPinned: Bool = false, isRemembered: Bool = false, until end: End) {
    self.init(
      rule, isPinned: isPinned, isRemembered: isRemembered, expiresAt: end.expiresAt,
      untilDesktopChanges: end.desktopWas != nil)
  }
}
