internal import Glibc
package import ThemedSystem

package protocol ConnectionOwner: AnyObject {
  /// The connection is lost, for this reason; called once.
  func lost(_ connection: Connection, _ reason: String)
}

/// Learns when a connection handles input, for a watchdog.
package protocol TurnObserver: AnyObject {
  /// The connection is about to read.
  func turnBegan()
  /// Everything that was read has been handled.
  func turnEnded()
}

/// A private connection to a message bus on an event loop, which never waits.
///
/// libdbus only builds and parses the messages, and does not transport them. It would read messages of any length into
/// memory, and accept descriptors, so any program could fill the memory or end the connection.
package final class Connection {
  package struct Limits: Sendable {
    /// The longest message that is read, in bytes; longer ones are skipped.
    package var message: Int
    /// How many bytes of replies to other programs' calls may wait; while there are more, calls are ignored.
    package var replies: Int
    /// How many bytes to send may wait in all; if the bus reads less, the connection is closed.
    package static let waiting = 1024 * 1024

    package init(message: Int, replies: Int) {
      (self.message, self.replies) = (message, replies)
    }
  }

  package enum Timeout: Sendable {
    /// As long as the connection lives: for the bus itself, which may be frozen for a while.
    case never
    /// This many milliseconds; then the call fails with ``noReply``.
    case milliseconds(Int)
  }

  private struct Call {
    let called: Text
    let timer: Source?
    let completion: (Result<Message, Failure>) -> Void
  }

  /// The kinds of warnings, each given once.
  private enum Warning: Hashable {
    case length, forgery, nonsense
  }

  package weak var observer: (any TurnObserver)?
  weak var client: (any BusClient)?
  package weak var owner: (any ConnectionOwner)?

  private let limits: Limits
  private let loop: EventLoop
  /// Open as long as this object lives.
  private let socket: FileDescriptor
  private var isClosed = false
  private var reading: Source?
  private var writing: Source?
  /// The buffer that each turn reads into.
  private var buffer = receiveBuffer(32 * 1024)
  private var authentication: Authentication? = Authentication()
  private var reader: MessageReader
  /// The bytes still to send; calls wait here until the bus has authenticated us.
  private var output: [UInt8] = []
  private var serial: UInt32 = 0
  private var calls: [UInt32: Call] = [:]
  private var nameOwners: [NameOwner] = []
  private var warned: Set<Warning> = []

  /// Connects to the bus at `address`, and authenticates.
  ///
  /// It throws if no program listens there, and throws EAGAIN if the listener's queue is full.
  package init(to address: SocketAddress, limits: Limits, on loop: EventLoop = .main) throws(SystemError) {
    self.limits = limits
    self.loop = loop
    reader = MessageReader(maximum: limits.message)
    socket = try connect(to: address, .nonblocking)
    let greeting = Authentication.greeting(user: Peer.ownUser)
    // About forty bytes into an empty queue.
    guard send(greeting[...], to: socket) == .bytes(greeting.count) else {
      throw SystemError("cannot authenticate at \(address)", ECONNRESET)
    }
    reading = try loop.watch(socket.raw, for: .readable) { [weak self] _ in self?.receive() }
  }

  deinit { close() }

  /// Closes the connection; its client gets nothing any more.
  package func close() {
    isClosed = true
    reading = nil
    writing = nil
    // Their closures may hold this object.
    (calls, nameOwners) = ([:], [])
    (client, owner, observer) = (nil, nil, nil)
  }

  /// The socket, for a watchdog that waits for input but reads nothing.
  package var descriptor: CInt { socket.raw }

  // MARK: Calls

  /// Calls a name or the bus, and passes the answer to `completion` later, unless this connection ends before that.
  ///
  /// Any program on the bus can send an answer to our call if it guesses the serial number. So only these answers
  /// count: for the bus, its own; for a unique name, the name's own, or an error from the bus. Other answers are
  /// ignored, and the right one is still awaited. For a well-known name, only the bus knows the right sender; if that
  /// matters, ask for the name's owner first and call the owner.
  package func call(
    _ message: Message, timeout: Timeout, _ completion: @escaping (Result<Message, Failure>) -> Void
  ) {
    guard !isClosed else { return }
    let serial = transmit(message)
    var timer: Source?
    if case .milliseconds(let delay) = timeout {
      timer = loop.timer(afterMilliseconds: delay) { [weak self] in
        guard let call = self?.calls.removeValue(forKey: serial) else { return }
        call.completion(.failure(Failure(name: noReply, message: "no answer within \(delay) ms")))
      }
    }
    calls[serial] = Call(called: message.destination ?? busName, timer: timer, completion: completion)
  }

  /// Drops the calls to this name that are waiting for an answer.
  ///
  /// A program that has left gives no answers, and one that comes and goes quickly could fill the memory with waiting
  /// calls.
  package func forget(callsOf name: Text) { calls = calls.filter { $0.value.called != name } }

  private func complete(with answer: Message) {
    guard let call = calls[answer.answered] else { return }
    let (sender, failure) = (answer.sender, answer.failure)
    guard Self.isAnswered(call.called, by: sender, withError: failure != nil) else {
      let name = sender?.shown(atMost: 255) ?? "an unknown sender"
      return warn(.forgery, "ignored an answer from \(name), which was not asked")
    }
    calls[answer.answered] = nil
    call.completion(failure.map { .failure($0) } ?? .success(answer))
  }

  // MARK: Signals of others

  /// Makes the bus send us the signals that match this rule.
  package func addMatch(_ rule: String) {
    call(.bus("AddMatch", [.string("type='signal',\(rule)")]), timeout: .never) { [weak self] answer in
      guard case .failure(let failure) = answer else { return }
      self?.client?.warned("the bus refuses to report changes: \(failure)")
    }
  }

  /// Takes an ``addMatch(_:)`` back.
  package func removeMatch(_ rule: String) {
    call(.bus("RemoveMatch", [.string("type='signal',\(rule)")]), timeout: .never) { _ in }
  }

  func add(_ follower: NameOwner) { nameOwners.append(follower) }

  func remove(_ follower: NameOwner) { nameOwners.removeAll { $0 === follower } }

  /// Signals of the bus itself are about owners of names; signals of all other senders are for the client.
  private func received(_ signal: Message) {
    guard signal.sender == busName else { return client?.received(signal) ?? () }
    guard let (name, owner) = signal.changedOwner else { return }
    for follower in nameOwners where follower.name == name { follower.report(owner) }
    if owner != nil { client?.arrived(name) }
  }

  // MARK: Sending

  package func emit(_ signal: Message) {
    guard !isClosed else { return }
    transmit(signal)
  }

  package var isFlushed: Bool { output.isEmpty }

  @discardableResult
  private func transmit(_ message: Message) -> UInt32 {
    // Never 0; when the numbers start again after four billion calls, the first calls have been answered.
    serial = serial == .max ? 1 : serial + 1
    output += message.bytes(serial: serial)
    if authentication == nil { flush() }
    if output.count > Limits.waiting {
      output = []
      // Not in the middle of the current call.
      reading = nil
      writing = loop.timer(afterMilliseconds: 0) { [weak self] in self?.end("it no longer reads") }
    }
    return serial
  }

  private func flush() {
    while !output.isEmpty {
      switch send(output[...], to: socket) {
      case .bytes(let count): output.removeFirst(count)
      case .wouldBlock: return awaitRoom()
      // A read will report that the bus is gone.
      case .end, .failed: output = []
      }
    }
  }

  private func awaitRoom() {
    guard writing == nil else { return }
    // If there is no memory for this, the bytes wait until the next message is sent.
    writing = try? loop.watch(socket.raw, for: .writable) { [weak self] _ in
      self?.writing = nil
      self?.flush()
    }
  }

  // MARK: Receiving

  /// Reads received bytes, at most as many as fit into one turn of the loop.
  private func receive() {
    let observer = observer
    observer?.turnBegan()
    defer { observer?.turnEnded() }
    switch ThemedSystem.receive(into: &buffer, from: socket) {
    case .bytes(let count): receive(buffer[..<count])
    case .wouldBlock: break
    case .end: end("it closed the connection")
    case .failed(let code): end(SystemError.text(code))
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    if authentication != nil { return authenticate(bytes) }
    reader.append(bytes)
    // Each message may close this connection.
    while !isClosed, let event = reader.next() {
      switch event {
      case .message(let bytes):
        // libdbus may be stricter than the bus; the end of the message is known anyway.
        if let message = Message(bytes) {
          dispatch(message)
        } else {
          warn(.nonsense, "ignored a message that libdbus does not understand")
        }
      case .passedOver(let length):
        warn(.length, "ignored an unexpected message of \(length) bytes")
      case .broken: return end("it does not speak D-Bus")
      }
    }
  }

  private func authenticate(_ bytes: ArraySlice<UInt8>) {
    switch authentication?.receive(bytes) {
    case .begin(let command):
      authentication = nil
      output = command + output
      flush()
    case .refused(let answer):
      end("it refuses this user: '\(Text(decoding: answer).shown(atMost: 100))'")
    case .wait, nil: break
    }
  }

  private func dispatch(_ message: Message) {
    switch message.kind {
    case .answer: complete(with: message)
    case .signal: received(message)
    case .call: answer(message)
    case .other: break
    }
  }

  private func answer(_ call: Message) {
    guard output.count < limits.replies else { return }
    // A caller that wants no reply still wants the call to be carried out: panels send clicks that way.
    let reply = client?.answer(call) ?? call.reply
    if call.wantsReply { transmit(reply) }
  }

  private func end(_ reason: String) {
    let owner = owner
    close()
    owner?.lost(self, reason)
  }

  /// Gives one warning of each kind: a faulty program repeats its fault.
  private func warn(_ kind: Warning, _ text: String) {
    if warned.insert(kind).inserted { client?.warned(text) }
  }
}

extension Connection {
  /// Whether an answer from `sender` counts for a call to `called`.
  static func isAnswered(_ called: Text, by sender: Text?, withError isError: Bool) -> Bool {
    guard called != busName else { return sender == busName }
    return called.hasPrefix(":") ? sender == called || sender == busName && isError : sender != nil
  }
}

/// The error of a call that was not answered in time.
package let noReply: Text = "org.freedesktop.DBus.Error.NoReply"

/// Authenticates a connection to the bus: pure.
///
/// It uses `EXTERNAL`: the kernel confirms the user to the bus. It does not agree to receive descriptors. So the bus
/// rejects messages with descriptors, and no program can fill our table of descriptors.
struct Authentication {
  /// The next step for the caller.
  enum Step: Equatable {
    /// Wait for more of the bus's answer.
    case wait
    /// Send this; messages may follow.
    case begin([UInt8])
    /// The bus refused us, with this answer.
    case refused([UInt8])
  }

  /// A bus answers with about forty bytes.
  private static let longest = 1024

  private var line: [UInt8] = []

  /// The first bytes to send, for a process of this user.
  static func greeting(user: UInt32) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    let name = "\(user)".utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return [0] + Array("AUTH EXTERNAL ".utf8) + name + Array("\r\n".utf8)
  }

  /// Takes received bytes; the bus sends nothing more until it receives BEGIN.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> Step {
    line += bytes.prefix(Self.longest)
    guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else {
      return line.count < Self.longest ? .wait : .refused([])
    }
    let answer = line[..<end]
    guard answer.starts(with: "OK ".utf8) else { return .refused(Array(answer.prefix(100))) }
    return .begin(Array("BEGIN\r\n".utf8))
  }
}
