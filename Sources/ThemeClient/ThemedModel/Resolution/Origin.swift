public import ThemedSystem

/// The source of a field's value in the state, and if that is an override, when it ends.
public struct Origin: Sendable, Hashable {
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

/// A rule: a source that can decide a field; a newer daemon may have further ones.
public struct Rule: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name of the rule in the interface.
  public let rawValue: Text

  /// Creates the rule of this name.
  public init(rawValue: Text) { self.rawValue = rawValue }

  /// The name of the rule in the interface.
  public var description: String { rawValue.string }

  // Computed at each call, which costs no more than the check whether a stored value is initialized.

  /// The override for this app.
  public static var appOverride: Rule { Rule(rawValue: "app_override") }
  /// The override for all apps.
  public static var override: Rule { Rule(rawValue: "override") }
  /// The schedule.
  public static var schedule: Rule { Rule(rawValue: "schedule") }
  /// The desktop's preference, from its settings portal.
  public static var portal: Rule { Rule(rawValue: "portal") }
  /// Another daemon, which this daemon follows in place of the desktop.
  public static var upstream: Rule { Rule(rawValue: "upstream") }
  /// The configured default.
  public static var `default`: Rule { Rule(rawValue: "default") }
}

/// The source of each field's value, by the field's name on the wire, in the order of the names.
///
/// A sorted array: for a handful of fields a search is faster than hashing, and they are written without sorting.
public struct Origins: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  /// A field's name and the source of its value.
  public struct Element: Sendable, Hashable {
    /// The field's name.
    public let key: Text
    /// The source of its value.
    public var value: Origin
  }

  private var elements: [Element]

  /// No origins.
  public init() { elements = [] }

  /// No origins, with memory reserved for `count` of them.
  init(reserving count: Int) {
    elements = []
    elements.reserveCapacity(count)
  }

  /// The origins of these fields; the caller guarantees that their names differ.
  public init(_ origins: [(Text, Origin)]) {
    elements = origins.map(Element.init).sorted { $0.key < $1.key }
  }

  /// The origins of these fields, whose names must differ.
  public init(dictionaryLiteral elements: (Text, Origin)...) { self.init(elements) }

  /// The first position.
  public var startIndex: Int { 0 }
  /// The position after the last one.
  public var endIndex: Int { elements.count }
  /// The element at a position.
  public subscript(index: Int) -> Element { elements[index] }

  /// The source of a field's value; nil if the field has no value.
  public subscript(name: Text) -> Origin? {
    get { elements.first { $0.key == name }?.value }
    set {
      let index = elements.firstIndex { $0.key >= name } ?? elements.count
      if index < elements.count, elements[index].key == name { elements.remove(at: index) }
      if let newValue { elements.insert(Element(key: name, value: newValue), at: index) }
    }
  }

  /// Adds an origin; the caller guarantees that the name comes after all others.
  mutating func append(_ name: Text, _ origin: Origin) { elements.append(Element(key: name, value: origin)) }

  /// The same fields with the origins that `body` returns.
  public func mapValues(_ body: (Origin) -> Origin) -> Origins {
    var mapped = self
    for index in mapped.elements.indices { mapped.elements[index].value = body(elements[index].value) }
    return mapped
  }
}
