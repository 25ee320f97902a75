internal import CThemedLinux
internal import Glibc
internal import ThemeInterface
internal import ThemedDBus
internal import ThemedSystem

/// The connection to a share: it delivers bytes, and takes greetings, each a line of text.
///
/// It never waits.
protocol ShareLine: AnyObject {
  /// Sends the share a greeting, which is lost if there is no room for it.
  func tell(_ greeting: UpstreamGreeting)
}

/// A connection that belongs to the daemon alone.
final class SocketLine: ShareLine {
  private let socket: FileDescriptor
  private var watching: Source?

  /// Passes on what arrives, until the connection ends.
  init(_ socket: consuming FileDescriptor, for door: UpstreamDoor) throws(SystemError) {
    self.socket = socket
    watching = try MainLoop.watch(self.socket.raw, for: .readable) { [unowned self, unowned door] _ in
      var buffer = receiveBuffer(Limits.bytesPerTurn)
      switch ThemedSystem.receive(into: &buffer, from: self.socket) {
      case .bytes(let count): door.receive(.bytes(Array(buffer[..<count])))
      case .wouldBlock: break
      case .end: door.receive(.end)
      case .failed(let code): door.receive(.failed(code))
      }
    }
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  func tell(_ greeting: UpstreamGreeting) { _ = send(greeting.line[...], to: socket) }
}

/// Standard input and output, which other processes may share.
///
/// A shared descriptor that polls readable can still block: another reader takes the bytes first. It cannot be made
/// non-blocking either, which would change it for the others. So threads wait in the loop's place.
final class StandardStreamsLine: ShareLine {
  private let input: SharedReader
  private let output: LineThread
  private var watching: Source?

  /// Passes on what arrives, until standard input ends.
  init(for door: UpstreamDoor) throws(SystemError) {
    input = try SharedReader(of: STDIN_FILENO, atMost: Limits.bytesPerTurn)
    output = LineThread(to: STDOUT_FILENO)
    watching = try MainLoop.watch(input.descriptor, for: .readable) { [unowned self, unowned door] _ in
      if let transfer = input.next() { door.receive(transfer) }
    }
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  func tell(_ greeting: UpstreamGreeting) { _ = output.write(greeting.line) }
}

extension UpstreamGreeting {
  /// The bytes of its line.
  ///
  /// It begins with a newline, because the start-up files of a shell may have printed the beginning
  /// of a line, such as a window title.
  fileprivate var line: [UInt8] { Array(("\n" + rawValue + "\n").utf8) }
}
