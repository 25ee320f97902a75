public import ThemeClientCore

/// The list of the themes that are installed, and each change of it, for asynchronous programs.
///
/// ```swift
/// for try await list in ThemeCatalogs() {
///   show(list)
/// }
/// ```
///
/// It starts with the list now; each is a whole one. A slow consumer gets the newest list, not those that it missed.
/// Otherwise it goes on and ends as ``ThemeStates`` does, and shares the thread of those.
public struct ThemeCatalogs: AsyncSequence, Sendable {
  private let socket: String?

  /// The lists of the daemon.
  ///
  /// - Parameter socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(socket: String? = nil) {
    self.socket = socket
  }

  /// Begins to follow.
  public func makeAsyncIterator() -> Iterator {
    Iterator(following: FollowingIterator(FollowedCatalog(), socket: socket))
  }

  /// Gives the lists in turn.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var following: FollowingIterator<FollowedCatalog>

    /// The next list that differs from the one before; nil once the task is cancelled.
    public mutating func next() async throws(ThemeClientError) -> ThemeItems<ThemeSummary>? {
      try await next(isolation: #isolation)
    }

    /// The next list that differs from the one before; nil once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ThemeClientError) -> ThemeItems<ThemeSummary>? {
      try await following.next(isolation: actor)
    }
  }
}
