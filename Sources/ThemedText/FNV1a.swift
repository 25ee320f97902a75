/// FNV-1a, 64 bits: whether two things are the same, not whether somebody wants them to seem so.
public struct FNV1a: Sendable {
  /// The sum so far.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The sum of nothing.
  public init() {}

  /// One that was computed before.
  public init(value: UInt64) { self.value = value }

  /// The sum with these behind.
  public func adding(_ bytes: some Sequence<UInt8>) -> FNV1a {
    var hash = self
    for byte in bytes { hash.value = (hash.value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// As a file has it: sixteen hexadecimal digits.
  public var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
