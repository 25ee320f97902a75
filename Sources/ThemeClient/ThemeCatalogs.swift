public import ThemeClientCore

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
  public init(socket: String? = nil) {
    self.socket = socket
  }

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
