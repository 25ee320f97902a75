public import ThemedText

/// A call, as a client sends it (UAPI.20).
public struct Call: Sendable, Hashable {
  /// At most one flag may be set, so there is one word for all.
  public enum Flag: String, Sendable, Hashable, CaseIterable {
    /// No reply is wanted, not even an error.
    case oneway
    /// Any number of replies is welcome.
    case more
    /// The connection is to change its protocol after the reply.
    case upgrade
  }

  /// The method, with its interface: `org.example.Method`.
  public var method: Text
  /// Its parameters; absent, null and empty are the same.
  public var parameters: JSON.Object
  /// The flag that was set, if one was.
  public var flag: Flag?

  /// A call of `method`.
  public init(method: Text, parameters: JSON.Object = [:], flag: Flag? = nil) {
    self.method = method
    self.parameters = parameters
    self.flag = flag
  }

  /// The message with its closing NUL.
  public var frame: [UInt8] {
    var header: JSON.Object = ["method": .string(method)]
    if !parameters.isEmpty { header["parameters"] = .object(parameters) }
    if let flag { header[Text(flag.rawValue)] = .bool(true) }
    return header.frame
  }
}

/// A reply, as a service sends it (UAPI.20).
public struct Reply: Sendable, Hashable {
  /// The name of the error; nil for success.
  public var error: Text?
  /// What the method, or the error, returns.
  public var parameters: JSON.Object
  /// Whether further replies to the same call follow.
  public var continues: Bool

  /// A reply of success.
  public init(_ parameters: JSON.Object = [:], continues: Bool = false) {
    self.parameters = parameters
    self.continues = continues
  }

  /// An error reply.
  public init(_ error: VarlinkError) {
    self.error = error.name
    parameters = error.parameters
    continues = false
  }

  /// The message with its closing NUL.
  ///
  /// Members that do not apply are left out: systemd's client refuses a null.
  public var frame: [UInt8] {
    var header = JSON.Object(reserving: 3)
    header.append("error", error.map(JSON.string))
    header.append("parameters", .object(parameters))
    header.append("continues", continues ? .bool(true) : nil)
    return header.frame
  }
}

extension Reply {
  /// The message of success with the parameters that `body` adds, and its closing NUL.
  public static func frame(continues: Bool = false, _ body: (inout JSONText) -> Void) -> [UInt8] {
    JSONText.frame { text in
      text.append("parameters", object: body)
      text.append("continues", continues ? .bool(true) : nil)
    }
  }
}

extension JSON.Object {
  fileprivate var frame: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    write(to: &bytes)
    bytes.append(0)
    return bytes
  }
}

/// A message that breaks the protocol: the connection is closed without a reply (UAPI.20).
public enum Violation: Error, Sendable, Hashable, CustomStringConvertible {
  /// Not JSON.
  case notJSON(String)
  /// JSON, but no object.
  case notAnObject
  /// A header member has the wrong type.
  case wrongType(member: String)
  /// A call without `method`.
  case noMethod
  /// Two of `oneway`, `more` and `upgrade` are true.
  case moreThanOneFlag
  /// A header member that neither the protocol knows nor a vendor owns (a vendor's has a dot in its name).
  case unknownMember(String)
  /// Longer than this many bytes.
  case tooLong(maximum: Int)
  /// The connection ended within a message.
  case ended
  /// A message begun was not finished in time.
  case unfinished
  /// What was to be the last message, or one that was begun and not finished in time, ends with a newline.
  case newline
  /// A reply that answers no call.
  case unexpectedReply
  /// Replies are not taken, and more wait for all like this one than may.
  case takesNothing

  /// For a log.
  public var description: String {
    switch self {
    case .notJSON(let reason): "the message is not JSON: \(reason)"
    case .notAnObject: "the message is not a JSON object"
    case .wrongType(let member): "the message's member '\(member)' has the wrong type"
    case .noMethod: "the call names no method"
    case .moreThanOneFlag: "the call sets more than one of oneway, more and upgrade"
    case .unknownMember(let member): "the message has an unknown member '\(member)'"
    case .tooLong(let maximum): "the message is longer than \(maximum) bytes"
    case .ended: "the connection ended within a message"
    case .unfinished: "the message was not finished in time"
    case .newline: "a message ends with a NUL byte, and this one with a newline"
    case .unexpectedReply: "the reply answers no call"
    case .takesNothing: "it takes no replies, and too many wait"
    }
  }
}

extension Call {
  /// Reads the message that fills `range` of `bytes`, without its NUL.
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
  /// Reads the message that fills `range` of `bytes`, without its NUL.
  ///
  /// Of the parameters of a success only those that are wanted are read; of an error, all.
  public init(parsing bytes: [UInt8], in range: Range<Int>, keeping wanted: JSON.Wanted = .all) throws(Violation) {
    parameters = [:]
    continues = false
    for member in try header(bytes, range, keeping: wanted).members {
      switch (member.name, member.value) {
      case ("error", .string(let name)): error = name
      case ("parameters", .object(let object)): parameters = object
      case ("continues", .bool(let value)): continues = value
      // Services differ in what they leave out; nothing is gained by refusing theirs.
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
  /// What a peer sent, short enough to be quoted in a message.
  var shownInMessage: String { shown(atMost: 64) }
}
