/// Follows the daemon's state in a loop that is somebody else's: one descriptor to wait for, and one call that never waits.
///
/// ```swift
/// var source = try ThemeSource(app: "editor")
/// // Whenever source.descriptor is readable:
/// while let state = try source.process() { show(state.scheme) }
/// ```
///
/// The descriptor is the same for as long as the source lives, through every restart of the daemon, and is readable from
/// the beginning, so that nothing needs to be called before. No thread and no signal are involved. Where no daemon runs,
/// where even the runtime directory is missing, and while the process has no descriptors left, it is quiet, and tries again
/// by itself. Programs that are started do not inherit what it has; in a child that is forked and goes on without exec, it
/// is not to be used. It closes all at its end: the loop has to let go of the descriptor before.
public struct ThemeSource: ~Copyable, Sendable {
  private var following: FollowingSource<FollowedState>

  /// Will follow the daemon, from the first call of ``process()`` on.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeClientError) {
    following = try FollowingSource(FollowedState(app: app, details: details), socket: socket)
  }

  /// Wait for this to be readable, and call ``process()`` then; it is readable as long as there is something to do.
  public var descriptor: CInt { following.descriptor }

  /// Does what there is to do, without ever waiting, and returns the state if a new one came.
  ///
  /// The first one is the state now, the others are the newest one that differs. Nil says that there is nothing more for
  /// now.
  ///
  /// Throws what trying again does not mend, such as a name that the daemon does not accept; then it is over, the
  /// descriptor is readable no more, and each further call throws the same.
  public mutating func process() throws(ThemeClientError) -> ThemeState? { try following.process() }

  /// Whether the daemon is connected to, as far as ``process()`` has seen: while it is not, the last state stands, for
  /// as long as whoever shows it likes.
  public var isConnected: Bool { following.isConnected }

  /// Connects now rather than in ``process()``, and throws where that fails.
  mutating func connect() throws(ThemeClientError) { try following.connect() }
}
