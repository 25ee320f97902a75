internal import CThemedLinux
internal import Glibc
internal import ThemedInterface
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

  private struct Stream {
    let line: any ShareLine
    var reader = UpstreamReader()
  }

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
    listening = try EventLoop.main.watch(listener.socket.raw, for: .readable) { [unowned self] _ in admit() }
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
    resumption = EventLoop.main.timer(afterMilliseconds: Limits.acceptRetry) { [unowned self] in
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
    silence = EventLoop.main.timer(everyMilliseconds: Limits.upstreamSilence) { [unowned self] in
      upstream?.happened(.silent)
      return true
    }
    upstream?.happened(.ended(reason))
  }
}

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

  init(_ socket: consuming FileDescriptor, for door: UpstreamDoor) throws(SystemError) {
    self.socket = socket
    watching = try EventLoop.main.watch(self.socket.raw, for: .readable) { [unowned self, unowned door] _ in
      var buffer = receiveBuffer(Limits.bytesPerTurn)
      switch ThemedSystem.receive(into: &buffer, from: self.socket) {
      case .bytes(let count): door.receive(.bytes(Array(buffer[..<count])))
      case .wouldBlock: break
      case .end: door.receive(.end)
      case .failed(let code): door.receive(.failed(code))
      }
    }
  }

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

  init(for door: UpstreamDoor) throws(SystemError) {
    input = try SharedReader(of: STDIN_FILENO, atMost: Limits.bytesPerTurn)
    output = LineThread(to: STDOUT_FILENO)
    watching = try EventLoop.main.watch(input.descriptor, for: .readable) { [unowned self, unowned door] _ in
      if let transfer = input.next() { door.receive(transfer) }
    }
  }

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
      return wait(for: condition, of: [raw])
    default: return false
    }
  }
}
