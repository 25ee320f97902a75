internal import ThemedClientCore
internal import ThemedVarlink

/// Decides which of the waiting callers is next on a single connection, and how each call ends; does no I/O.
///
/// Only one call is under way at a time. If its caller gives up, the reply could still arrive and would be taken for
/// the reply to the next call. So the queue closes that connection, and the next call opens a new one.
struct CallQueue: Sendable, Hashable {
  /// Something that happened.
  enum Event: Sendable {
    /// A caller makes a call with these bytes, and waits until `end`. A later call never has an earlier `end`.
    case called(UInt64, [UInt8], end: Int)
    /// A caller stopped waiting.
    case cancelled(UInt64)
    /// The connection is made. If the daemon belongs to another user, `stranger` is that user.
    case connected(stranger: UInt32?)
    /// Connecting failed.
    case failed(CallError)
    /// Connecting failed for now, because too many clients are connecting.
    case crowded
    /// These bytes were received.
    case received(ArraySlice<UInt8>)
    /// The connection was broken before the call was sent, so the daemon never saw the call.
    case unsent(reason: String)
    /// The connection ended.
    case ended(reason: String)
    /// The alarm went off.
    case timePassed
    /// The owner is gone, and there will be no more calls.
    case closed
  }

  /// Something to do.
  enum Action: Sendable, Hashable {
    /// Connect.
    case connect
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection.
    case close
    /// Deliver the result of a call.
    case answer(UInt64, Result<Reply, CallError>)
    /// Report ``Event/timePassed`` at this time; nil cancels the alarm.
    case alarm(Int?)
  }

  /// How long to wait before connecting again if too many clients are connecting, in milliseconds.
  static let pause = 10

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

  /// A queue without callers.
  ///
  /// The error of a call that is not answered in time names `timeout`.
  init(timeout: Duration, limit: Int) {
    self.timeout = timeout
    self.limit = limit
    replies = ReplyReader(limit: limit)
  }

  /// Whether there is a connection or a waiting caller.
  var isBusy: Bool { phase != .apart || !callers.isEmpty }

  /// Takes an event and the current time in milliseconds, and returns what to do, in this order.
  mutating func handle(_ event: Event, now: Int) -> [Action] {
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
      // A daemon that has answered on this connection has since exited: send the call to the next one.
      return hasAnswered ? part() : end(lost(reason))
    case .ended(let reason):
      guard phase == .idle || phase == .asking else { return [] }
      return end(replies.isEmpty ? lost(reason) : CallError(.ended))
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
    do throws(CallError) {
      guard let reply = try replies.reply()?.alone() else { return [] }
      // A second reply, or one without a call, belongs to no caller.
      guard phase == .asking, replies.isEmpty else { return end(CallError(.unexpectedReply)) }
      hasAnswered = true
      phase = .idle
      return answer(.success(reply))
    } catch { return end(error) }
  }

  /// Removes a caller, and closes the connection if the reply could still arrive.
  private mutating func dismiss(_ index: Int, _ result: Result<Reply, CallError>) -> [Action] {
    let caller = callers.remove(at: index)
    return (index == 0 && phase == .asking ? part() : []) + [.answer(caller.number, result)]
  }

  /// Closes the connection, and fails the call that is under way.
  private mutating func end(_ error: CallError) -> [Action] {
    let wasAsking = phase == .asking
    return part() + (wasAsking ? answer(.failure(error)) : [])
  }

  private mutating func answer(_ result: Result<Reply, CallError>) -> [Action] {
    callers.isEmpty ? [] : [.answer(callers.removeFirst().number, result)]
  }

  private mutating func part() -> [Action] {
    let wasConnected = phase == .idle || phase == .asking
    phase = .apart
    return wasConnected ? [.close] : []
  }

  private func lost(_ reason: String) -> CallError {
    .lost(reason, stranger: hasAnswered ? nil : stranger)
  }
}
