internal import Glibc
internal import ThemeInterface
internal import ThemedSystem

/// Passes standard input on to a running `themed --upstream -`, so that the clients of that daemon stay connected.
///
/// This is a process of its own without clients, so it may wait anywhere.
public struct UpstreamRelay: ~Copyable {
  private let socket: FileDescriptor

  /// Connects to the daemon at the socket that these options select; nil if no daemon there receives shares.
  public init?(_ options: Daemon.Options) {
    guard case .standardInput? = options.upstream, let path = Daemon.socketPath(options),
      let address = try? SocketAddress(path: UpstreamDoor.path(besideSocket: path)),
      let socket = try? connect(to: address, .blocking), let peer = Peer(of: socket), peer.user == Peer.ownUser
    else { return nil }
    self.socket = socket
  }

  /// The same for a daemon that is just starting: tries for a moment.
  public static func waiting(_ options: Daemon.Options) -> UpstreamRelay? {
    for _ in 0..<Limits.relayTries.count {
      if let relay = UpstreamRelay(options) { return relay }
      usleep(useconds_t(Limits.relayTries.pause * 1000))
    }
    return nil
  }

  /// Why nothing is passed on, and what to do about it.
  public static let refusal =
    "a themed that follows a desktop already serves this machine and is not replaced; if this machine has no desktop, "
    + "stop that themed with '\(UpstreamGreeting.displacement)' (or kill it, if you started it by hand)"

  /// Passes data on in both directions until one of them ends.
  ///
  /// Each direction has its own thread, because standard input and output may be shared, and either can block.
  public func run() {
    let raw = socket.raw
    do throws(SystemError) {
      try startThread {
        Self.copy(STDIN_FILENO, raw)
        // The daemon then closes the connection. Until that, pass on what it still says: for example, that another
        // share is heard now. Without that word, this share would take its place again.
        shutdown(raw, CInt(SHUT_WR))
      }
    } catch {
      exit(1)
    }
    Self.copy(raw, STDOUT_FILENO)
  }

  /// Copies until the source ends or the target is closed.
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

  /// Whether to repeat a call that failed temporarily; waits if another process has made the descriptor non-blocking.
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
