import Foundation
import Glibc

/// One reply as it came over the wire.
public struct Frame {
  /// The JSON text, without the NUL that ended it.
  public let text: String

  private let object: [String: Any]

  /// Reads the text of a message.
  public init(text: String) throws {
    self.text = text
    guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
      throw Failure("not a JSON object: \(text)")
    }
    self.object = object
  }

  /// What lies at a path of member names with dots between them; nil where there is nothing.
  public func value(_ path: String) -> Any? {
    var value: Any? = object
    for name in path.split(separator: ".") { value = (value as? [String: Any])?[String(name)] }
    return value
  }

  /// The string at a path.
  public func string(_ path: String) -> String? { value(path) as? String }

  /// The truth value at a path.
  public func bool(_ path: String) -> Bool? { value(path) as? Bool }

  /// The number at a path.
  public func int(_ path: String) -> Int? { value(path) as? Int }

  /// The name of the error that this reply is.
  public var error: String? { string("error") }

  /// What to show, in a reply that holds a state.
  public var scheme: String? { string("parameters.state.scheme") }

  /// What the desktop asks for, in a reply that holds a state.
  public var desktop: String? { string("parameters.state.desktop") }
}

/// A client of the socket, written from the protocol's text alone: it shares no code with what it tests.
public final class VarlinkConnection {
  private let socket: Descriptor
  private var received: [UInt8] = []

  /// Connects to the socket at `path`.
  public init(path: String) throws {
    socket = try UnixSocket.connected(to: path)
  }

  /// The process that serves the socket, as the kernel knows it (SO_PEERCRED).
  public func peer() throws -> Int32 {
    // struct ucred: the process, its user and its group.
    var credentials: [Int32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<Int32>.size * credentials.count)
    guard unsafe getsockopt(socket.number, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw Failure("getsockopt: \(lastError())")
    }
    return credentials[0]
  }

  /// Sends these bytes and nothing else.
  public func send(bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { throw Failure("send: \(lastError())") }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends what the kernel takes without waiting; how many bytes that were.
  public func sendSome(of bytes: [UInt8]) -> Int {
    max(0, unsafe Glibc.send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
  }

  /// Says that nothing more will be sent; what comes can still be read.
  public func endSending() {
    _ = shutdown(socket.number, Int32(SHUT_WR))
  }

  /// Sends a message: this text and the NUL that ends it.
  public func send(_ text: String) throws {
    try send(bytes: Array(text.utf8) + [0])
  }

  /// The full name of a method of one of the daemon's two interfaces.
  public static func fullName(_ method: String) -> String {
    let ofAdmin = [
      "ListClients", "GetConfiguration", "GetSchedule", "GetDiagnostics", "GetDesktopTarget", "ReportDesktopTarget",
    ]
    return method.contains(".") ? method : "org.themed.\(ofAdmin.contains(method) ? "admin" : "theme").\(method)"
  }

  /// Calls a method of the daemon's interfaces with parameters in JSON, and returns its reply.
  public func call(_ method: String, _ parameters: String = "{}") throws -> Frame {
    try send(#"{"method":"\#(Self.fullName(method))","parameters":\#(parameters)}"#)
    return try frame()
  }

  /// The next message that the other side sends.
  public func frame() throws -> Frame {
    while true {
      if let end = received.firstIndex(of: 0) {
        defer { received.removeSubrange(...end) }
        return try Frame(text: String(decoding: received[..<end], as: UTF8.self))
      }
      guard try receive() else {
        throw Failure("the connection was closed after \(received.count) bytes of a message")
      }
    }
  }

  /// Reads messages up to the first that passes, and returns that one.
  public func frame(where isWanted: (Frame) -> Bool) throws -> Frame {
    while true {
      let frame = try frame()
      if isWanted(frame) { return frame }
    }
  }

  /// Whether something has come that was not read yet.
  public var hasInput: Bool {
    var poll = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || (unsafe Glibc.poll(&poll, 1, 0)) > 0
  }

  /// Waits until the other side closes; anything that it still says is a failure.
  public func expectClose() throws {
    while try receive() {}
    guard received.isEmpty else {
      throw Failure("instead of closing it said \(String(decoding: received, as: UTF8.self))")
    }
  }

  /// Receives what there is, waiting for it; false when the other side has closed.
  private func receive() throws -> Bool {
    guard isReadable(socket.number) else { throw Failure("nothing came over the connection") }
    let bytes = socket.read()
    received += bytes
    return !bytes.isEmpty
  }
}
