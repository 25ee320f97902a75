internal import Glibc
internal import ThemedClientCore

/// The logic of following the daemon, without any input, output or clock.
///
/// A session is for programs that make their own connections, for example with SwiftNIO. Other programs use
/// ``ThemeSource``, which has a descriptor to watch. Tell the session what happened, do what it returns, and take the
/// states:
///
/// ```swift
/// var session = ThemeSession(app: "editor")
/// perform(session.handle(.started))
/// // When bytes arrive:
/// perform(session.handle(.received(bytes)))
/// if let state = session.nextState() { show(state.scheme) }
/// ```
///
/// Each time the connection ends, the session asks you to connect again, after a pause. The pauses get longer, up to
/// five seconds, until a state arrives. If the daemon is killed in the middle of a message, the session drops the
/// incomplete message. An event that is not possible at the moment has no effect. An example is the end of a connection
/// that the session has already given up.
public struct ThemeSession: Sendable, Hashable {
  /// Something that happened; later versions may add cases.
  public enum Event: Sendable, Hashable {
    /// The program is ready to follow; pass this event first.
    case started
    /// The connection was made.
    ///
    /// `peerUserID` is the user ID of the daemon, if you know it (`SO_PEERCRED`). A daemon of another user may close the
    /// connection without an answer. The session then gives up instead of trying again and again.
    case connected(peerUserID: UInt32? = nil)
    /// These bytes were received; one message may be split over several events.
    case received(ArraySlice<UInt8>)
    /// Connecting failed, or the connection has ended.
    case disconnected
    /// The pause that the session asked for is over.
    case timePassed
    /// A file has appeared at the socket's path, or the file at this path may have been replaced.
    case socketAppeared
  }

  /// Something that the session asks you to do; later versions will not add cases.
  public enum Action: Sendable, Hashable {
    /// Connect to the socket, then report ``Event/connected(peerUserID:)`` or ``Event/disconnected``.
    ///
    /// ``ThemeSession/socketPath()`` is the path of the socket.
    case connect
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection, if there is one, and report ``Event/timePassed`` after this time.
    ///
    /// If your program can watch the socket's path, report ``Event/socketAppeared`` as soon as the socket appears. Your
    /// program then needs no timer while the socket is missing.
    case wait(Duration)
    /// Close the connection for good: retrying cannot fix this error.
    ///
    /// The session has no further actions.
    case giveUp(ThemeError)
  }

  private var following: FollowingSession<FollowedState>

  /// Creates a session that will follow the daemon; first pass it ``Event/started``.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can set an override for this app alone.
  ///   - details: Whether the states include the colours, images and values of the theme.
  public init(app: String? = nil, details: Bool = false) {
    following = FollowingSession(FollowedState(app: app, details: details))
  }

  /// The path of the daemon's socket: that in `THEMED_SOCKET`, or the default path; in a container that has only the
  /// read-only socket, the path of that one.
  ///
  /// Throws if the path is not known or too long.
  public static func socketPath() throws(ThemeError) -> String {
    try publicly { () throws(CallError) in try ThemedClientCore.socketPath(nil) }
  }

  /// Returns the newest state, if it differs from the state that was taken last; states in between are skipped.
  public mutating func nextState() -> ThemeState? { following.take().map { ThemeState($0) } }

  /// Takes an event, and returns the next action; nil if the event needs none.
  public mutating func handle(_ event: Event) -> Action? {
    let inner: FollowingEvent =
      switch event {
      case .started: .started
      case .connected(let user): .connected(stranger: user == getuid() ? nil : user)
      case .received(let bytes): .received(bytes)
      case .disconnected: .disconnected
      case .timePassed: .timePassed
      case .socketAppeared: .socketAppeared
      }
    return switch following.handle(inner) {
    case .connect?: .connect
    case .send(let bytes)?: .send(bytes)
    case .wait(let pause)?: .wait(pause)
    case .giveUp(let error)?: .giveUp(ThemeError(error))
    case nil: nil
    }
  }
}
