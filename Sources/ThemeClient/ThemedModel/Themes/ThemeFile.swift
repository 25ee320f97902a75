public import ThemedSystem

/// A theme's file, `NAME.theme`: the vocabulary of themed.theme(5).
///
/// Pure: it reads the groups and keys of a ``KeyFile``, and writes a text that is one.
public struct ThemeFile: Sendable, Hashable {
  /// The maximum number of keys in a group, and of groups in a file.
  public static let maximumKeys = 256
  /// The suffix of a theme file's name.
  public static let suffix: Text = ".theme"

  /// A group of a key file, with its keys in order.
  public struct Group: Sendable, Hashable {
    public var name: Text
    /// The distinct keys, in order.
    public var entries: [Entry]

    public init(_ name: Text, _ entries: [Entry]) {
      self.name = name
      self.entries = entries
    }
  }

  /// A key of a key file, with its value.
  public struct Entry: Sendable, Hashable {
    public var key: Text
    /// The value after `=`, with escapes resolved.
    public var value: Text

    public init(_ key: Text, _ value: Text) {
      self.key = key
      self.value = value
    }
  }

  /// Something in a theme's file that is wrong or unknown: the place, the text there, and what was expected.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The group; nil if the problem is about the whole file.
    public var group: Text?
    /// The key; nil if the problem is about the whole group.
    public var key: Text?
    public var value: Text?
    /// The value that was expected instead, or what the group lacks.
    public var expected: String
    private var isLack = false

    /// The longest quotation from a file, in bytes, so that a message fits in a line.
    private static let longestQuote = 80

    public init(group: Text? = nil, key: Text? = nil, value: Text? = nil, expected: String) {
      self.group = group
      self.key = key
      self.value = value
      self.expected = expected
    }

    public init(group: Text, lacks key: String) {
      self.init(group: group, expected: key)
      isLack = true
    }

    /// The place, the value and what was expected, in one line without control characters.
    public var description: String {
      let place = [group.map { "[\($0.shown(atMost: Self.longestQuote))]" }, key?.shown(atMost: Self.longestQuote)]
        .compactMap(\.self).joined(separator: " ")
      if isLack { return "\(place) needs \(expected)" }
      let subject = [place, value.map { "is '\($0.shown(atMost: Self.longestQuote))', but" }]
        .compactMap(\.self).joined(separator: " ")
      return place.isEmpty && value == nil ? "there should be \(expected)" : "\(subject) should be \(expected)"
    }
  }

  /// All problems of a theme's file, at least one.
  public struct Problems: Error, Sendable, Hashable, CustomStringConvertible {
    public let list: [Problem]

    public init(_ list: [Problem]) {
      self.list = list
    }

    public var description: String { list.map(\.description).joined(separator: "; ") }
  }

  public let theme: Theme
  /// Groups and keys that this version does not know: from a later version, or misspelt.
  public let unknown: [Problem]

  /// Reads the theme `name` from the groups of its file; throws all its problems.
  public init(name: Text, groups: [Group]) throws(Problems) {
    var reader = ThemeReader(name: name)
    for group in groups.prefix(Self.maximumKeys) { reader.read(group) }
    reader.resolve()
    var problems: [Problem] = []
    if !Theme.isValidName(name) {
      problems.append(Problem(value: name, expected: "a theme's name: \(Theme.nameExpectation)"))
    }
    if groups.count > Self.maximumKeys { problems.append(Problem(expected: "\(Self.maximumKeys) groups at most")) }
    problems += reader.problems
    if reader.theme.schemes.isEmpty {
      problems.append(Problem(expected: "a side: a group [light.palette] or [dark.palette]"))
    }
    guard problems.isEmpty else { throw Problems(problems) }
    theme = reader.theme
    unknown = reader.unknown
  }

  /// The text of a theme's file, from which ``KeyFile`` reads the groups of this theme.
  public static func text(of theme: Theme) -> String { text(of: groups(of: theme)) }

  /// The text of a key file with these groups.
  ///
  /// Values are escaped; names and keys are written as they are.
  public static func text(of groups: [Group]) -> String {
    groups.map { group in
      "[\(group.name)]\n" + group.entries.map { "\($0.key)=\(escaped($0.value))\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The groups of a theme's file, light before dark: the inverse of ``init(name:groups:)``.
  public static func groups(of theme: Theme) -> [Group] {
    var head = [Entry("title", theme.title)]
    if let author = theme.author { head.append(Entry("author", author)) }
    return [Group("theme", head)]
      + ColorScheme.allCases.flatMap { scheme in theme[scheme].map { groups(of: $0, scheme) } ?? [] }
  }

  private static func groups(of side: Side, _ scheme: ColorScheme) -> [Group] {
    let colors = Role.all.compactMap { role in
      side.colors[role].map { Entry(role.rawValue, Text($0.hexadecimal)) }
    }
    func named(_ part: String, _ values: [Text: Text]) -> [Group] {
      let entries = values.sorted { $0.key < $1.key }.map { Entry($0.key, $0.value) }
      return entries.isEmpty ? [] : [Group("\(scheme.rawValue).\(part)", entries)]
    }
    // Without colours, the empty group still says that the theme has this side.
    return [Group("\(scheme.rawValue).palette", colors)] + named("assets", side.assets) + named("values", side.values)
  }

  /// A value with the escapes of the Desktop Entry Specification, which GLib reads back.
  private static func escaped(_ value: Text) -> Text {
    let bytes = Array(value.utf8)
    // White space at either end would not be part of the value.
    let start = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.endIndex
    let end = (bytes.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1
    var escaped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\\"): escaped += "\\\\".utf8
      case UInt8(ascii: "\n"): escaped += "\\n".utf8
      case UInt8(ascii: "\r"): escaped += "\\r".utf8
      case UInt8(ascii: "\t"): escaped += "\\t".utf8
      case UInt8(ascii: " ") where index < start || index >= end: escaped += "\\s".utf8
      default: escaped.append(byte)
      }
    }
    return Text(decoding: escaped)
  }
}
