internal import ThemedSystem

extension ScriptReader {
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
          (isBeginning, isConditional, isPlain) = (true, true, false)
        case "not", "!", "time": (isBeginning, isPlain) = (true, false)
        case "if", "while", "begin":
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

  mutating func skipFishWord() {
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

  mutating func skipFishString() {
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

  mutating func skipFishBrackets() {
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
}
