internal import Glibc
internal import ThemeInterface
internal import ThemedText
internal import ThemedUnix

/// Hands standard input on to a `themed --upstream -` that runs already, so that those whom that one serves stay
/// connected.
///
/// A process of its own, which waits wherever it has to: it serves nobody.
public struct UpstreamRelay: ~Copyable {
  private let socket: FileDescriptor

  /// Connects to the daemon that serves the socket which these options lead to; nil where none takes a share.
  public init?(_ options: Daemon.Options) {
    guard case .standardInput? = options.upstream, let path = Daemon.socketPath(options),
      let address = try? SocketAddress(path: UpstreamDoor.path(besideSocket: path)),
      let socket = try? connect(to: address, .blocking), let peer = Peer(of: socket), peer.user == Peer.ownUser
    else { return nil }
    self.socket = socket
  }

  /// The same, where the daemon is just being started: tries for a moment.
  public static func waiting(_ options: Daemon.Options) -> UpstreamRelay? {
    for _ in 0..<Limits.relayTries.count {
      if let relay = UpstreamRelay(options) { return relay }
      usleep(useconds_t(Limits.relayTries.pause * 1000))
    }
    return nil
  }

  /// Why nothing is handed on, and what to do about it.
  public static let refusal =
    "a themed that is set to follow a desktop serves this machine, and is not displaced: if this machine has no desktop, "
    + "stop that themed by '\(UpstreamGreeting.displacement)' (or end it, if it was started by hand)"

  /// Hands on until one of both ends.
  public func run() {
    var buffer = receiveBuffer(Limits.bytesPerTurn)
    var ready = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard unsafe poll(&ready, 2, -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      // First what it is told: another one may be heard from now on.
      if ready[1].revents != 0, !Self.hand(socket.raw, STDOUT_FILENO, &buffer) { return }
      if ready[0].revents != 0, !Self.hand(STDIN_FILENO, socket.raw, &buffer) { return }
    }
  }

  /// Hands on what there is; whether more may come.
  private static func hand(_ from: CInt, _ target: CInt, _ buffer: inout [UInt8]) -> Bool {
    let count = unsafe read(from, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    guard count > 0 else { return false }
    var unwritten = buffer[..<count]
    while !unwritten.isEmpty {
      let written = unsafe unwritten.withUnsafeBytes { unsafe write(target, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      unwritten = unwritten.dropFirst(written)
    }
    return true
  }
}
