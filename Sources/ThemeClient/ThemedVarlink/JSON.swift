public import ThemedSystem

/// A JSON value (RFC 8259).
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number that is written without fraction and exponent and fits into 64 bits; exact.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  case string(Text)
  case array([JSON])
  case object(Object)

  /// A string from this program itself, such as a word of an interface.
  public static func word(_ own: String) -> JSON { .string(Text(own)) }

  /// An object: members with distinct names, in the order in which they were written.
  public struct Object: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public struct Member: Sendable, Hashable {
      public let name: Text
      public var value: JSON
    }

    public private(set) var members: [Member]

    /// An object without members, with memory reserved for `count` of them.
    public init(reserving count: Int = 0) {
      members = []
      if count > 0 { members.reserveCapacity(count) }
    }

    /// An object with `members`; the caller guarantees that their names differ.
    init(members: [Member]) { self.members = members }

    /// An object with these members.
    ///
    /// Nil values are left out, and if a name appears twice, the last value counts.
    public init(dictionaryLiteral elements: (Text, JSON?)...) {
      members = []
      for (name, value) in elements { self[name] = value }
    }

    /// Adds a member; nil is left out.
    ///
    /// The caller guarantees that the name is new.
    public mutating func append(_ name: Text, _ value: JSON?) {
      if let value { members.append(Member(name: name, value: value)) }
    }

    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member; setting nil removes it.
    public subscript(name: Text) -> JSON? {
      get { members.first { $0.name == name }?.value }
      set {
        let index = members.firstIndex { $0.name == name }
        switch (index, newValue) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name: name, value: value))
        case (nil, nil): break
        }
      }
    }

    /// Removes a member and returns its value; nil if there is no such member.
    mutating func take(_ name: Text) -> JSON? {
      guard !members.isEmpty, let index = members.firstIndex(where: { $0.name == name }) else { return nil }
      return members.remove(at: index).value
    }
  }
}

extension JSON {
  /// The shortest JSON text of this value: without white space, and without escapes for slashes or non-ASCII
  /// characters.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The same text as a string.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends the text of this value.
  ///
  /// A number that JSON cannot express (infinite or NaN) is written as null.
  public func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .number(let number): bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
    case .string(let string): JSON.write(string, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): object.write(to: &bytes)
    }
  }

  fileprivate static func write(_ string: Text, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Nearly every string needs no escapes and is copied in one piece.
    let isTaken = unsafe string.utf8.withContiguousStorageIfAvailable { text in
      guard unsafe !text.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
        return false
      }
      unsafe bytes.append(contentsOf: text)
      return true
    }
    if isTaken != true { for byte in string.utf8 { write(byte, to: &bytes) } }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func write(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0..<0x20:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(contentsOf: (byte < 0x10 ? "0" : "").utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    default: bytes.append(byte)
    }
  }
}

extension JSON.Object {
  public func write(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.write(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// Something to which the members of an object are added: the object, or only its text.
///
/// One list of a type's members can then produce both, and what is sent at every change is written as bytes without an
/// object in between.
public protocol JSONMembers {
  /// Adds a member; nil is left out. The caller guarantees that the name is new.
  mutating func append(_ name: Text, _ value: JSON?)
  /// Adds a member that is an object; `body` adds the members of that object.
  mutating func append(_ name: Text, object body: (inout Self) -> Void)
}

extension JSON.Object: JSONMembers {
  public mutating func append(_ name: Text, object body: (inout JSON.Object) -> Void) {
    var object = JSON.Object()
    body(&object)
    append(name, .object(object))
  }
}

/// The text of an object to which members are being added.
public struct JSONText: JSONMembers {
  private var bytes: [UInt8] = []
  /// Whether the current object has no members yet.
  private var isEmpty = true

  /// The finished text: with the closing bracket and the NUL of a message.
  static func frame(_ body: (inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText()
    text.bytes.reserveCapacity(512)
    text.object(body)
    text.bytes.append(0)
    return text.bytes
  }

  /// Adds a member; nil is left out.
  ///
  /// The caller guarantees that the name is new.
  public mutating func append(_ name: Text, _ value: JSON?) {
    guard let value else { return }
    begin(name)
    value.write(to: &bytes)
  }

  public mutating func append(_ name: Text, object body: (inout JSONText) -> Void) {
    begin(name)
    object(body)
  }

  private mutating func begin(_ name: Text) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    JSON.write(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func object(_ body: (inout JSONText) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    isEmpty = true
    body(&self)
    isEmpty = false
    bytes.append(UInt8(ascii: "}"))
  }
}
