internal import ThemedVarlink

/// The logic of ``ThemeSession``, for any subject; does no I/O.
package struct FollowingSession<Subject: Followed>: Sendable, Hashable {
  private enum Phase: Sendable, Hashable { case new, connecting, reading, waiting, over }

  private let subject: Subject
  private let frame: [UInt8]
  private let limit: Int
  private var phase = Phase.new
  private var replies: ReplyReader
  private var pause = ThemeSession.shortestPause
  private var violations = 0
  /// The other user that the daemon belongs to; nil once the daemon has answered in spite of that.
  private var stranger: UInt32?
  private var newest: Subject.Value?
  private var changes = Changes<Subject>()

  /// A session that will follow this subject, with a limit for the length of a reply in bytes; begin with
  /// ``ThemeSession/Event/started``.
  package init(_ subject: Subject, limit: Int = ReplyReader.maximumReply) {
    var call = subject.call
    call.flag = .more
    frame = call.frame
    (self.subject, self.limit) = (subject, limit)
    replies = ReplyReader(limit: limit)
  }

  /// Returns the newest value, if it differs from the value that was taken last; values in between are skipped.
  package mutating func take() -> Subject.Value? {
    guard let value = newest else { return nil }
    newest = nil
    return changes.isNew(value) ? value : nil
  }

  /// Takes an event, and returns the next action; nil if the event needs none.
  package mutating func handle(_ event: ThemeSession.Event) -> ThemeSession.Action? {
    switch (phase, event.content) {
    case (.new, .started), (.waiting, .timePassed):
      phase = .connecting
      return .connect
    case (.waiting, .socketAppeared):
      // A new socket deserves a quick try.
      pause = ThemeSession.shortestPause
      phase = .connecting
      return .connect
    case (.connecting, .connected(let user)):
      phase = .reading
      stranger = user
      return .send(frame)
    case (.connecting, .disconnected): return disconnect()
    case (.reading, .disconnected):
      if let stranger { return giveUp(.anotherUsers(stranger)) }
      return replies.isEmpty ? disconnect() : disconnect(for: ThemeClientError(.ended))
    case (.reading, .received(let bytes)): return read(bytes)
    default: return nil
    }
  }

  /// The number of received bytes that are not processed yet.
  package var heldBytes: Int { replies.count }
}

// MARK: The results

extension FollowingSession {
  private mutating func read(_ bytes: ArraySlice<UInt8>) -> ThemeSession.Action? {
    replies.receive(bytes)
    do throws(ThemeClientError) {
      while let reply = try replies.reply() {
        stranger = nil
        newest = try subject.value(of: reply)
        // The daemon works, so the next failure starts again with the shortest pause.
        pause = ThemeSession.shortestPause
        violations = 0
        if !reply.continues { return disconnect() }
      }
      return nil
    } catch { return disconnect(for: error) }
  }

  private mutating func disconnect(for error: ThemeClientError) -> ThemeSession.Action {
    if error.code == .refused { return giveUp(error) }
    // For example, the directories of themes do not respond. The daemon works, and the cause may pass.
    if error.code == .themesUnavailable { return disconnect() }
    violations += 1
    return violations < ThemeSession.tolerableViolations ? disconnect() : giveUp(error)
  }

  /// Pauses before connecting again, even if this daemon has sent values: the daemon may crash again and again.
  private mutating func disconnect() -> ThemeSession.Action {
    close(.waiting)
    defer { pause = min(pause * 2, ThemeSession.longestPause) }
    return .wait(pause)
  }

  private mutating func giveUp(_ error: ThemeClientError) -> ThemeSession.Action {
    close(.over)
    return .giveUp(error)
  }

  private mutating func close(_ next: Phase) {
    phase = next
    stranger = nil
    replies = ReplyReader(limit: limit)
  }
}
