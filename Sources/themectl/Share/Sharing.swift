import ArgumentParser
import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

/// Shares with another machine until it is stopped: passes events of the main loop to ``ShareLink``, and does what that
/// says.
final class Sharing {
  private var call: ShareCall
  private var source: StateSource
  private let network: NetworkWatch
  private var signals: SignalWatch?
  /// Reports suspends.
  private var clock: WallClock?
  private var sources: [Source] = []
  private var link: ShareLink
  private var outbox = Outbox()
  private var ssh: RunningProgram?
  /// The watches of the output, the error output and the end of ssh.
  private var sshSources: [Source] = []
  /// The watch of the input of ssh, while there is something to write.
  private var sshInput: Source?
  private var far = FarSide()
  /// The network interface of the connection; nil if that is unknown.
  private var interface: UInt32?
  private var clocks = Clocks.now
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  /// The last problem that was reported to the user.
  private var told: String?
  private var end: ShareEnd?
  private var isStopped = false
  /// Why the daemon cannot be followed any more.
  private var failure: (any Error)?

  /// Shares the state of the daemon at `socket` by this call.
  init(_ call: ShareCall, once: Bool, socket: String?) throws {
    self.call = call
    // A user who has to type a password takes a while.
    let patience: Int64 = call.mayAsk ? 300_000 : 60_000
    link = ShareLink(to: call.host.shown(atMost: 200), once: once, patience: patience)
    do throws(CallError) {
      source = try StateSource(details: true, socket: socket)
    } catch { throw ended(by: error, at: socket) }
    do throws(SystemError) { network = try NetworkWatch() } catch { throw Self.failed(error) }
    do throws(SystemError) {
      signals = try SignalWatch(StopSignals.all) { [unowned self] _ in isStopped = true }
      clock = try WallClock { [unowned self] in wake() }
      clock?.set(WallClock.never)
      sources = [
        try EventLoop.main.watch(source.descriptor, for: .readable) { [unowned self] _ in listen() },
        try EventLoop.main.watch(network.descriptor.raw, for: .readable) { [unowned self] _ in
          tell(.network(network.changes(ofInterface: interface)))
        },
      ]
    } catch { throw Self.failed(error) }
    if case .some(let advice) = Self.absence(of: socket) { complain("waiting: \(advice)") }
  }

  deinit { for source in sources + sshSources { source.cancel() } }

  /// Runs until a signal, or until ssh refuses.
  func run() throws {
    while !isStopped, end == nil, failure == nil {
      attendToInput()
      EventLoop.main.turn(atMostMilliseconds: link.deadline.map { Int(max(0, $0 - Clocks.now.withSleep)) })
      // Even if events arrive all the time.
      if let deadline = link.deadline, Clocks.now.withSleep >= deadline { tell(.timePassed) }
    }
    disconnect()
    if let failure { throw failure }
    guard let end else { return }
    complain(end.words)
    throw end.status
  }

  // MARK: What happens

  private func listen() {
    do throws(CallError) {
      while let state = try source.process() {
        let isFirst = outbox.isEmpty
        outbox.offer(Self.frame(state))
        if isFirst { tell(.started) }
      }
    } catch { failure = ended(by: error, at: nil) }
  }

  /// The reply of Monitor, without paths of this machine.
  static func frame(_ state: State) -> [UInt8] {
    var state = state
    state.resolution.theme?.details?.assets = [:]
    return Reply.frame(continues: true) { reply in
      reply.append("state") { state.append(to: &$0, details: true) }
    }
  }

  private func wake() {
    clock?.set(WallClock.never)
    let now = Clocks.now
    defer { clocks = now }
    // Setting the clock is not a sleep, and a short sleep does not end a connection.
    if now.slept(since: clocks) > 5_000 { tell(.woke) }
  }

  /// Watches ssh; its descriptors are open as long as these watches are kept.
  private func watch(_ ssh: RunningProgram) throws(SystemError) {
    for stream in [RunningProgram.Stream.output, .complaints] {
      sshSources.append(
        try EventLoop.main.watch(ssh.descriptor(stream), for: .readable) { [unowned self] _ in read(stream) })
    }
    sshSources.append(try EventLoop.main.watch(ssh.endDescriptor, for: .readable) { [unowned self] _ in hasEnded() })
  }

  private func hasEnded() {
    guard let ending = ssh?.result() else { return }
    // Its last messages say why it ended.
    read(.output)
    read(.complaints)
    drop()
    tell(.ended(ShareEnd(ending, far.complaints, wasReady: far.isReady, host: call.host)))
  }

  /// Forgets ssh; its watches first, because their descriptors are closed with it.
  private func drop() {
    (sshSources, sshInput) = ([], nil)
    ssh = nil
  }

  /// Watches the input of ssh while there is something to write.
  private func attendToInput() {
    guard let ssh, ssh.inputDescriptor >= 0, !outbox.unwritten.isEmpty else { return sshInput = nil }
    guard sshInput == nil else { return }
    // If there is no memory for the watch, the next turn tries again.
    sshInput = try? EventLoop.main.watch(ssh.inputDescriptor, for: .writable) { [unowned self] _ in write() }
  }

  private func write() {
    guard let ssh else { return }
    switch ssh.write(outbox.unwritten) {
    case .bytes(let count): outbox.wrote(count)
    case .wouldBlock: break
    // The end of ssh says why.
    case .end, .failed:
      sshInput = nil
      ssh.closeInput()
    }
  }

  private func read(_ stream: RunningProgram.Stream) {
    guard let ssh, ssh.descriptor(stream) >= 0 else { return }
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
    case .end, .failed:
      sshSources[stream == .output ? 0 : 1].cancel()
      ssh.close(stream)
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
    do throws(SystemError) {
      let program = try RunningProgram(call.words)
      ssh = program
      try watch(program)
    } catch {
      drop()
      // Without descriptors or memory, this tries again as if the machine were unreachable.
      guard !error.isTemporary else {
        return tell(.ended(ShareEnd(.unreachable, "cannot start ssh: \(error)")))
      }
      end = ShareEnd(
        .refused, "cannot start ssh (\(error)): install it, for example with 'sudo apt install openssh-client'")
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
    wait(forReadable: [ssh.endDescriptor], atMostMilliseconds: 1_000)
    _ = ssh.result()
  }

  private static func failed(_ error: SystemError) -> ExitCode {
    complain("\(error)")
    return .failed
  }

  /// Why sharing cannot start yet; nil if it can.
  private static func absence(of socket: String?) -> String? {
    do throws(CallError) {
      _ = try ThemeConnection(socket: socket, timeout: .toRead)
      return nil
    } catch { return FailedUnits(explaining: error, at: socket)?.text ?? error.advice(at: socket) }
  }
}

/// The messages to write to a reader that may be slow or may not read at all: the current one, and the newest after it.
struct Outbox: Hashable {
  private var underWay: ArraySlice<UInt8> = []
  private var next: [UInt8]?
  /// The last message that was offered, for a new reader.
  private var newest: [UInt8]?

  /// Nothing to write.
  init() {}

  /// The bytes to write now.
  var unwritten: ArraySlice<UInt8> { underWay }

  /// Whether a message was ever offered.
  var isEmpty: Bool { newest == nil }

  /// Queues a message, which replaces one that was not begun.
  mutating func offer(_ message: [UInt8]) {
    newest = message
    if underWay.isEmpty { underWay = message[...] } else { next = message }
  }

  /// Records that this many bytes were written.
  mutating func wrote(_ count: Int) {
    underWay = underWay.dropFirst(count)
    guard underWay.isEmpty else { return }
    underWay = next?[...] ?? []
    next = nil
  }

  /// Starts with the newest message, for a new reader.
  mutating func begin() {
    underWay = newest?[...] ?? []
    next = nil
  }
}
