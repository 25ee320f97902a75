internal import ThemedSystem

/// The statements of a user's file, as far as needed to separate them: keys and tables, and their lines.
///
/// It understands less than the program does, and reports its limits: ``unclear`` is a line that it cannot place.
struct Statements {
  enum Form {
    case toml
    case yaml
    /// A setting on each line, below headers such as `[colors]` or without a header.
    case lines
    case style

    init(of file: Text) {
      let forms: [(Text, Form)] = [
        (".toml", .toml), (".yml", .yaml), (".yaml", .yaml), (".css", .style), (".rasi", .style),
      ]
      self = forms.first { file.hasSuffix($0.0) }?.1 ?? .lines
    }
  }

  struct Statement {
    /// Its lines, by their indices.
    let lines: Range<Int>
    /// The names from the outermost table to the key.
    let path: [Text]
    let isTable: Bool
    /// Its value, from the first byte to the last; empty for a table.
    let value: Range<Int>
    /// Whether it is in a block of any app of ours.
    var isOurs = false

    var name: Text { Text(path.map(\.string).joined(separator: ".")) }
  }

  private(set) var all: [Statement] = []
  private(set) var unclear: Int?

  init(_ file: [UInt8], _ lines: [FileLines.Line], _ form: Form, comment: CommentStyle) {
    var reader = StatementReader(file: file, lines: lines, comment: comment)
    switch form {
    case .toml: reader.readTOML()
    case .yaml: reader.readYAML()
    case .lines: reader.readLines()
    case .style: reader.readStyle()
    }
    (all, unclear) = (reader.statements, reader.unclear)
    let blocks = Self.blocks(lines)
    for index in all.indices { all[index].isOurs = blocks.contains { $0.contains(all[index].lines.lowerBound) } }
  }

  /// The lines from each begin of a block to its end.
  static func blocks(_ lines: [FileLines.Line]) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var begin: Int?
    for (index, line) in lines.enumerated() {
      guard let mark = BlockMark(line.text) else { continue }
      if mark.isBegin {
        begin = index
      } else if let first = begin {
        blocks.append(first..<index + 1)
        begin = nil
      }
    }
    return blocks
  }
}

private struct StatementReader {
  let file: [UInt8]
  let lines: [FileLines.Line]
  let comment: CommentStyle
  var statements: [Statements.Statement] = []
  var unclear: Int?

  // MARK: TOML

  mutating func readTOML() {
    var table: [Text] = []
    var index = 0
    while index < lines.count {
      let text = lines[index].text
      if text.isEmpty || text.hasPrefix("#") {
        index += 1
        continue
      }
      var cursor = lines[index].content.lowerBound
      if text.hasPrefix("[") {
        guard let path = header(&cursor) else { return unclear = index }
        table = path
        add(index..<index + 1, path, isTable: true, value: cursor..<cursor)
        index += 1
        continue
      }
      guard let key = path(&cursor, before: UInt8(ascii: "=")), let value = value(from: cursor + 1) else {
        return unclear = index
      }
      let first = index
      index += 1
      while index < lines.count, lines[index].range.lowerBound < value.upperBound { index += 1 }
      add(first..<index, table + key, isTable: false, value: value)
    }
  }

  private mutating func add(_ lines: Range<Int>, _ path: [Text], isTable: Bool, value: Range<Int>) {
    statements.append(Statements.Statement(lines: lines, path: path, isTable: isTable, value: value))
  }

  private func skipBlanks(_ cursor: inout Int) {
    while cursor < file.count, file[cursor] == 0x20 || file[cursor] == 0x09 { cursor += 1 }
  }

  private func isEndOfLine(_ cursor: Int) -> Bool {
    cursor >= file.count || file[cursor] == 0x0A || file[cursor] == UInt8(ascii: "#")
      || file[cursor] == 0x0D && (cursor + 1 >= file.count || file[cursor + 1] == 0x0A)
  }

  /// `[a.b]` or `[[a.b]]`.
  private func header(_ cursor: inout Int) -> [Text]? {
    skipBlanks(&cursor)
    let isList = file[cursor...].starts(with: "[[".utf8)
    cursor += isList ? 2 : 1
    guard let path = path(&cursor, before: UInt8(ascii: "]")), !isList || file[cursor...].starts(with: "]]".utf8) else {
      return nil
    }
    cursor += isList ? 2 : 1
    skipBlanks(&cursor)
    return isEndOfLine(cursor) ? path : nil
  }

  /// The names of a dotted key; the cursor is at `end` then.
  private func path(_ cursor: inout Int, before end: UInt8) -> [Text]? {
    var path: [Text] = []
    while true {
      skipBlanks(&cursor)
      guard cursor < file.count else { return nil }
      let first = file[cursor]
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        let name = file[(cursor + 1)...].prefix { $0 != first && $0 != 0x0A && $0 != UInt8(ascii: "\\") }
        guard name.endIndex < file.count, file[name.endIndex] == first else { return nil }
        path.append(Text(decoding: name))
        cursor = name.endIndex + 1
      } else {
        let name = file[cursor...].prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        guard !name.isEmpty else { return nil }
        path.append(Text(decoding: name))
        cursor = name.endIndex
      }
      skipBlanks(&cursor)
      guard cursor < file.count else { return nil }
      if file[cursor] == end { return path }
      guard file[cursor] == UInt8(ascii: ".") else { return nil }
      cursor += 1
    }
  }

  /// A value, which may take several lines; nil if it is never closed.
  private func value(from start: Int) -> Range<Int>? {
    var start = start
    skipBlanks(&start)
    guard !isEndOfLine(start) else { return nil }
    var (cursor, depth) = (start, 0)
    while cursor < file.count {
      let byte = file[cursor]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = string(from: cursor) else { return nil }
        cursor = end
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        guard depth >= 0 else { return nil }
      case UInt8(ascii: "#"):
        if depth == 0 { return start..<trimmedEnd(start, cursor) }
        cursor = file[cursor...].firstIndex(of: 0x0A) ?? file.count
        continue
      case 0x0A where depth == 0: return start..<trimmedEnd(start, cursor)
      default: break
      }
      cursor += 1
    }
    return depth == 0 ? start..<trimmedEnd(start, cursor) : nil
  }

  private func trimmedEnd(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, " \t\r".utf8.contains(file[end - 1]) { end -= 1 }
    return end
  }

  /// The position after the string that begins here; nil if it is never closed.
  private func string(from start: Int) -> Int? {
    let quote = file[start]
    let isLong = file[start...].starts(with: [quote, quote, quote])
    let end = [UInt8](repeating: quote, count: isLong ? 3 : 1)
    var cursor = start + end.count
    while cursor < file.count {
      if file[cursor] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        cursor += 2
      } else if file[cursor...].starts(with: end) {
        cursor += end.count
        // Up to two quotes may come before the three that end it.
        while isLong, cursor < file.count, file[cursor] == quote { cursor += 1 }
        return cursor
      } else if file[cursor] == 0x0A, !isLong {
        return nil
      } else {
        cursor += 1
      }
    }
    return nil
  }

  // MARK: YAML

  mutating func readYAML() {
    var index = 0
    while index < lines.count {
      let content = file[lines[index].content]
      let text = lines[index].text
      let isMarker = ["---", "..."].contains(Text(decoding: content.prefix(3))) || content.first == UInt8(ascii: "%")
      if text.isEmpty || text.hasPrefix("#") || isMarker {
        index += 1
        continue
      }
      guard let (name, value) = yamlKey(content) else { return unclear = index }
      var last = index
      var next = index + 1
      while next < lines.count {
        let content = file[lines[next].content]
        let isInside = content.first.map { $0 == 0x20 || $0 == 0x09 } ?? false
        let isItem = content.first == UInt8(ascii: "-") && !content.starts(with: Array("---".utf8))
        if (isInside && !lines[next].text.isEmpty) || isItem {
          last = next
        } else if !lines[next].text.isEmpty && !lines[next].text.hasPrefix("#") || BlockMark(lines[next].text) != nil {
          break
        }
        next += 1
      }
      add(index..<last + 1, [name], isTable: false, value: value..<max(value, lines[last].content.upperBound))
      index = last + 1
    }
  }

  /// The key at the beginning of a line, and the start of its value.
  private func yamlKey(_ content: ArraySlice<UInt8>) -> (Text, Int)? {
    guard content.first.map({ $0 != 0x20 && $0 != 0x09 }) == true else { return nil }
    var index = content.startIndex
    while index < content.endIndex {
      if content[index] == UInt8(ascii: ":"),
        index + 1 == content.endIndex || content[index + 1] == 0x20 || content[index + 1] == 0x09
      {
        guard let name = content[..<index].plainName else { return nil }
        return (name, index + 1)
      }
      index += 1
    }
    return nil
  }

  // MARK: Style sheets

  /// Adds a statement for each setting of each selector of a rule, and for each `@` rule at the top level.
  mutating func readStyle() {
    let spans = lines.map(\.range)
    func line(of offset: Int) -> Int { max(0, (spans.firstIndex { $0.lowerBound > offset } ?? spans.count) - 1) }
    var selectors: [Text] = []
    var (depth, start, cursor) = (0, spans.first?.lowerBound ?? 0, spans.first?.lowerBound ?? 0)
    /// The text since the last brace or semicolon, without comments.
    var piece: [UInt8] = []
    func settings(_ end: Int) {
      let text = piece[...].trimmed
      let first = line(of: start)
      defer { piece = [] }
      guard !text.isEmpty, first < lines.count else { return }
      let range = first..<max(first, line(of: max(start, end - 1))) + 1
      if depth == 0 {
        guard text.first == UInt8(ascii: "@") else { return }
        let words = Text(decoding: text).split(" ", omittingEmpty: true)
        // Each named color is a setting of its own.
        let name = words[0] == "@define-color" && words.count > 1 ? "\(words[0]) \(words[1])" : words[0]
        let value = file[start..<end].firstIndex(of: 0x20) ?? end
        add(range, [name], isTable: false, value: value..<trimmedEnd(value, end))
      } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
        let name = Text(decoding: text[..<colon].trimmed)
        let value = file[start..<end].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? end
        for selector in selectors {
          add(range, [selector, name], isTable: false, value: value..<trimmedEnd(value, end))
        }
      }
    }
    while cursor < file.count {
      let byte = file[cursor]
      if file[cursor...].starts(with: "/*".utf8) {
        cursor += 2
        while cursor < file.count, !file[cursor...].starts(with: "*/".utf8) { cursor += 1 }
        cursor = min(file.count, cursor + 2)
        if piece.isEmpty { start = cursor }
        continue
      }
      if comment.start == "//", file[cursor...].starts(with: "//".utf8) {
        cursor = file[cursor...].firstIndex(of: 0x0A) ?? file.count
        if piece.isEmpty { start = cursor }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = string(from: cursor) else { return }
        piece += file[cursor..<end]
        cursor = end
        continue
      case UInt8(ascii: "{"):
        selectors = Text(decoding: piece[...].trimmed).split(",", omittingEmpty: true)
          .map { Text(decoding: Array($0.utf8)[...].trimmed) }
        piece = []
        depth += 1
      case UInt8(ascii: "}"):
        settings(cursor)
        depth -= 1
        // A brace that was never opened cannot be parsed.
        guard depth >= 0 else { return }
      case UInt8(ascii: ";"): settings(cursor)
      // In rofi's files, a directive ends with its line.
      case 0x0A where depth == 0 && comment.start == "//" && piece.first == UInt8(ascii: "@"): settings(cursor)
      default:
        if piece.isEmpty, byte > 0x20 { start = cursor }
        if !piece.isEmpty || byte > 0x20 { piece.append(byte) }
      }
      cursor += 1
    }
    settings(file.count)
  }

  // MARK: Lines

  mutating func readLines() {
    var section: [Text] = []
    for (index, line) in lines.enumerated() {
      let text = line.text
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") || text.hasPrefix(comment.start) { continue }
      if let name = text.dropping(prefix: "[")?.dropping(suffix: "]") {
        section = [name]
        add(index..<index + 1, section, isTable: true, value: line.content.upperBound..<line.content.upperBound)
        continue
      }
      let content = file[line.content].drop { $0 == 0x20 || $0 == 0x09 }
      let key = content.prefix { !" \t=:".utf8.contains($0) }
      guard !key.isEmpty, let name = key.plainName else { continue }
      var start = key.endIndex
      while start < content.endIndex, " \t=:".utf8.contains(file[start]) { start += 1 }
      add(index..<index + 1, section + [name], isTable: false, value: start..<trimmedEnd(start, content.endIndex))
    }
  }
}

extension ArraySlice<UInt8> {
  /// A name without the quotes around it; nil if it has an escape.
  fileprivate var plainName: Text? {
    var name = self
    while let last = name.last, last == 0x20 || last == 0x09 { name.removeLast() }
    if let quote = name.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard name.count > 1, name.last == quote else { return nil }
      name = name.dropFirst().dropLast()
    }
    return name.isEmpty || name.contains(UInt8(ascii: "\\")) ? nil : Text(decoding: name)
  }
}
