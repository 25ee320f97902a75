/// The logic of following the daemon, without any input, output or clock.
///
/// A session is for programs that make their own connections, for example with SwiftNIO. Other programs use
/// ``ThemeSource``, which has a descriptor to watch, or the types that are built on ``ThemeSource``. Tell the session
/// what happened, do what it returns, and take the states:
///
/// ```swift
/// var session = ThemeSession(app: "editor")
/// perform(session.handle(.started))
/// // When bytes arrive:
/// perform(session.handle(.received(bytes)))
/// if let state = session.takeState() { show(state.scheme) }
/// ```
///
/// Each time the connection ends, the session asks you to connect again, after a pause. The pauses get longer, up to
/// five seconds, until a state arrives. If the daemon is killed in the middle of a message, the session drops the
/// incomplete message. An event that is not possible at the moment has no effect. An example is the end of a connection
/// that the session has already given up.
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

    /// The program is ready to follow; pass this event first.
    public static let started = Event(.started)
    /// The connection was made.
    ///
    /// - Parameter stranger: The user ID of the daemon, if it differs from the user ID of your program; otherwise nil.
    ///   A daemon of another user may close the connection without an answer. If you pass its user ID, the session then
    ///   gives up instead of trying again and again.
    public static func connected(stranger: UInt32? = nil) -> Event { Event(.connected(stranger: stranger)) }
    /// These bytes were received; one message may be split over several events.
    public static func received(_ bytes: ArraySlice<UInt8>) -> Event { Event(.received(bytes)) }
    /// Connecting failed, or the connection has ended.
    public static let disconnected = Event(.disconnected)
    /// The pause that the session asked for is over.
    public static let timePassed = Event(.timePassed)
    /// A file has appeared at the socket's path, or the file at this path may have been replaced.
    public static let socketAppeared = Event(.socketAppeared)
  }

  /// Something that the session asks you to do; its properties say what exactly.
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
    /// Later versions may add kinds, so a `switch` needs a default.
    public struct Kind: Sendable, Hashable {
      private let name: StaticName

      private enum StaticName: UInt8 { case connect, send, wait, giveUp }

      private init(_ name: StaticName) { self.name = name }

      /// Connect to the socket, then report ``Event/connected(stranger:)`` or ``Event/disconnected``.
      ///
      /// The path of the socket is the value of `THEMED_SOCKET`, or else `$XDG_RUNTIME_DIR/themed/org.themed.theme`.
      /// If `XDG_RUNTIME_DIR` is not set, `/run/user/UID` takes its place.
      public static let connect = Kind(.connect)
      /// Send ``Action/bytes``.
      public static let send = Kind(.send)
      /// Close the connection, if there is one, and report ``Event/timePassed`` after the time in ``Action/pause``.
      ///
      /// If your program can watch the socket's path, report ``Event/socketAppeared`` as soon as the socket appears.
      /// Your program then needs no timer while the socket is missing.
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

    /// For ``Kind/send``, the bytes to send; empty for the other kinds.
    public var bytes: [UInt8] { if case .send(let bytes) = content { bytes } else { [] } }
    /// For ``Kind/wait``, how long to wait; zero for the other kinds.
    public var pause: Duration { if case .wait(let pause) = content { pause } else { .zero } }
    /// For ``Kind/giveUp``, why the session gives up; nil for the other kinds.
    public var error: ThemeClientError? { if case .giveUp(let error) = content { error } else { nil } }
  }

  /// The first pause; each further failure doubles it.
  package static let shortestPause = Duration.milliseconds(100)
  /// The longest pause.
  package static let longestPause = Duration.seconds(5)
  /// How many invalid replies in a row make the session give up.
  ///
  /// A single invalid reply can come from a daemon that was killed while it sent. Several in a row come from another
  /// program.
  package static let tolerableViolations = 3

  private var following: FollowingSession<FollowedState>

  /// Creates a session that will follow the daemon; first pass it ``Event/started``.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can set an override for this app alone.
  ///   - details: Whether the states include the palette, assets and values of the theme.
  public init(app: String? = nil, details: Bool = false) {
    following = FollowingSession(FollowedState(app: app, details: details))
  }

  /// Returns the newest state, if it differs from the state that was taken last; states in between are skipped.
  public mutating func takeState() -> ThemeState? { following.take() }

  /// Takes an event, and returns the next action; nil if the event needs none.
  public mutating func handle(_ event: Event) -> Action? { following.handle(event) }
}
