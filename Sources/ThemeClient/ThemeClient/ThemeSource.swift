internal import ThemedClientCore

/// Follows the daemon's state in your own event loop: one descriptor to watch, and one call that never waits.
///
/// ```swift
/// var source = try ThemeSource(app: "editor")
/// // Whenever source.descriptor is readable:
/// while let state = try source.nextState() { show(state.scheme) }
/// ```
///
/// The descriptor stays the same as long as the source lives, even if the daemon restarts. The descriptor is readable
/// from the start. So no first call is needed: watch the descriptor, and call ``nextState()`` whenever it is readable.
///
/// The source uses no thread and no signal.
///
/// While the source cannot connect, it returns nothing and tries again by itself. This is the case if no daemon is
/// running, if the runtime directory is missing, or if the process has no descriptors left.
///
/// Programs that you start do not inherit the source's descriptors. After a fork without exec, do not use the source in
/// the child. The source closes its descriptors when it goes out of scope, so remove ``descriptor`` from your loop
/// before that.
public struct ThemeSource: ~Copyable, Sendable {
  private var following: StateSource

  /// Prepares to follow the daemon; the first call of ``nextState()`` connects.
  ///
  /// Throws if the path of the daemon's socket is not known or too long, or if the process has no descriptors left.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can set an override for this app alone.
  ///   - details: Whether the states include the colours, images and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) throws(ThemeError) {
    do throws(CallError) { following = try StateSource(app: app, details: details, socket: socket) } catch {
      throw ThemeError(error)
    }
  }

  /// The descriptor to watch.
  ///
  /// Call ``nextState()`` whenever the descriptor is readable. It stays readable as long as there is work to do.
  public var descriptor: CInt { following.descriptor }

  /// Does the work that is due, without waiting, and returns a state if a new state has arrived.
  ///
  /// First you get the current state. After that, you get the newest state whenever it differs from the one before. Nil
  /// means that there is no further state for now.
  ///
  /// This call throws only errors that retrying cannot fix, such as an app name that the daemon does not accept. After
  /// such an error, the source has ended: the descriptor is no longer readable, and each further call throws the same
  /// error.
  public mutating func nextState() throws(ThemeError) -> ThemeState? {
    do throws(CallError) { return try following.process().map { ThemeState($0) } } catch { throw ThemeError(error) }
  }

  /// Whether there was a connection to the daemon at the last call of ``nextState()``.
  ///
  /// While there is no connection, you can go on showing the last state.
  public var isConnected: Bool { following.isConnected }
}
