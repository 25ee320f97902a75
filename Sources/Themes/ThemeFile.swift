internal import Appearance

/// A theme's file, `NAME.theme`: the vocabulary of themed.theme(5).
///
/// Pure: it reads groups and keys that a reader of key files has read, such as GLib's, and writes a text that one reads.
public struct ThemeFile: Sendable, Hashable {
  /// How many keys a group may have, and how many groups a file.
  public static let maximumKeys = 256
  /// What ends a theme file's name.
  public static let suffix = ".theme"

  /// A group of a key file, with its keys in order.
  public struct Group: Sendable, Hashable {
    /// What stands in brackets.
    public var name: String
    /// The keys, in order, none twice.
    public var entries: [Entry]

    /// A group of these keys.
    public init(_ name: String, _ entries: [Entry]) {
      self.name = name
      self.entries = entries
    }
  }

  /// A key of a key file, with its value.
  public struct Entry: Sendable, Hashable {
    /// What stands before `=`.
    public var key: String
    /// What stands behind it, without escapes.
    public var value: String

    /// A key and its value.
    public init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// What is wrong with a theme's file, or means nothing: where, what stands there, and what was expected.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The group; nil where it is about the whole file.
    public var group: String?
    /// The key; nil where it is about the whole group.
    public var key: String?
    /// What stands there.
    public var value: String?
    /// What should.
    public var expected: String

    /// A problem at this place.
    public init(group: String? = nil, key: String? = nil, value: String? = nil, expected: String) {
      self.group = group
      self.key = key
      self.value = value
      self.expected = expected
    }

    /// The place, the value and what was expected, in one line without control characters.
    public var description: String {
      let place = [group.map { "[\($0)]" }, key].compactMap(\.self).joined(separator: " ")
      let subject = [place, value.map { "is '\($0.shortened)', and" }].compactMap(\.self).joined(separator: " ")
      let line = place.isEmpty && value == nil ? "there should be \(expected)" : "\(subject) should be \(expected)"
      return String(line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
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
  public init(name: String, groups: [Group]) throws(Problems) {
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

  /// The line, from 1, that a problem is about in the file's text; nil where it is about no single line.
  public static func line(of problem: Problem, in text: String) -> Int? {
    guard let group = problem.group else { return nil }
    var isWithin = false
    var found: Int?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.drop { $0 == " " || $0 == "\t" }
      if words.hasPrefix("[") {
        isWithin = words.hasPrefix("[\(group)]")
        if isWithin, problem.key == nil { return index + 1 }
      } else if isWithin, let key = problem.key, let equals = words.firstIndex(of: "="), !words.hasPrefix("#") {
        let name = words[..<equals].trimmingSuffix { $0 == " " || $0 == "\t" }
        // Of a key that stands twice, the last holds.
        if name == key { found = index + 1 }
      }
    }
    return found
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
    let parts = group.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let scheme = ColorScheme(rawValue: String(parts[0])) else { return passOver(group.name) }
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

  private mutating func text(_ group: ThemeFile.Group, _ entry: ThemeFile.Entry) -> String? {
    let hasControls = entry.value.unicodeScalars.contains { $0.properties.generalCategory == .control }
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

  private mutating func readNames(_ group: ThemeFile.Group, into names: inout [String: String], isAsset: Bool) {
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

  private mutating func passOver(_ group: String, _ key: String? = nil) {
    let expected =
      key == nil
      ? "one of: theme, light.palette, light.assets, light.values, dark.palette, dark.assets, dark.values"
      : group == "theme" ? "one of: title, author" : "the name of a role, as themed.theme(5) lists them"
    unknown.append(ThemeFile.Problem(group: group, key: key, expected: expected))
  }
}

extension String {
  /// So that a message stays a line, whatever stands in the file.
  fileprivate var shortened: String { count <= 80 ? self : prefix(80) + "…" }
}

extension Substring {
  fileprivate func trimmingSuffix(_ isDropped: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return rest
  }
}
