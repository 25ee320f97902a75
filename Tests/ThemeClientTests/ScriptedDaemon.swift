import CThemedLinux
import Foundation
import Glibc
import Testing
import ThemeClient
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// A daemon that does what a test says, in a thread of its own.
final class ScriptedDaemon: Sendable {
  private let thread: pthread_t

  /// Listens at `path`, runs the script, and removes the socket.
  init(at path: String, _ script: @escaping @Sendable (Listener) throws -> Void) throws {
    let listener = try Listener(path: path)
    thread = try startThread {
      do { try script(listener) } catch { Issue.record("the scripted daemon: \(error)") }
      listener.close()
    }
  }

  /// Waits until the script has ended.
  func join() {
    pthread_join(thread, nil)
  }
}

/// A socket that listens.
final class Listener: Sendable {
  private let path: String
  private let socket: FileDescriptor

  init(path: String) throws {
    self.path = path
    unsafe unlink(path)
    socket = try listen(at: SocketAddress(path: path), backlog: 128)
  }

  /// Removes the socket, and refuses those who come to it still.
  func close() {
    unsafe unlink(path)
    refuse()
  }

  /// Leaves the socket where it is, with nobody behind it, as a daemon that was killed does.
  func refuse() { shutdown(socket.raw, CInt(SHUT_RDWR)) }

  /// Hangs up on those who have come; how many.
  func hangUp() throws -> Int {
    var count = 0
    while let peer = try ThemedSystem.accept(from: socket) {
      shutdown(peer.raw, CInt(SHUT_RDWR))
      count += 1
    }
    return count
  }

  /// The next client.
  func accept() throws -> Peer {
    try awaitReadiness(of: socket.raw)
    guard let peer = try ThemedSystem.accept(from: socket) else { throw Late("nobody connected") }
    return Peer(socket: peer)
  }
}

/// A client's connection.
struct Peer: ~Copyable {
  let socket: FileDescriptor
  private var input: [UInt8] = []

  init(socket: consuming FileDescriptor) {
    self.socket = socket
  }

  /// The client hears of the end now, though a program that another test is just starting has this descriptor, too, until
  /// it runs.
  deinit { shutdown(socket.raw, CInt(SHUT_RDWR)) }

  /// The next call, as text without its NUL.
  mutating func callText() throws -> String {
    while true {
      if let end = input.firstIndex(of: 0) {
        defer { input.removeFirst(end + 1) }
        return String(decoding: input[..<end], as: UTF8.self)
      }
      try awaitReadiness(of: socket.raw)
      var bytes = [UInt8](repeating: 0, count: 4096)
      guard case .bytes(let count) = receive(into: &bytes, from: socket) else { throw Late("the client has gone") }
      input += bytes[..<count]
    }
  }

  /// Takes a call, whatever it is.
  mutating func takeCall() throws { _ = try callText() }

  func send(_ bytes: [UInt8]) throws {
    var unsent = bytes[...]
    while !unsent.isEmpty {
      switch ThemedSystem.send(unsent, to: socket) {
      case .bytes(let count): unsent = unsent.dropFirst(count)
      case .wouldBlock: try awaitReadiness(of: socket.raw, for: POLLOUT)
      default: return
      }
    }
  }

  func send(_ reply: Reply) throws { try send(reply.frame) }

  func send(_ state: State, continues: Bool = true) throws {
    try send(Reply(["state": .object(state.parameters)], continues: continues))
  }

  /// Waits until the client has read all that was sent.
  func awaitRead() throws {
    try eventually("a client that reads") {
      var unread: CInt = 0
      guard unsafe ioctl(socket.raw, UInt(TIOCOUTQ), &unread) == 0 else { throw Late(SystemError.text(errno)) }
      return unread == 0
    }
  }

  /// Waits until the client closes; throws if it does not.
  func awaitClose() throws {
    while true {
      try awaitReadiness(of: socket.raw)
      var bytes = [UInt8](repeating: 0, count: 4096)
      guard case .bytes = receive(into: &bytes, from: socket) else { return }
    }
  }
}

/// Something that was to happen did not.
struct Late: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Waits until a descriptor is ready, for two minutes at most: the client has only the threads that all tests share.
func awaitReadiness(of descriptor: CInt, for events: CInt = POLLIN) throws {
  var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
  guard unsafe poll(&descriptors, 1, 120_000) > 0 else { throw Late("nothing came for two minutes") }
}

/// What a thread is to do.
private final class Job: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs `body` in a thread of its own, which is to be joined.
func startThread(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, nil,
    { job in
      if let job = unsafe job { unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Job(body)).toOpaque())
  guard status == 0 else { throw Late("no thread: \(status)") }
  return thread
}

/// A directory for one test, and a place for a socket in it.
final class Scratch {
  let path: String
  var socket: String { path + "/run/themed/socket" }
  // Removed with this, or with the run of the tests.
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
    path = try directory.directory("client")
  }

  /// Makes the directory that the socket is to be in.
  func makeDirectory() {
    unsafe mkdir(path + "/run", 0o700)
    unsafe mkdir(path + "/run/themed", 0o700)
  }
}

/// Waits until something of this process waits for what happens in a directory.
func awaitWatch(of directory: String) throws {
  var status = stat()
  guard unsafe stat(directory, &status) == 0 else { throw Late("no \(directory): \(SystemError.text(errno))") }
  let wanted = "ino:\(String(status.st_ino, radix: 16)) "
  try eventually("a watch of \(directory)") {
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
    return files.contains { file in
      // Descriptors come and go meanwhile.
      let text = try? String(contentsOfFile: "/proc/self/fdinfo/" + file, encoding: .utf8)
      return text?.split(separator: "\n").contains { $0.hasPrefix("inotify ") && $0.contains(wanted) } ?? false
    }
  }
}

/// Lets a test and a scripted daemon wait for each other.
final class Turns: Sendable {
  private let event: FileDescriptor

  init() { event = FileDescriptor(owning: eventfd(0, CInt(EFD_CLOEXEC | EFD_SEMAPHORE | EFD_NONBLOCK))) }

  func give() { eventfd_write(event.raw, 1) }

  /// For the daemon's thread, which has nothing else to do.
  func take() throws {
    try awaitReadiness(of: event.raw)
    _ = tryTake()
  }

  /// For an asynchronous test.
  func taken() async throws { try take() }

  private func tryTake() -> Bool {
    var count: UInt64 = 0
    return unsafe eventfd_read(event.raw, &count) == 0
  }
}
