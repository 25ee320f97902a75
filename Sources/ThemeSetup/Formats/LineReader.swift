import ThemedModel
import ThemedSystem

/// Reads files that have one setting on each line.
struct LineReader {
  let syntax: SchemeSyntax
  private var members: [SchemeFile.Member] = []
  /// The name of the group that the lines belong to, and its members.
  private var group: SchemeFile.Member?
  private var inner: [SchemeFile.Member] = []
  /// The words that `#define` gives another meaning.
  private var defined: [Text: Text] = [:]

  init(syntax: SchemeSyntax) { self.syntax = syntax }

  mutating func members(of text: ArraySlice<UInt8>) -> [SchemeFile.Member] {
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      read(Text(decoding: line.trimming { " \t\r".utf8.contains($0) }), index + 1)
    }
    endGroup()
    return members
  }

  private mutating func read(_ line: Text, _ number: Int) {
    if let comment = line.dropping(prefix: "## ") { return readHead(comment, number) }
    if syntax == .xresources { return readResource(line, number) }
    guard let first = line.utf8.first, !"#;".utf8.contains(first) else { return }
    guard syntax == .settings else {
      let words = line.utf8.split(maxSplits: 1) { " \t".utf8.contains($0) }.map { Text(decoding: $0) }
      return add(words[0], words.count > 1 ? words[1].trimmed : "", number)
    }
    if let name = line.dropping(prefix: "[")?.split("]", maxSplits: 1).first {
      endGroup()
      group = SchemeFile.Member(name: name, line: number, value: .other)
      return
    }
    let parts = line.split("=", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2 else { return }
    // `palette = 1=#ff0000` is Ghostty's way to number a colour.
    let numbered = parts[1].split("=", maxSplits: 1).map(\.trimmed)
    if numbered.count == 2, let index = Int(numbered[0].string) {
      return add("\(parts[0])=\(index)", numbered[1], number)
    }
    add(parts[0], parts[1].withoutComment, number)
  }

  /// Reads a comment in which kitty's collection of themes describes a theme.
  private mutating func readHead(_ comment: Text, _ number: Int) {
    let parts = comment.split(":", maxSplits: 1).map(\.trimmed)
    if parts.count == 2 { add("## \(parts[0])", parts[1], number) }
  }

  /// Reads a resource that a terminal may use, whose class is thus not that of another program.
  private mutating func readResource(_ line: Text, _ number: Int) {
    if let definition = line.dropping(prefix: "#define") {
      let words = definition.utf8.split(maxSplits: 1) { " \t".utf8.contains($0) }.map { Text(decoding: $0).trimmed }
      guard words.count == 2 else { return }
      defined[words[0]] = words[1]
      return add(words[0], words[1], number)
    }
    if let file = line.dropping(prefix: "#include")?.trimmed {
      return add("#include", Text(decoding: file.utf8.trimming { "\"<>".utf8.contains($0) }), number)
    }
    guard let first = line.utf8.first, !"!#".utf8.contains(first) else { return }
    let parts = line.split(":", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2 else { return }
    let names = parts[0].utf8.split(omittingEmptySubsequences: true) { ".*".utf8.contains($0) }.map {
      Text(decoding: $0)
    }
    let classes = names.dropLast().map(\.lowercasedASCII)
    guard let name = names.last,
      classes.allSatisfy({ $0 == "?" || $0.hasSuffix("term") || Self.terminals.contains($0) })
    else { return }
    add(name, defined[parts[1]] ?? parts[1], number)
  }

  private static let terminals: Set<Text> = ["urxvt", "rxvt", "st", "vt100", "rxvt-unicode", "xrvt"]

  private mutating func add(_ name: Text, _ value: Text, _ line: Int) {
    // foot gives the colours of the text under the cursor and of the cursor in one line.
    let words = value.split(" ", omittingEmpty: true)
    let isPair = syntax == .settings && words.count == 2 && words.allSatisfy { Color(hexadecimal: $0) != nil }
    let value = isPair ? SchemeFile.Value.list(words.map { .text($0) }) : .text(value)
    let member = SchemeFile.Member(name: name, line: line, value: value)
    if group == nil { members.append(member) } else { inner.append(member) }
  }

  private mutating func endGroup() {
    if var group {
      group.value = .members(inner)
      members.append(group)
    }
    (group, inner) = (nil, [])
  }
}

extension Text {
  fileprivate var trimmed: Text { Text(decoding: utf8.trimming { " \t\r".utf8.contains($0) }) }

  /// A value without quotes around it and without a comment after it.
  fileprivate var withoutComment: Text {
    let comment = utf8.place(of: " #".utf8)?.lowerBound ?? utf8.place(of: "\t#".utf8)?.lowerBound ?? utf8.endIndex
    let value = Text(decoding: utf8[..<comment].trimming { " \t".utf8.contains($0) })
    return value.dropping(prefix: "\"")?.dropping(suffix: "\"") ?? value
  }
}

/// Reads the tables of a file of Lua: assignments of texts, or of other names, in braces.
///
/// Everything else in the file is skipped, since a scheme needs nothing that has to be run.
enum LuaReader {
  static func members(of text: ArraySlice<UInt8>) -> [SchemeFile.Member] {
    var (members, names): ([SchemeFile.Member], [Text]) = ([], [])
    var known: [Text: Text] = [:]
    var (rest, line) = (text, 1)
    var words: [Text] = []
    func keep(_ value: Text) {
      // `name = value`, in a table or without one.
      guard words.count >= 2, words.last == "=", names.count <= 1 else { return words = [] }
      let path = names + [words[words.count - 2].afterTable]
      known[path.joined(separator: ".")] = value
      members.append(.init(name: path.joined(separator: "/"), line: line, value: .text(value)))
      words = []
    }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "-") where rest.first == byte: rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let string = rest.prefix { $0 != byte && $0 != UInt8(ascii: "\n") }
        rest = rest.dropFirst(string.count + 1)
        keep(Text(decoding: string))
      case UInt8(ascii: "{"):
        names.append(words.last == "=" && words.count > 1 ? words[words.count - 2].afterTable : "")
        words = []
      case UInt8(ascii: "}"):
        _ = names.popLast()
        words = []
      case UInt8(ascii: "="): words.append("=")
      case _ where byte.isLetterOrDigit || byte == UInt8(ascii: "_"):
        let word = [byte] + rest.prefix { $0.isLetterOrDigit || "_.".utf8.contains($0) }
        rest = rest.dropFirst(word.count - 1)
        let name = Text(decoding: word)
        if words.last == "=", let value = known[name.dropping(prefix: "M.") ?? name] {
          keep(value)
        } else {
          words.append(name)
        }
      default: break
      }
    }
    return members
  }
}

extension Text {
  /// The name without that of the table that every theme of base46 fills.
  fileprivate var afterTable: Text { dropping(prefix: "M.") ?? self }
}
