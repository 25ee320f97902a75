internal import ThemedSystem

/// The languages of Vim, Neovim and Emacs.
extension ScriptReader {
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

  mutating func readLuaWord() {
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
  var longBracket: Int? {
    guard byte == UInt8(ascii: "[") else { return nil }
    let level = file[(at + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
    return at + 1 + level < file.count && file[at + 1 + level] == UInt8(ascii: "[") ? level : nil
  }

  mutating func skipLong(_ level: Int, from start: Int) {
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
