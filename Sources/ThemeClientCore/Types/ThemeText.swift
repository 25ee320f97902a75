package import ThemedText

/// Text that somebody else wrote, such as the name of a theme: compared, hashed and ordered as the bytes of its UTF-8.
///
/// A `String` compares by canonical equivalence, so that two names which differ in bytes may be one. A literal is one,
/// and `String(name)`, or ``string``, is the text as the standard library has it.
///
/// ```swift
/// if state.theme == "mint" { print("fresh") }
/// ```
public struct ThemeText: Sendable, Hashable {
  package let inner: Text

  package init(_ inner: Text) { self.inner = inner }

  /// The text of these bytes; what is no UTF-8 becomes U+FFFD.
  public init(decoding bytes: some Collection<UInt8>) { inner = Text(decoding: bytes) }

  /// The same as the standard library's text.
  public var string: String { inner.string }

  /// Its bytes.
  public var utf8: String.UTF8View { inner.utf8 }

  /// Whether it has none.
  public var isEmpty: Bool { inner.isEmpty }

  /// The text as it may stand in a line on a terminal or in a log, which take orders from control characters: whatever
  /// would move, hide or turn the text around it is a question mark, and what is longer than `maximum` bytes ends with
  /// an ellipsis.
  public func shown(atMost maximum: Int = .max) -> String { inner.shown(atMost: maximum) }
}

extension ThemeText: LosslessStringConvertible {
  /// The text that a string holds.
  public init(_ string: String) { inner = Text(string) }

  /// The text as it is; for a terminal or a log see ``shown(atMost:)``.
  public var description: String { inner.string }
}

extension ThemeText: Comparable {
  /// Whether it comes first in the order of the bytes, which is that of the Unicode scalars.
  public static func < (one: ThemeText, other: ThemeText) -> Bool { one.inner < other.inner }
}

extension ThemeText: ExpressibleByStringInterpolation {
  /// The text of a literal.
  public init(stringLiteral literal: String) { self.init(literal) }
}

extension ThemeText: Codable {
  /// Reads a string.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

extension [Text: Text] {
  init(_ texts: [ThemeText: ThemeText]) {
    self.init(uniqueKeysWithValues: texts.map { ($0.key.inner, $0.value.inner) })
  }
}

extension [ThemeText: ThemeText] {
  init(_ texts: [Text: Text]) {
    self.init(uniqueKeysWithValues: texts.map { (ThemeText($0.key), ThemeText($0.value)) })
  }
}
