import Foundation

extension ChildProcess {
  /// Whether none of its threads will wake up by itself for so many seconds, as the kernel tells: each waits for an event
  /// without an end, or with a later one, and no timer is set for before.
  public func rests(forSeconds seconds: Int) throws -> Bool {
    let place = "/proc/\(pid)"
    for thread in try FileManager.default.contentsOfDirectory(atPath: place + "/task") {
      // A thread that has just ended has not rested.
      guard let text = try? kernelFile("task/\(thread)/syscall") else { return false }
      // The number of the call, and what it was given; "running" where it is in none.
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      let arguments = words.dropFirst().compactMap { UInt64($0.dropFirst(2), radix: 16) }
      guard let call = words.first.flatMap({ Int($0) }), arguments.count >= 6, let end = Self.ends[call] else {
        return false
      }
      switch end {
      case .milliseconds(let index):
        let time = Int32(truncatingIfNeeded: arguments[index])
        guard time < 0 || Int(time) >= seconds * 1000 else { return false }
      case .pointer(let index): guard arguments[index] == 0 else { return false }
      case .never: continue
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: place + "/fdinfo") {
      let lines = ((try? kernelFile("fdinfo/\(file)")) ?? "").split(separator: "\n")
      // Of a timer, how long until it goes off; (0, 0) where it is not set.
      guard let line = lines.first(where: { $0.hasPrefix("it_value: (") }) else { continue }
      let numbers = line.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
      guard numbers == [0, 0] || (numbers.first ?? 0) >= seconds else { return false }
    }
    return true
  }

  /// How a call that waits is told when to end.
  private enum End {
    /// By a number of milliseconds, less than none for never: which of its arguments.
    case milliseconds(Int)
    /// By a time in memory, or a null pointer for never: which of its arguments.
    case pointer(Int)
    /// Not at all.
    case never
  }

  /// The calls of this machine's kernel that wait for an event.
  private static let ends: [Int: End] = {
    #if arch(x86_64)
      // read, poll, recvmsg, wait4, futex, epoll_wait, ppoll, epoll_pwait, epoll_pwait2
      return [
        0: .never, 7: .milliseconds(2), 47: .never, 61: .never, 202: .pointer(3), 232: .milliseconds(3),
        271: .pointer(2), 281: .milliseconds(3), 441: .pointer(3),
      ]
    #else
      // The numbers that all newer machines have: epoll_pwait, read, ppoll, futex, recvmsg, wait4, epoll_pwait2
      return [
        22: .milliseconds(3), 63: .never, 73: .pointer(2), 98: .pointer(3), 212: .never, 260: .never, 441: .pointer(3),
      ]
    #endif
  }()
}
