import ArgumentParser
import CThemedLinux
import Glibc
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem
import ThemedVarlink

/// Shares with another machine until it is stopped: waits for events, passes them to ``ShareLink``, and does what that says.
final class Sharing {
  private var call: ShareCall
  private var source: ThemeSource
  private let network: NetworkWatch
  private let sleep: SleepWatch
  private let signals: FileDescriptor
  private var link: ShareLink
  private var outbox = Outbox()
  private var ssh: RunningProgram?
  private var far = FarSide()
  /// The network interface of the connection; nil if that is unknown.
  private var interface: UInt32?
  private var clocks = Clocks.now
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  /// The last problem that was reported to the user.
  private var told: String?
  private var end: ShareEnd?

  /// Shares the state of the daemon at `socket` by this call.
  init(_ call: ShareCall, once: Bool, socket: String?) throws {
    self.call = call
    // A user who has to type a password takes a while.
    let patience: Int64 = call.mayAsk ? 300_000 : 60_000
    link = ShareLink(to: call.host.shown(atMost: 200), once: once, patience: patience)
    do throws(ThemeClientError) {
      source = try ThemeSource(details: true, socket: socket)
    } catch { throw ended(by: error, at: socket) }
    do throws(SystemError) { network = try NetworkWatch() } catch { throw Self.failed(error) }
    do throws(SystemError) { sleep = try SleepWatch() } catch { throw Self.failed(error) }
    var ends = sigset_t()
    unsafe sigemptyset(&ends)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&ends, signal) }
    unsafe sigprocmask(SIG_BLOCK, &ends, nil)
    let raw = unsafe signalfd(-1, &ends, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
    guard raw >= 0 else { throw Self.failed(SystemError("signalfd", errno)) }
    signals = FileDescriptor(owning: raw)
    if case .some(let advice) = Self.absence(of: socket) { complain("waiting: \(advice)") }
  }

  /// Runs until a signal, or until ssh refuses.
  func run() throws {
    var isEnded = false
    while !isEnded, end == nil {
      var ready = waitedFor
      let count = unsafe poll(&ready, nfds_t(ready.count), milliseconds)
      // If there is no memory for waiting, this looks again soon.
      if count < 0, errno != EINTR { usleep(100_000) }
      for entry in ready where count > 0 && entry.revents != 0 {
        switch entry.fd {
        case signals.raw: isEnded = true
        case source.descriptor: try listen()
        case network.descriptor.raw: tell(.network(network.changes(ofInterface: interface)))
        case sleep.descriptor.raw: wake()
        default: attendToSSH(entry.fd)
        }
      }
      // Even if events arrive all the time.
      if let deadline = link.deadline, Clocks.now.withSleep >= deadline { tell(.timePassed) }
    }
    disconnect()
    guard let end else { return }
    complain(end.words)
    throw end.status
  }

  // MARK: What is waited for

  private var waitedFor: [pollfd] {
    var descriptors = [signals.raw, source.descriptor, network.descriptor.raw, sleep.descriptor.raw]
    if let ssh { descriptors += [ssh.descriptor(.output), ssh.descriptor(.complaints), ssh.endDescriptor] }
    var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if let ssh, !outbox.unwritten.isEmpty {
      waited.append(pollfd(fd: ssh.inputDescriptor, events: Int16(POLLOUT), revents: 0))
    }
    return waited
  }

  private var milliseconds: CInt {
    guard let deadline = link.deadline else { return -1 }
    return CInt(clamping: max(0, deadline - Clocks.now.withSleep))
  }

  // MARK: What happens

  private func listen() throws {
    do throws(ThemeClientError) {
      while let state = try source.process() {
        let isFirst = outbox.isEmpty
        outbox.offer(Self.frame(state.inner))
        if isFirst { tell(.started) }
      }
    } catch { throw ended(by: error, at: nil) }
  }

  /// The reply of Monitor, without paths of this machine.
  static func frame(_ state: State) -> [UInt8] {
    var state = state
    state.resolution.theme?.details?.assets = [:]
    return Reply.frame(continues: true) { reply in
      reply.append("state") { state.write(to: &$0, details: true) }
    }
  }

  private func wake() {
    sleep.drain()
    let now = Clocks.now
    defer { clocks = now }
    // Setting the clock is not a sleep, and a short sleep does not end a connection.
    if now.slept(since: clocks) > 5_000 { tell(.woke) }
  }

  private func attendToSSH(_ descriptor: CInt) {
    guard let ssh else { return }
    switch descriptor {
    case ssh.inputDescriptor: write(to: ssh)
    case ssh.descriptor(.output): read(.output, of: ssh)
    case ssh.descriptor(.complaints): read(.complaints, of: ssh)
    case ssh.endDescriptor:
      guard let ending = ssh.result() else { return }
      // Its last messages say why it ended.
      read(.output, of: ssh)
      read(.complaints, of: ssh)
      self.ssh = nil
      tell(.ended(ShareEnd(ending, far.complaints, wasReady: far.isReady, host: call.host)))
    default: break
    }
  }

  private func write(to ssh: RunningProgram) {
    switch ssh.write(outbox.unwritten) {
    case .bytes(let count): outbox.wrote(count)
    case .wouldBlock: break
    // The end of ssh says why.
    case .end, .failed: ssh.closeInput()
    }
  }

  private func read(_ stream: RunningProgram.Stream, of ssh: RunningProgram) {
    switch ssh.read(stream, into: &buffer) {
    case .bytes(let count):
      guard stream == .output else {
        for line in far.complain(buffer[..<count]) { complain("\(call.host.shown(atMost: 200)): \(line)") }
        return far.isNoisy ? tell(.noisy) : ()
      }
      for word in far.print(buffer[..<count]) {
        tell(word == .ready ? .ready : .taken)
        guard word == .ready else { continue }
        interface = ssh.networkInterface
        celebrate()
      }
      if far.isNoisy { tell(.noisy) }
    case .wouldBlock: break
    case .end, .failed: ssh.close(stream)
    }
  }

  // MARK: What is done

  private func tell(_ event: ShareLink.Event) {
    let action = link.handle(event, at: Clocks.now.withSleep, chance: Double.random(in: 0..<1))
    switch action {
    case .connect: connect()
    case .disconnect:
      call.avoidsShared = true
      ssh?.stop()
    case .kill: ssh?.kill()
    case .end(let reason): end = reason
    case nil: break
    }
    guard action == nil, case .ended = event, let reason = link.failure, let deadline = link.deadline else { return }
    // Each problem is reported once, since a machine that is off is tried all night.
    guard told != reason.words else { return }
    told = reason.words
    let pause = (max(0, deadline - Clocks.now.withSleep) + 999) / 1000
    complain("\(reason.words); trying again in \(pause) s")
  }

  private func connect() {
    (far, interface) = (FarSide(), nil)
    outbox.begin()
    // The user may have sent the command to the background.
    call.mayAsk = Share.isInForeground
    defer { call.avoidsShared = false }
    do throws(SystemError) { ssh = try RunningProgram(call.words) } catch {
      // Without descriptors or memory, this tries again as if the machine were unreachable.
      guard !error.isTemporary else {
        return tell(.ended(ShareEnd(.unreachable, "cannot start ssh: \(error)")))
      }
      end = ShareEnd(.refused, "cannot start ssh (\(error)): install it, for example with 'apt install openssh-client'")
    }
  }

  private func celebrate() {
    told = nil
    try? say("\(call.host.shown(atMost: 200)) follows this machine")
  }

  /// Stops ssh, which restores the terminal if it asks for a password.
  private func disconnect() {
    guard let ssh else { return }
    ssh.stop()
    var ended = pollfd(fd: ssh.endDescriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&ended, 1, 1_000)
    _ = ssh.result()
  }

  private static func failed(_ error: SystemError) -> ExitCode {
    complain("\(error)")
    return .failed
  }

  /// Why sharing cannot start yet; nil if it can.
  private static func absence(of socket: String?) -> String? {
    do throws(ThemeClientError) {
      _ = try ThemeConnection(socket: socket, timeout: Patience.toRead.time)
      return nil
    } catch { return FailedUnits(explaining: error, at: socket)?.text ?? error.advice(at: socket) }
  }
}
