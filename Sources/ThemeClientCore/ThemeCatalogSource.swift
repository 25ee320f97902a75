/// Follows the list of themes in your own event loop, as ``ThemeSource`` follows the state.
///
/// ```swift
/// var source = try ThemeCatalogSource()
/// // Whenever source.descriptor is readable:
/// while let list = try source.process() { show(list) }
/// ```
///
/// With it, a theme chooser does not have to poll, or read files to show a theme in a list. If the directories of
/// themes do not respond, the daemon cannot tell which themes there are. Then the source returns nothing, and tries
/// again by itself. In everything else it behaves like ``ThemeSource``.
public struct ThemeCatalogSource: ~Copyable, Sendable {
  private var following: FollowingSource<FollowedCatalog>

  /// Prepares to follow the list; the first call of ``process()`` connects.
  ///
  /// - Parameter socket: The path of the daemon's socket; nil for `THEMED_SOCKET`, or else the usual place.
  public init(socket: String? = nil) throws(ThemeClientError) {
    following = try FollowingSource(FollowedCatalog(), socket: socket)
  }

  /// The descriptor to watch.
  ///
  /// Call ``process()`` whenever it is readable; it stays readable as long as there is something to do.
  public var descriptor: CInt { following.descriptor }

  /// Does what there is to do without waiting, and returns the list if a new one came.
  ///
  /// The first call to return a list returns the current one. Later calls return the newest list, if it differs; each
  /// is a whole list. Nil means that there is nothing more for now.
  ///
  /// It throws only errors that trying again does not fix. After that the source has ended: the descriptor is no longer
  /// readable, and each further call throws the same error.
  public mutating func process() throws(ThemeClientError) -> ThemeItems<ThemeSummary>? { try following.process() }
}
