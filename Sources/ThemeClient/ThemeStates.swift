public import ThemeClientCore

/// The daemon's state, and each change of it, for asynchronous programs.
///
/// ```swift
/// for try await state in ThemeStates() {
///   show(state.scheme)
/// }
/// ```
///
/// It starts with the state now. A slow consumer gets the newest state, not those that it missed. The sequence
/// outlives the daemon: where none runs it waits for one, asleep, and it connects again by itself. It ends by throwing
/// what trying again does not mend, and with the cancellation of the task. Each iterator has a connection of its own,
/// which ends with it; all iterators of a process share one thread, which ends with the last.
public struct ThemeStates: AsyncSequence, Sendable {
  private let app: String?
  private let details: Bool
  private let socket: String?

  /// The states of the daemon.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) {
    self.app = app
    self.details = details
    self.socket = socket
  }

  /// Begins to follow.
  public func makeAsyncIterator() -> Iterator {
    Iterator(following: FollowingIterator(FollowedState(app: app, details: details), socket: socket))
  }

  /// Gives the states in turn.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var following: FollowingIterator<FollowedState>

    /// The next state that differs from the one before; nil once the task is cancelled.
    public mutating func next() async throws(ThemeClientError) -> ThemeState? {
      try await next(isolation: #isolation)
    }

    /// The next state that differs from the one before; nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeClientError) -> ThemeState? {
      try await following.next(isolation: actor)
    }
  }
}
