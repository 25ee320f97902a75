internal import CThemedLinux
internal import Glibc

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
    let address =
      if let name, name.utf8.first == UInt8(ascii: "@") {
        try? SocketAddress(abstract: String(decoding: name.utf8.dropFirst(), as: UTF8.self))
      } else {
        name.flatMap { try? SocketAddress(path: $0) }
      }
    return Supervision(address: address, watchdogInterval: interval)
  }

  /// Half of the manager's watchdog time, in milliseconds; nil if it is for another process, or not set.
  public static func watchdogInterval(time: String?, process: String?, own: Int32) -> Int? {
    guard let microseconds = time.flatMap({ Int($0) }), microseconds > 0 else { return nil }
    if let process, Int32(process) != own { return nil }
    return max(1, microseconds / 2000)
  }
}
