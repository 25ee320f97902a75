import CThemedGLib
import Glibc
import ThemeClient

/// The object that the loop passes to its callback.
final class Follower {
  private var source: ThemeSource

  init() throws { source = try ThemeSource(app: "themed-example-glib") }

  /// The descriptor to watch in the loop.
  var descriptor: CInt { source.descriptor }

  /// Called whenever the descriptor is readable.
  func follow() throws {
    while let state = try source.nextState() { print(state.scheme) }
    fflush(nil)
  }
}

/// Prints the scheme whenever it changes, in GLib's main loop, without a thread.
@main
struct Example {
  static func main() throws {
    let follower = try Follower()
    let data = unsafe Unmanaged.passUnretained(follower).toOpaque()
    unsafe g_unix_fd_add(follower.descriptor, G_IO_IN, { _, _, data in unsafe proceed(data) ? 1 : 0 }, data)
    withExtendedLifetime(follower) { unsafe g_main_loop_run(g_main_loop_new(nil, 0)) }
  }
}

/// Called by the loop; returns whether to keep watching the descriptor.
private func proceed(_ data: gpointer?) -> Bool {
  guard let data = unsafe data else { return false }
  do {
    try unsafe Unmanaged<Follower>.fromOpaque(data).takeUnretainedValue().follow()
    return true
  } catch {
    print(error)
    exit(1)
  }
}
