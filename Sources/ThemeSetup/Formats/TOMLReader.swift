import ThemedSystem

extension SchemeFile {
  /// Reads TOML (1.0), as far as a scheme needs it: texts, and lists of them, by their names.
  ///
  /// Other values are accepted and ignored, and so are lists of tables.
  package init(toml bytes: [UInt8]) throws(Problem) {
    var reader = TOMLReader(try Self.text(of: bytes))
    members = try reader.members()
  }
}

private struct TOMLReader {
  private struct Entry {
    let path: [Text]
    let line: Int
    let value: SchemeFile.Value
  }

  /// The limits: the values in a file, the bytes of a name, and the levels of nesting.
  private static let maximumNodes = 4096
  private static let maximumName = 255
  private static let maximumDepth = 32

  private var rest: ArraySlice<UInt8>
  private var line = 1
  private var nodes = 0
  private var entries: [Entry] = []
  /// The names of lists of tables.
  private var lists: Set<[Text]> = []

  init(_ text: ArraySlice<UInt8>) { rest = text }

  mutating func members() throws(SchemeFile.Problem) -> [SchemeFile.Member] {
    // nil in a list of tables.
    var table: [Text]? = []
    while true {
      try skipBlanks(acrossLines: true)
      guard let first = rest.first else { break }
      if first == UInt8(ascii: "[") {
        table = try header()
      } else {
        try entry(in: table, depth: 0)
      }
      try skipBlanks(acrossLines: false)
      guard rest.isEmpty || take("\n") else { throw problem("unexpected text at the end of the line") }
    }
    return try Self.tree(entries[...], 0)
  }

  /// The members of entries that share this many names.
  private static func tree(_ entries: ArraySlice<Entry>, _ depth: Int) throws(SchemeFile.Problem) -> [SchemeFile.Member]
  {
    var names: [Text] = []
    var groups: [Text: [Entry]] = [:]
    for entry in entries {
      let name = entry.path[depth]
      if groups[name] == nil { names.append(name) }
      groups[name, default: []].append(entry)
    }
    var members: [SchemeFile.Member] = []
    for name in names {
      guard let group = groups[name], let first = group.first else { continue }
      if group.contains(where: { $0.path.count == depth + 1 }) {
        guard group.count == 1 else {
          throw SchemeFile.Problem(line: group[1].line, text: "'\(name.shown(atMost: 80))' is already set above")
        }
        members.append(SchemeFile.Member(name: name, line: first.line, value: first.value))
      } else {
        let inner = try tree(group[...], depth + 1)
        members.append(SchemeFile.Member(name: name, line: first.line, value: .members(inner)))
      }
    }
    return members
  }

  // MARK: Lines

  private mutating func header() throws(SchemeFile.Problem) -> [Text]? {
    _ = take("[")
    let isList = take("[")
    let path = try names()
    guard take("]"), !isList || take("]") else { throw problem("expected ']' after the table's name") }
    if isList { lists.insert(path) }
    // A table of such a list belongs to its last table.
    return path.indices.contains { lists.contains(Array(path[...$0])) } ? nil : path
  }

  private mutating func entry(in table: [Text]?, depth: Int) throws(SchemeFile.Problem) {
    let (start, names) = (line, try names())
    guard take("=") else { throw problem("expected '=' after the name") }
    try skipBlanks(acrossLines: false)
    let path = table.map { $0 + names }
    guard (path ?? names).count <= Self.maximumDepth else { throw tooDeep }
    try value(of: path, from: start, depth: depth)
  }

  private mutating func names() throws(SchemeFile.Problem) -> [Text] {
    var names: [Text] = []
    repeat {
      try skipBlanks(acrossLines: false)
      names.append(try name())
      guard names.count <= Self.maximumDepth else { throw tooDeep }
      try skipBlanks(acrossLines: false)
    } while take(".")
    return names
  }

  private mutating func name() throws(SchemeFile.Problem) -> Text {
    let name: Text
    switch rest.first {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: name = try string()
    default:
      let bytes = rest.prefix { $0.isLetterOrDigit || "-_".utf8.contains($0) }
      guard !bytes.isEmpty else { throw problem("expected a name of letters, digits, '-' and '_', or a quoted one") }
      rest = rest[bytes.endIndex...]
      name = Text(decoding: bytes)
    }
    guard name.count <= Self.maximumName else { throw problem("a name is longer than \(Self.maximumName) bytes") }
    return name
  }

  // MARK: Values

  /// Reads a value, and keeps it if it has a path.
  @discardableResult
  private mutating func value(
    of path: [Text]?, from start: Int, depth: Int
  ) throws(SchemeFile.Problem) -> SchemeFile.Value {
    nodes += 1
    guard nodes <= Self.maximumNodes else {
      throw problem("more than \(Self.maximumNodes) values, too many for a scheme")
    }
    guard depth <= Self.maximumDepth else { throw tooDeep }
    var read = SchemeFile.Value.other
    switch rest.first {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: read = .text(try string())
    case UInt8(ascii: "[")?: read = .list(try list(depth))
    case UInt8(ascii: "{")?:
      try table(path, depth)
      return .other
    default:
      let bytes = rest.prefix { !",]}#\r\n".utf8.contains($0) }
      guard bytes.contains(where: { $0 > 0x20 }) else { throw problem("expected a value") }
      rest = rest[bytes.endIndex...]
    }
    if let path { entries.append(Entry(path: path, line: start, value: read)) }
    return read
  }

  private mutating func list(_ depth: Int) throws(SchemeFile.Problem) -> [SchemeFile.Value] {
    _ = take("[")
    var values: [SchemeFile.Value] = []
    while true {
      try skipBlanks(acrossLines: true)
      if take("]") { return values }
      values.append(try value(of: nil, from: line, depth: depth + 1))
      try skipBlanks(acrossLines: true)
      guard take(",") || rest.first == UInt8(ascii: "]") else { throw problem("expected ',' or ']' in the list") }
    }
  }

  private mutating func table(_ path: [Text]?, _ depth: Int) throws(SchemeFile.Problem) {
    _ = take("{")
    while true {
      try skipBlanks(acrossLines: true)
      if take("}") { return }
      try entry(in: path, depth: depth + 1)
      try skipBlanks(acrossLines: true)
      guard take(",") || rest.first == UInt8(ascii: "}") else { throw problem("expected ',' or '}' in the table") }
    }
  }

  private mutating func string() throws(SchemeFile.Problem) -> Text {
    guard let quote = rest.popFirst() else { return "" }
    let isLong = rest.starts(with: [quote, quote])
    if isLong {
      rest = rest.dropFirst(2)
      _ = take("\r")
      if take("\n") { line += 1 }
    }
    let start = line
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case quote where !isLong: return Text(decoding: bytes)
      case quote where rest.starts(with: [quote, quote]):
        rest = rest.dropFirst(2)
        // Up to two more quotes belong to the text.
        for _ in 0..<2 where rest.first == quote {
          rest = rest.dropFirst()
          bytes.append(quote)
        }
        return Text(decoding: bytes)
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""): try escape(isLong, into: &bytes)
      case UInt8(ascii: "\n"):
        guard isLong else { throw problem("missing closing quote") }
        line += 1
        bytes.append(byte)
      case UInt8(ascii: "\t"): bytes.append(byte)
      case UInt8(ascii: "\r") where rest.first == UInt8(ascii: "\n"): break
      case 0..<0x20, 0x7F: throw problem("control characters are not allowed")
      default: bytes.append(byte)
      }
    }
    line = start
    throw problem("missing closing quote")
  }

  private mutating func escape(_ isLong: Bool, into bytes: inout [UInt8]) throws(SchemeFile.Problem) {
    switch rest.popFirst() {
    case UInt8(ascii: "b")?: bytes.append(0x08)
    case UInt8(ascii: "t")?: bytes.append(0x09)
    case UInt8(ascii: "n")?: bytes.append(0x0A)
    case UInt8(ascii: "f")?: bytes.append(0x0C)
    case UInt8(ascii: "r")?: bytes.append(0x0D)
    case UInt8(ascii: "\"")?: bytes.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\")?: bytes.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "u")?: bytes += try scalar(4).utf8
    case UInt8(ascii: "U")?: bytes += try scalar(8).utf8
    case let byte? where isLong && " \t\r\n".utf8.contains(byte):
      if byte == UInt8(ascii: "\n") { line += 1 }
      while let next = rest.first, " \t\r\n".utf8.contains(next) {
        if next == UInt8(ascii: "\n") { line += 1 }
        rest = rest.dropFirst()
      }
    default: throw problem("unknown escape after a backslash")
    }
  }

  private mutating func scalar(_ width: Int) throws(SchemeFile.Problem) -> Text {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy(\.isHexadecimalDigit),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(value)
    else { throw problem("invalid character number after a backslash") }
    rest = rest.dropFirst(width)
    return Text(String(Character(scalar)))
  }

  // MARK: Bytes

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    if character == "\n" { line += 1 }
    return true
  }

  private mutating func skipBlanks(acrossLines: Bool) throws(SchemeFile.Problem) {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): rest = rest.dropFirst()
      case UInt8(ascii: "\r") where rest.dropFirst().first == UInt8(ascii: "\n"): rest = rest.dropFirst()
      case UInt8(ascii: "#"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\n") where acrossLines: _ = take("\n")
      default: return
      }
    }
  }

  private func problem(_ text: String) -> SchemeFile.Problem {
    SchemeFile.Problem(line: line, text: "invalid TOML: \(text)")
  }

  private var tooDeep: SchemeFile.Problem {
    problem("more than \(Self.maximumDepth) levels of names or values")
  }
}
