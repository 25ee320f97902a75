internal import ThemedLog
internal import Glibc
internal import ThemeInterface
internal import ThemedLoop
internal import ThemedUnix

/// Where what `themectl share` sends comes in: standard input at first, and from then on a socket beside that of the
/// clients.
///
/// The connection of a share ends with the network, and the daemon stays for those whom it serves. The next `themed
/// --upstream -` finds it there and hands its own input on (``UpstreamRelay``). Of two the newest is heard.
final class UpstreamDoor {
  /// Called with what comes.
  var onEvent: (Upstream.Happening) -> Void = { _ in }

  private let log: Log
  private let listener: Listener
  private var listening: Source?
  /// When those who wait are accepted again, where none could be.
  private var resumption: Source?
  private var isPauseTold = false
  private var watch: SocketWatch?
  private var stream: Stream?
  private var silence: Source?

  /// What is heard now.
  private struct Stream {
    let descriptor: Descriptor
    let answers: CInt
    let source: Source
    var reader = UpstreamReader()
  }

  /// A descriptor that is shared with the loop.
  private final class Descriptor {
    let held: FileDescriptor

    init(_ held: consuming FileDescriptor) { self.held = held }
  }

  /// The socket of a daemon that serves `socket`.
  init(besideSocket socket: String?, log: Log) throws(StartFailure) {
    guard let socket else {
      throw StartFailure("--upstream - needs a socket with a path, for the next share: give one by --socket")
    }
    self.log = log
    listener = try .bound(to: Self.path(besideSocket: socket))
  }

  deinit {
    resumption?.cancel()
    silence?.cancel()
    stream?.source.cancel()
    listening?.cancel()
  }

  /// Leaves no trace of the socket, unless it is another daemon's by now.
  func close() {
    watch = nil
    resumption = nil
    listening = nil
    listener.remove()
  }

  /// Looks whether the socket's file is where it belongs.
  func retry() { watch?.retry() }

  /// Where a daemon that serves `socket` takes what a share sends.
  static func path(besideSocket socket: String) -> String { socket + ".upstream" }

  /// Begins with standard input.
  func open() throws(SystemError) {
    try attend()
    watch = SocketWatch(listener, log: log) { [unowned self] () throws(StartFailure) in try bindAnew() }
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard input >= 0 else { throw SystemError("taking standard input", errno) }
    do throws(SystemError) { try hear(FileDescriptor(owning: input), answers: STDOUT_FILENO) } catch {
      throw SystemError("standard input has to be a pipe or a socket", error.code)
    }
  }

  private func attend() throws(SystemError) {
    listening = try MainLoop.watch(listener.socket.raw, for: .readable) { [unowned self] _ in admit() }
  }

  /// Whoever shares next finds the daemon, also where its file was removed.
  private func bindAnew() throws(StartFailure) {
    try listener.bindAnew { _ in listening = nil }
    resumption = nil
    do throws(SystemError) { try attend() } catch { throw StartFailure("cannot listen: \(error)") }
  }

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
      let raw = found.raw
      try hear(found, answers: raw)
    } catch {
      onEvent(.ended("\(error)"))
    }
  }

  /// Accepts nobody for a while: the loop would be told again and again of who waits.
  private func pause(_ error: SystemError) {
    if !isPauseTold { log.warning("a share is not heard yet, and is tried again: \(error)") }
    isPauseTold = true
    listening = nil
    resumption = MainLoop.timer(afterMilliseconds: Limits.acceptRetry) { [unowned self] in
      do throws(SystemError) { try attend() } catch { pause(error) }
    }
  }

  /// Hears this from now on, and what was heard before no more.
  private func hear(_ input: consuming FileDescriptor, answers: CInt) throws(SystemError) {
    let descriptor = Descriptor(input)
    // Its input may be shared, so it is not made non-blocking: one that is ready is read once, without waiting.
    let source = try MainLoop.watch(descriptor.held.raw, for: .readable) { [unowned self] _ in receive() }
    if let stream { UpstreamGreeting.taken.tell(stream.answers) }
    stream?.source.cancel()
    silence = nil
    stream = Stream(descriptor: descriptor, answers: answers, source: source)
    onEvent(.began)
    UpstreamGreeting.ready.tell(answers)
  }

  private func receive() {
    guard let raw = stream?.descriptor.held.raw else { return }
    var buffer = receiveBuffer(Limits.bytesPerTurn)
    let count = unsafe read(raw, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return end(count == 0 ? nil : errno) }
    guard let news = stream?.reader.receive(buffer[..<count]) else { return }
    if news != .init() { onEvent(.news(news)) }
  }

  private func end(_ code: CInt?) {
    let wasWhole = stream?.reader.isBetweenFrames != false
    stream?.source.cancel()
    stream = nil
    let reason = code.map(SystemError.text) ?? (wasWhole ? "its connection has ended" : "its connection was cut")
    silence = MainLoop.timer(everyMilliseconds: Limits.upstreamSilence) { [unowned self] in
      onEvent(.silent)
      return true
    }
    onEvent(.ended(reason))
  }
}

/// What is told to a share, each a line of its own: it reads nothing else.
extension UpstreamGreeting {
  /// Tells it, where that can be done without waiting.
  fileprivate func tell(_ descriptor: CInt) {
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&ready, 1, 0) == 1 else { return }
    // A shell's start-up files may have printed the beginning of a line, such as a window's title.
    let line = Array(("\n" + rawValue + "\n").utf8)
    _ = unsafe write(descriptor, line, line.count)
  }
}
