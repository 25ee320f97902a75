package import ThemedSystem

/// Parses the address of a message bus, as the D-Bus specification defines it.
///
/// It accepts only `unix:path` and `unix:abstract`. Other addresses start a program or open the network, and this
/// project does neither.
package enum BusAddress {
  package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    case none
    case unsupported(Text)

    package var description: String {
      switch self {
      case .none: "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set"
      case .unsupported(let address):
        "DBUS_SESSION_BUS_ADDRESS is '\(address.shown(atMost: 500))', but only unix:path= and unix:abstract= are supported"
      }
    }
  }

  /// The sockets of the session bus in the order to try: those of `variable`, or else `bus` in the runtime directory.
  package static func session(
    variable: Text? = environment("DBUS_SESSION_BUS_ADDRESS").map { Text($0) },
    runtimeDirectory: String? = BaseDirectory.runtime
  ) throws(Problem) -> [SocketAddress] {
    guard let variable else {
      guard let runtimeDirectory, let address = try? SocketAddress(path: runtimeDirectory + "/bus") else {
        throw .none
      }
      return [address]
    }
    let addresses = variable.split(";", omittingEmpty: true).compactMap(socket)
    guard !addresses.isEmpty else { throw .unsupported(variable) }
    return addresses
  }

  package static func words(_ addresses: [SocketAddress]) -> String {
    addresses.map { "\($0)" }.joined(separator: ";")
  }

  private static func socket(_ address: Text) -> SocketAddress? {
    guard let pairs = address.dropping(prefix: "unix:") else { return nil }
    for pair in pairs.split(",", omittingEmpty: true) {
      let parts = pair.split("=", maxSplits: 1)
      guard parts.count == 2, let value = unescape(parts[1]) else { return nil }
      if parts[0] == "path" { return try? SocketAddress(path: value) }
      if parts[0] == "abstract" { return try? SocketAddress(abstract: value) }
    }
    return nil
  }

  /// Decodes `%xx`; nil if an escape is incomplete or the result is not UTF-8.
  private static func unescape(_ text: Text) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
