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
    /// The name in the brackets.
    public var name: Text
    /// The distinct keys, in order.
    public var entries: [Entry]

    /// A group with these keys.
    public init(_ name: Text, _ entries: [Entry]) {
      self.name = name
      self.entries = entries
    }
  }

  /// A key of a key file, with its value.
  public struct Entry: Sendable, Hashable {
    /// The key, before `=`.
    public var key: Text
    /// The value after `=`, with escapes resolved.
    public var value: Text

    /// A key and its value.
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
    /// The value in the file.
    public var value: Text?
    /// The value that was expected instead.
    public var expected: String

    /// The longest quotation from a file, in bytes, so that a message fits in a line.
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
      let subject = [place, value.map { "is '\($0.shown(atMost: Self.longestQuote))', but" }]
        .compactMap(\.self).joined(separator: " ")
      return place.isEmpty && value == nil ? "there should be \(expected)" : "\(subject) should be \(expected)"
    }
  }

  /// All problems of a theme's file, at least one.
  public struct Problems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems in the order of the file.
    public let list: [Problem]

    /// These problems.
    public init(_ list: [Problem]) {
      self.list = list
    }

    /// All problems in one line.
    public var description: String { list.map(\.description).joined(separator: "; ") }
  }

  /// The theme.
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
}
