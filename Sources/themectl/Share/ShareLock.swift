import Glibc
import ThemedText
import ThemedUnix

/// Held while something is shared with a machine, so that it is so once however many terminals there are.
final class ShareLock {
  private let descriptor: CInt

  /// Why it is not held.
  enum Failure: Error, Hashable {
    /// Another process shares with that machine.
    case held
    /// It cannot be made: why.
    case impossible(String)
  }

  /// Takes the lock of this machine, in the directory where sockets live.
  init(host: Text, in directory: String?) throws(Failure) {
    guard let directory = directory.map({ $0 + "/share" }) else {
      throw .impossible("XDG_RUNTIME_DIR is not set, so there is no place for the lock of this share: log in anew")
    }
    do throws(SystemError) { try makeDirectories(directory) } catch { throw .impossible("\(error)") }
    let path = "\(directory)/\(Self.fileName(host)).lock"
    let raw = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard raw >= 0 else { throw .impossible("\(SystemError("opening \(path)", errno))") }
    descriptor = raw
    guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .held : .impossible("\(SystemError("locking \(path)", errno))")
    }
  }

  deinit { close(descriptor) }

  /// The name of a file for a machine: two machines have two.
  static func fileName(_ host: Text) -> String {
    host.utf8.map { byte in
      let isPlain = "._@-".utf8.contains(byte) || Text(decoding: [byte]).isCandidate && byte != UInt8(ascii: "/")
      let digits = String(byte, radix: 16)
      return isPlain && byte != UInt8(ascii: "%")
        ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
