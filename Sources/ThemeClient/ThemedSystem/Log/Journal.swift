/// An entry for the journal: fields that a reader can search by (`systemd.journal-fields(7)`).
struct JournalEntry {
  /// Its fields in the journal's native protocol.
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Adds a field; a name that the journal does not accept is left out.
  mutating func add(_ name: String, _ value: String) {
    guard Self.isName(name) else { return }
    let value = Array(value.utf8)
    bytes += name.utf8
    if value.contains(newline) {
      // The value is preceded by its length, little-endian.
      bytes.append(newline)
      for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(UInt64(value.count) >> shift & 0xFF)) }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value
    bytes.append(newline)
  }

  /// At most 64 capitals, digits and underscores; names that begin with an underscore belong to the journal.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isCapital(first), name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy {
      isCapital($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "_")
    }
  }

  private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
}

private let newline = UInt8(ascii: "\n")

/// The journal's own socket, which takes fields; standard error takes only lines.
final class Journal: Sendable {
  static let path = "/run/systemd/journal/socket"

  enum Outcome: Sendable {
    case sent
    /// The journal does not accept it now because its queue is full.
    case refused
    case absent
  }

  private let socket: FileDescriptor
  private let address: SocketAddress

  /// The journal at `path`; nil if no socket can be created.
  init?(at path: String = Journal.path) {
    do throws(SystemError) {
      address = try SocketAddress(path: path)
      socket = try datagramSocket(.nonblocking)
    } catch {
      return nil
    }
  }

  /// Sends an entry, without ever waiting.
  func send(_ entry: JournalEntry) -> Outcome {
    do throws(SystemError) {
      try sendMessage(entry.bytes, from: socket, to: address)
      return .sent
    } catch {
      return error.isTemporary ? .refused : .absent
    }
  }
}
