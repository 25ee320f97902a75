import Glibc
import ThemedSpawning

/// A file descriptor that is closed with its last owner.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    _ = close(number)
  }

  /// A new pipe, closed in every child that does not ask for it.
  static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard unsafe open_pipe(&ends) == 0 else { throw Failure("pipe: \(lastError())") }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// What can be read now, waiting for the first byte; empty at the end or on an error.
  func read() -> [UInt8] {
    let size = 65536
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var got = -1
      repeat {
        got = unsafe Glibc.read(number, buffer.baseAddress, size)
      } while got < 0 && errno == EINTR
      count = max(got, 0)
    }
  }

  /// Writes everything.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let wrote = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if wrote < 0 && errno == EINTR { continue }
      guard wrote > 0 else { throw Failure("write: \(lastError())") }
      rest = rest.dropFirst(wrote)
    }
  }
}

/// What the system says about the last failed call.
func lastError() -> String {
  unsafe String(cString: strerror(errno))
}
