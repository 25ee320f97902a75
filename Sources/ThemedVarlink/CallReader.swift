/// Reads calls, and remembers the last few by their bytes, because clients often repeat a call or alternate between
/// two.
public struct CallReader: Sendable {
  /// The longest message that it remembers, in bytes.
  private static let longest = 512
  /// How many messages it remembers.
  private static let most = 4

  private var known: [(bytes: [UInt8], call: Call)] = []
  /// The message that the next new one replaces, once the maximum is reached.
  private var oldest = 0

  /// A reader that has not read anything yet.
  public init() {}

  /// Reads the message in `range` of `input`, without its NUL.
  public mutating func read(_ input: [UInt8], in range: Range<Int>) throws(Violation) -> Call {
    let message = input[range]
    for index in known.indices where Self.areSame(known[index].bytes, message) { return known[index].call }
    let call = try Call(parsing: input, in: range)
    if range.count <= Self.longest { remember(Array(message), call) }
    return call
  }

  private mutating func remember(_ bytes: [UInt8], _ call: Call) {
    guard known.count == Self.most else { return known.append((bytes, call)) }
    known[oldest] = (bytes, call)
    oldest = (oldest + 1) % Self.most
  }

  private static func areSame(_ known: [UInt8], _ message: ArraySlice<UInt8>) -> Bool {
    guard known.count == message.count else { return false }
    return unsafe known.withUnsafeBufferPointer { known in
      unsafe message.withUnsafeBufferPointer { message in
        // Compares all bytes without leaving early, so that the processor compares many at once.
        known.indices.reduce(0) { unsafe $0 | (known[$1] ^ message[$1]) } == 0
      }
    }
  }
}
