/// Authenticates a connection to the bus: pure.
///
/// It uses `EXTERNAL`: the kernel confirms the user to the bus. It does not agree to receive descriptors. So the bus
/// rejects messages with descriptors, and no program can fill our table of descriptors.
struct Authentication {
  /// The next step for the caller.
  enum Step: Equatable {
    /// Wait for more of the bus's answer.
    case wait
    /// Send this; messages may follow.
    case begin([UInt8])
    /// The bus refused us, with this answer.
    case refused([UInt8])
  }

  /// A bus answers with about forty bytes.
  private static let longest = 1024

  private var line: [UInt8] = []

  /// The first bytes to send, for a process of this user.
  static func greeting(user: UInt32) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    let name = "\(user)".utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return [0] + Array("AUTH EXTERNAL ".utf8) + name + Array("\r\n".utf8)
  }

  /// Takes received bytes; the bus sends nothing more until it receives BEGIN.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> Step {
    line += bytes.prefix(Self.longest)
    guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else {
      return line.count < Self.longest ? .wait : .refused([])
    }
    let answer = line[..<end]
    guard answer.starts(with: "OK ".utf8) else { return .refused(Array(answer.prefix(100))) }
    return .begin(Array("BEGIN\r\n".utf8))
  }
}
