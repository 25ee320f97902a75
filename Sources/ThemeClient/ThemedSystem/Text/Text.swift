internal import CThemedLinux
internal import Glibc

/// Foreign text, such as the name of a theme, which is compared, hashed and ordered by its UTF-8 bytes.
///
/// With `String`, by contrast, two names with different bytes can be equal.
public struct Text: Sendable {
  /// The text as a `String`.
  public let string: String

  /// Creates a text from a `String`.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  // It is inlinable, like the next, so that the compiler specializes it for each kind of collection.
  /// Creates a text from these bytes; bytes that are not UTF-8 become U+FFFD.
  @inlinable public init(decoding bytes: some Collection<UInt8>) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// The text of these bytes; nil if they are not valid UTF-8.
  ///
  /// It compares the result with the bytes, because invalid UTF-8 would have been replaced. The standard library's own
  /// check looks up a type at run time at each call, which takes longer than all of this.
  @inlinable public init?(validating bytes: some Collection<UInt8>) {
    self.init(decoding: bytes)
    let isSame = bytes.withContiguousStorageIfAvailable { unsafe consists(of: $0) }
    guard isSame ?? utf8.elementsEqual(bytes) else { return nil }
  }

  @usableFromInline func consists(of other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withBytes { bytes in
      // Empty bytes may have no address.
      guard let start = bytes.baseAddress, let other = other.baseAddress else { return true }
      return unsafe memcmp(start, other, bytes.count) == 0
    }
  }

  /// The bytes of the text.
  public var utf8: String.UTF8View { string.utf8 }

  /// The number of its bytes.
  public var count: Int { string.utf8.count }

  /// Whether the text is empty.
  public var isEmpty: Bool { string.isEmpty }

  /// Calls `body` with its bytes in one piece.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = unsafe string.utf8.withContiguousStorageIfAvailable(body) { return result }
    return unsafe Array(string.utf8).withUnsafeBufferPointer { bytes in unsafe body(bytes) }
  }
}

extension Text: Hashable {
  /// Whether both have the same bytes.
  public static func == (one: Text, other: Text) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe other.withBytes { unsafe one.consists(of: $0) }
  }

  /// Hashes the bytes and their end.
  public func hash(into hasher: inout Hasher) {
    unsafe withBytes { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension Text: Comparable {
  /// Whether `one` comes before `other` in the order of the bytes, which is the order of the Unicode scalars.
  public static func < (one: Text, other: Text) -> Bool {
    unsafe one.withBytes { one in
      unsafe other.withBytes { other in unsafe one.lexicographicallyPrecedes(other) }
    }
  }
}

extension Text: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a text from a literal.
  public init(stringLiteral literal: String) { self.init(literal) }
}

extension Text: LosslessStringConvertible {
  /// The text as it is; for a terminal or a log, use ``shown(atMost:)``.
  public var description: String { string }
}

// MARK: Taking apart

extension Text {
  public func hasPrefix(_ prefix: Text) -> Bool { utf8.starts(with: prefix.utf8) }

  public func hasSuffix(_ suffix: Text) -> Bool {
    count >= suffix.count && utf8.suffix(suffix.count).elementsEqual(suffix.utf8)
  }

  /// The text after `prefix`; nil if the text does not begin with it.
  public func dropping(prefix: Text) -> Text? {
    hasPrefix(prefix) ? Text(decoding: utf8.dropFirst(prefix.count)) : nil
  }

  /// The text before `suffix`; nil if the text does not end with it.
  public func dropping(suffix: Text) -> Text? {
    hasSuffix(suffix) ? Text(decoding: utf8.dropLast(suffix.count)) : nil
  }

  /// Whether it contains this ASCII character.
  public func contains(_ character: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: character)) }

  public func holds(_ part: Text) -> Bool { utf8.holds(part.utf8) }

  /// The parts between occurrences of an ASCII character, split at most `maxSplits` times.
  public func split(
    _ separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmpty: Bool = false
  ) -> [Text] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmpty)
      .map { Text(Substring($0)) }
  }

  /// The parts before and after the last occurrence of an ASCII character; nil if it does not occur.
  public func splitAtLast(_ separator: Unicode.Scalar) -> (before: Text, behind: Text)? {
    utf8.lastIndex(of: UInt8(ascii: separator)).map {
      (Text(Substring(utf8[..<$0])), Text(Substring(utf8[utf8.index(after: $0)...])))
    }
  }

  /// The text of a part of another text.
  ///
  /// It was cut beside ASCII characters, so it is as well-formed as the whole.
  private init(_ part: Substring) { self.init(String(part)) }

  /// Its first `maximum` bytes, or a few less, so that it ends with a complete Unicode scalar.
  public func prefix(_ maximum: Int) -> Text {
    guard count > maximum else { return self }
    var end = max(0, maximum)
    let bytes = utf8
    while end > 0, bytes[bytes.index(bytes.startIndex, offsetBy: end)] & 0xC0 == 0x80 { end -= 1 }
    return Text(decoding: bytes.prefix(end))
  }
}

extension Collection<UInt8> {
  /// Whether it contains these bytes in a row.
  @inlinable public func holds(_ part: some Collection<UInt8>) -> Bool { place(of: part) != nil }

  /// The first place with these bytes in a row; nil if there is none.
  ///
  /// The standard library's `firstRange(of:)` would link its regular expressions, a megabyte of them.
  @inlinable public func place(of part: some Collection<UInt8>) -> Range<Index>? {
    guard let first = part.first else { return startIndex..<startIndex }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part) { return start..<index(start, offsetBy: part.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}

extension UInt8 {
  /// The value of this ASCII character as a hexadecimal digit; nil for any other character.
  public var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without these bytes at either end.
  @inlinable public func trimming(_ isTrimmed: (UInt8) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}

extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// The word of this closed set that equals a text, byte for byte; nil if the set does not contain the text.
  ///
  /// `init(rawValue:)` compares as String does, whose time grows with the square of the length of foreign text; but
  /// ASCII strings, which all words are, are compared byte for byte too.
  ///
  /// It is inlinable, like its callers, so that the compiler specializes it for each set. A lookup at run time took a
  /// sixth of the time of a program that asks for the state.
  @inlinable public init?(word text: Text) {
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let word = Self(rawValue: text.string) else { return nil }
    self = word
  }
}

extension [String] {
  /// One string, with a separator between the elements.
  ///
  /// It is used in place of the standard library's version, which looks types up at run time; the first time, that
  /// takes as long as the start of a program.
  public func joined(separator: String = "") -> String {
    var whole = first ?? ""
    for word in dropFirst() { whole += separator + word }
    return whole
  }
}

extension [Text] {
  /// One text, with a separator between the elements.
  public func joined(separator: String = "") -> Text { Text(map(\.string).joined(separator: separator)) }
}
