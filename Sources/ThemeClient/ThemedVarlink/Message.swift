public import ThemedSystem

/// A call, as a client sends it (UAPI.20).
public struct Call: Sendable, Hashable {
  /// The flags of a call; a call has at most one of them.
  public enum Flag: String, Sendable, Hashable, CaseIterable {
    /// The client wants no reply, not even an error.
    case oneway
    /// The client accepts any number of replies.
    case more
    /// The client wants to change the protocol of the connection after the reply.
    case upgrade
  }

  /// The method with its interface: `org.example.Method`.
  public var method: Text
  /// The parameters; absent, null and empty are the same.
  public var parameters: JSON.Object
  public var flag: Flag?

  public init(method: Text, parameters: JSON.Object = [:], flag: Flag? = nil) {
    (self.method, self.parameters, self.flag) = (method, parameters, flag)
  }

  /// The message with its terminating NUL.
  public var frame: [UInt8] {
    JSONText.frame { header in
      header.append("method", .string(method))
      header.append("parameters", parameters.isEmpty ? nil : .object(parameters))
      if let flag { header.append(Text(flag.rawValue), .bool(true)) }
    }
  }
}

/// A reply, as a service sends it (UAPI.20).
public struct Reply: Sendable, Hashable {
  /// The name of the error; nil for success.
  public var error: Text?
  /// The parameters that the method or the error returns.
  public var parameters: JSON.Object
  /// Whether more replies to the same call follow.
  public var continues: Bool

  public init(_ parameters: JSON.Object = [:], continues: Bool = false) {
    (self.parameters, self.continues) = (parameters, continues)
  }

  public init(_ error: VarlinkError) {
    self.error = error.name
    parameters = error.parameters
    continues = false
  }

  /// The message with its terminating NUL.
  ///
  /// Members that do not apply are left out, because systemd's client refuses null.
  public var frame: [UInt8] {
    JSONText.frame { header in
      header.append("error", error.map(JSON.string))
      header.append("parameters", .object(parameters))
      header.append("continues", continues ? .bool(true) : nil)
    }
  }
}

extension Reply {
  /// A successful reply with its terminating NUL; `body` adds the parameters.
  public static func frame(continues: Bool = false, _ body: (inout JSONText) -> Void) -> [UInt8] {
    JSONText.frame { text in
      text.append("parameters", object: body)
      text.append("continues", continues ? .bool(true) : nil)
    }
  }
}

/// A message that violates the protocol; the connection is then closed without a reply (UAPI.20).
public enum Violation: Error, Sendable, Hashable, CustomStringConvertible {
  case notJSON(String)
  case notAnObject
  case wrongType(member: String)
  case noMethod
  /// More than one of `oneway`, `more` and `upgrade` is true.
  case moreThanOneFlag
  /// The header has a member that is neither of the protocol nor of a vendor (whose names contain a dot).
  case unknownMember(String)
  case tooLong(maximum: Int)
  case ended
  case unfinished
  /// The message ends with a newline instead of a NUL, and then the connection ended or the time ran out.
  case newline
  case unexpectedReply
  /// The client does not read its replies, and too many replies are waiting for clients with the same rights.
  case takesNothing

  public var description: String {
    switch self {
    case .notJSON(let reason): "the message is not JSON: \(reason)"
    case .notAnObject: "the message is not a JSON object"
    case .wrongType(let member): "the message's member '\(member)' has the wrong type"
    case .noMethod: "the call has no method"
    case .moreThanOneFlag: "the call sets more than one of oneway, more and upgrade"
    case .unknownMember(let member): "the message has an unknown member '\(member)'"
    case .tooLong(let maximum): "the message is longer than \(maximum) bytes"
    case .ended: "the connection ended within a message"
    case .unfinished: "the message was not finished in time"
    case .newline: "the message ends with a newline instead of a NUL byte"
    case .unexpectedReply: "a reply came without a call"
    case .takesNothing: "the client does not read its replies, and too many are waiting"
    }
  }
}

extension Call {
  /// Reads the message in `range` of `bytes`, without its NUL.
  public init(parsing bytes: [UInt8], in range: Range<Int>) throws(Violation) {
    var method: Text?
    parameters = [:]
    for member in try header(bytes, range).members {
      switch (member.name, member.value) {
      case ("method", .string(let name)): method = name
      case ("parameters", .object(let object)): parameters = object
      case ("parameters", .null), ("oneway", .bool(false)), ("more", .bool(false)), ("upgrade", .bool(false)): break
      case ("oneway", .bool), ("more", .bool), ("upgrade", .bool):
        guard flag == nil else { throw .moreThanOneFlag }
        flag = Flag(word: member.name)
      case ("method", _), ("parameters", _), ("oneway", _), ("more", _), ("upgrade", _):
        throw .wrongType(member: member.name.shownInMessage)
      default: try refuseUnlessVendors(member.name)
      }
    }
    guard let method, !method.isEmpty else { throw .noMethod }
    self.method = method
  }
}

extension Reply {
  /// Reads the message in `range` of `bytes`, without its NUL.
  ///
  /// Of a successful reply only the wanted parameters are read; of an error, all.
  public init(parsing bytes: [UInt8], in range: Range<Int>, keeping wanted: JSON.Wanted = .all) throws(Violation) {
    parameters = [:]
    continues = false
    for member in try header(bytes, range, keeping: wanted).members {
      switch (member.name, member.value) {
      case ("error", .string(let name)): error = name
      case ("parameters", .object(let object)): parameters = object
      case ("continues", .bool(let value)): continues = value
      // Services differ in what they leave out, and nothing would be gained by refusing null.
      case ("error", .null), ("parameters", .null), ("continues", .null): break
      case ("error", _), ("parameters", _), ("continues", _): throw .wrongType(member: member.name.shownInMessage)
      default: try refuseUnlessVendors(member.name)
      }
    }
    if error != nil, wanted != .all { self = try Reply(parsing: bytes, in: range) }
  }
}

private func header(
  _ bytes: [UInt8], _ range: Range<Int>, keeping wanted: JSON.Wanted = .all
) throws(Violation) -> JSON.Object {
  let value: JSON
  do throws(JSONError) { value = try JSON(parsing: bytes, in: range, keeping: wanted) } catch {
    throw .notJSON("\(error)")
  }
  guard case .object(let object) = value else { throw .notAnObject }
  return object
}

private func refuseUnlessVendors(_ member: Text) throws(Violation) {
  guard member.contains(".") else { throw .unknownMember(member.shownInMessage) }
}

extension Text {
  /// The text of a peer, short enough to quote in a message.
  var shownInMessage: String { shown(atMost: 64) }
}

/// Reads calls, and remembers the last few by their bytes, because clients often repeat a call or alternate between
/// two.
public struct CallReader: Sendable {
  /// The longest message that it remembers, in bytes.
  private static let longest = 512
  /// How many messages it remembers.
  private static let most = 4

  private var known: [(bytes: [UInt8], call: Call)] = []
  /// The message that the next new one replaces, once the maximum is reached.
  private var oldest = 0

  public init() {}

  /// Reads the message in `range` of `input`, without its NUL.
  public mutating func read(_ input: [UInt8], in range: Range<Int>) throws(Violation) -> Call {
    let message = input[range]
    for index in known.indices where Self.areSame(known[index].bytes, message) { return known[index].call }
    let call = try Call(parsing: input, in: range)
    if range.count <= Self.longest { remember(Array(message), call) }
    return call
  }

  private mutating func remember(_ bytes: [UInt8], _ call: Call) {
    guard known.count == Self.most else { return known.append((bytes, call)) }
    known[oldest] = (bytes, call)
    oldest = (oldest + 1) % Self.most
  }

  private static func areSame(_ known: [UInt8], _ message: ArraySlice<UInt8>) -> Bool {
    guard known.count == message.count else { return false }
    return unsafe known.withUnsafeBufferPointer { known in
      unsafe message.withUnsafeBufferPointer { message in
        // Compares all bytes without leaving early, so that the processor compares many at once.
        known.indices.reduce(0) { unsafe $0 | (known[$1] ^ message[$1]) } == 0
      }
    }
  }
}
