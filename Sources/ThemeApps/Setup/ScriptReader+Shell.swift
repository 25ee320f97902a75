internal import ThemedSystem

/// The shells that read POSIX syntax, and zsh.
extension ScriptReader {
  /// Skips `$(…)`, `${…}`, `$((…))` or backquotes that begin here.
  mutating func skipExpansion() {
    let start = at
    if byte == UInt8(ascii: "`") { return skipString(escape: UInt8(ascii: "\\")) }
    at += 1
    guard isOne(of: "({") else { return }
    skipBrackets(from: start)
  }

  /// How deep brackets and strings may be nested, since each level takes some of the stack.
  static let maximumDepth = 200

  /// Whether brackets may be nested deeper; if not, goes to the end of the file.
  mutating func mayGoDeeper() -> Bool {
    if depth < Self.maximumDepth { return true }
    isSure = false
    at = file.count
    return false
  }

  /// Skips brackets that begin here, with the strings in them.
  mutating func skipBrackets(from start: Int) {
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

  struct HereDocument {
    let start: Int
    let delimiter: [UInt8]
    let isIndented: Bool
  }

  /// The state of the command that is being read.
  struct Command {
    /// Whether the next word is the command's name, or a word of the language.
    var isBeginning = true
    /// Whether it runs only if another one succeeded or failed, or in a process of its own.
    var isConditional = false
    /// The offset of `exit`, `return`, or `exec` with a program, and whether it certainly ends the script.
    var ends: (at: Int, isCertain: Bool)?
    var isExec = false
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

  var inPattern: Bool { frames.last?.word == "case in" }

  mutating func readPattern() {
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

  mutating func readOperator(_ command: inout Command) {
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
  mutating func finish(_ command: inout Command) {
    if let ends = command.ends, ends.isCertain, !command.isConditional { noteEnd(at: ends.at) }
    command.ends = nil
  }

  mutating func readHereDocument() -> HereDocument {
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

  mutating func skip(_ document: HereDocument) {
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

  mutating func skipShellWord() {
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

  mutating func readShellWord(_ command: inout Command) {
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

  mutating func close(_ words: [Text], _ command: inout Command) {
    pop(words)
    command = Command(isBeginning: false)
  }
}
