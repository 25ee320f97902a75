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
    "a themed that follows a desktop already serves this machine and is not replaced; if this machine has no desktop, "
    + "stop that themed with '\(UpstreamGreeting.displacement)' (or kill it, if you started it by hand)"

  /// Hands on in both directions until one of both ends.
  ///
  /// Each direction waits in a thread of its own: standard input and output may be shared, and either can block.
  public func run() {
    let raw = socket.raw
    do throws(SystemError) {
      try startThread {
        Self.copy(STDIN_FILENO, raw)
        // The daemon closes the connection then. Until that, what it says is still handed on: that another share is heard
        // now, say, without which this one would take its place again.
        shutdown(raw, CInt(SHUT_WR))
      }
    } catch {
      exit(1)
    }
    Self.copy(raw, STDOUT_FILENO)
  }

  /// Hands on until nothing more comes, or nobody takes it.
  private static func copy(_ source: CInt, _ target: CInt) {
    var buffer = receiveBuffer(Limits.bytesPerTurn)
    while true {
      let count = unsafe read(source, &buffer, buffer.count)
      if count < 0, mayTryAgain(source, POLLIN) { continue }
      guard count > 0 else { return }
      var unwritten = buffer[..<count]
      while !unwritten.isEmpty {
        let written = unsafe unwritten.withUnsafeBytes { unsafe write(target, $0.baseAddress, $0.count) }
        if written < 0, mayTryAgain(target, POLLOUT) { continue }
        guard written > 0 else { return }
        unwritten = unwritten.dropFirst(written)
      }
    }
  }

  /// Whether the last call failed for a moment; waits while another process has made the descriptor non-blocking.
  private static func mayTryAgain(_ raw: CInt, _ condition: CInt) -> Bool {
    switch errno {
    case EINTR: return true
    case EAGAIN:
      var ready = pollfd(fd: raw, events: Int16(condition), revents: 0)
      _ = unsafe poll(&ready, 1, -1)
      return true
    default: return false
    }
  }
}
