import Foundation
import Glibc

/// A bus that hangs up on everybody at once, or after it has greeted.
public final class BriefBus: Sendable {
  /// How far it goes before it hangs up.
  public enum Manner: CaseIterable, Sendable {
    /// It accepts the connection.
    case accepts
    /// It lets it in, and does not answer Hello.
    case greets
    /// It answers Hello too.
    case greetsAndOwns
  }

  private let path: String
  private let socket: Descriptor
  private let seen = Watched<Int>(0)

  /// Listens at `path`.
  public init(path: String, _ manner: Manner) throws {
    self.path = path
    socket = try UnixSocket.listening(at: path)
    let socket = socket
    let seen = seen
    Thread.detachNewThread {
      while true {
        let client = accept(socket.number, nil, nil)
        guard client >= 0 else { return }
        seen.change { $0 += 1 }
        Self.treat(client, manner)
        close(client)
      }
    }
  }

  deinit { try? leave() }

  /// How often it was connected to.
  public var count: Int { seen.change { $0 } }

  /// Waits until it was connected to so often.
  public func wait(for count: Int) throws {
    guard seen.wait({ $0 >= count ? true : nil }) != nil else { throw Failure("nobody connects any more") }
  }

  /// Ends it, and removes its socket.
  public func leave() throws {
    _ = shutdown(socket.number, Int32(SHUT_RDWR))
    unsafe unlink(path)
  }

  private static func treat(_ client: Int32, _ manner: Manner) {
    guard manner != .accepts else { return }
    read(client, until: 10)
    write(client, Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
    // BEGIN and Hello.
    read(client, until: 10)
    guard manner == .greetsAndOwns else { return }
    read(client, until: nil)
    write(client, answer)
  }

  /// Reads up to this byte, or what comes at once.
  private static func read(_ client: Int32, until end: UInt8?) {
    var byte: UInt8 = 0
    guard let end else {
      var bytes = [UInt8](repeating: 0, count: 128)
      _ = unsafe Glibc.read(client, &bytes, bytes.count)
      return
    }
    while unsafe Glibc.read(client, &byte, 1) == 1, byte != end {}
  }

  private static func write(_ client: Int32, _ bytes: [UInt8]) {
    _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// What a bus answers to the first call, Hello: the name `:1.1`.
  private static let answer: [UInt8] = {
    func word(_ number: Int) -> [UInt8] { [UInt8(number), 0, 0, 0] }
    func text(_ text: String) -> [UInt8] { word(text.utf8.count) + Array(text.utf8) + [0] }
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8) }
    func field(_ code: UInt8, _ type: String, _ value: [UInt8]) -> [UInt8] {
      padded([code, 1] + Array(type.utf8) + [0] + value)
    }
    let fields =
      field(5, "u", word(1)) + field(6, "s", text(":1.1")) + field(7, "s", text("org.freedesktop.DBus"))
      + [8, 1, UInt8(ascii: "g"), 0, 1, UInt8(ascii: "s"), 0]
    let body = text(":1.1")
    return padded([UInt8(ascii: "l"), 2, 1, 1] + word(body.count) + word(1) + word(fields.count) + fields) + body
  }()
}
