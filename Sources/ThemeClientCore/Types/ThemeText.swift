package import ThemedSystem

/// Text from outside your program, such as the name of a theme.
///
/// Texts are compared, hashed and ordered by their UTF-8 bytes. With `String`, by contrast, two names with different
/// bytes can be equal. You can write a ``ThemeText`` as a literal. To get a `String`, use `String(name)` or ``string``.
///
/// ```swift
/// if state.theme == "mint" { print("fresh") }
/// ```
public struct ThemeText: Sendable, Hashable {
  package let inner: Text

  package init(_ inner: Text) { self.inner = inner }

  /// Creates a text from these bytes; bytes that are not UTF-8 become U+FFFD.
  public init(decoding bytes: some Collection<UInt8>) { inner = Text(decoding: bytes) }

  /// The text as a `String`.
  public var string: String { inner.string }

  /// The bytes of the text.
  public var utf8: String.UTF8View { inner.utf8 }

  /// Whether the text is empty.
  public var isEmpty: Bool { inner.isEmpty }

  /// The text in a form that is safe in one line of a terminal or a log.
  ///
  /// Terminals obey control characters. So each character that would move, hide or reverse other text becomes a
  /// question mark. A text of more than `maximum` bytes is cut, and ends with an ellipsis.
  public func shown(atMost maximum: Int = .max) -> String { inner.shown(atMost: maximum) }
}

extension ThemeText: LosslessStringConvertible {
  /// Creates a text from a `String`.
  public init(_ string: String) { inner = Text(string) }

  /// The text as it is; for a terminal or a log, use ``shown(atMost:)``.
  public var description: String { inner.string }
}

extension ThemeText: Comparable {
  /// Whether `one` comes before `other` in the order of the bytes, which is the order of the Unicode scalars.
  public static func < (one: ThemeText, other: ThemeText) -> Bool { one.inner < other.inner }
}

extension ThemeText: ExpressibleByStringInterpolation {
  /// Creates a text from a literal.
  public init(stringLiteral literal: String) { self.init(literal) }
}

extension ThemeText: Codable {
  /// Decodes a string.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

  /// Encodes the text as a string.
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
