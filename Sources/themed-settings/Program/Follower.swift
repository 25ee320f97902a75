internal import CThemedGtk
internal import ThemeClient

/// Follows the daemon in GLib's loop, to learn that something has changed and whether the daemon is there.
final class Follower {
  private var source: ThemeSource
  private let changed: () -> Void
  private var isConnected = true
  /// The number of the watch in GLib's loop; 0 if it has none.
  private var watch: CUnsignedInt = 0

  /// Nil if the program has no descriptors left.
  init?(_ changed: @escaping () -> Void) {
    guard let source = try? ThemeSource(app: "org.themed.Settings") else { return nil }
    self.source = source
    self.changed = changed
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    watch = unsafe g_unix_fd_add(
      self.source.descriptor, G_IO_IN,
      { _, _, data in
        guard let data = unsafe data else { return 0 }
        return unsafe Unmanaged<Follower>.fromOpaque(data).takeUnretainedValue().follow() ? 1 : 0
      }, data)
  }

  deinit { if watch != 0 { g_source_remove(watch) } }

  /// Called whenever the descriptor is readable; returns whether to keep watching.
  private func follow() -> Bool {
    do {
      let isNew = try source.nextState() != nil || source.isConnected != isConnected
      isConnected = source.isConnected
      if isNew { changed() }
      return true
    } catch {
      // The source has ended: the window still reads everything each minute.
      watch = 0
      return false
    }
  }
}
