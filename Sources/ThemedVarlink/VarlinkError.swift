public import ThemedText

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

  private static func service(_ name: Text, _ parameters: JSON.Object = [:]) -> VarlinkError {
    VarlinkError(name: "org.varlink.service.\(name)", parameters: parameters)
  }
}

/// Reads parameters, each of which is asked for once, by name: those of a call strictly, where what nobody asked for is
/// an error, and those of a reply tolerantly.
///
/// Absent and null are the same, and every error names the parameter.
public struct Parameters {
  private var left: JSON.Object
  /// Where it stands in the parameters; nil: it is they.
  private let place: Place?
  /// Whether what is unknown, or is not as it should be, is as if it were absent: then only what has to be there is
  /// missed.
  public let isTolerant: Bool

  /// Reads `object`.
  public init(_ object: JSON.Object, isTolerant: Bool = false) {
    self.init(object, nil, isTolerant: isTolerant)
  }

  private init(_ object: JSON.Object, _ place: Place?, isTolerant: Bool) {
    left = object
    self.place = place
    self.isTolerant = isTolerant
  }

  /// The place of a structure: words are made of it for an error only.
  private final class Place: Sendable {
    let outer: Place?
    let name: Text

    init(_ name: Text, in outer: Place?) {
      self.name = name
      self.outer = outer
    }

    /// What stands before the names in errors.
    var path: String { "\(outer?.path ?? "")\(name.shownInMessage)." }
  }

  /// The error that names the parameter `name`.
  public func invalid(_ name: Text) -> VarlinkError { .invalidParameter("\(place?.path ?? "")\(name.shownInMessage)") }

  /// The raw value; nil where it is absent or null.
  public mutating func value(_ name: Text) -> JSON? {
    guard let value = left.take(name) else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// A string.
  public mutating func string(_ name: Text) throws(VarlinkError) -> Text? {
    guard let value = value(name) else { return nil }
    guard case .string(let string) = value else { return try passOver(name) }
    return string
  }

  /// A bool.
  public mutating func bool(_ name: Text) throws(VarlinkError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let bool) = value else { return try passOver(name) }
    return bool
  }

  /// An integer, written as one: neither 1.0 nor 1e2.
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

  /// A word of a closed set; for a tolerant reader one that is not in it is `unknown`.
  @inlinable public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: Text, of type: Word.Type = Word.self, unknown: Word? = nil
  ) throws(VarlinkError) -> Word? {
    guard let string = try string(name) else { return nil }
    if let word = Word(word: string) { return word }
    return isTolerant ? unknown : try passOver(name)
  }

  /// A list, each element of it read by `read`, which returns nil for what is none; a tolerant reader passes over that,
  /// and over those that it throws at.
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

  /// A list of structures.
  public mutating func structures<Element>(
    _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Element
  ) throws(VarlinkError) -> [Element]? {
    let (place, isTolerant) = (Place(name, in: place), isTolerant)
    return try list(name) { (element) throws(VarlinkError) in
      guard case .object(let object) = element else { return nil }
      return try read(Parameters(object, place, isTolerant: isTolerant))
    }
  }

  /// A list of strings.
  public mutating func strings(_ name: Text) throws(VarlinkError) -> [Text]? {
    try list(name) { (element) throws(VarlinkError) in
      if case .string(let text) = element { text } else { nil }
    }
  }

  /// A map, each value of it read by `read`, which returns nil for what is none.
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

  /// A map of structures, in the order in which they stand; a tolerant reader passes over those that `read` throws at.
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

  /// A structure, to be read in turn.
  public mutating func structure(_ name: Text) throws(VarlinkError) -> Parameters? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { return try passOver(name) }
    return Parameters(object, Place(name, in: place), isTolerant: isTolerant)
  }

  /// A structure that is read by `read`; a tolerant reader passes over one that it throws at.
  public mutating func structure<Value>(
    _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Value
  ) throws(VarlinkError) -> Value? {
    guard let parameters = try structure(name) else { return nil }
    do throws(VarlinkError) { return try read(parameters) } catch {
      if isTolerant { return nil }
      throw error
    }
  }

  /// Refuses what nobody asked for, unless it is read tolerantly.
  public func finish() throws(VarlinkError) {
    if !isTolerant, let member = left.members.first { throw invalid(member.name) }
  }

  /// What is not as it should be: as if it were absent, or an error.
  public func passOver<Value>(_ name: Text) throws(VarlinkError) -> Value? {
    guard isTolerant else { throw invalid(name) }
    return nil
  }

  /// A value that has to be there; inlinable, since it is copied about where nothing is known of it.
  @inlinable public func require<Value>(_ value: Value?, _ name: Text) throws(VarlinkError) -> Value {
    guard let value else { throw invalid(name) }
    return value
  }
}
