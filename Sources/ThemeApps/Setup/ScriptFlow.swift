internal import ThemedSystem

/// Finds the lines of a script that never run.
///
/// It understands less of the language than the program does, and reports only what is certain: a line that runs under
/// a condition counts as running. If it cannot parse a part of the script, it reports no ``open``, and an ``end`` only
/// above that part. If something is closed that was not opened, it has misread the script and reports neither.
struct ScriptFlow {
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
  var isQuoted: [Bool]

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
struct ScriptReader {
  struct Frame {
    let word: Text
    let line: Int
    /// Whether it has to be closed; the short forms of loops in zsh do not.
    var needsEnd = true
  }

  let file: [UInt8]
  let starts: [Int]
  var end: ScriptFlow.Place?
  var open: ScriptFlow.Place?
  var quoted: [Range<Int>] = []
  var isSure = true

  var at = 0
  var frames: [Frame] = []
  /// The index of the last line so far at whose beginning a top-level statement can be inserted.
  var above = 0

  /// How deep brackets and strings are nested here.
  var depth = 0
  var isZsh = false
  /// Whether `case` was read, but not yet its `in`.
  var caseAwaitsPattern = false

  init(file: [UInt8], starts: [Int]) {
    (self.file, self.starts) = (file, starts)
    at = starts.first ?? 0
  }

  // MARK: Bytes

  var isAtEnd: Bool { at >= file.count }
  var byte: UInt8 { at < file.count ? file[at] : 0 }
  func isAt(_ text: StaticString) -> Bool { file[min(at, file.count)...].starts(with: "\(text)".utf8) }
  func isOne(of bytes: StaticString) -> Bool { !isAtEnd && "\(bytes)".utf8.contains(byte) }

  func line(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  mutating func skipLine() { at = file[min(at, file.count)...].firstIndex(of: 0x0A) ?? file.count }

  /// Records that the text that begins at `start` is never closed, and goes to the end of the file.
  mutating func leaveOpen(from start: Int) {
    if open == nil { open = ScriptFlow.Place(line: line(of: start), above: above) }
    at = file.count
  }

  /// Records that the lines after `start`, up to here, begin within a string, a comment or brackets.
  mutating func quote(from start: Int) {
    let (first, last) = (line(of: start) + 1, line(of: min(at, max(0, file.count - 1))) + 1)
    if first < last { quoted.append(first..<last) }
  }

  mutating func skipString(escape: UInt8?, expands: Bool = false) {
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

  mutating func push(_ word: Text, needsEnd: Bool = true) {
    frames.append(Frame(word: word, line: line(of: at), needsEnd: needsEnd))
  }

  /// Closes the innermost frame of these words; those inside it that need no end are closed as well.
  mutating func pop(_ words: [Text]) {
    while let last = frames.last, !words.contains(last.word), !last.needsEnd { frames.removeLast() }
    guard let last = frames.last, words.contains(last.word) else { return loseWay() }
    frames.removeLast()
  }

  /// Records that something is closed that was not opened: what looked like the script's top level may be a function.
  mutating func loseWay() {
    isSure = false
    end = nil
  }

  mutating func close() {
    guard let first = frames.first(where: \.needsEnd), open == nil else { return }
    open = ScriptFlow.Place(line: first.line, above: min(above, first.line))
  }

  mutating func noteEnd(at offset: Int) {
    guard isSure, end == nil, frames.isEmpty else { return }
    let line = line(of: offset)
    end = ScriptFlow.Place(line: line, above: min(above, line))
  }
}
