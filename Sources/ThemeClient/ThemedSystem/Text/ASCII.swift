extension UInt8 {
  /// Whether it is an ASCII digit.
  @inlinable public var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether it is an ASCII letter or digit.
  @inlinable public var isLetterOrDigit: Bool {
    // The bit is the case of a letter; no other character becomes a letter by it.
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  /// Whether it is a hexadecimal digit, in upper or lower case.
  @inlinable public var isHexadecimalDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}

extension BinaryInteger {
  /// The number in hexadecimal, with zeros before it up to this many digits.
  @inlinable public func hexadecimal(_ width: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
