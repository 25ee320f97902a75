internal import ThemeClientCore
internal import Synchronization
internal import ThemedUnix
internal import ThemedVarlink

/// Carries out what ``CallQueue`` says, without waiting, on whichever thread: that of a caller or the shared one, which
/// attends to it as long as there is a connection or somebody who waits.
final class CallLine: Attended {
  /// Takes the reply to a call, or why there is none.
  typealias Answer = @Sendable (Result<Reply, ThemeClientError>) -> Void

  let descriptor: CInt
  private let core: Mutex<Core>

  fileprivate struct Core: ~Copyable, Sendable {
    let path: String
    let parts: DescriptorSet
    let alarm: Alarm
    var queue: CallQueue
    var connection: DaemonConnection?
    var answers: [UInt64: Answer] = [:]
    /// By which the shared thread knows it.
    var place: UInt64?

    init(_ path: String, _ parts: consuming DescriptorSet, _ alarm: consuming Alarm, _ queue: CallQueue) {
      (self.path, self.queue) = (path, queue)
      self.parts = parts
      self.alarm = alarm
    }
  }

  /// What its descriptors are, by their numbers in the set.
  fileprivate enum Part: UInt64 { case alarm, connection }

  /// Will make calls at the daemon that listens at `path`.
  init(path: String, timeout: Duration) throws(ThemeClientError) {
    let parts = try ofSystem { () throws(SystemError) in try DescriptorSet() }
    let alarm = try ofSystem { () throws(SystemError) in try Alarm() }
    try ofSystem { () throws(SystemError) in try parts.add(alarm.descriptor.raw, as: Part.alarm.rawValue) }
    descriptor = parts.descriptor.raw
    core = Mutex(Core(path, parts, alarm, CallQueue(timeout: timeout, limit: Wire.maximumReply)))
  }

  /// Makes a call, whose number is used once, and waits until so many milliseconds are over.
  func call(_ number: UInt64, _ frame: [UInt8], within milliseconds: Int, _ answer: @escaping Answer) {
    handle { (core) throws(ThemeClientError) in
      if core.place == nil { core.place = try SharedThread.shared.attend(to: self) }
      core.answers[number] = answer
      return [.called(number, frame, end: monotonicMilliseconds() + milliseconds)]
    } orElse: {
      answer(.failure($0))
    }
  }

  /// Waits for the answer to a call no more; it is one of its own then.
  func cancel(_ number: UInt64) { handle { _ in [.cancelled(number)] } }

  /// Closes the connection, if there is one.
  func close() { handle { _ in [.closed] } }

  func process() -> Bool {
    handle { $0.whatHappened() }
    return true
  }

  private func handle(
    _ events: (inout Core) throws(ThemeClientError) -> [CallQueue.Event],
    orElse fail: (ThemeClientError) -> Void = { _ in }
  ) {
    let given: [@Sendable () -> Void]
    do throws(ThemeClientError) {
      given = try core.withLock { (core) throws(ThemeClientError) -> [@Sendable () -> Void] in
        let given = core.handle(try events(&core))
        if !core.queue.isBusy, let place = core.place {
          core.place = nil
          SharedThread.shared.leave(place)
        }
        return given
      }
    } catch { return fail(error) }
    // Who hears of it may call again.
    for give in given { give() }
  }
}

extension CallLine.Core {
  /// What its descriptors tell.
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

  /// Does what follows, and returns what is to be told.
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
    do throws(ThemeClientError) {
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
    // What has gone out is no call without the rest.
    case .bytes?: .ended(reason: "it takes no more")
    case .lost(let reason)?: .unsent(reason: reason)
    case nil: nil
    }
  }

  private mutating func close() {
    if let raw = connection?.descriptor { parts.remove(raw) }
    connection = nil
  }
}
