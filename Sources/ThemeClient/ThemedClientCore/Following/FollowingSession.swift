internal import ThemedVarlink

/// Something that happened to a connection, as a ``FollowingSession`` has to know it.
public enum FollowingEvent: Sendable, Hashable {
  /// The program is ready to follow; this is the first event.
  case started
  /// The connection was made. If the daemon belongs to another user, `stranger` is that user.
  case connected(stranger: UInt32?)
  /// These bytes were received; one message may be split over several events.
  case received(ArraySlice<UInt8>)
  /// Connecting failed, or the connection has ended.
  case disconnected
  /// The pause is over.
  case timePassed
  /// A file has appeared at the socket's path, or was replaced.
  case socketAppeared
}

/// Something that a ``FollowingSession`` asks its caller to do.
public enum FollowingAction: Sendable, Hashable {
  /// Connect to the socket.
  case connect
  /// Send these bytes.
  case send([UInt8])
  /// Close the connection, and report ``FollowingEvent/timePassed`` after this time.
  case wait(Duration)
  /// Close the connection for good.
  case giveUp(CallError)
}

/// The logic of following the daemon, for any subject, without any input, output or clock.
///
/// Each time the connection ends, the session asks to connect again, after a pause. The pauses get longer until a value
/// arrives. An event that is not possible at the moment has no effect.
public struct FollowingSession<Subject: Followed>: Sendable, Hashable {
  /// The first pause; each further failure doubles it.
  public static var shortestPause: Duration { .milliseconds(100) }
  /// The longest pause.
  public static var longestPause: Duration { .seconds(5) }
  /// How many invalid replies in a row make the session give up.
  ///
  /// A single invalid reply can come from a daemon that was killed while it sent. Several in a row come from another
  /// program.
  static var tolerableViolations: Int { 3 }

  private enum Phase: Sendable, Hashable { case new, connecting, reading, waiting, over }

  private let subject: Subject
  private let frame: [UInt8]
  private let limit: Int
  private var phase = Phase.new
  private var replies: ReplyReader
  private var pause = Self.shortestPause
  private var violations = 0
  /// The other user that the daemon belongs to; nil once the daemon has answered in spite of that.
  private var stranger: UInt32?
  private var newest: Subject.Value?
  private var changes = Changes<Subject>()

  /// A session that will follow this subject, with a limit for the length of a reply in bytes; begin with
  /// ``FollowingEvent/started``.
  public init(_ subject: Subject, limit: Int = ReplyReader.maximumReply) {
    var call = subject.call
    call.flag = .more
    frame = call.frame
    (self.subject, self.limit) = (subject, limit)
    replies = ReplyReader(limit: limit)
  }

  /// Returns the newest value, if it differs from the value that was taken last; values in between are skipped.
  public mutating func take() -> Subject.Value? {
    guard let value = newest else { return nil }
    newest = nil
    return changes.isNew(value) ? value : nil
  }

  /// Takes an event, and returns the next action; nil if the event needs none.
  public mutating func handle(_ event: FollowingEvent) -> FollowingAction? {
    switch (phase, event) {
    case (.new, .started), (.waiting, .timePassed):
      phase = .connecting
      return .connect
    case (.waiting, .socketAppeared):
      // A new socket deserves a quick try.
      pause = Self.shortestPause
      phase = .connecting
      return .connect
    case (.connecting, .connected(let user)):
      phase = .reading
      stranger = user
      return .send(frame)
    case (.connecting, .disconnected): return disconnect()
    case (.reading, .disconnected):
      if let stranger { return giveUp(.otherUser(stranger)) }
      return replies.isEmpty ? disconnect() : disconnect(for: CallError(.ended))
    case (.reading, .received(let bytes)): return read(bytes)
    default: return nil
    }
  }

  /// The number of received bytes that are not processed yet.
  public var heldBytes: Int { replies.count }
}

// MARK: The results

extension FollowingSession {
  private mutating func read(_ bytes: ArraySlice<UInt8>) -> FollowingAction? {
    replies.receive(bytes)
    do throws(CallError) {
      while let reply = try replies.reply() {
        stranger = nil
        newest = try subject.value(of: reply)
        // The daemon works, so the next failure starts again with the shortest pause.
        pause = Self.shortestPause
        violations = 0
        if !reply.continues { return disconnect() }
      }
      return nil
    } catch { return disconnect(for: error) }
  }

  private mutating func disconnect(for error: CallError) -> FollowingAction {
    if error.code == .refused { return giveUp(error) }
    // For example, the directories of themes do not respond. The daemon works, and the cause may pass.
    if error.code == .themesUnavailable { return disconnect() }
    violations += 1
    return violations < Self.tolerableViolations ? disconnect() : giveUp(error)
  }

  /// Pauses before connecting again, even if this daemon has sent values: the daemon may crash again and again.
  private mutating func disconnect() -> FollowingAction {
    close(.waiting)
    defer { pause = min(pause * 2, Self.longestPause) }
    return .wait(pause)
  }

  private mutating func giveUp(_ error: CallError) -> FollowingAction {
    close(.over)
    return .giveUp(error)
  }

  private mutating func close(_ next: Phase) {
    phase = next
    stranger = nil
    replies = ReplyReader(limit: limit)
  }
}
