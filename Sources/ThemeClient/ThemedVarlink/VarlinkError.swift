public import ThemedSystem

/// An error reply: its name and its parameters.
public struct VarlinkError: Error, Sendable, Hashable {
  /// The name, with its interface.
  public var name: Text
  public var parameters: JSON.Object

  public init(name: Text, parameters: JSON.Object = [:]) {
    (self.name, self.parameters) = (name, parameters)
  }

  public static func interfaceNotFound(_ interface: Text) -> VarlinkError {
    service("InterfaceNotFound", ["interface": .string(interface)])
  }

  public static func methodNotFound(_ method: Text) -> VarlinkError {
    service("MethodNotFound", ["method": .string(method)])
  }

  public static func methodNotImplemented(_ method: Text) -> VarlinkError {
    service("MethodNotImplemented", ["method": .string(method)])
  }

  /// A parameter is unknown, missing, of the wrong type or out of range.
  ///
  /// A parameter inside a structure is named with its path: `override.scheme`.
  public static func invalidParameter(_ parameter: String) -> VarlinkError {
    service("InvalidParameter", ["parameter": .word(parameter)])
  }

  public static let permissionDenied = service("PermissionDenied")
  public static let expectedMore = service("ExpectedMore")

  private static func service(_ name: Text, _ parameters: JSON.Object = [:]) -> VarlinkError {
    VarlinkError(name: "org.varlink.service.\(name)", parameters: parameters)
  }
}

/// Reads parameters, each one once and by its name.
///
/// Parameters of a call are read strictly: a parameter that nobody reads is an error. Parameters of a reply are read
/// tolerantly. Absent and null are the same, and every error names the parameter.
public struct Parameters {
  private var left: JSON.Object
  /// The place of this structure in the parameters; nil if these are the parameters themselves.
  private let place: Place?
  /// Whether unknown or invalid parameters are treated as absent.
  ///
  /// Then only missing required ones are errors.
  public let isTolerant: Bool

  /// Reads the members of `object`.
  public init(_ object: JSON.Object, isTolerant: Bool = false) {
    self.init(object, nil, isTolerant: isTolerant)
  }

  private init(_ object: JSON.Object, _ place: Place?, isTolerant: Bool) {
    (left, self.place, self.isTolerant) = (object, place, isTolerant)
  }

  /// The place of a structure; it is converted to words only for an error.
  private final class Place: Sendable {
    let outer: Place?
    let name: Text

    init(_ name: Text, in outer: Place?) {
      (self.name, self.outer) = (name, outer)
    }

    /// The path in front of the names in errors.
    var path: String { "\(outer?.path ?? "")\(name.shownInMessage)." }
  }

  /// The error for the parameter `name`.
  public func invalid(_ name: Text) -> VarlinkError { .invalidParameter("\(place?.path ?? "")\(name.shownInMessage)") }

  /// The raw value; nil if it is absent or null.
  public mutating func value(_ name: Text) -> JSON? {
    guard let value = left.take(name) else { return nil }
    if case .null = value { return nil }
    return value
  }

  public mutating func string(_ name: Text) throws(VarlinkError) -> Text? {
    guard let value = value(name) else { return nil }
    guard case .string(let string) = value else { return try passOver(name) }
    return string
  }

  public mutating func bool(_ name: Text) throws(VarlinkError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let bool) = value else { return try passOver(name) }
    return bool
  }

  /// An integer that is written as one, unlike 1.0 or 1e2.
  public mutating func integer(_ name: Text) throws(VarlinkError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .integer(let integer) = value else { return try passOver(name) }
    return integer
  }

  /// A number, with or without a fraction.
  public mutating func number(_ name: Text) throws(VarlinkError) -> Double? {
    switch value(name) {
    case nil: return nil
    case .number(let number)?: return number
    case .integer(let integer)?: return Double(integer)
    default: return try passOver(name)
    }
  }

  /// A word of a closed set; a tolerant reader gets `unknown` for any other word.
  @inlinable public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: Text, of type: Word.Type = Word.self, unknown: Word? = nil
  ) throws(VarlinkError) -> Word? {
    guard let string = try string(name) else { return nil }
    if let word = Word(word: string) { return word }
    return isTolerant ? unknown : try passOver(name)
  }

  /// A list whose elements `read` converts; it returns nil for an invalid element.
  ///
  /// A tolerant reader skips invalid elements and those for which `read` throws.
  public mutating func list<Element>(
    _ name: Text, _ read: (JSON) throws(VarlinkError) -> Element?
  ) throws(VarlinkError) -> [Element]? {
    guard let value = value(name) else { return nil }
    guard case .array(let elements) = value else { return try passOver(name) }
    var list: [Element] = []
    for element in elements {
      do throws(VarlinkError) {
        list.append(try require(read(element), name))
      } catch { if !isTolerant { throw error } }
    }
    return list
  }

  public mutating func structures<Element>(
    _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Element
  ) throws(VarlinkError) -> [Element]? {
    let (place, isTolerant) = (Place(name, in: place), isTolerant)
    return try list(name) { (element) throws(VarlinkError) in
      guard case .object(let object) = element else { return nil }
      return try read(Parameters(object, place, isTolerant: isTolerant))
    }
  }

  public mutating func strings(_ name: Text) throws(VarlinkError) -> [Text]? {
    try list(name) { (element) throws(VarlinkError) in
      if case .string(let text) = element { text } else { nil }
    }
  }

  /// A map whose values `read` converts; it returns nil for an invalid value.
  public mutating func map<Value>(
    _ name: Text, _ read: (Text) -> Value?
  ) throws(VarlinkError) -> [Text: Value]? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { return try passOver(name) }
    var map: [Text: Value] = [:]
    for member in object.members {
      if case .string(let text) = member.value, let value = read(text) {
        map[member.name] = value
      } else if !isTolerant {
        throw invalid(name)
      }
    }
    return map
  }

  /// A map of structures, in their order; a tolerant reader skips those for which `read` throws.
  public mutating func structuresByName<Value>(
    _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Value
  ) throws(VarlinkError) -> [(Text, Value)]? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { return try passOver(name) }
    let place = Place(name, in: place)
    var list: [(Text, Value)] = []
    for member in object.members {
      do throws(VarlinkError) {
        guard case .object(let entry) = member.value else { throw invalid(name) }
        let parameters = Parameters(entry, Place(member.name, in: place), isTolerant: isTolerant)
        list.append((member.name, try read(parameters)))
      } catch { if !isTolerant { throw error } }
    }
    return list
  }

  public mutating func structure(_ name: Text) throws(VarlinkError) -> Parameters? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { return try passOver(name) }
    return Parameters(object, Place(name, in: place), isTolerant: isTolerant)
  }

  /// A structure that `read` converts; a tolerant reader treats it as absent if `read` throws.
  public mutating func structure<Value>(
    _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Value
  ) throws(VarlinkError) -> Value? {
    guard let parameters = try structure(name) else { return nil }
    do throws(VarlinkError) { return try read(parameters) } catch {
      if isTolerant { return nil }
      throw error
    }
  }

  /// Refuses parameters that nobody read, unless the reader is tolerant.
  public func finish() throws(VarlinkError) {
    if !isTolerant, let member = left.members.first { throw invalid(member.name) }
  }

  /// Treats an invalid parameter as absent, or throws the error for it.
  public func passOver<Value>(_ name: Text) throws(VarlinkError) -> Value? {
    guard isTolerant else { throw invalid(name) }
    return nil
  }

  /// A required value; inlinable, because unspecialized code would copy the value around.
  @inlinable public func require<Value>(_ value: Value?, _ name: Text) throws(VarlinkError) -> Value {
    guard let value else { throw invalid(name) }
    return value
  }
}
