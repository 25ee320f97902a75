public import ThemeClientCore

/// The daemon's state, now and after each change, for asynchronous programs.
///
/// ```swift
/// for try await state in ThemeStates(app: "editor") {
///   show(state.scheme)
/// }
/// ```
///
/// The first element is the current state. A slow consumer gets the newest state, not the states that it missed. If no
/// daemon is running or the daemon stops, the sequence waits without using the processor, and connects again by itself.
/// The sequence ends when the task is cancelled. It throws only errors that retrying cannot fix.
///
/// Each iterator has its own connection, which is closed when the iterator is released. All sequences and all
/// ``ThemeCalls`` of a process share one thread. This thread exists only while there is something to wait for.
public struct ThemeStates: AsyncSequence, Sendable {
  private let app: String?
  private let details: Bool
  private let socket: String?

  /// Creates a sequence of the daemon's states.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can set an override for this app alone.
  ///   - details: Whether the states include the palette, assets and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) {
    (self.app, self.details, self.socket) = (app, details, socket)
  }

  /// Starts to follow the state.
  public func makeAsyncIterator() -> Iterator {
    Iterator(following: FollowingIterator(FollowedState(app: app, details: details), socket: socket))
  }

  /// The iterator of the sequence; it returns the states in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var following: FollowingIterator<FollowedState>

    /// The next state that differs from the previous one; nil once the task is cancelled.
    public mutating func next() async throws(ThemeClientError) -> ThemeState? {
      try await next(isolation: #isolation)
    }

    /// The next state that differs from the previous one; nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeClientError) -> ThemeState? {
      try await following.next(isolation: actor)
    }
  }
}

/// The list of installed themes, now and after each change, for asynchronous programs.
///
/// ```swift
/// for try await list in ThemeCatalogs() {
///   show(list)
/// }
/// ```
///
/// The first element is the current list, and each element is a whole list. A slow consumer gets the newest list, not
/// the lists that it missed. In all other respects, the sequence behaves like ``ThemeStates``, and it uses the same
/// thread as ``ThemeStates``.
public struct ThemeCatalogs: AsyncSequence, Sendable {
  private let socket: String?

  /// Creates a sequence of the lists of installed themes.
  ///
  /// - Parameter socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(socket: String? = nil) { self.socket = socket }

  /// Starts to follow the list.
  public func makeAsyncIterator() -> Iterator {
    Iterator(following: FollowingIterator(FollowedCatalog(), socket: socket))
  }

  /// The iterator of the sequence; it returns the lists in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var following: FollowingIterator<FollowedCatalog>

    /// The next list that differs from the previous one; nil once the task is cancelled.
    public mutating func next() async throws(ThemeClientError) -> ThemeItems<ThemeSummary>? {
      try await next(isolation: #isolation)
    }

    /// The next list that differs from the previous one; nil once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ThemeClientError) -> ThemeItems<ThemeSummary>? {
      try await following.next(isolation: actor)
    }
  }
}
