internal import ThemedVarlink

/// What ``ThemeSession`` is for the state, for whatever is followed: pure.
package struct FollowingSession<Subject: Followed>: Sendable, Hashable {
  private enum Phase: Sendable, Hashable { case new, connecting, reading, waiting, over }

  private let subject: Subject
  private let frame: [UInt8]
  private let limit: Int
  private var phase = Phase.new
  private var replies: ReplyReader
  private var pause = ThemeSession.shortestPause
  private var violations = 0
  /// The other user whom the daemon belongs to, until it answers all the same.
  private var stranger: UInt32?
  private var newest: Subject.Value?
  private var changes = Changes<Subject>()

  /// Will follow this; begins with ``ThemeSession/Event/started``.
  package init(_ subject: Subject) { self.init(subject, limit: Wire.maximumReply) }

  /// The same with another bound for the length of a reply, in bytes.
  package init(_ subject: Subject, limit: Int) {
    var call = subject.call
    call.flag = .more
    frame = call.frame
    (self.subject, self.limit) = (subject, limit)
    replies = ReplyReader(limit: limit)
  }

  /// The newest value, if it differs from the one that was taken before; those in between are passed over.
  package mutating func take() -> Subject.Value? {
    guard let value = newest else { return nil }
    newest = nil
    return changes.isNew(value) ? value : nil
  }

  /// Takes what happened, and says what is to be done, if anything is.
  package mutating func handle(_ event: ThemeSession.Event) -> ThemeSession.Action? {
    switch (phase, event.content) {
    case (.new, .started), (.waiting, .timePassed):
      phase = .connecting
      return .connect
    case (.waiting, .socketAppeared):
      // A new socket is a new trouble, if it is one.
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

  /// How many bytes it keeps of what came.
  package var heldBytes: Int { replies.count }
}

// MARK: What comes of it

extension FollowingSession {
  private mutating func read(_ bytes: ArraySlice<UInt8>) -> ThemeSession.Action? {
    replies.receive(bytes)
    do throws(ThemeClientError) {
      while let reply = try replies.reply() {
        stranger = nil
        newest = try subject.value(of: reply)
        // The daemon works, and what fails next is a new trouble.
        pause = ThemeSession.shortestPause
        violations = 0
        if !reply.continues { return disconnect() }
      }
      return nil
    } catch { return disconnect(for: error) }
  }

  private mutating func disconnect(for error: ThemeClientError) -> ThemeSession.Action {
    if error.code == .refused { return giveUp(error) }
    // Such as directories of themes that do not answer: the daemon works, and what holds it up may pass.
    if error.code == .unusableTheme { return disconnect() }
    violations += 1
    return violations < ThemeSession.tolerableViolations ? disconnect() : giveUp(error)
  }

  /// After a stream that delivered there is a pause, too: a daemon that delivers and dies may do so again and again.
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
