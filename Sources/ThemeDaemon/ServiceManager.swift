internal import CGLib
internal import Glibc
internal import MainLoop
internal import Unix

/// Tells the service manager how the daemon is: the protocol of `sd_notify(3)`, a datagram to NOTIFY_SOCKET.
final class ServiceManager {
  private let address: SocketAddress?
  private var waiting: [String] = []
  private var retry: Source?

  /// The manager that NOTIFY_SOCKET names; where it names none, nobody is told.
  init() {
    guard let name = environment("NOTIFY_SOCKET") else {
      address = nil
      return
    }
    address =
      name.hasPrefix("@") ? try? SocketAddress(abstract: String(name.dropFirst())) : try? SocketAddress(path: name)
    unsafe unsetenv("NOTIFY_SOCKET")
  }

  /// The socket is served, and what `systemctl status` shows is this.
  func ready(_ status: String) { insist("READY=1\n" + Self.assignment(status)) }

  /// The configuration is being read again; ``ready(_:)`` ends it.
  func reloading() {
    insist("RELOADING=1\nMONOTONIC_USEC=\(g_get_monotonic_time())")
  }

  /// The daemon ends.
  func stopping() { tell("STOPPING=1") }

  /// What `systemctl status` shows.
  func status(_ text: String) { tell(Self.assignment(text)) }

  /// One line: the protocol's assignments end with it.
  private static func assignment(_ status: String) -> String {
    "STATUS=" + String(status.map { $0.isNewline ? " " : $0 })
  }

  /// Tells what the manager acts upon, again and again while its queue is full, in order: a busy login fills it.
  private func insist(_ assignments: String) {
    waiting.append(assignments)
    if retry == nil { retryWaiting() }
  }

  private func retryWaiting() {
    while let first = waiting.first, tell(first) { waiting.removeFirst() }
    retry =
      waiting.isEmpty
      ? nil
      : MainLoop.timer(afterMilliseconds: Limits.notificationRetry) { [weak self] in
        self?.retryWaiting()
      }
  }

  /// Whether there is nothing more to do about it: not while the manager's queue is full.
  @discardableResult
  private func tell(_ assignments: String) -> Bool {
    guard let address else { return true }
    do throws(SystemError) {
      try sendMessage(Array(assignments.utf8), from: datagramSocket(.nonblocking), to: address)
      return true
    } catch {
      return error.code != EAGAIN
    }
  }
}
