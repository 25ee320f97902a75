import CThemedYAML
import ThemedSystem

extension SchemeFile {
  package init(yaml bytes: [UInt8]) throws(Problem) {
    members = try unsafe Self.text(of: bytes).withUnsafeBufferPointer { (text) throws(Problem) in
      var reader = unsafe try YAMLReader(text)
      return try reader.document()
    }
  }
}

/// Makes members from the events of libyaml.
///
/// It reads the text once. A reference to another place counts as all the values there, because a few lines of
/// references can describe an endless text.
@safe
private struct YAMLReader: ~Copyable {
  private enum Event: Equatable {
    case text(Text)
    case mapping
    case list
    case alias(Text)
    /// The end of the innermost mapping or list.
    case end
    /// A document begins or ends.
    case document
    case endOfStream
  }

  /// The limits: the mappings, lists and texts in a file, and the levels of nesting.
  private static let maximumNodes = 4096
  private static let maximumDepth = 32

  private let library: YAMLLibrary
  /// Its address must not change, because it has pointers to itself.
  private let parser: YAMLLibrary.Parser
  /// The values that have a name, each with the number of values in it.
  private var anchors: [Text: (value: SchemeFile.Value, nodes: Int)] = [:]
  /// The name of the event that was read last, as a value that others may refer to.
  private var anchor: Text?
  private var nodes = 0
  private var depth = 0
  /// The line of the event that was read last, from 1.
  private var line = 1

  /// A reader of this text, which must stay alive as long.
  init(_ text: UnsafeBufferPointer<UInt8>) throws(SchemeFile.Problem) {
    let library = try YAMLLibrary()
    let parser = YAMLLibrary.Parser.allocate(capacity: 1)
    guard unsafe library.initialize(parser) == 1 else {
      unsafe parser.deallocate()
      throw SchemeFile.Problem(text: "not enough memory")
    }
    self.library = library
    unsafe self.parser = parser
    unsafe library.setEncoding(parser, YAML_UTF8_ENCODING)
    // An empty text has no address.
    let empty: StaticString = ""
    unsafe library.setInput(parser, text.baseAddress ?? empty.utf8Start, text.count)
  }

  deinit {
    unsafe library.deleteParser(parser)
    unsafe parser.deallocate()
  }

  mutating func document() throws(SchemeFile.Problem) -> [SchemeFile.Member] {
    var event = try next()
    if event == .document { event = try next() }
    guard event == .mapping else {
      // An invalid document throws its own mistake.
      while event != .endOfStream { event = try next() }
      throw SchemeFile.Problem(text: "expected lines such as 'name: value'")
    }
    let members = try members()
    _ = try next()
    guard try next() == .endOfStream else {
      throw SchemeFile.Problem(line: line, text: "expected one document, but a second one begins")
    }
    return members
  }

  /// The members of a mapping that has begun.
  private mutating func members() throws(SchemeFile.Problem) -> [SchemeFile.Member] {
    var members: [SchemeFile.Member] = []
    var names: Set<Text> = []
    var merged: [SchemeFile.Member] = []
    while true {
      let key = try next()
      if key == .end { return members + merged.filter { names.insert($0.name).inserted } }
      let start = line
      var name: Text = ""
      if case .text(let text) = key {
        name = text
        guard names.insert(name).inserted else {
          throw SchemeFile.Problem(line: start, text: "'\(name.shown(atMost: 80))' is already set above")
        }
      }
      _ = try value(key)
      let value = try value(next())
      // The merge key of YAML 1.1: members that this mapping has if it does not give them itself.
      if name == "<<", case .members(let others) = value {
        merged += others
      } else {
        members.append(SchemeFile.Member(name: name, line: start, value: value))
      }
    }
  }

  /// The value that begins with this event.
  private mutating func value(_ event: Event) throws(SchemeFile.Problem) -> SchemeFile.Value {
    let (name, before) = (anchor, nodes)
    let value: SchemeFile.Value
    switch event {
    case .text(let text): value = .text(text)
    case .mapping: value = .members(try members())
    case .list:
      var values: [SchemeFile.Value] = []
      while case let event = try next(), event != .end { values.append(try self.value(event)) }
      value = .list(values)
    case .alias(let name):
      guard let known = anchors[name] else {
        throw SchemeFile.Problem(line: line, text: "'*\(name.shown(atMost: 40))' refers to nothing above")
      }
      try count(known.nodes)
      value = known.value
    default: value = .other
    }
    if let name { anchors[name] = (value, nodes - before + 1) }
    return value
  }

  // MARK: Events

  private mutating func next() throws(SchemeFile.Problem) -> Event {
    var event = unsafe yaml_event_t()
    repeat {
      guard unsafe library.parse(parser, &event) == 1 else { throw problem }
    } while unsafe event.type == YAML_STREAM_START_EVENT
    defer { unsafe library.deleteEvent(&event) }
    line = unsafe Int(clamping: event.start_mark.line) + 1
    anchor = nil
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      try count()
      let scalar = unsafe event.data.scalar
      anchor = unsafe Self.name(scalar.anchor)
      return .text(unsafe Text(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length)))
    case YAML_MAPPING_START_EVENT:
      try enter()
      anchor = unsafe Self.name(event.data.mapping_start.anchor)
      return .mapping
    case YAML_SEQUENCE_START_EVENT:
      try enter()
      anchor = unsafe Self.name(event.data.sequence_start.anchor)
      return .list
    case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT:
      depth -= 1
      return .end
    case YAML_ALIAS_EVENT: return .alias(unsafe Self.name(event.data.alias.anchor) ?? "")
    case YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: return .document
    default: return .endOfStream
    }
  }

  private mutating func enter() throws(SchemeFile.Problem) {
    try count()
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw SchemeFile.Problem(line: line, text: "more than \(Self.maximumDepth) levels of lists and mappings")
    }
  }

  private static func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> Text? {
    unsafe anchor.map { unsafe Text(String(cString: $0)) }
  }

  private mutating func count(_ more: Int = 1) throws(SchemeFile.Problem) {
    nodes += more
    guard nodes <= Self.maximumNodes else {
      throw SchemeFile.Problem(line: line, text: "more than \(Self.maximumNodes) values, too many for a scheme")
    }
  }

  /// Why libyaml gave up.
  private var problem: SchemeFile.Problem {
    let reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "cannot read it"
    // libyaml gives no line for an invalid byte.
    let isLineKnown = unsafe parser.pointee.error != YAML_READER_ERROR
    let line = unsafe Int(clamping: parser.pointee.problem_mark.line) + 1
    return SchemeFile.Problem(line: isLineKnown ? line : nil, text: "invalid YAML: \(reason)")
  }
}

/// libyaml, loaded only to read a scheme.
@safe
struct YAMLLibrary {
  typealias Parser = UnsafeMutablePointer<yaml_parser_t>

  let initialize: @convention(c) (Parser) -> CInt
  let setEncoding: @convention(c) (Parser, yaml_encoding_t) -> Void
  let setInput: @convention(c) (Parser, UnsafePointer<UInt8>, Int) -> Void
  let parse: @convention(c) (Parser, UnsafeMutablePointer<yaml_event_t>) -> CInt
  let deleteParser: @convention(c) (Parser) -> Void
  let deleteEvent: @convention(c) (UnsafeMutablePointer<yaml_event_t>) -> Void

  init() throws(SchemeFile.Problem) {
    let library = try LoadedLibrary(
      "libyaml-0.so.2", for: "YAML", install: "install libyaml (on Debian: sudo apt install libyaml-0-2)")
    unsafe initialize = try library.function("yaml_parser_initialize")
    unsafe setEncoding = try library.function("yaml_parser_set_encoding")
    unsafe setInput = try library.function("yaml_parser_set_input_string")
    unsafe parse = try library.function("yaml_parser_parse")
    unsafe deleteParser = try library.function("yaml_parser_delete")
    unsafe deleteEvent = try library.function("yaml_event_delete")
  }
}
