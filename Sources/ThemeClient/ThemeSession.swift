/// What it takes to follow the daemon, without any input or output, and without a clock: pure.
///
/// It is for programs that have an I/O of their own, such as an event loop on SwiftNIO; others have ``ThemeSource``, which
/// brings a descriptor to wait for, and what stands on it. Whoever has it tells it what happened, does what it answers,
/// and takes the states that came of it:
///
/// ```swift
/// var session = ThemeSession(app: "editor")
/// perform(session.handle(.started))
/// // Bytes have come.
/// perform(session.handle(.received(bytes)))
/// if let state = session.takeState() { show(state.scheme) }
/// ```
///
/// It connects again after every end, with pauses that grow as long as no state comes, and bears a daemon that is killed
/// within a message. What cannot occur where it stands, such as the end of a connection that it has let go already, does
/// nothing.
public struct ThemeSession: Sendable, Hashable {
  /// Something that happened.
  public enum Event: Sendable, Hashable {
    /// It is to begin.
    case started
    /// The connection was made.
    ///
    /// To a daemon that runs as another user than the caller, `stranger` is that one: it answers nobody but its own user,
    /// and the session gives up rather than ask again and again.
    case connected(stranger: UInt32? = nil)
    /// These bytes have come, any number of them.
    case received(ArraySlice<UInt8>)
    /// The connection could not be made, or it has ended.
    case disconnected
    /// As much time has passed as was to be waited.
    case timePassed
    /// Something stands where the socket is to be that did not before, or may have changed.
    case socketAppeared
  }

  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Connect to the socket; then comes ``Event/connected(stranger:)`` or ``Event/disconnected``.
    case connect
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection, if there is one, and tell when so much time has passed: ``Event/timePassed``.
    ///
    /// Who sees the socket appear tells that sooner (``Event/socketAppeared``), and need not wake while there is none.
    case wait(Duration)
    /// Close the connection: trying again would not mend this. Nothing is to be done from here on.
    case giveUp(ThemeClientError)
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
  public mutating func takeState() -> State? { following.take() }

  /// Takes what happened, and says what is to be done, if anything is.
  public mutating func handle(_ event: Event) -> Action? { following.handle(event) }
}
