internal import Synchronization
internal import ThemedClientCore
internal import ThemedSystem
internal import ThemedVarlink

/// Carries out what ``CallQueue`` decides, without waiting.
///
/// A line runs on a caller's thread or on the shared thread. The shared thread watches the line as long as there is a
/// connection or a waiting caller.
final class CallLine: Attended {
  /// Receives the reply to a call, or the error that prevented the reply.
  typealias Answer = @Sendable (Result<Reply, CallError>) -> Void

  let descriptor: CInt
  private let core: Mutex<Core>

  fileprivate struct Core: ~Copyable, Sendable {
    let path: String
    let parts: DescriptorSet
    let alarm: Alarm
    var queue: CallQueue
    var connection: DaemonConnection?
    var answers: [UInt64: Answer] = [:]
    /// The number by which the shared thread knows this line; nil while the thread does not watch it.
    var place: UInt64?

    init(_ path: String, _ parts: consuming DescriptorSet, _ alarm: consuming Alarm, _ queue: CallQueue) {
      (self.path, self.queue) = (path, queue)
      self.parts = parts
      self.alarm = alarm
    }
  }

  /// The numbers of its descriptors in the set.
  fileprivate enum Part: UInt64 { case alarm, connection }

  /// Creates a line to the daemon that listens at `path`; the first call connects.
  init(path: String, timeout: Duration) throws(CallError) {
    let parts = try ofSystem { () throws(SystemError) in try DescriptorSet() }
    let alarm = try ofSystem { () throws(SystemError) in try Alarm() }
    try ofSystem { () throws(SystemError) in try parts.add(alarm.descriptor.raw, as: Part.alarm.rawValue) }
    descriptor = parts.descriptor.raw
    core = Mutex(Core(path, parts, alarm, CallQueue(timeout: timeout, limit: ReplyReader.maximumReply)))
  }

  /// Makes a call, and gives up after this many milliseconds; each number is used for one call only.
  func call(_ number: UInt64, _ frame: [UInt8], within milliseconds: Int, _ answer: @escaping Answer) {
    handle { (core) throws(CallError) in
      if core.place == nil { core.place = try SharedThread.shared.attend(to: self) }
      core.answers[number] = answer
      return [.called(number, frame, end: monotonicMilliseconds() + milliseconds)]
    } orElse: {
      answer(.failure($0))
    }
  }

  /// Stops waiting for a call; the call is then answered with ``CallError/Code/cancelled``.
  func cancel(_ number: UInt64) { handle { _ in [.cancelled(number)] } }

  /// Closes the connection, if there is one.
  func close() { handle { _ in [.closed] } }

  func process() -> Bool {
    handle { $0.whatHappened() }
    return true
  }

  private func handle(
    _ events: (inout Core) throws(CallError) -> [CallQueue.Event],
    orElse fail: (CallError) -> Void = { _ in }
  ) {
    let given: [@Sendable () -> Void]
    do throws(CallError) {
      given = try core.withLock { (core) throws(CallError) -> [@Sendable () -> Void] in
        let given = core.handle(try events(&core))
        if !core.queue.isBusy, let place = core.place {
          core.place = nil
          SharedThread.shared.leave(place)
        }
        return given
      }
    } catch { return fail(error) }
    // Outside the lock, because the receiver may make another call.
    for give in given { give() }
  }
}

extension CallLine.Core {
  /// Reads what the descriptors report.
  fileprivate mutating func whatHappened() -> [CallQueue.Event] {
    parts.ready(.nonblocking).compactMap { number in
      switch CallLine.Part(rawValue: number) {
      case .alarm:
        alarm.set(afterMilliseconds: nil)
        return .timePassed
      case .connection:
        switch connection?.receive() {
        case .bytes(let bytes)?: return .received(bytes)
        case .lost(let reason)?: return .ended(reason: reason)
        case nil: return nil
        }
      case nil: return nil
      }
    }
  }

  /// Carries out the actions, and returns the answers to deliver.
  fileprivate mutating func handle(_ events: [CallQueue.Event]) -> [@Sendable () -> Void] {
    var events = events[...]
    var given: [@Sendable () -> Void] = []
    while let event = events.popFirst() {
      let now = monotonicMilliseconds()
      for action in queue.handle(event, now: now) {
        switch action {
        case .connect: events.append(connect())
        case .send(let bytes): if let event = send(bytes) { events.append(event) }
        case .close: close()
        case .answer(let number, let result):
          if let answer = answers.removeValue(forKey: number) { given.append { answer(result) } }
        case .alarm(let time): alarm.set(afterMilliseconds: time.map { max(0, $0 - now) })
        }
      }
    }
    return given
  }

  private mutating func connect() -> CallQueue.Event {
    do throws(CallError) {
      guard let made = try DaemonConnection(path: path) else { return .crowded }
      try ofSystem { () throws(SystemError) in try parts.add(made.descriptor, as: CallLine.Part.connection.rawValue) }
      let stranger = made.stranger
      connection = consume made
      return .connected(stranger: stranger)
    } catch { return .failed(error) }
  }

  private func send(_ bytes: [UInt8]) -> CallQueue.Event? {
    switch connection?.send(bytes[...]) {
    case .bytes(bytes.count)?: nil
    // A call that is sent in part is useless.
    case .bytes?: .ended(reason: "the daemon stopped reading")
    case .lost(let reason)?: .unsent(reason: reason)
    case nil: nil
    }
  }

  private mutating func close() {
    if let raw = connection?.descriptor { parts.remove(raw) }
    connection = nil
  }
}
