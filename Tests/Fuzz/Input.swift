/// What the fuzzer made up, taken piece by piece; at its end there are only zeros.
struct Input {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number below `bound`.
  mutating func number(below bound: Int) -> Int { (Int(byte()) << 8 | Int(byte())) % max(1, bound) }

  mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

  /// As many bytes as the next one says, or as there are.
  mutating func slice() -> ArraySlice<UInt8> {
    let count = Int(byte())
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }

  mutating func text() -> String { String(decoding: slice(), as: UTF8.self) }

  var rest: [UInt8] { Array(bytes) }
}

/// What has to hold, whatever comes in: the fuzzer keeps the input of a program that stops here.
@inline(__always)
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}
