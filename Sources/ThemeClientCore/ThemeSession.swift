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

  private var following: FollowingSession<FollowedState>

  /// Will follow the daemon; begins with ``Event/started``.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  public init(app: String? = nil, details: Bool = false) {
    following = FollowingSession(FollowedState(app: app, details: details))
  }

  /// The same with another bound for the length of a reply, in bytes.
  package init(limit: Int) {
    following = FollowingSession(FollowedState(app: nil, details: false), limit: limit)
  }

  /// How many bytes it keeps of what came.
  package var heldBytes: Int { following.heldBytes }

  /// The newest state, if it differs from the one that was taken before; those in between are passed over.
  public mutating func takeState() -> ThemeState? { following.take() }

  /// Takes what happened, and says what is to be done, if anything is.
  public mutating func handle(_ event: Event) -> Action? { following.handle(event) }
}
