/// What the text of a Varlink interface promises: without comments, and however it is laid out.
struct InterfaceText: Hashable {
  /// What a value may be.
  indirect enum Shape: Hashable {
    /// `bool`, `int`, `float`, `string` or `object`.
    case plain(String)
    /// A type of the interface.
    case named(String)
    case array(Shape)
    case map(Shape)
    case nullable(Shape)
    case structure([Field])
    case enumeration([String])

    /// Whether it may be null.
    var isNullable: Bool { if case .nullable = self { true } else { false } }
  }

  /// A member of a structure, or what goes into a method or comes out of it.
  struct Field: Hashable {
    let name: String
    let shape: Shape
  }

  /// What goes into a method, and what comes out of it.
  struct Method: Hashable {
    let input: [Field]
    let output: [Field]
  }

  /// Why a text is none.
  struct Mistake: Error, Hashable, CustomStringConvertible {
    let line: Int
    let problem: String
    var description: String { "line \(line): \(problem)" }
  }

  /// The interface's name.
  private(set) var name = ""
  private(set) var types: [String: Shape] = [:]
  private(set) var methods: [String: Method] = [:]
  private(set) var errors: [String: [Field]] = [:]

  /// Reads the text, strictly by the grammar (varlink.org), over its bytes.
  init(parsing bytes: some Sequence<UInt8>) throws(Mistake) {
    var reader = Reader(try InterfaceToken.tokens(of: Array(bytes)))
    try reader.take("interface")
    name = try reader.name(InterfaceName.isInterface, "the interface's name")
    while !reader.isAtEnd { try readMember(&reader) }
    for word in reader.used where types[word.text] == nil {
      throw Mistake(line: word.line, problem: "there is no type '\(word.text)'")
    }
  }

  private mutating func readMember(_ reader: inout Reader) throws(Mistake) {
    let line = reader.line
    let kind = try reader.name({ ["type", "method", "error"].contains($0) }, "type, method or error")
    let member = try reader.name(InterfaceName.isMember, "a member's name")
    guard types[member] == nil, methods[member] == nil, errors[member] == nil else {
      throw Mistake(line: line, problem: "there are two members '\(member)'")
    }
    switch kind {
    case "type": types[member] = try reader.group()
    case "error": errors[member] = try reader.fields()
    default:
      let input = try reader.fields()
      try reader.take("->")
      methods[member] = Method(input: input, output: try reader.fields())
    }
  }
}

/// Reads tokens, one after the other.
private struct Reader {
  private var tokens: ArraySlice<InterfaceToken>
  /// The types that were named, and where.
  private(set) var used: [InterfaceToken] = []
  private(set) var line = 1

  init(_ tokens: [InterfaceToken]) { self.tokens = tokens[...] }

  var isAtEnd: Bool { tokens.isEmpty }

  private func isNext(_ text: String) -> Bool { tokens.first?.text == text }

  private mutating func next(_ expected: String) throws(InterfaceText.Mistake) -> String {
    guard let token = tokens.popFirst() else { throw .init(line: line, problem: "it ends before \(expected)") }
    line = token.line
    return token.text
  }

  mutating func take(_ text: String) throws(InterfaceText.Mistake) { _ = try name({ $0 == text }, "'\(text)'") }

  mutating func name(_ isName: (String) -> Bool, _ expected: String) throws(InterfaceText.Mistake) -> String {
    let text = try next(expected)
    guard isName(text) else { throw .init(line: line, problem: "'\(text)' is not \(expected)") }
    return text
  }

  /// The fields of a method or an error.
  mutating func fields() throws(InterfaceText.Mistake) -> [InterfaceText.Field] {
    switch try group() {
    case .structure(let fields): return fields
    default: throw .init(line: line, problem: "each field has a type")
    }
  }

  /// What stands in parentheses: a structure or an enumeration.
  mutating func group() throws(InterfaceText.Mistake) -> InterfaceText.Shape {
    try take("(")
    var fields: [InterfaceText.Field] = []
    var words: [String] = []
    while !isNext(")") {
      if !(fields.isEmpty && words.isEmpty) { try take(",") }
      let name = try name(InterfaceName.isField, "a field's name")
      guard !words.contains(name), !fields.contains(where: { $0.name == name }) else {
        throw .init(line: line, problem: "there are two fields '\(name)'")
      }
      if words.isEmpty, !fields.isEmpty || isNext(":") {
        try take(":")
        fields.append(.init(name: name, shape: try shape()))
      } else {
        words.append(name)
      }
    }
    try take(")")
    return words.isEmpty ? .structure(fields) : .enumeration(words)
  }

  private mutating func shape() throws(InterfaceText.Mistake) -> InterfaceText.Shape {
    switch tokens.first?.text {
    case "?":
      try take("?")
      let shape = try shape()
      guard !shape.isNullable else { throw .init(line: line, problem: "it is nullable twice") }
      return .nullable(shape)
    case "[":
      try take("[")
      let isMap = isNext("string")
      if isMap { try take("string") }
      try take("]")
      return isMap ? .map(try shape()) : .array(try shape())
    case "(": return try group()
    default:
      let text = try next("a type")
      if ["bool", "int", "float", "string", "object"].contains(text) { return .plain(text) }
      guard InterfaceName.isMember(text) else { throw .init(line: line, problem: "'\(text)' is not a type") }
      used.append(InterfaceToken(text: text, line: line))
      return .named(text)
    }
  }
}
