package import ThemedSystem

/// The lines that an app needs in a file of the user's, between two comments.
///
/// Removing them restores the file byte for byte.
///
/// If the user's own lines conflict with them, those become comments in place, also between two comments. The first
/// comment of each pair says what begins there. The last one has a checksum of the lines between them, so that later
/// changes by the user are not lost.
package struct SetupBlock: Sendable, Hashable {
  /// The content of a file without the block.
  package enum Removal: Sendable, Hashable {
    case bytes([UInt8])
    case noFile
    /// Blocks begin at these lines, but the lines of each were changed, or its last comment is missing.
    case changed(lines: [Int])
    /// The block ends at this line, but its first comment is missing and its beginning is unknown.
    case beginningGone(line: Int)
  }

  /// A line of the user's, such as one that the block replaces.
  package struct ReplacedLine: Sendable, Hashable {
    /// Its number, from 1.
    package let number: Int
    /// The line, without blanks around it.
    package let text: Text
  }

  /// The statement because of which a script never runs the app's line.
  package struct Barrier: Sendable, Hashable {
    /// The number of the statement's line, from 1.
    package let line: Int
    /// That line, without blanks around it.
    package let text: Text
    package let reason: Reason

    package enum Reason: Sendable, Hashable {
      case ends
      case isOpen
      /// A string, comment or here-document begins at the statement and contains the app's line.
      case quotes
    }
  }

  /// The line of a file because of which the block cannot be written.
  package struct Rival: Sendable, Hashable {
    /// The number of the line, from 1.
    package let line: Int
    package let reason: Reason

    package enum Reason: Sendable, Hashable {
      /// The line has to stay the first line of the file, where the block belongs.
      case isFirst
      /// The line cannot be parsed, so the meaning of the lines below it is unknown as well.
      case unclear
      /// The line sets more than the block replaces.
      case givesMore
      /// A statement, string or here-document begins at the line and is never closed, so it would contain the block.
      case isOpen
    }
  }

  let setup: App.Setup
  let subject: Text
  let form: Statements.Form
  /// Whether to report that part of a script is never closed; false if the shell itself has parsed the script.
  package var maySeeOpen = true

  package init(app: Text, _ setup: App.Setup) {
    self.setup = setup
    subject = setup.name.isEmpty ? app : "\(app) \(setup.name)"
    form = Statements.Form(of: setup.files.first?.written ?? "")
  }

  // MARK: Finding the lines

  /// Whether the file already has the lines, or equivalent ones, in the block or where the user has put them, and no
  /// line there conflicts with them.
  ///
  /// For a key that may occur only once, it is enough if its value is the same, or a list that contains the same.
  ///
  /// - Parameter isStrict: Whether the block for an older version of the program does not count.
  package func stands(in file: [UInt8], isStrict: Bool = false) -> Bool {
    let lines = FileLines(file).all
    // In Vim9's language, the comments of earlier versions begin a string.
    if setup.comment == .hash, form == .lines, lines.contains(where: { BlockMark($0.text)?.comment?.start == "\"" }) {
      return false
    }
    let conflicts = conflicts(in: file, lines).statements
    if setup.template != nil {
      let whole = ownBlocks(in: file, lines).filter { $0.intact != nil }.count
      return conflicts.isEmpty && whole == max(1, setup.place == .blockEnd ? blockEnds(in: file, lines).count : 1)
    }
    let given = setup.given
    func holdsGiven(_ statement: Statements.Statement) -> Bool {
      guard let given else { return false }
      return statement.lines.contains { isActive(lines[$0]) && file[lines[$0].content].holds(given) }
    }
    // The user's line below ours would win.
    guard conflicts.allSatisfy(holdsGiven) else { return false }
    if !conflicts.isEmpty { return true }
    let flow = flow(of: file, lines)
    let continued = continued(in: file, lines)
    let meant = lines.indices.filter { !continued.contains($0) && flow?.runs($0) ?? true }
    // Another group of the app may have written them for an older version of the program.
    let others =
      isStrict ? Statements.blocks(lines).filter { BlockMark(lines[$0.lowerBound].text)?.subject != subject } : []
    let isWritten = isWritten(
      in: Set(meant.map { lines[$0].text }),
      orEquivalentIn: Set(meant.filter { index in !others.contains { $0.contains(index) } }.map { lines[$0].text }))
    guard !isWritten, !setup.conflicts.isEmpty, let given else { return isWritten }
    return blocks(in: file, lines).contains { block in
      guard !block.isReplacement else { return false }
      return lines[block.inner].contains { file[$0.content].holds(given) }
    }
  }

  /// Whether these texts include the app's lines, or those texts the equivalent ones.
  private func isWritten(in texts: Set<Text>, orEquivalentIn others: Set<Text>) -> Bool {
    func holds(_ texts: Set<Text>, _ line: Text?) -> Bool {
      guard let line else { return false }
      return line.split("\n", omittingEmpty: true)
        .allSatisfy { texts.contains(Text(decoding: Array($0.utf8)[...].trimmed)) }
    }
    return holds(texts, setup.line) || holds(others, setup.otherLine)
  }

  // MARK: Scripts

  /// Which lines of a script run; nil if the file is not a script, or if the line is not written at its end.
  func flow(of file: [UInt8], _ lines: [FileLines.Line]) -> ScriptFlow? {
    guard setup.place == .end, let path = setup.files.first?.written else { return nil }
    return ScriptFlow.Language(of: path).map { ScriptFlow(file, lines, $0, maySeeOpen: maySeeOpen) }
  }

  /// The command with which a shell parses a script without running it, if part of the script seems to be never closed;
  /// nil if all of it is closed, or if no shell can check it.
  package func parser(of file: [UInt8]) -> [Text]? {
    let lines = FileLines(file).all
    // Shells only warn about a here-document that is never closed.
    guard let open = flow(of: file, lines)?.open, !lines[open.line].text.holds("<<"),
      let path = setup.files.first?.written
    else { return nil }
    switch ScriptFlow.Language(of: path) {
    case .shell: return ["bash", "--norc", "-n", path]
    case .zsh: return ["zsh", "-f", "-n", path]
    case .fish: return ["fish", "--no-config", "--no-execute", path]
    default: return nil
    }
  }

  /// The statement because of which a script never runs the line; nil if the line runs or is missing.
  package func barrier(in file: [UInt8]) -> Barrier? {
    let lines = FileLines(file).all
    let all = Set(lines.map(\.text))
    guard let flow = flow(of: file, lines), isWritten(in: all, orEquivalentIn: all), !stands(in: file) else {
      return nil
    }
    func barrier(_ line: Int, _ reason: Barrier.Reason) -> Barrier {
      Barrier(line: line + 1, text: lines[line].text, reason: reason)
    }
    let texts = Set([setup.line, setup.otherLine].compactMap(\.self).flatMap { $0.split("\n", omittingEmpty: true) })
    let first = lines.indices.first { texts.contains(lines[$0].text) && !flow.runs($0) } ?? lines.count
    if let text = flow.quoted.first(where: { $0.contains(first) }) {
      return barrier(max(0, text.lowerBound - 1), .quotes)
    }
    if let end = flow.end, first >= end.above { return barrier(end.line, .ends) }
    return flow.open.map { barrier($0.line, .isOpen) }
  }

  /// The statement that ends a script, above which the line is written; nil if the line is written at the end.
  package func end(of file: [UInt8]) -> Barrier? {
    let lines = FileLines(file).all
    return flow(of: file, lines)?.end.map { Barrier(line: $0.line + 1, text: lines[$0.line].text, reason: .ends) }
  }

  func isActive(_ line: FileLines.Line) -> Bool { !line.text.hasPrefix(setup.comment.start) }

  /// Whether lines of the user's are in the file as comments.
  package func hasReplacedLines(in file: [UInt8]) -> Bool {
    blocks(in: file, FileLines(file).all).contains(where: \.isReplacement)
  }

  /// The user's lines that would become comments, in order.
  package func replacedLines(in file: [UInt8]) -> [ReplacedLine] {
    let lines = FileLines(file).all
    return conflicts(in: file, lines).runs.flatMap { run in
      run.map { ReplacedLine(number: $0 + 1, text: lines[$0].text) }
    }
  }

  /// The header below which the block belongs; nil if it does not belong below one.
  package func header(in file: [UInt8]) -> ReplacedLine? {
    let lines = FileLines(file).all
    return conflicts(in: file, lines).table.map { table in
      ReplacedLine(number: table.lines.lowerBound + 1, text: lines[table.lines.lowerBound].text)
    }
  }

  /// The line because of which the block cannot be written; nil if it can be written.
  package func rival(in file: [UInt8]) -> Rival? {
    let lines = FileLines(file).all
    if let line = beginning(of: file, lines) { return Rival(line: line + 1, reason: .isFirst) }
    if let flow = flow(of: file, lines), let open = flow.open, flow.end.map({ open.line < $0.above }) ?? true {
      return Rival(line: open.line + 1, reason: .isOpen)
    }
    guard !setup.conflicts.isEmpty else { return nil }
    return conflicts(in: file, lines).rival
  }

  /// The first line of the YAML document, if the block belongs at the start of this file but that line must come first.
  func beginning(of file: [UInt8], _ lines: [FileLines.Line]) -> Int? {
    guard setup.place == .start, form == .yaml else { return nil }
    return lines.firstIndex { !$0.text.isEmpty && isActive($0) }
      .flatMap { file[lines[$0].content].beginsDocument ? $0 : nil }
  }

  // MARK: Inserting

  package func isMarked(in file: [UInt8]) -> Bool { !blocks(in: file, FileLines(file).all).isEmpty }

  package static func isAnyMarked(in file: [UInt8]) -> Bool {
    FileLines(file).all.contains { BlockMark($0.text)?.isBegin == true }
  }

  /// The subject of the block that is all of a file that did not exist before; nil if the file has anything else.
  package static func newFileOwner(of file: [UInt8]) -> Text? {
    let marks = FileLines(file).all.map { BlockMark($0.text) }
    guard let first = marks.first ?? nil, case .begin(.absent) = first.kind, let last = marks.last ?? nil,
      last.subject == first.subject, marks.count(where: { $0 != nil }) == 2
    else { return nil }
    return first.subject
  }

  /// Whether a block of this app is all of a file that did not exist before.
  package static func isNewFile(_ file: [UInt8], of app: Text) -> Bool {
    newFileOwner(of: file).map { $0 == app || $0.hasPrefix("\(app) ") } ?? false
  }

  /// Whether a file for Vim says at its beginning that it is in Vim9's language, perhaps below an `if` for other Vims.
  package static func isVim9Script(_ file: [UInt8]) -> Bool {
    let commands = FileLines(file).all.map(\.text).filter { !$0.isEmpty && !$0.hasPrefix("\"") && !$0.hasPrefix("#") }
    func name(_ line: Text) -> Text {
      line.split(" ", omittingEmpty: true).first.map { $0.dropping(prefix: ":") ?? $0 } ?? ""
    }
    let rest = commands.first.map(name) == "if" ? commands.drop { name($0) != "endif" }.dropFirst() : commands[...]
    guard let first = rest.first.map(name) else { return false }
    return first.hasPrefix("vim9s") && ("vim9script" as Text).hasPrefix(first)
  }

  /// Whether a file contains a block of this app, for any of its groups.
  package static func isMarked(in file: [UInt8], by app: Text) -> Bool {
    FileLines(file).all.contains { line in
      BlockMark(line.text).map { $0.subject == app || $0.subject.hasPrefix("\(app) ") } ?? false
    }
  }

  /// The text to write into a file: the line, with the elements of the user's list that it includes.
  package func written(into file: [UInt8]?) -> Text {
    let file = file ?? []
    return line(for: conflicts(in: file, FileLines(file).all), in: file)
  }

  /// A file with the block in its place, and conflicting lines turned into comments; nil stands for a missing file.
  ///
  /// - Parameter isNew: Whether the file does not exist and is created with this content.
  package func inserted(into file: [UInt8]?, isNew: Bool = false) -> [UInt8] {
    let old = file ?? []
    // Lines end as the file's lines do, except in languages such as the shell's, where a CR is part of the line.
    let isReturned = form != .lines && old.firstIndex(of: 0x0A).map { $0 > 0 && old[$0 - 1] == 0x0D } ?? false
    let end: [UInt8] = isReturned ? [0x0D, 0x0A] : [0x0A]
    let conflicts = conflicts(in: old, FileLines(old).all)
    let line = line(for: conflicts, in: old)
    let rest = replacing(conflicts.runs, in: old, end)
    let positions = positions(in: rest)
    let isUnended = positions == [rest.count] && !rest.isEmpty && rest.last != 0x0A
    let before: BlockMark.Before =
      file == nil ? .absent : isNew ? .created(sum: BlockMark.sum(of: old)) : isUnended ? .unended : .whole
    let inner = line.split("\n").map { Array($0.utf8)[...] }
    let begin = BlockMark(subject: subject, kind: .begin(before))
    let last = BlockMark(subject: subject, kind: .end(sum: BlockMark.sum(inner)))
    let lines = [Array(begin.line(setup.comment).utf8)[...]] + inner + [Array(last.line(setup.comment).utf8)[...]]
    let block = (isUnended ? end : []) + lines.flatMap { $0 + end }
    return positions.reversed().reduce(into: rest) { $0.insert(contentsOf: block, at: $1) }
  }

  /// The places for the block, in order: one, but for ``App/Setup/Place/blockEnd``.
  func positions(in file: [UInt8]) -> [Int] {
    let lines = FileLines(file).all
    if let table = conflicts(in: file, lines).table { return [lines[table.lines.lowerBound].range.upperBound] }
    let start = file.starts(with: FileLines.byteOrderMark) ? FileLines.byteOrderMark.count : 0
    switch setup.place {
    case .start: return [start]
    case .end: return [flow(of: file, lines)?.end.map { lines[$0.above].range.lowerBound } ?? file.count]
    case .beforeSections: return [firstSection(of: file, lines).map { lines[$0].range.lowerBound } ?? file.count]
    case .blockEnd: return blockEnds(in: file, lines).map { lines[$0].range.lowerBound }
    }
  }

  /// The index of the line that begins the first section, above which the main settings are; nil without sections.
  func firstSection(of file: [UInt8], _ lines: [FileLines.Line]) -> Int? {
    guard form == .toml else { return lines.firstIndex { $0.text.hasPrefix("[") } }
    // A line of a string or a list may begin with a bracket, too.
    let statements = Statements(file, lines, form, comment: setup.comment)
    if let table = statements.all.first(where: \.isTable) { return table.lines.lowerBound }
    return statements.unclear.flatMap { unclear in lines.indices[unclear...].first { lines[$0].text.hasPrefix("[") } }
  }

  /// The indices of lines that continue a value of the user's, such as a string of several lines.
  private func continued(in file: [UInt8], _ lines: [FileLines.Line]) -> Set<Int> {
    guard form == .toml else { return [] }
    return Set(
      Statements(file, lines, form, comment: setup.comment).all.filter { !$0.isOurs }.flatMap { $0.lines.dropFirst() })
  }

  /// The lines with the closing braces of the blocks `NAME {`; a block begins where a line ends with `{`, and ends at a
  /// line with nothing but `}`.
  func blockEnds(in file: [UInt8], _ lines: [FileLines.Line]) -> [Int] {
    var (depth, isMeant, ends) = (0, false, [Int]())
    for (index, line) in lines.enumerated() where isActive(line) {
      if line.text.hasSuffix("{") {
        if depth == 0 { isMeant = line.text.split(" ", omittingEmpty: true).first == setup.block }
        depth += 1
      } else if line.text == "}", depth > 0 {
        depth -= 1
        if depth == 0, isMeant { ends.append(index) }
      } else if setup.blockExcept.contains(where: { $0.matches(line.text) }) {
        isMeant = false
      }
    }
    return ends
  }

  /// Whether the file has no block into which the lines could go.
  package func lacksPlace(in file: [UInt8]) -> Bool { positions(in: file).isEmpty }

  func replacing(_ runs: [Range<Int>], in file: [UInt8], _ end: [UInt8]) -> [UInt8] {
    let lines = FileLines(file).all
    var new = file
    let prefix = replacedPrefix(setup.comment)
    for run in runs.reversed() {
      let isUnended = file[lines[run.upperBound - 1].range].last != 0x0A
      let inner =
        lines[run].flatMap { line in prefix + (line.content.isEmpty ? [] : [0x20]) + file[line.range] }
        + (isUnended ? end : [])
      let sum = BlockMark.sum(FileLines(inner).all.map { inner[$0.content] })
      let begin = BlockMark(subject: subject, kind: .replaced(isUnended: isUnended)).line(setup.comment)
      let last = BlockMark(subject: subject, kind: .end(sum: sum)).line(setup.comment)
      let range = lines[run.lowerBound].range.lowerBound..<lines[run.upperBound - 1].range.upperBound
      new.replaceSubrange(range, with: Array(begin.utf8) + end + inner + Array(last.utf8) + end)
    }
    return new
  }
}
