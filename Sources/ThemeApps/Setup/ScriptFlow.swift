internal import ThemedSystem

/// Finds the lines of a script that never run.
///
/// It understands less of the language than the program does, and reports only what is certain: a line that runs under
/// a condition counts as running. If it cannot parse a part of the script, it reports no ``open``, and an ``end`` only
/// above that part. If something is closed that was not opened, it has misread the script and reports neither.
struct ScriptFlow {
  /// The language of a script.
  enum Language {
    case shell, zsh, fish, vim, lua, lisp

    /// The language of a file with this path; nil if the file is not a script, or its language is unknown.
    init?(of path: Text) {
      let name = path.splitAtLast("/")?.behind ?? path
      if [".bashrc", ".bash_profile", ".profile"].contains(name) || [".sh", ".bash"].contains(where: name.hasSuffix) {
        self = .shell
      } else if [".zshrc", ".zshenv", ".zprofile", ".zlogin"].contains(name) || name.hasSuffix(".zsh") {
        self = .zsh
      } else if name.hasSuffix(".fish") {
        self = .fish
      } else if [".vimrc", "vimrc", "_vimrc"].contains(name) || name.hasSuffix(".vim") {
        self = .vim
      } else if name.hasSuffix(".lua") {
        self = .lua
      } else if name == ".emacs" || name.hasSuffix(".el") {
        self = .lisp
      } else {
        return nil
      }
    }
  }

  /// A place in the script.
  struct Place: Equatable {
    /// The index of its line.
    let line: Int
    /// The index of the line above which a statement can be inserted so that it runs before this place.
    var above: Int
  }

  /// The first statement that ends the script unconditionally: no line below it runs.
  private(set) var end: Place?
  /// The first statement, string or here-document that is never closed, so that it contains all lines below.
  private(set) var open: Place?
  /// The lines that begin within a string, a comment or a here-document.
  private(set) var quoted: [Range<Int>] = []
  /// Whether each line is in ``quoted``, because scripts may have many strings.
  private var isQuoted: [Bool]

  /// - Parameter maySeeOpen: Whether to report that part of the script is never closed.
  init(_ file: [UInt8], _ lines: [FileLines.Line], _ language: Language, maySeeOpen: Bool = true) {
    var reader = ScriptReader(file: file, starts: lines.map(\.range.lowerBound))
    switch language {
    case .shell: reader.readShell()
    case .zsh: reader.readShell(isZsh: true)
    case .fish: reader.readFish()
    case .vim: reader.readVim(lines)
    case .lua: reader.readLua()
    case .lisp: reader.readLisp()
    }
    quoted = reader.quoted
    isQuoted = Array(repeating: false, count: lines.count)
    for lines in quoted {
      for line in lines.clamped(to: isQuoted.indices) { isQuoted[line] = true }
    }
    // An end is valid even if the script below it could not be parsed.
    end = reader.end
    if reader.isSure, maySeeOpen { open = reader.open }
  }

  /// Whether a line runs; true if that is uncertain.
  func runs(_ line: Int) -> Bool {
    if let end, line >= end.above { return false }
    if let open, line > open.line { return false }
    return !isQuoted.indices.contains(line) || !isQuoted[line]
  }
}

/// Reads a script from the first byte to the last.
private struct ScriptReader {
  /// A bracket or compound statement that is not closed yet.
  struct Frame {
    let word: Text
    let line: Int
    /// Whether it has to be closed; the short forms of loops in zsh do not.
    var needsEnd = true
  }

  let file: [UInt8]
  /// The offset at which each line begins.
  let starts: [Int]
  var end: ScriptFlow.Place?
  var open: ScriptFlow.Place?
  var quoted: [Range<Int>] = []
  var isSure = true

  private var at = 0
  private var frames: [Frame] = []
  /// The index of the last line so far at whose beginning a top-level statement can be inserted.
  private var above = 0

  init(file: [UInt8], starts: [Int]) {
    (self.file, self.starts) = (file, starts)
    at = starts.first ?? 0
  }

  // MARK: Bytes

  private var isAtEnd: Bool { at >= file.count }
  private var byte: UInt8 { at < file.count ? file[at] : 0 }
  private func isAt(_ text: StaticString) -> Bool { file[min(at, file.count)...].starts(with: "\(text)".utf8) }
  private func isOne(of bytes: StaticString) -> Bool { !isAtEnd && "\(bytes)".utf8.contains(byte) }

  private func line(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  private mutating func skipLine() { at = file[min(at, file.count)...].firstIndex(of: 0x0A) ?? file.count }

  /// Records that the text that begins at `start` is never closed, and goes to the end of the file.
  private mutating func leaveOpen(from start: Int) {
    if open == nil { open = ScriptFlow.Place(line: line(of: start), above: above) }
    at = file.count
  }

  /// Records that the lines after `start`, up to here, begin within a string, a comment or brackets.
  private mutating func quote(from start: Int) {
    let (first, last) = (line(of: start) + 1, line(of: min(at, max(0, file.count - 1))) + 1)
    if first < last { quoted.append(first..<last) }
  }

  /// Skips a string that begins here.
  private mutating func skipString(escape: UInt8?, expands: Bool = false) {
    let (start, quote) = (at, byte)
    at += 1
    while !isAtEnd, byte != quote {
      if byte == escape {
        at += 2
      } else if expands, isAt("$(") || byte == UInt8(ascii: "`") {
        skipExpansion()
      } else {
        at += 1
      }
    }
    guard !isAtEnd else { return leaveOpen(from: start) }
    self.quote(from: start)
    at += 1
  }

  // MARK: Frames

  private mutating func push(_ word: Text, needsEnd: Bool = true) {
    frames.append(Frame(word: word, line: line(of: at), needsEnd: needsEnd))
  }

  /// Closes the innermost frame of these words; those inside it that need no end are closed as well.
  private mutating func pop(_ words: [Text]) {
    while let last = frames.last, !words.contains(last.word), !last.needsEnd { frames.removeLast() }
    guard let last = frames.last, words.contains(last.word) else { return loseWay() }
    frames.removeLast()
  }

  /// Records that something is closed that was not opened: what looked like the script's top level may be a function.
  private mutating func loseWay() {
    isSure = false
    end = nil
  }

  private mutating func close() {
    guard let first = frames.first(where: \.needsEnd), open == nil else { return }
    open = ScriptFlow.Place(line: first.line, above: min(above, first.line))
  }

  private mutating func noteEnd(at offset: Int) {
    guard isSure, end == nil, frames.isEmpty else { return }
    let line = line(of: offset)
    end = ScriptFlow.Place(line: line, above: min(above, line))
  }

  // MARK: Shell

  /// Skips `$(…)`, `${…}`, `$((…))` or backquotes that begin here.
  private mutating func skipExpansion() {
    let start = at
    if byte == UInt8(ascii: "`") { return skipString(escape: UInt8(ascii: "\\")) }
    at += 1
    guard isOne(of: "({") else { return }
    skipBrackets(from: start)
  }

  /// How deep brackets and strings may be nested, since each level takes some of the stack.
  private static let maximumDepth = 200
  private var depth = 0

  /// Whether brackets may be nested deeper; if not, goes to the end of the file.
  private mutating func mayGoDeeper() -> Bool {
    if depth < Self.maximumDepth { return true }
    isSure = false
    at = file.count
    return false
  }

  /// Skips brackets that begin here, with the strings in them.
  private mutating func skipBrackets(from start: Int) {
    guard mayGoDeeper() else { return }
    depth += 1
    defer { depth -= 1 }
    let isName = byte == UInt8(ascii: "{")
    let isCode = !isName && !isAt("((")
    var open = 0
    while !isAtEnd {
      // In a zsh pattern, `(#b)` is not a comment.
      let isWordStart = at > 0 && " \t\n;".utf8.contains(file[at - 1])
      switch byte {
      case UInt8(ascii: "(") where !isName: open += 1
      case UInt8(ascii: ")") where !isName: open -= 1
      // Another brace inside is part of a pattern.
      case UInt8(ascii: "{") where isName: open = 1
      case UInt8(ascii: "}") where isName: open = 0
      case UInt8(ascii: "\\"): at += 1
      case UInt8(ascii: "'") where isName:
        // It may be a quote, or an apostrophe in a message.
        let rest = file[(at + 1)...].prefix { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "}") && $0 != 0x0A }
        if rest.endIndex < file.count, file[rest.endIndex] == UInt8(ascii: "'") {
          at = rest.endIndex
        } else {
          isSure = false
        }
      case UInt8(ascii: "'"):
        skipString(escape: at > 0 && file[at - 1] == UInt8(ascii: "$") ? UInt8(ascii: "\\") : nil)
        continue
      case UInt8(ascii: "\""):
        skipString(escape: UInt8(ascii: "\\"), expands: true)
        continue
      case UInt8(ascii: "`"):
        skipExpansion()
        continue
      case UInt8(ascii: "$") where isAt("$(") || isAt("${"):
        skipExpansion()
        continue
      case UInt8(ascii: "#") where isCode && isWordStart:
        skipLine()
        continue
      case UInt8(ascii: "c") where isCode && isWordStart && (isAt("case ") || isAt("case\t")): isSure = false
      case UInt8(ascii: "<") where isCode && isAt("<<") && !isAt("<<<"): isSure = false
      default: break
      }
      at += 1
      if open == 0 { return quote(from: start) }
    }
    leaveOpen(from: start)
  }

  private struct HereDocument {
    let start: Int
    let delimiter: [UInt8]
    let isIndented: Bool
  }

  /// The state of the command that is being read.
  private struct Command {
    /// Whether the next word is the command's name, or a word of the language.
    var isBeginning = true
    /// Whether it runs only if another one succeeded or failed, or in a process of its own.
    var isConditional = false
    /// The offset of `exit`, `return`, or `exec` with a program, and whether it certainly ends the script.
    var ends: (at: Int, isCertain: Bool)?
    var isExec = false
    /// Whether the next word is the target of a redirection.
    var isRedirection = false
    var isTest = false
  }

  mutating func readShell(isZsh: Bool = false) {
    self.isZsh = isZsh
    var command = Command()
    var documents: [HereDocument] = []
    while !isAtEnd, isSure {
      if byte == 0x20 || byte == 0x09 || byte == 0x0D {
        at += 1
      } else if isAt("\\\n") || isAt("\\\r\n") {
        at += 2
      } else if byte == UInt8(ascii: "#"), !command.isTest {
        skipLine()
      } else if byte == 0x0A {
        at += 1
        for document in documents { skip(document) }
        documents = []
        if command.isTest { continue }
        let goesOn = command.isBeginning && command.isConditional
        finish(&command)
        command = Command(isConditional: goesOn)
        if frames.isEmpty, !goesOn, !isAtEnd { above = line(of: at) }
      } else if inPattern {
        readPattern()
        command = Command()
      } else if command.isTest {
        let start = at
        skipShellWord()
        if file[start..<min(at, file.count)].elementsEqual("]]".utf8) { command.isTest = false }
        if at == start { at += 1 }
      } else if isOne(of: ";&|") {
        readOperator(&command)
      } else if isAt("<<<") {
        at += 3
        command.isRedirection = true
      } else if isAt("<<") {
        documents.append(readHereDocument())
      } else if isAt("<(") || isAt(">(") {
        let start = at
        at += 1
        skipBrackets(from: start)
        command.isBeginning = false
      } else if isOne(of: "<>") {
        at += 1
        while isOne(of: "<>&|!") { at += 1 }
        command.isRedirection = true
      } else if isAt("()") {
        at += 2
        command = Command()
      } else if byte == UInt8(ascii: "(") {
        if isAt("((") || !command.isBeginning {
          skipBrackets(from: at)
          command.isBeginning = false
        } else {
          push("(")
          at += 1
        }
      } else if byte == UInt8(ascii: ")") {
        finish(&command)
        pop(["("])
        at += 1
        command = Command(isBeginning: false)
      } else {
        readShellWord(&command)
      }
    }
    finish(&command)
    for document in documents where isSure { leaveOpen(from: document.start) }
    close()
  }

  /// Whether the next text is a pattern of `case`.
  private var inPattern: Bool { frames.last?.word == "case in" }

  private mutating func readPattern() {
    if isOne(of: "(") { at += 1 }
    let start = at
    while !isAtEnd, byte != UInt8(ascii: ")"), byte != 0x0A {
      if byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "|") {
        at += 1
      } else {
        let before = at
        skipShellWord()
        if at == before { at += 1 }
      }
      if file[start..<min(at, file.count)].elementsEqual("esac".utf8) {
        frames.removeLast()
        return pop(["case"])
      }
    }
    guard byte == UInt8(ascii: ")") else { return isSure = isAtEnd }
    at += 1
    frames.removeLast()
  }

  private mutating func readOperator(_ command: inout Command) {
    let isConjunction = isAt("&&") || isAt("||")
    if isAt("&>") {
      at += 2
      command.isRedirection = true
      return
    }
    if isAt(";;") || isAt(";&") || isAt(";|") {
      at += 2
      if isOne(of: "&|") { at += 1 }
      finish(&command)
      if frames.last?.word == "case" { push("case in") } else { isSure = false }
      command = Command()
      return
    }
    let isPipe = byte == UInt8(ascii: "|") && !isConjunction || byte == UInt8(ascii: "&") && !isConjunction
    if isPipe { command.ends = nil }
    let goesOn = isConjunction || byte == UInt8(ascii: "|")
    finish(&command)
    at += isConjunction || isAt("|&") ? 2 : 1
    command = Command(isConditional: goesOn)
  }

  /// Finishes a command, and records whether it ends the script.
  private mutating func finish(_ command: inout Command) {
    if let ends = command.ends, ends.isCertain, !command.isConditional { noteEnd(at: ends.at) }
    command.ends = nil
  }

  private mutating func readHereDocument() -> HereDocument {
    let start = at
    at += 2
    let isIndented = byte == UInt8(ascii: "-")
    if isIndented { at += 1 }
    while isOne(of: " \t") { at += 1 }
    let word = at
    skipShellWord()
    let delimiter = file[word..<min(at, file.count)].filter { !"'\"\\".utf8.contains($0) }
    if delimiter.isEmpty { isSure = false }
    return HereDocument(start: start, delimiter: delimiter, isIndented: isIndented)
  }

  private mutating func skip(_ document: HereDocument) {
    let start = at
    while !isAtEnd {
      let lineStart = at
      skipLine()
      var content = file[lineStart..<at]
      if content.last == 0x0D { content.removeLast() }
      if document.isIndented { content = content.drop { $0 == 0x09 } }
      at = min(at + 1, file.count)
      if content.elementsEqual(document.delimiter) {
        let (first, last) = (line(of: start), line(of: lineStart))
        if first < last { quoted.append(first..<last) }
        return
      }
    }
    leaveOpen(from: document.start)
  }

  /// Skips a word, with the strings and expansions in it.
  private mutating func skipShellWord() {
    while !isAtEnd, !" \t\n;&|<>)".utf8.contains(byte) {
      switch byte {
      case UInt8(ascii: "\\"): at += 2
      case UInt8(ascii: "'"):
        skipString(escape: at > 0 && file[at - 1] == UInt8(ascii: "$") ? UInt8(ascii: "\\") : nil)
      case UInt8(ascii: "\""): skipString(escape: UInt8(ascii: "\\"), expands: true)
      case UInt8(ascii: "`"): skipExpansion()
      case UInt8(ascii: "$") where isAt("$(") || isAt("${"): skipExpansion()
      case UInt8(ascii: "$") where isAt("$["):
        // An old form of arithmetic, in which `<<` does not begin a here-document.
        isSure = false
        return
      case UInt8(ascii: "$"): at += isAt("$#") ? 2 : 1
      case UInt8(ascii: "("):
        if isAt("()") { return }
        skipBrackets(from: at)
      default: at += 1
      }
    }
  }

  private mutating func readShellWord(_ command: inout Command) {
    let start = at
    skipShellWord()
    guard at > start else { return at += 1 }
    let word = file[start..<min(at, file.count)]
    let text = Text(decoding: word.prefix(64))
    if isAt("()") {
      at += 2
      command = Command()
      return
    }
    if command.isRedirection {
      command.isRedirection = false
      return
    }
    if isOne(of: "<>"), word.allSatisfy({ $0.isDigit }) || text.hasPrefix("{") && text.hasSuffix("}") { return }
    guard command.isBeginning else {
      if command.isExec, !text.hasPrefix("-"), command.ends == nil { command.ends = (start, true) }
      // zsh closes a brace at any word; others only where a command begins.
      if text == "}", frames.last?.word == "{" {
        if isZsh { close(["{"], &command) } else { frames[frames.count - 1].needsEnd = false }
      }
      if frames.last?.word == "case", text == "in", !frames.isEmpty, caseAwaitsPattern {
        caseAwaitsPattern = false
        push("case in")
      }
      return
    }
    let place = ScriptFlow.Place(line: line(of: start), above: above)
    switch text {
    case "if": frames.append(Frame(word: "if", line: place.line, needsEnd: false))
    case "then", "do":
      if let last = frames.indices.last, ["if", "loop"].contains(frames[last].word) { frames[last].needsEnd = true }
      command = Command()
    case "elif", "else", "!", "time": command.isConditional = true
    case "fi": close(["if"], &command)
    case "for", "select", "foreach", "repeat":
      frames.append(Frame(word: "loop", line: place.line, needsEnd: false))
      command.isBeginning = false
    case "while", "until": frames.append(Frame(word: "loop", line: place.line, needsEnd: false))
    case "done", "end": close(["loop"], &command)
    case "case":
      frames.append(Frame(word: "case", line: place.line))
      caseAwaitsPattern = true
      command.isBeginning = false
    case "esac": close(["case"], &command)
    case "{": frames.append(Frame(word: "{", line: place.line))
    case "}": close(["{"], &command)
    case "[[":
      command.isTest = true
      command.isBeginning = false
    case "function":
      while isOne(of: " \t") { at += 1 }
      skipShellWord()
      while isOne(of: " \t") { at += 1 }
      if isAt("()") { at += 2 }
    case "exit", "return", "logout":
      command.ends = (start, true)
      command.isBeginning = false
    case "exec":
      command.isExec = true
      command.isBeginning = false
    default:
      // After an assignment, the command's name may follow.
      let name = word.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
      let isAssignment = !name.isEmpty && name.endIndex < word.endIndex && word[name.endIndex] == UInt8(ascii: "=")
      if !isAssignment { command.isBeginning = false }
    }
  }

  private var isZsh = false
  /// Whether `case` was read, but not yet its `in`.
  private var caseAwaitsPattern = false

  private mutating func close(_ words: [Text], _ command: inout Command) {
    pop(words)
    command = Command(isBeginning: false)
  }

  // MARK: fish

  mutating func readFish() {
    var (isBeginning, isConditional, isPlain) = (true, false, true)
    /// A word that ends the script, and whether it does so only with an argument.
    var ending: (at: Int, needsMore: Bool)?
    func isEnding() -> Bool { ending.map { !$0.needsMore } ?? false && !isConditional }
    while !isAtEnd, isSure {
      switch byte {
      case 0x20, 0x09, 0x0D: at += 1
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "\\") where isAt("\\\n"): at += 2
      case UInt8(ascii: "|"), UInt8(ascii: "&"):
        let isConjunction = isAt("&&") || isAt("||")
        if isConjunction, isEnding(), let ending { noteEnd(at: ending.at) }
        (ending, isBeginning, isConditional, isPlain) = (nil, true, isConjunction || byte == UInt8(ascii: "|"), true)
        at += isConjunction ? 2 : 1
      case 0x0A, UInt8(ascii: ";"):
        if isEnding(), let ending { noteEnd(at: ending.at) }
        if !(isBeginning && isConditional && isPlain && byte == 0x0A) { isConditional = false }
        (ending, isBeginning, isPlain) = (nil, true, true)
        let isNewLine = byte == 0x0A
        at += 1
        if isNewLine, frames.isEmpty, !isConditional, !isAtEnd { above = line(of: at) }
      case UInt8(ascii: "<"), UInt8(ascii: ">"):
        at += 1
        while isOne(of: "&<>? \t") { at += 1 }
        skipFishWord()
      default:
        let start = at
        skipFishWord()
        guard at > start else {
          isSure = false
          break
        }
        let word = Text(decoding: file[start..<min(at, file.count)].prefix(64))
        guard isBeginning else {
          let isDescriptor = isOne(of: "<>") && word.utf8.allSatisfy(\.isDigit)
          if let first = ending, first.needsMore, !word.hasPrefix("-"), !isDescriptor { ending = (first.at, false) }
          continue
        }
        isBeginning = false
        switch word {
        case "and", "or":
          (isBeginning, isConditional) = (true, true)
          isPlain = false
        case "not", "!", "time": (isBeginning, isPlain) = (true, false)
        case "if", "while":
          frames.append(Frame(word: "end", line: line(of: start)))
          isBeginning = true
        case "begin":
          frames.append(Frame(word: "end", line: line(of: start)))
          isBeginning = true
        case "for", "function", "switch": frames.append(Frame(word: "end", line: line(of: start)))
        case "else":
          while isOne(of: " \t") { at += 1 }
          if isAt("if ") { at += 2 }
          isBeginning = true
        case "end": pop(["end"])
        case "exit", "return": ending = (start, false)
        case "exec": ending = (start, true)
        default: break
        }
      }
    }
    if isEnding(), let ending { noteEnd(at: ending.at) }
    close()
  }

  private mutating func skipFishWord() {
    while !isAtEnd, !" \t\r\n;&|<>".utf8.contains(byte) {
      switch byte {
      case UInt8(ascii: "\\"): at += 2
      case UInt8(ascii: "'"): skipString(escape: UInt8(ascii: "\\"))
      case UInt8(ascii: "\""): skipFishString()
      case UInt8(ascii: "("), UInt8(ascii: "{"): skipFishBrackets()
      case UInt8(ascii: ")"): return isSure = false
      default: at += 1
      }
    }
  }

  private mutating func skipFishString() {
    let start = at
    at += 1
    while !isAtEnd, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        at += 2
      } else if isAt("$(") {
        at += 1
        skipFishBrackets()
      } else {
        at += 1
      }
    }
    guard !isAtEnd else { return leaveOpen(from: start) }
    quote(from: start)
    at += 1
  }

  private mutating func skipFishBrackets() {
    guard mayGoDeeper() else { return }
    depth += 1
    defer { depth -= 1 }
    let start = at
    let last = byte == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
    at += 1
    while !isAtEnd, byte != last {
      switch byte {
      case UInt8(ascii: "\\"): at += 2
      case UInt8(ascii: "'"): skipString(escape: UInt8(ascii: "\\"))
      case UInt8(ascii: "\""): skipFishString()
      case UInt8(ascii: "("), UInt8(ascii: "{"): skipFishBrackets()
      case UInt8(ascii: "#") where at > 0 && " \t\n;(".utf8.contains(file[at - 1]): skipLine()
      default: at += 1
      }
    }
    guard !isAtEnd else { return leaveOpen(from: start) }
    quote(from: start)
    at += 1
  }

  // MARK: Vim

  mutating func readVim(_ lines: [FileLines.Line]) {
    var (conditions, functions) = (0, [Int]())
    var index = 0
    while index < lines.count {
      let first = index
      index += 1
      let text = lines[first].text
      // Continued lines, comments and empty lines contain no command.
      if text.hasPrefix("\\") || text.hasPrefix("\"") || text.isEmpty { continue }
      if let marker = text.hereMarker {
        guard let last = lines[index...].firstIndex(where: { $0.text == marker }) else {
          return open = ScriptFlow.Place(line: first, above: first)
        }
        if index < last { quoted.append(index..<last) }
        index = last + 1
        continue
      }
      for (position, word) in text.vimCommands.enumerated() {
        if position == 0, word.isVim("function", atLeast: 2) || word == "def", text.contains("(") {
          functions.append(first)
        } else if word.isVim("endfunction", atLeast: 4) || word.isVim("enddef", atLeast: 6) {
          guard functions.popLast() != nil else { return }
        } else if ["if", "try"].contains(word) || word.isVim("while", atLeast: 2) || word == "for" {
          conditions += 1
        } else if word.isVim("endif", atLeast: 2) || word.isVim("endtry", atLeast: 4)
          || word.isVim("endwhile", atLeast: 4) || word.isVim("endfor", atLeast: 5)
        {
          conditions -= 1
          if conditions < 0 { return loseWay() }
        } else if word.isVim("finish", atLeast: 4), conditions == 0, functions.isEmpty, end == nil {
          end = ScriptFlow.Place(line: first, above: first)
        }
      }
    }
    if let function = functions.first { open = ScriptFlow.Place(line: function, above: function) }
  }

  // MARK: Lua

  mutating func readLua() {
    while !isAtEnd, isSure {
      if byte == 0x0A {
        at += 1
        if frames.isEmpty, !isAtEnd { above = line(of: at) }
      } else if isAt("--") {
        at += 2
        if let level = longBracket { skipLong(level, from: at - 2) } else { skipLine() }
      } else if let level = longBracket {
        skipLong(level, from: at)
      } else if isOne(of: "\"'") {
        skipString(escape: UInt8(ascii: "\\"))
      } else if isOne(of: "({[") {
        frames.append(Frame(word: "(", line: line(of: at)))
        at += 1
      } else if isOne(of: ")}]") {
        pop(["("])
        at += 1
      } else if byte.isLetterOrDigit || byte == UInt8(ascii: "_") {
        readLuaWord()
      } else {
        at += 1
      }
    }
    close()
  }

  private mutating func readLuaWord() {
    let start = at
    while !isAtEnd, byte.isLetterOrDigit || byte == UInt8(ascii: "_") { at += 1 }
    // `x.end` is a name.
    if start > 0, ".:".utf8.contains(file[start - 1]), !(start > 1 && file[start - 2] == UInt8(ascii: ".")) { return }
    let word = Text(decoding: file[start..<at].prefix(16))
    switch word {
    case "function", "if": frames.append(Frame(word: "end", line: line(of: start)))
    case "while", "for": frames.append(Frame(word: word, line: line(of: start)))
    case "do":
      if let last = frames.last, ["while", "for"].contains(last.word) {
        frames[frames.count - 1] = Frame(word: "end", line: last.line)
      } else {
        frames.append(Frame(word: "do", line: line(of: start)))
      }
    case "repeat": frames.append(Frame(word: "repeat", line: line(of: start)))
    case "end": pop(["end", "do"])
    case "until": pop(["repeat"])
    case "return" where end == nil && frames.allSatisfy({ $0.word == "do" }):
      // A `return` in a `do` block ends the script as well.
      let line = line(of: start)
      end = ScriptFlow.Place(line: line, above: min(above, line))
    default: break
    }
  }

  /// The number of equals signs in a long bracket that opens here; nil if no long bracket opens here.
  private var longBracket: Int? {
    guard byte == UInt8(ascii: "[") else { return nil }
    let level = file[(at + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
    return at + 1 + level < file.count && file[at + 1 + level] == UInt8(ascii: "[") ? level : nil
  }

  private mutating func skipLong(_ level: Int, from start: Int) {
    let close = [UInt8(ascii: "]")] + [UInt8](repeating: UInt8(ascii: "="), count: level) + [UInt8(ascii: "]")]
    at += level + 2
    while !isAtEnd, !file[at...].starts(with: close) { at += 1 }
    guard !isAtEnd else { return leaveOpen(from: start) }
    quote(from: start)
    at += close.count
  }

  // MARK: Lisp

  mutating func readLisp() {
    while !isAtEnd, isSure {
      switch byte {
      case UInt8(ascii: ";"): skipLine()
      case UInt8(ascii: "\""): skipString(escape: UInt8(ascii: "\\"))
      case UInt8(ascii: "\\"): at += 2
      case UInt8(ascii: "?") where at == 0 || " \t\n('`,[".utf8.contains(file[at - 1]):
        at += 1
        // In `?\C-\(` each backslash belongs to the character after it, and `\C-` to the one after that.
        var isModified = false
        while byte == UInt8(ascii: "\\") {
          at += 1
          isModified = isOne(of: "MCSHAs") && at + 1 < file.count && file[at + 1] == UInt8(ascii: "-")
          at += isModified ? 2 : 1
        }
        if !isAtEnd, isModified || file[at - 1] == UInt8(ascii: "?") { at += 1 }
      case UInt8(ascii: "("):
        frames.append(Frame(word: "(", line: line(of: at)))
        at += 1
      case UInt8(ascii: ")"):
        pop(["("])
        at += 1
      default: at += 1
      }
    }
    close()
  }
}

extension Text {
  /// The marker at the end of the text that a Vim command such as `lua << EOF` begins; nil if this is another command.
  fileprivate var hereMarker: Text? {
    let words = split(" ", omittingEmpty: true)
    guard let sign = words.firstIndex(where: { $0.hasPrefix("<<") || $0.hasPrefix("=<<") }), sign > 0 else {
      return nil
    }
    // Before it, there may be modifiers, such as `silent!`.
    let isLet = words[sign].hasPrefix("=<<")
    let command = words[isLet ? 0 : sign - 1].dropping(prefix: ":") ?? words[isLet ? 0 : sign - 1]
    let languages: [Text] = [
      "lua", "python", "py", "python3", "py3", "pythonx", "pyx", "ruby", "perl", "tcl", "mzscheme",
    ]
    guard
      isLet ? ["let", "const", "var", "final"].contains(command) : languages.contains(command)
    else { return nil }
    let rest = (words[sign].dropping(prefix: "=<<") ?? words[sign].dropping(prefix: "<<") ?? "")
    let names = ([rest] + words[(sign + 1)...]).filter { !$0.isEmpty && $0 != "trim" && $0 != "eval" }
    return names.first ?? "."
  }

  /// The names of the commands in a line of Vim script: one, unless control flow such as `if` comes before a `|`.
  fileprivate var vimCommands: [Text] {
    var names: [Text] = []
    let parts = split("|")
    for part in parts {
      var part = Text(decoding: Array(part.utf8)[...].trimmed)
      while let rest = part.dropping(prefix: ":") { part = Text(decoding: Array(rest.utf8)[...].trimmed) }
      let name = Text(decoding: part.utf8.prefix { $0.isLetterOrDigit })
      // In Vim 9 script, `finish:` is the key of a dictionary.
      guard part.dropping(prefix: name)?.hasPrefix(":") != true else { break }
      names.append(name)
      // After any other command, `|` may be part of its argument.
      let flows: [Text] = ["if", "else", "elseif", "for", "while", "try", "catch", "finally"]
      guard flows.contains(name) || name.isVim("endif", atLeast: 2) || name.isVim("endtry", atLeast: 4) else { break }
    }
    // A whole `if … | endif` on one line.
    if names.count < parts.count, let first = names.first, let last = parts.last {
      let name = Text(decoding: Array(last.utf8)[...].trimmed)
      let pairs: [(Text, Text)] = [("if", "endif"), ("try", "endtry"), ("for", "endfor"), ("while", "endwhile")]
      if pairs.contains(where: { $0 == (first, name) }) { names.append(name) }
    }
    return names
  }

  /// Whether this is the name of a Vim command, or an abbreviation of at least `count` letters.
  fileprivate func isVim(_ command: Text, atLeast count: Int) -> Bool {
    self.count >= count && command.hasPrefix(self)
  }
}
