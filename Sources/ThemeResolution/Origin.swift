public import ThemedText

/// What decided a field of the state, and until when, where an override did.
public struct Origin: Sendable, Hashable {
  /// The rule that decided a field.
  ///
  /// An open set: a client must expect others than those named here.
  public struct Rule: RawRepresentable, Sendable, Hashable {
    /// Its name on the wire.
    public let rawValue: Text

    /// The rule of this name.
    public init(rawValue: Text) {
      self.rawValue = rawValue
    }

    // Made at each call, which takes no more than a look at whether one was made already.

    /// The override of this app.
    public static var appOverride: Rule { Rule(rawValue: "app_override") }
    /// The override of all apps.
    public static var override: Rule { Rule(rawValue: "override") }
    /// The schedule.
    public static var schedule: Rule { Rule(rawValue: "schedule") }
    /// The desktop's preference.
    public static var portal: Rule { Rule(rawValue: "portal") }
    /// Another daemon, which this one follows in the desktop's place.
    public static var upstream: Rule { Rule(rawValue: "upstream") }
    /// The configured default.
    public static var `default`: Rule { Rule(rawValue: "default") }
  }

  /// The rule that decided it.
  public var rule: Rule
  /// Whether an override of this app pins it to what lies below the overrides.
  public var isPinned: Bool
  /// Whether the desktop's word that decided it is remembered from before this session: it has not been heard yet.
  public var isRemembered = false
  /// When the override that decided or pinned it ends, in seconds since the epoch; nil: not by the clock.
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

  /// The origin of a field that this rule decided, or that is pinned to it, by an override with this end.
  init(_ rule: Rule, isPinned: Bool = false, isRemembered: Bool = false, until end: End) {
    self.init(
      rule, isPinned: isPinned, isRemembered: isRemembered, expiresAt: end.expiresAt,
      untilDesktopChanges: end.desktopWas != nil)
  }
}
