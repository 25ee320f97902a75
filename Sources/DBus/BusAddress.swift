public import Unix

/// Where a message bus may be, by its address as the D-Bus specification writes it.
///
/// Only `unix:path` and `unix:abstract` are taken: what else an address may ask for starts a program or opens the
/// network, and this project does neither.
public enum BusAddress {
  /// Why an address is of no use.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// No address is known.
    case none
    /// None of the addresses is of a kind that is taken.
    case unsupported(String)

    /// For a person.
    public var description: String {
      switch self {
      case .none: "there is neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR to find the session bus by"
      case .unsupported(let address):
        "DBUS_SESSION_BUS_ADDRESS is '\(address)', and only unix:path= and unix:abstract= are supported"
      }
    }
  }

  /// The sockets of the session bus, in the order to be tried: those of `variable`, else `bus` in the runtime directory.
  public static func session(
    variable: String?, runtimeDirectory: String?
  ) throws(Problem) -> [SocketAddress] {
    guard let variable else {
      guard let runtimeDirectory, let address = try? SocketAddress(path: runtimeDirectory + "/bus") else {
        throw .none
      }
      return [address]
    }
    let addresses = variable.split(separator: ";").compactMap(socket)
    guard !addresses.isEmpty else { throw .unsupported(variable) }
    return addresses
  }

  /// What libdbus calls `address`.
  static func text(_ address: SocketAddress) -> String {
    "unix:\(address.isAbstract ? "abstract" : "path")=\(escape(address.name))"
  }

  private static func socket(_ address: Substring) -> SocketAddress? {
    guard address.hasPrefix("unix:") else { return nil }
    for pair in address.dropFirst("unix:".count).split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = unescape(parts[1]) else { return nil }
      switch parts[0] {
      case "path": return try? SocketAddress(path: value)
      case "abstract": return try? SocketAddress(abstract: value)
      default: continue
      }
    }
    return nil
  }

  /// Undoes `%xx`; nil where it is cut short or the result is not UTF-8.
  private static func unescape(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func escape(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
  }
}
