internal import Glibc

/// Foreign text, which is compared, hashed, ordered and split as the bytes of its UTF-8.
///
/// A `String` compares by canonical equivalence: two names with different bytes can be equal, a quote can be part of a
/// Character and survive a split at quotes, and the time grows with the square of the length. So everything that comes
/// from a bus, a socket, a file, a file name or the environment is a `Text` until it is shown, in the safe form that
/// ``shown(atMost:)`` gives it.
///
/// Everything here takes time linear in the bytes.
public struct Text: Sendable {
  /// The text as a string: only to be passed on as a whole, not to be compared or split.
  public let string: String

  /// The text in a string.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// The text of these bytes; invalid UTF-8 becomes U+FFFD.
  ///
  /// It is inlinable, like the following, so that it is specialized for each kind of collection.
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

  /// Whether these are its bytes.
  @usableFromInline func consists(of other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withBytes { bytes in
      // Empty bytes may have no address.
      guard let start = bytes.baseAddress, let other = other.baseAddress else { return true }
      return unsafe memcmp(start, other, bytes.count) == 0
    }
  }

  /// Its bytes.
  public var utf8: String.UTF8View { string.utf8 }

  /// The number of its bytes.
  public var count: Int { string.utf8.count }

  /// Whether it has no bytes.
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
  /// Whether it comes first in the order of the bytes, which is also that of the Unicode scalars.
  public static func < (one: Text, other: Text) -> Bool {
    unsafe one.withBytes { one in
      unsafe other.withBytes { other in unsafe one.lexicographicallyPrecedes(other) }
    }
  }
}

extension Text: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// The text of a literal.
  public init(stringLiteral literal: String) { self.init(literal) }
}

extension Text: CustomStringConvertible {
  /// The text as it is; for a terminal or a log see ``shown(atMost:)``.
  public var description: String { string }
}

// MARK: Taking apart

extension Text {
  /// Whether it begins with these bytes.
  public func hasPrefix(_ prefix: Text) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether it ends with these bytes.
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

  /// Whether it contains this part.
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
  @inlinable public func holds(_ part: some Collection<UInt8>) -> Bool {
    guard let first = part.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
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
