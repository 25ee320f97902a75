/// Follows the list of themes in a loop that is somebody else's, as ``ThemeSource`` follows the state.
///
/// ```swift
/// var source = try ThemeCatalogSource()
/// // Whenever source.descriptor is readable:
/// while let list = try source.process() { show(list) }
/// ```
///
/// A chooser that follows it asks nothing again and again, and reads no file to show a theme among others. Where the
/// daemon cannot say which themes there are, as their directories do not answer, it is quiet, and tries again by itself.
/// All else is as with ``ThemeSource``.
public struct ThemeCatalogSource: ~Copyable, Sendable {
  private var following: FollowingSource<FollowedCatalog>

  /// Will follow the daemon's list, from the first call of ``process()`` on.
  ///
  /// - Parameter socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(socket: String? = nil) throws(ThemeClientError) {
    following = try FollowingSource(FollowedCatalog(), socket: socket)
  }

  /// Wait for this to be readable, and call ``process()`` then; it is readable as long as there is something to do.
  public var descriptor: CInt { following.descriptor }

  /// Does what there is to do, without ever waiting, and returns the list if another one came.
  ///
  /// The first one is the list now, the others are the newest one that differs, each as a whole. Nil says that there is
  /// nothing more for now.
  ///
  /// Throws what trying again does not mend; then it is over, the descriptor is readable no more, and each further call
  /// throws the same.
  public mutating func process() throws(ThemeClientError) -> ThemeItems<ThemeSummary>? { try following.process() }
}
