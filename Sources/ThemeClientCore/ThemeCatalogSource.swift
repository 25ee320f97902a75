/// Follows the list of themes in your own event loop, as ``ThemeSource`` follows the state.
///
/// ```swift
/// var source = try ThemeCatalogSource()
/// // Whenever source.descriptor is readable:
/// while let list = try source.process() { show(list) }
/// ```
///
/// With this source, a theme chooser does not have to poll or to read theme files. If a directory of themes hangs, for
/// example on a network file system, the daemon cannot list the themes. The source then returns nothing, and tries
/// again by itself. In all other respects, it behaves like ``ThemeSource``.
public struct ThemeCatalogSource: ~Copyable, Sendable {
  private var following: FollowingSource<FollowedCatalog>

  /// Prepares to follow the list; the first call of ``process()`` connects.
  ///
  /// - Parameter socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  public init(socket: String? = nil) throws(ThemeClientError) {
    following = try FollowingSource(FollowedCatalog(), socket: socket)
  }

  /// The descriptor to watch.
  ///
  /// Call ``process()`` whenever the descriptor is readable. It stays readable as long as there is work to do.
  public var descriptor: CInt { following.descriptor }

  /// Does the work that is due, without waiting, and returns a list if a new list has arrived.
  ///
  /// First you get the current list. After that, you get the newest list whenever it differs from the one before. Each
  /// list is whole. Nil means that there is no further list for now.
  ///
  /// This call throws only errors that retrying cannot fix. After such an error, the source has ended: the descriptor
  /// is no longer readable, and each further call throws the same error.
  public mutating func process() throws(ThemeClientError) -> ThemeItems<ThemeSummary>? { try following.process() }
}
