internal import ThemeInterface
internal import ThemedVarlink

/// What it takes to follow the daemon, without any input or output, and without a clock: pure.
///
/// It is for programs that have an I/O of their own, such as an event loop on SwiftNIO; others have ``ThemeSource``,
/// which brings a descriptor to wait for, and what stands on it. Whoever has it tells it what happened, does what it
/// answers, and takes the states that came of it:
///
/// ```swift
/// var session = ThemeSession(app: "editor")
/// perform(session.handle(.started))
/// // Bytes have come.
/// perform(session.handle(.received(bytes)))
/// if let state = session.takeState() { show(state.scheme) }
/// ```
///
/// It connects again after every end, with pauses that grow as long as no state comes, and bears a daemon that is
/// killed within a message. What cannot occur where it stands, such as the end of a connection that it has let go
/// already, does nothing.
public struct ThemeSession: Sendable, Hashable {
  /// Something that happened.
  public struct Event: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      case started
      case connected(stranger: UInt32?)
      case received(ArraySlice<UInt8>)
      case disconnected, timePassed, socketAppeared
    }

    package let content: Content

    private init(_ content: Content) { self.content = content }

    /// It is to begin.
    public static let started = Event(.started)
    /// The connection was made.
    ///
    /// To a daemon that runs as another user than the caller, `stranger` is that one: it answers nobody but its own
    /// user, and the session gives up rather than ask again and again.
    public static func connected(stranger: UInt32? = nil) -> Event { Event(.connected(stranger: stranger)) }
    /// These bytes have come, any number of them.
    public static func received(_ bytes: ArraySlice<UInt8>) -> Event { Event(.received(bytes)) }
    /// The connection could not be made, or it has ended.
    public static let disconnected = Event(.disconnected)
    /// As much time has passed as was to be waited.
    public static let timePassed = Event(.timePassed)
    /// Something stands where the socket is to be that did not before, or may have changed.
    public static let socketAppeared = Event(.socketAppeared)
  }

  /// What is to be done: what kind of thing, and what belongs to it as properties.
  public struct Action: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      case connect
      case send([UInt8])
      case wait(Duration)
      case giveUp(ThemeClientError)
    }

    package let content: Content

    private init(_ content: Content) { self.content = content }

    package static let connect = Action(.connect)
    package static func send(_ bytes: [UInt8]) -> Action { Action(.send(bytes)) }
    package static func wait(_ pause: Duration) -> Action { Action(.wait(pause)) }
    package static func giveUp(_ error: ThemeClientError) -> Action { Action(.giveUp(error)) }

    /// What kind of thing is to be done; later versions may know more, so a `switch` over it has a default.
    public struct Kind: Sendable, Hashable {
      private let name: StaticName

      private enum StaticName: UInt8 { case connect, send, wait, giveUp }

      private init(_ name: StaticName) { self.name = name }

      /// Connect to the socket; then comes ``Event/connected(stranger:)`` or ``Event/disconnected``.
      public static let connect = Kind(.connect)
      /// Send ``Action/bytes``.
      public static let send = Kind(.send)
      /// Close the connection, if there is one, and tell when as much time has passed as ``Action/pause`` says:
      /// ``Event/timePassed``.
      ///
      /// Who sees the socket appear tells that sooner (``Event/socketAppeared``), and need not wake while there is
      /// none.
      public static let wait = Kind(.wait)
      /// Close the connection: trying again would not mend ``Action/error``.
      ///
      /// Nothing is to be done from here on.
      public static let giveUp = Kind(.giveUp)
    }

    /// What kind of thing is to be done.
    public var kind: Kind {
      switch content {
      case .connect: .connect
      case .send: .send
      case .wait: .wait
      case .giveUp: .giveUp
      }
    }

    /// What is to be sent; empty for the other kinds.
    public var bytes: [UInt8] { if case .send(let bytes) = content { bytes } else { [] } }
    /// How long is to be waited; zero for the other kinds.
    public var pause: Duration { if case .wait(let pause) = content { pause } else { .zero } }
    /// Why it gives up; nil for the other kinds.
    public var error: ThemeClientError? { if case .giveUp(let error) = content { error } else { nil } }
  }

  /// The first pause, which each further failure doubles.
  package static let shortestPause = Duration.milliseconds(100)
  /// The longest pause.
  package static let longestPause = Duration.seconds(5)
  // Once, what is no reply may come of a daemon that was killed within one. Again and again it is not our daemon.
  /// How many times in a row something that is no reply makes it give up.
  package static let tolerableViolations = 3

  private enum Phase: Sendable, Hashable { case new, connecting, reading, waiting, over }

  private let frame: [UInt8]
  private let limit: Int
  private var phase = Phase.new
  private var replies: ReplyReader
  private var pause = shortestPause
  private var violations = 0
  /// The other user whom the daemon belongs to, until it answers all the same.
  private var stranger: UInt32?
  private var newest: ThemeState?
  private var changes = Changes()

  /// Will follow the daemon; begins with ``Event/started``.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  public init(app: String? = nil, details: Bool = false) {
    self.init(app: app, details: details, limit: Wire.maximumReply)
  }

  /// The same with another bound for the length of a reply, in bytes.
  package init(app: String? = nil, details: Bool = false, limit: Int) {
    let call = Call(
      method: ThemeInterface.Method.monitor.fullName, parameters: named(app, details: details), flag: .more)
    frame = call.frame
    self.limit = limit
    replies = ReplyReader(limit: limit)
  }

  /// The newest state, if it differs from the one that was taken before; those in between are passed over.
  public mutating func takeState() -> ThemeState? {
    guard let state = newest else { return nil }
    newest = nil
    return changes.isNew(state) ? state : nil
  }

  /// Takes what happened, and says what is to be done, if anything is.
  public mutating func handle(_ event: Event) -> Action? {
    switch (phase, event.content) {
    case (.new, .started), (.waiting, .timePassed):
      phase = .connecting
      return .connect
    case (.waiting, .socketAppeared):
      // A new socket is a new trouble, if it is one.
      pause = Self.shortestPause
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

extension ThemeSession {
  private mutating func read(_ bytes: ArraySlice<UInt8>) -> Action? {
    replies.receive(bytes)
    do throws(ThemeClientError) {
      while let reply = try replies.reply() {
        stranger = nil
        newest = try ThemeState(answering: reply)
        // The daemon works, and what fails next is a new trouble.
        pause = Self.shortestPause
        violations = 0
        if !reply.continues { return disconnect() }
      }
      return nil
    } catch { return disconnect(for: error) }
  }

  private mutating func disconnect(for error: ThemeClientError) -> Action {
    if error.code == .refused { return giveUp(error) }
    violations += 1
    return violations < Self.tolerableViolations ? disconnect() : giveUp(error)
  }

  /// After a stream that delivered there is a pause, too: a daemon that delivers and dies may do so again and again.
  private mutating func disconnect() -> Action {
    close(.waiting)
    defer { pause = min(pause * 2, Self.longestPause) }
    return .wait(pause)
  }

  private mutating func giveUp(_ error: ThemeClientError) -> Action {
    close(.over)
    return .giveUp(error)
  }

  private mutating func close(_ next: Phase) {
    phase = next
    stranger = nil
    replies = ReplyReader(limit: limit)
  }
}

extension ThemeState {
  /// The state that a reply to `Monitor` tells.
  fileprivate init(answering reply: Reply) throws(ThemeClientError) {
    if let error = ThemeClientError(reply) { throw error }
    var parameters = Parameters(reading: reply)
    do throws(VarlinkError) { self.init(try parameters.state()) } catch { throw ThemeClientError(inReply: error) }
  }
}
