public import ForeignText

/// An error reply: a name, and what it says.
public struct VarlinkError: Error, Sendable, Hashable {
  /// The name, with its interface.
  public var name: Text
  /// What it says.
  public var parameters: JSON.Object

  /// An error of this name.
  public init(name: Text, parameters: JSON.Object = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// No such interface here.
  public static func interfaceNotFound(_ interface: Text) -> VarlinkError {
    service("InterfaceNotFound", ["interface": .string(interface)])
  }

  /// The interface has no such method.
  public static func methodNotFound(_ method: Text) -> VarlinkError {
    service("MethodNotFound", ["method": .string(method)])
  }

  /// The interface has the method, and this service does not implement it.
  public static func methodNotImplemented(_ method: Text) -> VarlinkError {
    service("MethodNotImplemented", ["method": .string(method)])
  }

  /// A parameter is unknown, missing, of the wrong type or out of range.
  ///
  /// One within a structure is named with the path to it: `override.scheme`.
  public static func invalidParameter(_ parameter: String) -> VarlinkError {
    service("InvalidParameter", ["parameter": .word(parameter)])
  }

  /// The caller may not.
  public static let permissionDenied = service("PermissionDenied")
  /// The method answers only to a call with `more`.
  public static let expectedMore = service("ExpectedMore")
  /// The method answers only to a call with `upgrade`.
  public static let expectedUpgrade = service("ExpectedUpgrade")

  private static func service(_ name: Text, _ parameters: JSON.Object = [:]) -> VarlinkError {
    VarlinkError(name: "org.varlink.service.\(name)", parameters: parameters)
  }
}

/// Reads parameters strictly: each is asked for once by name, and what nobody asked for is an error.
///
/// Absent and null are the same, and every error names the parameter.
public struct Parameters {
  private var left: JSON.Object
  private let path: String

  /// Reads `object`; `path` stands before the names in errors.
  public init(_ object: JSON.Object, path: String = "") {
    left = object
    self.path = path
  }

  /// The error that names the parameter `name`.
  public func invalid(_ name: Text) -> VarlinkError { .invalidParameter(path + name.shownInMessage) }

  /// The raw value; nil where it is absent or null.
  public mutating func value(_ name: Text) -> JSON? {
    defer { left[name] = nil }
    guard let value = left[name], value != .null else { return nil }
    return value
  }

  /// A string.
  public mutating func string(_ name: Text) throws(VarlinkError) -> Text? {
    guard let value = value(name) else { return nil }
    guard case .string(let string) = value else { throw invalid(name) }
    return string
  }

  /// A bool.
  public mutating func bool(_ name: Text) throws(VarlinkError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let bool) = value else { throw invalid(name) }
    return bool
  }

  /// An integer, written as one: neither 1.0 nor 1e2.
  public mutating func integer(_ name: Text) throws(VarlinkError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .integer(let integer) = value else { throw invalid(name) }
    return integer
  }

  /// A number, with or without a fraction.
  public mutating func number(_ name: Text) throws(VarlinkError) -> Double? {
    switch value(name) {
    case nil: return nil
    case .number(let number)?: return number
    case .integer(let integer)?: return Double(integer)
    default: throw invalid(name)
    }
  }

  /// A word of a closed set.
  public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: Text, of type: Word.Type = Word.self
  ) throws(VarlinkError) -> Word? {
    guard let string = try string(name) else { return nil }
    guard let word = Word(word: string) else { throw invalid(name) }
    return word
  }

  /// An array that has to be there.
  public mutating func array(_ name: Text) throws(VarlinkError) -> [JSON] {
    guard case .array(let elements)? = value(name) else { throw invalid(name) }
    return elements
  }

  /// A structure, to be read in turn.
  public mutating func structure(_ name: Text) throws(VarlinkError) -> Parameters? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { throw invalid(name) }
    return Parameters(object, path: path + name.shownInMessage + ".")
  }

  /// Refuses what nobody asked for.
  public func finish() throws(VarlinkError) {
    if let member = left.members.first { throw invalid(member.name) }
  }

  /// A value that has to be there.
  public func require<Value>(_ value: Value?, _ name: Text) throws(VarlinkError) -> Value {
    guard let value else { throw invalid(name) }
    return value
  }
}
