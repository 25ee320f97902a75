/// The hash FNV-1a in 64 bits, which detects accidental changes but not forgeries.
public struct FNV1a: Sendable {
  public let value: UInt64

  /// The hash of no bytes, or one that was computed before.
  public init(value: UInt64 = 0xCBF2_9CE4_8422_2325) { self.value = value }

  /// The hash with these bytes appended; inlinable, so that it is fast for each kind of sequence.
  @inlinable public func adding(_ bytes: some Sequence<UInt8>) -> FNV1a {
    FNV1a(value: bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  /// The hash as files store it: sixteen hexadecimal digits.
  public var digits: String { value.hexadecimal(16) }
}
