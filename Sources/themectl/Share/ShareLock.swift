import ThemedSystem

/// A lock that allows only one share for each machine, however many terminals there are.
final class ShareLock {
  private let file: FileDescriptor

  /// Why the lock was not taken.
  enum Failure: Error, Hashable {
    /// Another process shares with that machine.
    case held
    /// The lock cannot be created, for this reason.
    case impossible(String)
  }

  /// Takes the lock for the machine that this call reaches, in the directory for sockets.
  init(_ call: ShareCall, in directory: String?) throws(Failure) {
    guard let directory = directory.map({ $0 + "/share" }) else {
      throw .impossible("cannot create the lock of this share, because XDG_RUNTIME_DIR is not set: log in again")
    }
    do throws(SystemError) { try makeDirectories(directory) } catch { throw .impossible("\(error)") }
    let path = "\(directory)/\(Self.fileName(call)).lock"
    let isTaken: Bool
    do throws(SystemError) { file = try openLockFile(path) } catch { throw .impossible("\(error)") }
    do throws(SystemError) { isTaken = try !tryToLock(file) } catch {
      throw .impossible("\(SystemError("cannot lock \(path)", error.code))")
    }
    if isTaken { throw .held }
  }

  /// The file name for a machine; two machines have different names, even if only an ssh option such as the port differs.
  static func fileName(_ call: ShareCall) -> String {
    let way = call.way
    let sum = way.reduce(FNV1a()) { $0.adding($1.utf8).adding([0]) }
    // A '%' in the name of a machine is written as '%25'.
    return plain(call.host) + (way.isEmpty ? "" : "%%\(sum.digits)")
  }

  private static func plain(_ host: Text) -> String {
    host.utf8.map { byte in
      let isPlain = "._@-".utf8.contains(byte) || Text(decoding: [byte]).isCandidate && byte != UInt8(ascii: "/")
      let digits = String(byte, radix: 16)
      return isPlain && byte != UInt8(ascii: "%")
        ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
