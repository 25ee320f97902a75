internal import Glibc
internal import ThemeInterface
internal import ThemedDBus
internal import ThemedSystem

/// Receives what `themectl share` sends: on standard input at first, and later on a socket beside that of the clients.
///
/// The connection of a share ends with the network, but the daemon stays for its clients. The next `themed --upstream
/// -` finds it there and passes its own input on (``UpstreamRelay``). Of several shares, the newest is heard.
final class UpstreamDoor: SocketBinder {
  private weak var upstream: Upstream?
  private let log: Log
  private let listener: Listener
  private var listening: Source?
  /// When to accept shares again after that has failed.
  private var resumption: Source?
  private var isPauseTold = false
  private var watch: SocketWatch?
  private var stream: Stream?
  private var silence: Source?

  /// The current share.
  private struct Stream {
    let line: any ShareLine
    var reader = UpstreamReader()
  }

  /// The socket for a daemon that serves `socket`.
  init(besideSocket socket: String?, log: Log) throws(StartFailure) {
    guard let socket else {
      throw StartFailure(
        "--upstream - needs a socket with a path, so that the next share finds it; give a path with --socket")
    }
    self.log = log
    listener = try .bound(to: Self.path(besideSocket: socket))
  }

  deinit {
    resumption?.cancel()
    silence?.cancel()
    listening?.cancel()
  }

  /// Removes the socket, unless it belongs to another daemon by now.
  func close() {
    watch = nil
    resumption = nil
    listening = nil
    listener.remove()
  }

  /// Checks that the socket file is in place.
  func retry() { watch?.retry() }

  /// The path of the socket on which a daemon that serves `socket` receives shares.
  static func path(besideSocket socket: String) -> String { socket + ".upstream" }

  /// Starts with standard input, and passes on what arrives.
  func open(for upstream: Upstream) throws(SystemError) {
    self.upstream = upstream
    try attend()
    watch = SocketWatch(listener, log: log, binder: self)
    hear(try StandardStreamsLine(for: self))
  }

  private func attend() throws(SystemError) {
    listening = try MainLoop.watch(listener.socket.raw, for: .readable) { [unowned self] _ in admit() }
  }

  /// Binds the socket again after its file was removed, so that the next share finds the daemon.
  func rebind(_ listener: Listener) throws(StartFailure) {
    try listener.rebind { _ in listening = nil }
    resumption = nil
    do throws(SystemError) { try attend() } catch { throw StartFailure("cannot listen: \(error)") }
  }

  func statusChanged() {}

  private func admit() {
    do throws(SystemError) {
      guard let found = try accept(from: listener.socket) else { return }
      isPauseTold = false
      admit(found)
    } catch {
      pause(error)
    }
  }

  private func admit(_ found: consuming FileDescriptor) {
    guard let peer = Peer(of: found), peer.user == Peer.ownUser else { return }
    do throws(SystemError) {
      hear(try SocketLine(found, for: self))
    } catch {
      upstream?.happened(.ended("\(error)"))
    }
  }

  /// Stops accepting for a while: otherwise the loop would report the waiting connections again and again.
  private func pause(_ error: SystemError) {
    if !isPauseTold { log.warning("cannot accept a share yet, will retry: \(error)") }
    isPauseTold = true
    listening = nil
    resumption = MainLoop.timer(afterMilliseconds: Limits.acceptRetry) { [unowned self] in
      do throws(SystemError) { try attend() } catch { pause(error) }
    }
  }

  /// Listens to this share from now on, and no longer to the one before.
  private func hear(_ line: any ShareLine) {
    stream?.line.tell(.taken)
    silence = nil
    stream = Stream(line: line)
    upstream?.happened(.began)
    line.tell(.ready)
  }

  /// Takes what arrives on the current share's line.
  func receive(_ transfer: SharedInput) {
    switch transfer {
    case .bytes(let bytes):
      guard let news = stream?.reader.receive(bytes[...]) else { return }
      if news != .init() { upstream?.happened(.news(news)) }
    case .end: end(nil)
    case .failed(let code): end(code)
    }
  }

  private func end(_ code: CInt?) {
    let wasWhole = stream?.reader.isBetweenFrames != false
    stream = nil
    let reason = code.map(SystemError.text) ?? (wasWhole ? "the connection ended" : "the connection broke off")
    silence = MainLoop.timer(everyMilliseconds: Limits.upstreamSilence) { [unowned self] in
      upstream?.happened(.silent)
      return true
    }
    upstream?.happened(.ended(reason))
  }
}
