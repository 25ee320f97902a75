internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// A socket that the daemon listens on: inherited from the service manager, or its own under a lock.
final class Listener {
  let rights: Rights
  private(set) var socket: FileDescriptor
  /// The path that it is bound to; nil if it has none.
  let path: String?
  /// Whether it is our own, to be removed at the exit.
  let isOwn: Bool
  /// Held as long as the daemon lives; decides which daemon serves.
  private var lock: LockFile?
  /// The main socket beside it, whose lock counts for both; nil for a socket with its own lock.
  private let main: Listener?
  private(set) var isBound: Bool
  /// The number of the file at the path when the socket was bound or inherited; no other file has it while the socket
  /// is open.
  private var number: FileNumber?

  private init(
    _ rights: Rights, socket: consuming FileDescriptor, path: String?, isOwn: Bool, lock: consuming LockFile? = nil,
    main: Listener? = nil, isBound: Bool = true
  ) {
    (self.main, self.isBound) = (main, isBound)
    self.rights = rights
    self.socket = socket
    self.path = path
    self.isOwn = isOwn
    self.lock = lock
    number = isBound ? path.flatMap { FileNumber(of: $0) } : nil
  }

  /// Takes the inherited socket with these rights; nil if there is none.
  static func inherited(_ inherited: Inherited, for rights: Rights) throws(StartFailure) -> Listener? {
    guard let socket = inherited.takeSocket(rights) else { return nil }
    guard Inherited.isListening(socket.raw) else {
      throw StartFailure("descriptor \(socket.raw) from LISTEN_FDS is not a listening socket")
    }
    do throws(SystemError) { try makeNonblocking(socket.raw) } catch { throw StartFailure("\(error)") }
    let path = boundPath(of: socket)
    var lock: LockFile?
    if let path, rights == .all { lock = try takeLock(of: path) }
    return Listener(rights, socket: socket, path: path, isOwn: false, lock: lock)
  }

  /// Binds a socket with all rights at `path`, replacing one that a crash has left.
  static func bound(to path: String) throws(StartFailure) -> Listener {
    var lock: LockFile?
    let socket = try bind(path, &lock)
    return Listener(.all, socket: socket, path: path, isOwn: true, lock: lock)
  }

  /// Binds the read-only socket at `path`, beside `main`.
  static func bound(to path: String, beside main: Listener) throws(StartFailure) -> Listener {
    let socket = try bindToRead(path, beside: main)
    return Listener(.reading, socket: socket, path: path, isOwn: true, main: main)
  }

  /// A read-only socket that cannot be bound yet: it receives no connections until ``rebind(retire:)`` succeeds.
  static func awaited(at path: String, beside main: Listener) throws(StartFailure) -> Listener {
    // Takes the place of the socket for the code that waits on it.
    let nothing = eventfd(0, CInt(EFD_CLOEXEC))
    guard nothing >= 0 else { throw StartFailure("cannot create an eventfd: \(SystemError.text(errno))") }
    return Listener(
      .reading, socket: FileDescriptor(owning: nothing), path: path, isOwn: true, main: main, isBound: false)
  }

  /// Whether the socket file is still where it was bound; true if it was never seen there.
  var isInPlace: Bool {
    guard isBound else { return false }
    guard let path, let number else { return true }
    return FileNumber(of: path) == number
  }

  /// Binds another socket of our own at the same path, after its file has gone.
  ///
  /// If that succeeds, `retire` is called with the old socket, and must not use it afterwards.
  func rebind(retire: (borrowing FileDescriptor) -> Void) throws(StartFailure) {
    guard isOwn, let path else { return }
    let fresh = if let main { try Self.bindToRead(path, beside: main) } else { try Self.bind(path, &lock) }
    retire(socket)
    socket = fresh
    isBound = true
    number = FileNumber(of: path)
  }

  /// Removes our own socket, unless another daemon's has taken its place.
  func remove() {
    if isOwn, isInPlace, let path { unsafe unlink(path) }
  }

  private static func bind(_ path: String, _ lock: inout LockFile?) throws(StartFailure) -> FileDescriptor {
    try bind(path) { () throws(StartFailure) in
      if lock?.isInPlace != true { lock = try takeLock(of: path) }
    }
  }

  /// Binds the read-only socket under the lock of the main one.
  ///
  /// A container that has the read-only socket's directory could take a lock there, and so keep every daemon from
  /// starting.
  private static func bindToRead(_ path: String, beside main: Listener) throws(StartFailure) -> FileDescriptor {
    try bind(path) { () throws(StartFailure) in
      guard main.lock?.isInPlace != false else {
        throw StartFailure("the main socket beside it belongs to another themed")
      }
      try requireOwn(parent(of: path))
    }
  }

  private static func bind(
    _ path: String, under claim: () throws(StartFailure) -> Void
  ) throws(StartFailure) -> FileDescriptor {
    do {
      let address = try SocketAddress(path: path)
      try makeDirectories(parent(of: path))
      try claim()
      try removeStale(address)
      return try listen(at: address, backlog: Limits.backlog)
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure("cannot listen: \(error)")
    }
  }

  /// Refuses a directory in which other users could replace our socket with theirs.
  private static func requireOwn(_ directory: String) throws(StartFailure) {
    var status = stat()
    let isOwn =
      unsafe lstat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o022 == 0
    guard isOwn else { throw StartFailure("\(directory) has to be a directory that only this user may write to") }
  }

  /// Takes the lock that decides which daemon serves: two daemons that both removed a stale socket would both believe that
  /// they do.
  private static func takeLock(of socket: String) throws(StartFailure) -> LockFile {
    do throws(SystemError) {
      if let lock = try LockFile(socket + ".lock") { return lock }
    } catch {
      throw StartFailure("\(error)")
    }
    throw StartFailure("themed is already running and serves \(socket); try 'themectl status'", isTaken: true)
  }

  /// Removes a socket file on which no program listens.
  ///
  /// If a program listens on it without the lock, it is the service manager.
  private static func removeStale(_ address: SocketAddress) throws {
    do throws(SystemError) {
      _ = try connect(to: address, .nonblocking)
    } catch {
      switch error.code {
      case ENOENT: return
      case ECONNREFUSED:
        var status = stat()
        guard unsafe lstat(address.name, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
          throw StartFailure("\(address) exists and is not a socket; give another path with --socket")
        }
        guard unsafe unlink(address.name) == 0 || errno == ENOENT else {
          throw SystemError("cannot remove the stale socket \(address)", errno)
        }
        return
      case EAGAIN: break
      default: throw error
      }
    }
    throw StartFailure(
      "another program listens on \(address); if it is the service manager's themed.socket, start themed with "
        + "'systemctl --user start themed', otherwise give another path with --socket", isTaken: true)
  }
}

/// Why the daemon cannot start, and what to do about it.
public struct StartFailure: Error, CustomStringConvertible {
  /// The reason and the remedy, in words.
  public let description: String
  /// Whether another daemon or program serves the socket.
  public let isTaken: Bool

  init(_ description: String, isTaken: Bool = false) {
    (self.description, self.isTaken) = (description, isTaken)
  }
}
