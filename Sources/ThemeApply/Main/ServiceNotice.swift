internal import Glibc
internal import ThemedSystem

/// The notifications for the service manager (sd_notify(3)); if its queue is full, they are dropped, so this never
/// waits.
struct ServiceNotice {
  private let address: SocketAddress?

  /// The manager that NOTIFY_SOCKET names, if any.
  init(_ places: Places) {
    guard let name = places["NOTIFY_SOCKET"] else {
      address = nil
      return
    }
    if let abstract = name.dropping(prefix: "@") {
      address = try? SocketAddress(abstract: abstract.string)
    } else {
      address = try? SocketAddress(path: name.string)
    }
  }

  func tell(_ assignments: String) {
    guard let address, let socket = try? datagramSocket(.nonblocking) else { return }
    try? sendMessage(Array(assignments.utf8), from: socket, to: address)
  }
}
