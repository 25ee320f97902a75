internal import Glibc

/// Text that somebody else wrote: compared, hashed, ordered and taken apart as the bytes of its UTF-8.
///
/// A `String` compares by canonical equivalence: two names that differ in bytes may be one, what a program splits at a
/// quote may keep the quote within a Character, and the work grows with the square of what a stranger sends. So whatever
/// comes from a bus, a socket, a file, a name of a file or the environment is a `Text` from where it enters until it is
/// shown, which ``shown(atMost:)`` makes fit for.
///
/// Everything here takes time linear in the bytes.
public struct Text: Sendable {
  /// The same as the standard library's text: to be handed on as a whole, not to be compared or taken apart.
  public let string: String

  /// The text that a string holds.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// The text of these bytes; what is no UTF-8 becomes U+FFFD.
  ///
  /// Inlinable, as what follows: made for each kind of collection, of which else nothing is known at run time.
  @inlinable public init(decoding bytes: some Collection<UInt8>) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// The text of these bytes; nil where they are no UTF-8.
  ///
  /// What is no UTF-8 is replaced by something else. The standard library's way to ask for it looks a type up at run time,
  /// at each call, which takes longer than all of this.
  @inlinable public init?(validating bytes: some Collection<UInt8>) {
    self.init(decoding: bytes)
    let isSame = bytes.withContiguousStorageIfAvailable { unsafe consists(of: $0) }
    guard isSame ?? utf8.elementsEqual(bytes) else { return nil }
  }

  /// Whether these are its bytes.
  @usableFromInline func consists(of other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withBytes { bytes in
      // No bytes may have no address.
      guard let start = bytes.baseAddress, let other = other.baseAddress else { return true }
      return unsafe memcmp(start, other, bytes.count) == 0
    }
  }

  /// Its bytes.
  public var utf8: String.UTF8View { string.utf8 }

  /// How many bytes it has.
  public var count: Int { string.utf8.count }

  /// Whether it has none.
  public var isEmpty: Bool { string.isEmpty }

  /// Lends its bytes, which lie in one piece.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = unsafe string.utf8.withContiguousStorageIfAvailable(body) { return result }
    return unsafe Array(string.utf8).withUnsafeBufferPointer { bytes in unsafe body(bytes) }
  }
}

extension Text: Hashable {
  /// Whether both are the same bytes.
  public static func == (one: Text, other: Text) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe other.withBytes { unsafe one.consists(of: $0) }
  }

  /// Feeds the bytes, and where they end.
  public func hash(into hasher: inout Hasher) {
    unsafe withBytes { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension Text: Comparable {
  /// Whether it comes first in the order of the bytes, which is that of the Unicode scalars.
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

  /// What follows `prefix`; nil where it begins otherwise.
  public func dropping(prefix: Text) -> Text? {
    hasPrefix(prefix) ? Text(decoding: utf8.dropFirst(prefix.count)) : nil
  }

  /// What stands before `suffix`; nil where it ends otherwise.
  public func dropping(suffix: Text) -> Text? {
    hasSuffix(suffix) ? Text(decoding: utf8.dropLast(suffix.count)) : nil
  }

  /// Whether this ASCII character stands in it.
  public func contains(_ character: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: character)) }

  /// Whether this part stands in it.
  public func holds(_ part: Text) -> Bool { utf8.holds(part.utf8) }

  /// The parts between occurrences of an ASCII character, at most `maxSplits` of which are looked at.
  public func split(
    _ separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmpty: Bool = false
  ) -> [Text] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmpty)
      .map { Text(Substring($0)) }
  }

  /// What stands before and behind the last occurrence of an ASCII character; nil where there is none.
  public func splitAtLast(_ separator: Unicode.Scalar) -> (before: Text, behind: Text)? {
    utf8.lastIndex(of: UInt8(ascii: separator)).map {
      (Text(Substring(utf8[..<$0])), Text(Substring(utf8[utf8.index(after: $0)...])))
    }
  }

  /// The part that a piece of another text is.
  ///
  /// It was cut beside ASCII characters, so it is as well-formed as that.
  private init(_ part: Substring) { self.init(String(part)) }

  /// Its first `maximum` bytes, or some fewer, so that it ends with a whole Unicode scalar.
  public func prefix(_ maximum: Int) -> Text {
    guard count > maximum else { return self }
    var end = max(0, maximum)
    let bytes = utf8
    while end > 0, bytes[bytes.index(bytes.startIndex, offsetBy: end)] & 0xC0 == 0x80 { end -= 1 }
    return Text(decoding: bytes.prefix(end))
  }
}

extension Collection<UInt8> {
  /// Whether these bytes stand in it, one behind the other.
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
  /// What is left without those of these bytes that stand at either end.
  @inlinable public func trimming(_ isTrimmed: (UInt8) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}
