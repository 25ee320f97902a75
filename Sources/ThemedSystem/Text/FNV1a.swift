/// The hash FNV-1a in 64 bits, which detects accidental changes but not forgeries.
public struct FNV1a: Sendable {
  /// The current hash.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of no bytes.
  public init() {}

  /// A hash that was computed before.
  public init(value: UInt64) { self.value = value }

  /// The hash with these bytes appended.
  public func adding(_ bytes: some Sequence<UInt8>) -> FNV1a {
    var hash = self
    for byte in bytes { hash.value = (hash.value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// The hash as files store it: sixteen hexadecimal digits.
  public var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
