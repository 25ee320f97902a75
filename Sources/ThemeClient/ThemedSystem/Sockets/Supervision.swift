internal import CThemedLinux
internal import Glibc

extension SocketAddress {
  /// The address in NOTIFY_SOCKET (`sd_notify(3)`): a path, or an abstract name after `@`; nil if it is invalid.
  public init?(notifySocket name: Text) {
    do throws(SystemError) {
      if let abstract = name.dropping(prefix: "@") {
        try self.init(abstract: abstract.string)
      } else {
        try self.init(path: name.string)
      }
    } catch { return nil }
  }
}

/// Sends notifications to the service manager (`sd_notify(3)`), and never waits.
public final class NotificationSender {
  private let address: SocketAddress
  /// Kept open, because notifications are needed even if all descriptors are used up.
  private var socket: FileDescriptor?

  public init(to address: SocketAddress) { self.address = address }

  /// Sends a notification, such as `READY=1`; throws an error that ``SystemError/isTemporary`` if the queue is full.
  public func send(_ assignments: String) throws(SystemError) {
    if socket == nil { socket = try datagramSocket(.nonblocking) }
    try sendMessage(Array(assignments.utf8), from: socket!, to: address)
  }
}

/// How a service manager wants to be notified, and how often (`sd_notify(3)`, `sd_watchdog_enabled(3)`).
public struct Supervision: Sendable {
  /// The manager's socket; nil if there is no manager.
  public let address: SocketAddress?
  /// Half of the manager's watchdog time, in milliseconds; nil if it has no watchdog.
  public let watchdogInterval: Int?

  /// Reads the environment, and removes the variables so that child processes do not see them.
  public static func takeFromEnvironment() -> Supervision {
    let interval = watchdogInterval(
      time: environment("WATCHDOG_USEC"), process: environment("WATCHDOG_PID"), own: getpid())
    let name = environment("NOTIFY_SOCKET")
    for name in ["WATCHDOG_USEC", "WATCHDOG_PID", "NOTIFY_SOCKET"] { unsafe unsetenv(name) }
    let address = name.flatMap { SocketAddress(notifySocket: Text($0)) }
    return Supervision(address: address, watchdogInterval: interval)
  }

  /// Half of the manager's watchdog time, in milliseconds; nil if it is for another process, or not set.
  public static func watchdogInterval(time: String?, process: String?, own: Int32) -> Int? {
    guard let microseconds = time.flatMap({ Int($0) }), microseconds > 0 else { return nil }
    if let process, Int32(process) != own { return nil }
    return max(1, microseconds / 2000)
  }
}
