/// Reads calls, and knows the last few again by their bytes: who asks often asks the same, or one thing and its opposite.
public struct CallReader: Sendable {
  /// The longest message that is remembered, in bytes.
  private static let longest = 512
  /// How many are remembered.
  private static let most = 4

  private var known: [(bytes: [UInt8], call: Call)] = []
  /// The one of them whose place the next new one takes, once there are as many as may be.
  private var oldest = 0

  /// A reader that has read nothing yet.
  public init() {}

  /// Reads the message that fills `range` of `input`, without its NUL.
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
        // All of them, without leaving early: so the processor compares many at once.
        known.indices.reduce(0) { unsafe $0 | (known[$1] ^ message[$1]) } == 0
      }
    }
  }
}
