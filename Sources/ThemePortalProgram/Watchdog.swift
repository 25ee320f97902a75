internal import ThemePortalBackend
internal import ThemedLoop
internal import ThemedUnix

/// Tells the service manager that the loop still turns, as often as it wants to know.
final class Watchdog {
  private let address: SocketAddress
  private let socket: FileDescriptor
  private var beat: Source?
  private var retry: Source?

  /// Begins to tell, every so many milliseconds.
  init(_ address: SocketAddress, everyMilliseconds interval: Int) throws(SystemError) {
    self.address = address
    socket = try datagramSocket(.nonblocking)
    beat = MainLoop.timer(everyMilliseconds: interval) { [unowned self] in
      tell()
      return true
    }
  }

  /// Where the manager's queue is full, it is tried again long before the time is over.
  private func tell() {
    retry = nil
    do throws(SystemError) {
      try sendMessage(Array("WATCHDOG=1".utf8), from: socket, to: address)
    } catch {
      guard error.isTemporary else { return }
      retry = MainLoop.timer(afterMilliseconds: Limits.notificationRetry) { [unowned self] in tell() }
    }
  }
}
