internal import ThemeResolution
public import ThemedText

/// A theme's file, `NAME.theme`: the vocabulary of themed.theme(5).
///
/// Pure: it reads the groups and keys of a ``KeyFile``, and writes a text that is one.
public struct ThemeFile: Sendable, Hashable {
  /// How many keys a group may have, and how many groups a file.
  public static let maximumKeys = 256
  /// What ends a theme file's name.
  public static let suffix: Text = ".theme"

  /// A group of a key file, with its keys in order.
  public struct Group: Sendable, Hashable {
    /// What stands in brackets.
    public var name: Text
    /// The keys, in order, none twice.
    public var entries: [Entry]

    /// A group of these keys.
    public init(_ name: Text, _ entries: [Entry]) {
      self.name = name
      self.entries = entries
    }
  }

  /// A key of a key file, with its value.
  public struct Entry: Sendable, Hashable {
    /// What stands before `=`.
    public var key: Text
    /// What stands behind it, without escapes.
    public var value: Text

    /// A key and its value.
    public init(_ key: Text, _ value: Text) {
      self.key = key
      self.value = value
    }
  }

  /// What is wrong with a theme's file, or means nothing: where, what stands there, and what was expected.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The group; nil where it is about the whole file.
    public var group: Text?
    /// The key; nil where it is about the whole group.
    public var key: Text?
    /// What stands there.
    public var value: Text?
    /// What should.
    public var expected: String

    /// The longest quotation of what stands in a file, in bytes: a message stays a line.
    private static let longestQuote = 80

    /// A problem at this place.
    public init(group: Text? = nil, key: Text? = nil, value: Text? = nil, expected: String) {
      self.group = group
      self.key = key
      self.value = value
      self.expected = expected
    }

    /// The place, the value and what was expected, in one line without control characters.
    public var description: String {
      let place = [group.map { "[\($0.shown(atMost: Self.longestQuote))]" }, key?.shown(atMost: Self.longestQuote)]
        .compactMap(\.self).joined(separator: " ")
      let subject = [place, value.map { "is '\($0.shown(atMost: Self.longestQuote))', and" }]
        .compactMap(\.self).joined(separator: " ")
      return place.isEmpty && value == nil ? "there should be \(expected)" : "\(subject) should be \(expected)"
    }
  }

  /// Everything that is wrong with a theme's file, at least one thing.
  public struct Problems: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of the file.
    public let list: [Problem]

    /// These problems.
    public init(_ list: [Problem]) {
      self.list = list
    }

    /// All in one line.
    public var description: String { list.map(\.description).joined(separator: "; ") }
  }

  /// The theme.
  public let theme: Theme
  /// Groups and keys that mean nothing to this version: maybe to a later one, maybe a slip.
  public let unknown: [Problem]

  /// Reads the theme `name` from the groups of its file; throws every problem that it has.
  public init(name: Text, groups: [Group]) throws(Problems) {
    var reader = Reader(theme: Theme(name: name))
    if !Theme.isValidName(name) {
      reader.problems.append(Problem(value: name, expected: "a theme's name, \(Theme.nameExpectation)"))
    }
    if groups.count > Self.maximumKeys {
      reader.problems.append(Problem(expected: "\(Self.maximumKeys) groups at most"))
    }
    for group in groups.prefix(Self.maximumKeys) { reader.read(group) }
    if reader.theme.schemes.isEmpty {
      reader.problems.append(Problem(expected: "a side: a group [light.palette] or [dark.palette]"))
    }
    guard reader.problems.isEmpty else { throw Problems(reader.problems) }
    theme = reader.theme
    unknown = reader.unknown
  }
}

/// Reads group by group, and goes on after a problem, so that all are told at once.
private struct Reader {
  var theme: Theme
  var problems: [ThemeFile.Problem] = []
  var unknown: [ThemeFile.Problem] = []

  mutating func read(_ group: ThemeFile.Group) {
    guard group.entries.count <= ThemeFile.maximumKeys else {
      let expected = "a group of \(ThemeFile.maximumKeys) keys at most"
      return problems.append(ThemeFile.Problem(group: group.name, expected: expected))
    }
    guard group.name != "theme" else { return readHead(group) }
    let parts = group.name.split(".", maxSplits: 1)
    guard parts.count == 2, let scheme = ColorScheme(word: parts[0]) else { return passOver(group.name) }
    var side = theme[scheme] ?? Side()
    switch parts[1] {
    case "palette": readPalette(group, into: &side.colors)
    case "assets": readNames(group, into: &side.assets, isAsset: true)
    case "values": readNames(group, into: &side.values, isAsset: false)
    default: return passOver(group.name)
    }
    theme[scheme] = side
  }

  private mutating func readHead(_ group: ThemeFile.Group) {
    for entry in group.entries {
      switch entry.key {
      case "title": theme.title = text(group, entry) ?? theme.title
      case "author": theme.author = text(group, entry)
      default: passOver(group.name, entry.key)
      }
    }
  }

  private mutating func text(_ group: ThemeFile.Group, _ entry: ThemeFile.Entry) -> Text? {
    let hasControls = entry.value.string.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !entry.value.isEmpty, entry.value.utf8.count <= 255, !hasControls else {
      refuse(group, entry, "1 to 255 bytes of text without control characters")
      return nil
    }
    return entry.value
  }

  private mutating func readPalette(_ group: ThemeFile.Group, into colors: inout [Role: Color]) {
    for entry in group.entries {
      guard let role = Role(name: entry.key) else {
        passOver(group.name, entry.key)
        continue
      }
      guard let color = Color(hexadecimal: entry.value) else {
        refuse(group, entry, "a colour such as #3584e4")
        continue
      }
      if colors.updateValue(color, forKey: role) != nil {
        refuse(group, entry, "left out: tint is another name of primary, which is given, too")
      }
    }
  }

  private mutating func readNames(_ group: ThemeFile.Group, into names: inout [Text: Text], isAsset: Bool) {
    for entry in group.entries {
      guard Side.isValidKey(entry.key) else {
        let expected = "called by 1 to 64 ASCII letters, digits, '.', '_', '+' and '-'"
        problems.append(ThemeFile.Problem(group: group.name, key: entry.key, expected: expected))
        continue
      }
      if isAsset, entry.value.isEmpty || entry.value.utf8.contains(0) || entry.value.utf8.count > 4095 {
        refuse(group, entry, "the path of a file")
        continue
      }
      names[entry.key] = entry.value
    }
  }

  private mutating func refuse(_ group: ThemeFile.Group, _ entry: ThemeFile.Entry, _ expected: String) {
    problems.append(ThemeFile.Problem(group: group.name, key: entry.key, value: entry.value, expected: expected))
  }

  private mutating func passOver(_ group: Text, _ key: Text? = nil) {
    let expected =
      key == nil
      ? "one of: theme, light.palette, light.assets, light.values, dark.palette, dark.assets, dark.values"
      : group == "theme" ? "one of: title, author" : "the name of a role, as themed.theme(5) lists them"
    unknown.append(ThemeFile.Problem(group: group, key: key, expected: expected))
  }
}
