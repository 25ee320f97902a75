/// The logic of following the daemon, without any input, output or clock.
///
/// It is for programs with their own I/O, such as an event loop of SwiftNIO. Other programs use ``ThemeSource``, which
/// has a descriptor to watch, or the types on top of it. You tell the session what happened, do what it returns, and
/// take the states:
///
/// ```swift
/// var session = ThemeSession(app: "editor")
/// perform(session.handle(.started))
/// // When bytes arrive:
/// perform(session.handle(.received(bytes)))
/// if let state = session.takeState() { show(state.scheme) }
/// ```
///
/// Each time the connection ends, the session asks you to connect again. It asks for a pause before each attempt, and
/// for a longer one each time until a state comes. A daemon that is killed in the middle of a message does it no harm.
/// An event that is not possible at the moment, such as the end of a connection that the session has already
/// abandoned, has no effect.
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

    /// Begin.
    public static let started = Event(.started)
    /// The connection was made.
    ///
    /// If the daemon runs as a different user from your program, pass that user as `stranger`. Such a daemon answers
    /// only its own user, so the session gives up instead of trying again and again.
    public static func connected(stranger: UInt32? = nil) -> Event { Event(.connected(stranger: stranger)) }
    /// These bytes were received; one message may come in several events.
    public static func received(_ bytes: ArraySlice<UInt8>) -> Event { Event(.received(bytes)) }
    /// Connecting failed, or the connection has ended.
    public static let disconnected = Event(.disconnected)
    /// The time to wait has passed.
    public static let timePassed = Event(.timePassed)
    /// A file has appeared at the socket's path, or the file there may have been replaced.
    public static let socketAppeared = Event(.socketAppeared)
  }

  /// An action for the caller: its kind, with its details as properties.
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

    /// The kinds of actions.
    ///
    /// Later versions may add others, so a `switch` needs a default.
    public struct Kind: Sendable, Hashable {
      private let name: StaticName

      private enum StaticName: UInt8 { case connect, send, wait, giveUp }

      private init(_ name: StaticName) { self.name = name }

      /// Connect to the socket, then report ``Event/connected(stranger:)`` or ``Event/disconnected``.
      public static let connect = Kind(.connect)
      /// Send ``Action/bytes``.
      public static let send = Kind(.send)
      /// Close the connection, if there is one, and report ``Event/timePassed`` after the time in ``Action/pause``.
      ///
      /// If you watch the socket's path, report ``Event/socketAppeared`` as soon as the socket appears. Then you need
      /// no timer while there is no socket.
      public static let wait = Kind(.wait)
      /// Close the connection for good: retrying cannot fix ``Action/error``.
      ///
      /// The session has no further actions.
      public static let giveUp = Kind(.giveUp)
    }

    /// The kind of action.
    public var kind: Kind {
      switch content {
      case .connect: .connect
      case .send: .send
      case .wait: .wait
      case .giveUp: .giveUp
      }
    }

    /// The bytes to send; empty for the other kinds.
    public var bytes: [UInt8] { if case .send(let bytes) = content { bytes } else { [] } }
    /// How long to wait; zero for the other kinds.
    public var pause: Duration { if case .wait(let pause) = content { pause } else { .zero } }
    /// Why the session gives up; nil for the other kinds.
    public var error: ThemeClientError? { if case .giveUp(let error) = content { error } else { nil } }
  }

  /// The first pause; each further failure doubles it.
  package static let shortestPause = Duration.milliseconds(100)
  /// The longest pause.
  package static let longestPause = Duration.seconds(5)
  /// How many invalid replies in a row make the session give up.
  ///
  /// One can come from a daemon that was killed while it sent. Several in a row come from some other program.
  package static let tolerableViolations = 3

  private var following: FollowingSession<FollowedState>

  /// A session that will follow the daemon; begin with ``Event/started``.
  ///
  /// - Parameters:
  ///   - app: The name of your app. The user may have set an override for this app alone.
  ///   - details: Whether the states include the palette, assets and values of the theme.
  public init(app: String? = nil, details: Bool = false) {
    following = FollowingSession(FollowedState(app: app, details: details))
  }

  /// The same with another limit for the length of a reply, in bytes.
  package init(limit: Int) {
    following = FollowingSession(FollowedState(app: nil, details: false), limit: limit)
  }

  /// The number of received bytes that are not processed yet.
  package var heldBytes: Int { following.heldBytes }

  /// The newest state, if it differs from the one that was taken last; the states in between are skipped.
  public mutating func takeState() -> ThemeState? { following.take() }

  /// Takes an event, and returns the next action; nil if the event needs none.
  public mutating func handle(_ event: Event) -> Action? { following.handle(event) }
}
