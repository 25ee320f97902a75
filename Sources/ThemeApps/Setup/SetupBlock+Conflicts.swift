internal import ThemedSystem

extension SetupBlock {
  struct Conflicts {
    var statements: [Statements.Statement] = []
    /// The ranges of their lines, each with the lines between statements that follow each other.
    var runs: [Range<Int>] = []
    /// The header below which the line belongs; nil if it does not belong below one.
    var table: Statements.Statement?
    var rival: Rival?

    mutating func refuse(_ statement: Statements.Statement, _ reason: Rival.Reason) {
      if rival == nil { rival = Rival(line: statement.lines.lowerBound + 1, reason: reason) }
    }
  }

  func conflicts(in file: [UInt8], _ lines: [FileLines.Line]) -> Conflicts {
    guard !setup.conflicts.isEmpty else { return Conflicts() }
    let statements = Statements(file, lines, form, comment: setup.comment)
    var found = Conflicts()
    var isAfterConflict = false
    let own = ownPath
    for statement in statements.all {
      guard !statement.isOurs else {
        isAfterConflict = false
        continue
      }
      let isConflict = setup.conflicts.contains { statement.isConflict($0) }
      if isConflict {
        found.statements.append(statement)
        let hasMark = { (run: Range<Int>) in lines[run].contains { BlockMark($0.text) != nil } }
        if isAfterConflict, let last = found.runs.last, !hasMark(last.lowerBound..<statement.lines.upperBound) {
          found.runs[found.runs.count - 1] = last.lowerBound..<statement.lines.upperBound
        } else {
          found.runs.append(statement.lines)
        }
        if hasMark(statement.lines) || form == .yaml && hasAnchor(file[statement.value]) {
          found.refuse(statement, .unclear)
        }
        if list(own, besides: statement, in: file) == .unclear { found.refuse(statement, .unclear) }
      } else if !statement.isTable {
        // `general = { … }` sets what `general.import` would.
        let isAbove = setup.conflicts.contains { $0.isAt(orBelow: statement.name) }
        if form == .toml, isAbove { found.refuse(statement, .givesMore) }
      } else if form == .toml, own.count > statement.path.count, own.starts(with: statement.path),
        !lines[statement.lines.lowerBound].text.hasPrefix("[["),
        statement.path.count > found.table?.path.count ?? 0
      {
        found.table = statement
      }
      isAfterConflict = isConflict
    }
    if let unclear = statements.unclear, found.rival == nil { found.rival = Rival(line: unclear + 1, reason: .unclear) }
    return found
  }

  func hasAnchor(_ value: ArraySlice<UInt8>) -> Bool {
    zip(value, value.dropFirst()).contains { " \t\n[,".utf8.contains($0) && $1 == UInt8(ascii: "&") }
  }

  /// The path of the key that the line sets; empty if it sets no key.
  var ownPath: [Text] {
    let line = Array(setup.line.utf8)
    return Statements(line, FileLines(line).all, form, comment: setup.comment).all.first { !$0.isTable }?.path ?? []
  }

  // MARK: Lists

  enum List: Hashable {
    /// The user's statement has no list that the line could extend.
    case none
    /// The elements, as they are written.
    case elements([Text])
    case unclear
  }

  /// The elements of the user's list for the key that our line sets: our line then includes them.
  func list(_ own: [Text], besides statement: Statements.Statement, in file: [UInt8]) -> List {
    guard !statement.isTable, let last = own.last, statement.path.last == last,
      setup.given != nil, setup.givesList, form != .lines
    else { return .none }
    return file[statement.value].elements.map { .elements($0) } ?? .unclear
  }

  /// The line, with the elements of the user's list before its own.
  func line(for conflicts: Conflicts, in file: [UInt8]) -> Text {
    let own = ownPath
    var elements: [Text] = []
    for statement in conflicts.statements {
      if case .elements(let more) = list(own, besides: statement, in: file) {
        elements += more.filter { !elements.contains($0) }
      }
    }
    var line = setup.line
    if let given = setup.given, !elements.isEmpty, let bracket = line.utf8.firstIndex(of: UInt8(ascii: "[")) {
      let others = elements.filter { Array($0.utf8) != given }
      let before = Text(decoding: line.utf8[...bracket])
      let behind = Text(decoding: line.utf8[line.utf8.index(after: bracket)...])
      line = Text("\(before)\(others.map { "\($0), " }.joined())\(behind)")
    }
    guard let table = conflicts.table, let key = own.last, let sign = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      return line
    }
    // Below the header `[general]`, `general.import` is `import`.
    let names = own.dropFirst(table.path.count).map(\.string).joined(separator: ".")
    return key.isEmpty ? line : Text("\(names) \(Text(decoding: line.utf8[sign...]))")
  }
}

extension App.Setup {
  /// The value that the line gives its key, without the brackets of a list; nil if it gives no value.
  var given: [UInt8]? {
    let line = Array(line.utf8)
    guard let sign = line.firstIndex(where: { "=:".utf8.contains($0) }) else { return nil }
    let isAround = { (byte: UInt8) in " []".utf8.contains(byte) }
    var given = line[(sign + 1)...].drop(while: isAround)
    while let last = given.last, isAround(last) { given.removeLast() }
    return given.isEmpty ? nil : Array(given)
  }

  fileprivate var givesList: Bool { line.utf8.last == UInt8(ascii: "]") }
}

extension Statements.Statement {
  /// Whether it sets this key, or one below it; `*.key` is that key in any section.
  fileprivate func isConflict(_ key: Text) -> Bool {
    guard let inAny = key.dropping(prefix: "*.") else { return name.isAt(orBelow: key) }
    return !isTable && path.count > 1 && path.last == inAny
  }
}

extension Text {
  func isAt(orBelow other: Text) -> Bool { self == other || hasPrefix("\(other).") }
}

extension ArraySlice<UInt8> {
  /// Whether this line of YAML is a directive, or the `---` that ends the directives.
  var beginsDocument: Bool {
    if first == UInt8(ascii: "%") { return true }
    return starts(with: "---".utf8) && dropFirst(3).first.map { " \t".utf8.contains($0) } ?? true
  }

  /// The elements of a list of strings, on one line or several, as TOML or YAML writes it; nil for anything else.
  fileprivate var elements: [Text]? {
    let text = trimmed
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") { return text.dropFirst().dropLast().strings }
    // `- element` of YAML.
    var elements: [Text] = []
    for line in split(whereSeparator: { $0 == 0x0A }) {
      let item = line.trimmed
      if item.isEmpty || item.first == UInt8(ascii: "#") { continue }
      guard item.starts(with: "- ".utf8), let strings = item.dropFirst(2).strings, strings.count == 1 else {
        return nil
      }
      elements += strings
    }
    return elements
  }

  /// Strings with commas between them, and comments; nil for anything else.
  private var strings: [Text]? {
    var strings: [Text] = []
    var (index, isAfterString) = (startIndex, false)
    while index < endIndex {
      let byte = self[index]
      if " \t\r\n".utf8.contains(byte) {
        index += 1
      } else if byte == UInt8(ascii: "#") {
        index = self[index...].firstIndex(of: 0x0A) ?? endIndex
      } else if byte == UInt8(ascii: ",") {
        guard isAfterString else { return nil }
        (index, isAfterString) = (index + 1, false)
      } else if isAfterString {
        return nil
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        guard let close = self[(index + 1)...].firstIndex(where: { $0 == byte || $0 == 0x0A || $0 == 0x5C }),
          self[close] == byte
        else { return nil }
        strings.append(Text(decoding: self[index...close]))
        (index, isAfterString) = (close + 1, true)
      } else {
        let plain = self[index...].prefix { !" \t\r\n,[]{}\"'#&*!|>%@`:".utf8.contains($0) }
        guard !plain.isEmpty else { return nil }
        strings.append(Text(decoding: plain))
        (index, isAfterString) = (plain.endIndex, true)
      }
    }
    return strings
  }
}
