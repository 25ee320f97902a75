package import ThemeClientCore
package import ThemedVarlink

/// Whose turn it is of those who call, over one connection, and what becomes of them: pure.
///
/// One call is under way at a time. Where one is given up, its reply could still come, and would be taken for that of the
/// next: so its connection is given up, too, and the next call makes a new one.
package struct CallQueue: Sendable, Hashable {
  /// Something that happened.
  package enum Event: Sendable {
    /// Somebody calls, by these bytes, and waits until then. Nobody waits for less time than who called before.
    case called(UInt64, [UInt8], end: Int)
    /// Somebody waits no longer.
    case cancelled(UInt64)
    /// The connection was made; where the daemon is another user's, to that one.
    case connected(stranger: UInt32?)
    /// No connection could be made.
    case failed(ThemeClientError)
    /// No connection could be made for now, as too many ask for one.
    case crowded
    /// These bytes came.
    case received(ArraySlice<UInt8>)
    /// The connection was broken when the call was to be sent, so that nobody heard it.
    case unsent(reason: String)
    /// The connection has ended.
    case ended(reason: String)
    /// The time of the alarm has come.
    case timePassed
    /// Nobody will call any more.
    case closed
  }

  /// What is to be done.
  package enum Action: Sendable, Hashable {
    /// Connect.
    case connect
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection.
    case close
    /// Give somebody an answer.
    case answer(UInt64, Result<Reply, ThemeClientError>)
    /// Tell when this time has come; with nil, there is none to wait for.
    case alarm(Int?)
  }

  /// How long to wait before too many may be fewer, in milliseconds.
  package static let pause = 10

  private enum Phase: Sendable, Hashable { case apart, connecting, pausing, idle, asking }

  private struct Caller: Sendable, Hashable {
    let number: UInt64
    let frame: [UInt8]
    let end: Int
  }

  private let timeout: Duration
  private let limit: Int
  private var phase = Phase.apart
  private var replies: ReplyReader
  private var callers: [Caller] = []
  private var pauseEnd = 0
  private var stranger: UInt32?
  /// Whether a call has been answered over this connection.
  private var hasAnswered = false

  /// Nobody calls yet; who is not answered is told that it took longer than `timeout`.
  package init(timeout: Duration, limit: Int) {
    self.timeout = timeout
    self.limit = limit
    replies = ReplyReader(limit: limit)
  }

  /// Whether there is a connection, or somebody who waits.
  package var isBusy: Bool { phase != .apart || !callers.isEmpty }

  /// Takes what happened at a time, in milliseconds, and says what is to be done, in this order.
  package mutating func handle(_ event: Event, now: Int) -> [Action] {
    var actions = take(event, now: now)
    switch phase {
    case .apart where !callers.isEmpty:
      phase = .connecting
      actions.append(.connect)
    case .idle where !callers.isEmpty:
      phase = .asking
      actions.append(.send(callers[0].frame))
    default: break
    }
    let end = callers.first?.end
    actions.append(.alarm(phase == .pausing ? min(end ?? .max, pauseEnd) : end))
    return actions
  }

  private mutating func take(_ event: Event, now: Int) -> [Action] {
    switch event {
    case .called(let number, let frame, let end):
      callers.append(Caller(number: number, frame: frame, end: end))
      return []
    case .cancelled(let number):
      guard let index = callers.firstIndex(where: { $0.number == number }) else { return [] }
      return dismiss(index, .failure(.cancelled))
    case .connected(let user):
      guard phase == .connecting else { return [] }
      phase = .idle
      (stranger, hasAnswered, replies) = (user, false, ReplyReader(limit: limit))
      return []
    case .failed(let error):
      guard phase == .connecting else { return [] }
      phase = .apart
      return answer(.failure(error))
    case .crowded:
      guard phase == .connecting else { return [] }
      phase = .pausing
      pauseEnd = now + Self.pause
      return []
    case .received(let bytes): return read(bytes)
    case .unsent(let reason):
      guard phase == .asking else { return [] }
      // One that has worked was closed by a daemon that went: the next one gets the call.
      return hasAnswered ? part() : end(lost(reason))
    case .ended(let reason):
      guard phase == .idle || phase == .asking else { return [] }
      return end(replies.isEmpty ? lost(reason) : ThemeClientError(.ended))
    case .timePassed:
      if phase == .pausing { phase = .apart }
      var actions: [Action] = []
      while let first = callers.first, first.end <= now {
        actions += dismiss(0, .failure(.timedOut(after: timeout)))
      }
      return actions
    case .closed: return callers.indices.reversed().flatMap { dismiss($0, .failure(.cancelled)) } + part()
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) -> [Action] {
    guard phase == .idle || phase == .asking else { return [] }
    replies.receive(bytes)
    do throws(ThemeClientError) {
      guard let reply = try replies.reply()?.alone() else { return [] }
      // What comes behind it, or unasked, answers nobody.
      guard phase == .asking, replies.isEmpty else { return end(ThemeClientError(.unexpectedReply)) }
      hasAnswered = true
      phase = .idle
      return answer(.success(reply))
    } catch { return end(error) }
  }

  /// Lets go of somebody, and of the connection if the reply could still come.
  private mutating func dismiss(_ index: Int, _ result: Result<Reply, ThemeClientError>) -> [Action] {
    let caller = callers.remove(at: index)
    return (index == 0 && phase == .asking ? part() : []) + [.answer(caller.number, result)]
  }

  /// The connection is of no further use, and whoever was asking hears why.
  private mutating func end(_ error: ThemeClientError) -> [Action] {
    let wasAsking = phase == .asking
    return part() + (wasAsking ? answer(.failure(error)) : [])
  }

  private mutating func answer(_ result: Result<Reply, ThemeClientError>) -> [Action] {
    callers.isEmpty ? [] : [.answer(callers.removeFirst().number, result)]
  }

  private mutating func part() -> [Action] {
    let wasConnected = phase == .idle || phase == .asking
    phase = .apart
    return wasConnected ? [.close] : []
  }

  private func lost(_ reason: String) -> ThemeClientError {
    .lost(reason, stranger: hasAnswered ? nil : stranger)
  }
}
