internal import CLinux
internal import Glibc
internal import Unix

/// The socket that the daemon listens on: inherited from the service manager, or its own under a lock.
final class Listener {
  /// The listening socket.
  let socket: FileDescriptor
  /// The path of a socket of our own, to be removed at the end; nil for one that was inherited.
  private let ownPath: String?
  /// Held as long as the daemon lives: decides who serves.
  private let lock: FileDescriptor?

  private init(socket: consuming FileDescriptor, ownPath: String?, lock: consuming FileDescriptor?) {
    self.socket = socket
    self.ownPath = ownPath
    self.lock = lock
  }

  /// Takes the socket that the service manager hands over; nil if none.
  static func inherited(_ inherited: Inherited) throws(StartFailure) -> Listener? {
    guard let socket = inherited.takeSocket() else { return nil }
    guard Inherited.isListening(socket.raw) else {
      throw StartFailure("descriptor \(socket.raw), handed over by LISTEN_FDS, is not a listening socket")
    }
    _ = fcntl(socket.raw, F_SETFL, fcntl(socket.raw, F_GETFL) | O_NONBLOCK)
    var lock: FileDescriptor?
    if let path = boundPath(of: socket) { lock = try takeLock(of: path) }
    return Listener(socket: socket, ownPath: nil, lock: lock)
  }

  /// Binds a socket at `path`, in the place of one that a crash has left.
  static func bound(to path: String) throws(StartFailure) -> Listener {
    do {
      let address = try SocketAddress(path: path)
      try makeDirectories(parent(of: path))
      let lock = try takeLock(of: path)
      try removeStale(address)
      return Listener(socket: try listen(at: address), ownPath: path, lock: lock)
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure("cannot listen: \(error)")
    }
  }

  /// Removes a socket of our own.
  func remove() {
    if let ownPath { unsafe unlink(ownPath) }
  }

  /// Two daemons that both remove a stale socket would both believe to serve: the lock decides.
  private static func takeLock(of path: String) throws(StartFailure) -> FileDescriptor {
    let raw = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw StartFailure("cannot open \(path).lock: \(SystemError.text(errno))") }
    let lock = FileDescriptor(owning: raw)
    guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw StartFailure("cannot lock \(path).lock: \(SystemError.text(errno))") }
      throw StartFailure("themed is running already, and serves \(path): try 'themectl status'")
    }
    return lock
  }

  /// Removes what nobody listens on.
  ///
  /// A socket that somebody listens on without the lock is the service manager's.
  private static func removeStale(_ address: SocketAddress) throws {
    do throws(SystemError) {
      _ = try connect(to: address, .nonblocking)
    } catch {
      switch error.code {
      case ENOENT: return
      case ECONNREFUSED:
        var status = stat()
        guard unsafe lstat(address.name, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
          throw StartFailure("\(address) is there and is no socket: give another path by --socket")
        }
        guard unsafe unlink(address.name) == 0 || errno == ENOENT else {
          throw SystemError("removing the stale socket \(address)", errno)
        }
        return
      case EAGAIN: break
      default: throw error
      }
    }
    throw StartFailure(
      "another program listens on \(address): if it is the service manager's themed.socket, start themed by "
        + "'systemctl --user start themed', else give another path by --socket")
  }
}

/// Why the daemon cannot start, and what to do about it.
public struct StartFailure: Error, CustomStringConvertible {
  /// Both, in words.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
