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
    var reader = ThemeReader(name: name)
    for group in groups.prefix(Self.maximumKeys) { reader.read(group) }
    reader.resolve()
    var problems: [Problem] = []
    if !Theme.isValidName(name) {
      problems.append(Problem(value: name, expected: "a theme's name, \(Theme.nameExpectation)"))
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
