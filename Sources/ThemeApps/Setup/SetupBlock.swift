public import ThemedSystem

/// The lines that an app needs in a file of the user's, between two comments.
///
/// Removing them restores the file byte for byte.
///
/// If the user's own lines conflict with them, those become comments in place, also between two comments. The first
/// comment of each pair says what begins there. The last one has a checksum of the lines between them, so that later
/// changes by the user are not lost.
public struct SetupBlock: Sendable, Hashable {
  /// The content of a file without the block.
  public enum Removal: Sendable, Hashable {
    /// The content.
    case bytes([UInt8])
    /// There was no file.
    case noFile
    /// The block begins at this line, but its lines were changed, or its last comment is missing and its end unknown.
    case changed(line: Int)
    /// The block ends at this line, but its first comment is missing and its beginning is unknown.
    case beginningGone(line: Int)
  }

  /// A line of the user's that the block replaces.
  public struct ReplacedLine: Sendable, Hashable {
    /// Its number, from 1.
    public let number: Int
    /// The line, without blanks around it.
    public let text: Text
  }

  /// The statement because of which a script never runs the app's line.
  public struct Barrier: Sendable, Hashable {
    /// The number of the statement's line, from 1.
    public let line: Int
    /// That line, without blanks around it.
    public let text: Text
    /// Why the app's line never runs.
    public let reason: Reason

    /// A reason why the app's line never runs.
    public enum Reason: Sendable, Hashable {
      /// The statement ends the script.
      case ends
      /// The statement, or a string or here-document in it, is never closed.
      case isOpen
      /// A string, comment or here-document begins at the statement and contains the app's line.
      case quotes
    }
  }

  /// The line of a file because of which the block cannot be written.
  public struct Rival: Sendable, Hashable {
    /// The number of the line, from 1.
    public let line: Int
    /// Why the block cannot be written.
    public let reason: Reason

    /// A reason why the block cannot be written.
    public enum Reason: Sendable, Hashable {
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
  public var maySeeOpen = true

  /// The block of an app.
  public init(app: Text, _ setup: App.Setup) {
    self.setup = setup
    subject = setup.name.isEmpty ? app : "\(app) \(setup.name)"
    form = Statements.Form(of: setup.files.first?.written ?? "")
  }

  // MARK: Finding the lines

  /// Whether the file already has the lines, or equivalent ones, in the block or where the user has put them, and no
  /// line there conflicts with them.
  ///
  /// For a key that may occur only once, it is enough if its value is the same, or a list that contains the same.
  public func stands(in file: [UInt8]) -> Bool {
    let lines = FileLines(file).all
    let conflicts = conflicts(in: file, lines).statements
    let given = setup.given
    func holdsGiven(_ statement: Statements.Statement) -> Bool {
      guard let given else { return false }
      return statement.lines.contains { isActive(lines[$0]) && file[lines[$0].content].holds(given) }
    }
    // The user's line below ours would win.
    guard conflicts.allSatisfy(holdsGiven) else { return false }
    if !conflicts.isEmpty { return true }
    let flow = flow(of: file, lines)
    let isWritten = isWritten(in: Set(lines.indices.filter { flow?.runs($0) ?? true }.map { lines[$0].text }))
    guard !isWritten, !setup.conflicts.isEmpty, let given else { return isWritten }
    return blocks(in: file, lines).contains { block in
      guard !block.isReplacement else { return false }
      return lines[block.inner].contains { file[$0.content].holds(given) }
    }
  }

  /// Whether these texts include the app's lines, or the equivalent ones.
  private func isWritten(in texts: Set<Text>) -> Bool {
    [setup.line, setup.otherLine].compactMap(\.self).contains { line in
      line.split("\n", omittingEmpty: true).allSatisfy { texts.contains(Text(decoding: Array($0.utf8)[...].trimmed)) }
    }
  }

  // MARK: Scripts

  /// Which lines of a script run; nil if the file is not a script, or if the line is not written at its end.
  private func flow(of file: [UInt8], _ lines: [FileLines.Line]) -> ScriptFlow? {
    guard setup.place == .end, let path = setup.files.first?.written else { return nil }
    return ScriptFlow.Language(of: path).map { ScriptFlow(file, lines, $0, maySeeOpen: maySeeOpen) }
  }

  /// The command with which a shell parses a script without running it, if part of the script seems to be never closed;
  /// nil if all of it is closed, or if no shell can check it.
  public func parser(of file: [UInt8]) -> [Text]? {
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
  public func barrier(in file: [UInt8]) -> Barrier? {
    let lines = FileLines(file).all
    guard let flow = flow(of: file, lines), isWritten(in: Set(lines.map(\.text))), !stands(in: file) else { return nil }
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
  public func end(of file: [UInt8]) -> Barrier? {
    let lines = FileLines(file).all
    return flow(of: file, lines)?.end.map { Barrier(line: $0.line + 1, text: lines[$0.line].text, reason: .ends) }
  }

  /// Whether a line is not a comment.
  private func isActive(_ line: FileLines.Line) -> Bool { !line.text.hasPrefix(setup.comment.start) }

  /// The user's lines that would become comments, in order.
  public func replacedLines(in file: [UInt8]) -> [ReplacedLine] {
    let lines = FileLines(file).all
    return conflicts(in: file, lines).runs.flatMap { run in
      run.map { ReplacedLine(number: $0 + 1, text: lines[$0].text) }
    }
  }

  /// The line because of which the block cannot be written; nil if it can be written.
  public func rival(in file: [UInt8]) -> Rival? {
    let lines = FileLines(file).all
    if let line = beginning(of: file, lines) { return Rival(line: line + 1, reason: .isFirst) }
    if let flow = flow(of: file, lines), let open = flow.open, flow.end.map({ open.line < $0.above }) ?? true {
      return Rival(line: open.line + 1, reason: .isOpen)
    }
    guard !setup.conflicts.isEmpty else { return nil }
    return conflicts(in: file, lines).rival
  }

  /// The first line of the YAML document, if the block belongs at the start of this file but that line must come first.
  private func beginning(of file: [UInt8], _ lines: [FileLines.Line]) -> Int? {
    guard setup.place == .start, form == .yaml else { return nil }
    return lines.firstIndex { !$0.text.isEmpty && isActive($0) }
      .flatMap { file[lines[$0].content].beginsDocument ? $0 : nil }
  }

  // MARK: Conflicts

  private struct Conflicts {
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

  private func conflicts(in file: [UInt8], _ lines: [FileLines.Line]) -> Conflicts {
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
      let isConflict = setup.conflicts.contains { statement.name.isAt(orBelow: $0) }
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

  private func hasAnchor(_ value: ArraySlice<UInt8>) -> Bool {
    zip(value, value.dropFirst()).contains { " \t\n[,".utf8.contains($0) && $1 == UInt8(ascii: "&") }
  }

  /// The path of the key that the line sets; empty if it sets no key.
  private var ownPath: [Text] {
    let line = Array(setup.line.utf8)
    return Statements(line, FileLines(line).all, form, comment: setup.comment).all.first { !$0.isTable }?.path ?? []
  }

  // MARK: Lists

  private enum List: Hashable {
    /// The user's statement has no list that the line could extend.
    case none
    /// The elements, as they are written.
    case elements([Text])
    case unclear
  }

  /// The elements of the user's list for the key that our line sets: our line then includes them.
  private func list(_ own: [Text], besides statement: Statements.Statement, in file: [UInt8]) -> List {
    guard !statement.isTable, let last = own.last, statement.path.last == last,
      setup.given != nil, setup.givesList, form != .lines
    else { return .none }
    return file[statement.value].elements.map { .elements($0) } ?? .unclear
  }

  /// The line, with the elements of the user's list before its own.
  private func line(for conflicts: Conflicts, in file: [UInt8]) -> Text {
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

  // MARK: Inserting

  /// Whether a file contains the block.
  public func isMarked(in file: [UInt8]) -> Bool { !blocks(in: file, FileLines(file).all).isEmpty }

  /// Whether a file contains a block of any app.
  public static func isAnyMarked(in file: [UInt8]) -> Bool {
    FileLines(file).all.contains { BlockMark($0.text)?.isBegin == true }
  }

  /// Whether a file contains a block of this app, for any of its groups.
  public static func isMarked(in file: [UInt8], by app: Text) -> Bool {
    FileLines(file).all.contains { line in
      BlockMark(line.text).map { $0.subject == app || $0.subject.hasPrefix("\(app) ") } ?? false
    }
  }

  /// The text to write into a file: the line, with the elements of the user's list that it includes.
  public func written(into file: [UInt8]?) -> Text {
    let file = file ?? []
    return line(for: conflicts(in: file, FileLines(file).all), in: file)
  }

  /// A file with the block in its place, and conflicting lines turned into comments; nil stands for a missing file.
  public func inserted(into file: [UInt8]?) -> [UInt8] {
    let old = file ?? []
    // Lines end as the file's lines do, except in languages such as the shell's, where a CR is part of the line.
    let isReturned = form != .lines && old.firstIndex(of: 0x0A).map { $0 > 0 && old[$0 - 1] == 0x0D } ?? false
    let end: [UInt8] = isReturned ? [0x0D, 0x0A] : [0x0A]
    let conflicts = conflicts(in: old, FileLines(old).all)
    let line = line(for: conflicts, in: old)
    let rest = replacing(conflicts.runs, in: old, end)
    let position = position(in: rest)
    let isUnended = position == rest.count && position > 0 && rest.last != 0x0A
    let before: BlockMark.Before = file == nil ? .absent : isUnended ? .unended : .whole
    let inner = line.split("\n").map { Array($0.utf8)[...] }
    let begin = BlockMark(subject: subject, kind: .begin(before))
    let last = BlockMark(subject: subject, kind: .end(sum: BlockMark.sum(inner)))
    let lines = [Array(begin.line(setup.comment).utf8)[...]] + inner + [Array(last.line(setup.comment).utf8)[...]]
    let block = lines.flatMap { $0 + end }
    return rest[..<position] + (isUnended ? end : []) + block + rest[position...]
  }

  private func position(in file: [UInt8]) -> Int {
    let lines = FileLines(file).all
    if let table = conflicts(in: file, lines).table { return lines[table.lines.lowerBound].range.upperBound }
    let start = file.starts(with: FileLines.byteOrderMark) ? FileLines.byteOrderMark.count : 0
    switch setup.place {
    case .start: return start
    case .end: return flow(of: file, lines)?.end.map { lines[$0.above].range.lowerBound } ?? file.count
    case .beforeSections: return lines.first { $0.text.hasPrefix("[") }?.range.lowerBound ?? file.count
    }
  }

  /// A file in which these lines are comments.
  private func replacing(_ runs: [Range<Int>], in file: [UInt8], _ end: [UInt8]) -> [UInt8] {
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

  // MARK: Removing

  private struct Block {
    /// The indices of its lines, with the comments around them that are left.
    let lines: Range<Int>
    /// The first of its comments that is left.
    let mark: BlockMark
    /// The lines between the two comments; nil if they were changed or cannot be found.
    let intact: Range<Int>?
    /// Whether it contains the user's lines, as comments.
    let isReplacement: Bool
    /// Whether one of its two comments is missing.
    let isBroken: Bool

    var inner: Range<Int> { intact ?? lines.lowerBound..<lines.lowerBound }
  }

  /// The blocks of this subject.
  ///
  /// If one of the two comments is missing, the block's lines are found by the checksum in the last comment, or by
  /// comparing them with the lines that were written.
  ///
  /// - Parameter original: The earlier content of the file; an inner nil if the file did not exist, nil if unknown.
  private func blocks(in file: [UInt8], _ lines: [FileLines.Line], _ original: [UInt8]?? = nil) -> [Block] {
    let marks = lines.indices.compactMap { index in BlockMark(lines[index].text).map { (index, $0) } }
    return marks.indices.compactMap { position in
      let (index, mark) = marks[position]
      guard mark.subject == subject else { return nil }
      func own(_ other: Int) -> (Int, BlockMark)? {
        marks.indices.contains(other) && marks[other].1.subject == subject ? marks[other] : nil
      }
      if case .end(let sum) = mark.kind {
        if let (_, previous) = own(position - 1), previous.isBegin { return nil }
        let start = position > 0 ? marks[position - 1].0 + 1 : 0
        let inner = summed(sum, lines[start..<index], in: file)
        let prefix = mark.comment.map(replacedPrefix) ?? []
        let isReplacement = inner.map { lines[$0].allSatisfy { file[$0.range].starts(with: prefix) } } ?? false
        return Block(
          lines: (inner?.lowerBound ?? index)..<index + 1, mark: mark, intact: inner, isReplacement: isReplacement,
          isBroken: true)
      }
      let isReplacement = if case .replaced = mark.kind { true } else { false }
      if let (end, last) = own(position + 1), case .end(let sum) = last.kind {
        let inner = index + 1..<end
        let isIntact = sum == BlockMark.sum(lines[inner].map { file[$0.content] })
        return Block(
          lines: index..<end + 1, mark: mark, intact: isIntact ? inner : nil, isReplacement: isReplacement,
          isBroken: false)
      }
      let next = position + 1 < marks.count ? marks[position + 1].0 : lines.count
      let inner = written(mark, isReplacement, lines[(index + 1)..<next], in: file, original)
      return Block(
        lines: index..<(inner?.upperBound ?? index + 1), mark: mark, intact: inner, isReplacement: isReplacement,
        isBroken: true)
    }
  }

  /// The maximum number of lines that are searched for the beginning of a block.
  private static let longest = 1_000

  /// The lines just above a last comment that have this checksum; nil if no lines have it.
  private func summed(_ sum: Text, _ lines: ArraySlice<FileLines.Line>, in file: [UInt8]) -> Range<Int>? {
    let contents = lines.suffix(Self.longest).map { file[$0.content] }
    return contents.indices.reversed().first { BlockMark.sum(Array(contents[$0...])) == sum }
      .map { lines.endIndex - contents.count + $0..<lines.endIndex }
  }

  /// The lines just below a first comment, if we wrote them; otherwise nil.
  private func written(
    _ mark: BlockMark, _ isReplacement: Bool, _ lines: ArraySlice<FileLines.Line>, in file: [UInt8],
    _ original: [UInt8]??
  ) -> Range<Int>? {
    guard isReplacement else {
      let adapted = original.map { line(for: conflicts(in: $0 ?? [], FileLines($0 ?? []).all), in: $0 ?? []) }
      return [adapted, setup.line].compactMap(\.self).lazy
        .map { $0.split("\n").map { Array($0.utf8)[...] } }
        .first { texts in lines.prefix(texts.count).map { file[$0.content] } == texts }
        .map { lines.startIndex..<lines.startIndex + $0.count }
    }
    // The user's own comments may begin with the same prefix.
    guard let comment = mark.comment, case let old?? = original else { return nil }
    let count = lines.prefix { file[$0.range].starts(with: replacedPrefix(comment)) }.count
    let inner = lines.startIndex..<lines.startIndex + count
    let known = FileLines(old).all.map { old[$0.content] }
    guard count > 0, let bytes = uncommented(lines[inner], comment, in: file) else { return nil }
    let texts = FileLines(bytes).all.map { bytes[$0.content] }
    return known.indices.contains { known[$0...].prefix(texts.count).elementsEqual(texts) } ? inner : nil
  }

  /// A file without the block, and with the user's lines restored; nil if the file does not contain the block.
  ///
  /// - Parameter original: The earlier content of the file; an inner nil if the file did not exist, nil if unknown.
  public func removed(from file: [UInt8], before original: [UInt8]?? = nil) -> Removal? {
    let lines = FileLines(file).all
    let blocks = blocks(in: file, lines, original)
    guard !blocks.isEmpty else { return nil }
    var (new, isGone) = (file, false)
    for block in blocks.reversed() {
      guard let inner = block.intact, let restored = restored(block, inner, in: file, lines) else {
        return block.mark.isBegin
          ? .changed(line: block.lines.lowerBound + 1) : .beginningGone(line: block.lines.upperBound)
      }
      let range =
        lines[block.lines.lowerBound].range.lowerBound..<lines[block.lines.upperBound - 1].range.upperBound
      var head = Array(new[..<range.lowerBound]) + restored
      var tail = Array(new[range.upperBound...])
      let first = lines[block.lines.lowerBound]
      let isReturned = first.range.upperBound - first.content.upperBound == 2
      switch block.mark.kind {
      case .begin(.unended), .replaced(isUnended: true):
        guard head.last == 0x0A else { break }
        // The text below stays on a line of its own; another app's block there records the missing line end.
        if tail.isEmpty { head.removeLast(min(head.count, isReturned ? 2 : 1)) } else { tail.noteBefore(.unended) }
      case .begin(.absent):
        if head.isEmpty, tail.isEmpty {
          isGone = true
        } else if tail.isEmpty || !tail.noteBefore(.absent) {
          head.noteBefore(.absent)
        }
      default: break
      }
      new = head + tail
    }
    // The missing comment had recorded the earlier state of the file; the original has it, too.
    if blocks.contains(where: \.isBroken), let original {
      if original == nil, new.isEmpty { isGone = true }
      if let old = original, [[0x0A], [0x0D, 0x0A]].contains(where: { old + $0 == new }) { new = old }
    }
    return isGone && new.isEmpty ? .noFile : .bytes(new)
  }

  /// A file that its program has rewritten without our comments: our line is removed, and the user's lines are restored
  /// from the earlier content; nil if the line is the user's own, or missing.
  ///
  /// - Parameter original: The content before the line was written; nil if the file did not exist.
  public func restored(_ file: [UInt8], as original: [UInt8]?) -> Removal? {
    let old = original ?? []
    let (lines, oldLines) = (FileLines(file).all, FileLines(old).all)
    guard !isMarked(in: file), !stands(in: old) else { return nil }
    let ours = ownLines(in: file, lines)
    guard let first = ours.first else { return nil }
    func text(_ statement: Statements.Statement) -> [UInt8] {
      let bytes = Array(
        old[
          oldLines[statement.lines.lowerBound].range
            .lowerBound..<oldLines[statement.lines.upperBound - 1]
            .range.upperBound])
      return bytes.last == 0x0A ? bytes : bytes + [0x0A]
    }
    let present = Statements(file, lines, form, comment: setup.comment).all.map(\.name)
    let own = Text(ownPath.map(\.string).joined(separator: "."))
    var (head, inPlace, tail): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    /// The table of a statement, and whether it is restored: lines that the program has written itself stay.
    var table: (path: [Text], comesBack: Bool)?
    for statement in conflicts(in: old, oldLines).statements {
      let isThere = present.contains { $0.isAt(orBelow: statement.name) }
      if statement.isTable {
        table = (statement.path, !isThere)
      } else if let path = table?.path, !statement.path.starts(with: path) {
        table = nil
      }
      if let table, form != .yaml {
        if table.comesBack { tail += text(statement) }
      } else if statement.name == own {
        inPlace += text(statement)
      } else if !isThere {
        head += text(statement)
      }
    }
    var rest: [UInt8] = []
    for (index, line) in lines.enumerated() {
      if index == first { rest += inPlace }
      if !ours.contains(index) { rest += file[line.range] }
    }
    let isEmpty = rest.allSatisfy { $0 <= 0x20 } && head.isEmpty && tail.isEmpty
    if original == nil, isEmpty { return .noFile }
    if !tail.isEmpty, let last = rest.last, last != 0x0A { rest.append(0x0A) }
    return .bytes(head + rest + tail)
  }

  /// The indices of our lines in a file without our comments.
  private func ownLines(in file: [UInt8], _ lines: [FileLines.Line]) -> [Int] {
    if !setup.conflicts.isEmpty, let given = setup.given {
      let own = Text(ownPath.map(\.string).joined(separator: "."))
      return Statements(file, lines, form, comment: setup.comment).all
        .filter { $0.name == own && file[$0.value].holds(given) }.flatMap(\.lines)
    }
    let texts = setup.line.split("\n", omittingEmpty: true).map { Text(decoding: Array($0.utf8)[...].trimmed) }
    let filled = lines.indices.filter { !lines[$0].text.isEmpty }
    // Looks for all lines in our order, so that the user's header of the same name is not taken for ours.
    for start in filled.indices where filled[start...].prefix(texts.count).map({ lines[$0].text }) == texts {
      return Array(filled[start...].prefix(texts.count))
    }
    // A program that has sorted its settings may have put ours below the user's header, which stays.
    let settings = Set(texts.filter { !$0.hasPrefix("[") })
    let indices = lines.indices.filter { settings.contains(lines[$0].text) }
    return Set(indices.map { lines[$0].text }) == settings ? indices : []
  }

  /// The text that replaces a block when it is removed: the user's lines, or nothing; nil if the block was changed.
  private func restored(
    _ block: Block, _ inner: Range<Int>, in file: [UInt8], _ lines: [FileLines.Line]
  ) -> [UInt8]? {
    guard block.isReplacement else { return [] }
    return block.mark.comment.flatMap { uncommented(lines[inner], $0, in: file) }
  }

  /// The user's lines, restored from these comments; nil if one of the lines is not such a comment.
  private func uncommented(
    _ lines: ArraySlice<FileLines.Line>, _ comment: CommentStyle, in file: [UInt8]
  ) -> [UInt8]? {
    let prefix = replacedPrefix(comment)
    var restored: [UInt8] = []
    for line in lines {
      let bytes = file[line.range]
      guard bytes.starts(with: prefix) else { return nil }
      let rest = bytes.dropFirst(prefix.count)
      restored += rest.first == 0x20 ? rest.dropFirst() : rest
    }
    return restored
  }

  private func replacedPrefix(_ comment: CommentStyle) -> [UInt8] {
    Array("\(comment.start) \(BlockMark.replacedPrefix)".utf8)
  }
}

extension App.Setup {
  /// The value that the line gives its key, without the brackets of a list; nil if it gives no value.
  fileprivate var given: [UInt8]? {
    let line = Array(line.utf8)
    guard let sign = line.firstIndex(where: { "=:".utf8.contains($0) }) else { return nil }
    let isAround = { (byte: UInt8) in " []".utf8.contains(byte) }
    var given = line[(sign + 1)...].drop(while: isAround)
    while let last = given.last, isAround(last) { given.removeLast() }
    return given.isEmpty ? nil : Array(given)
  }

  /// Whether the value is a list.
  fileprivate var givesList: Bool { line.utf8.last == UInt8(ascii: "]") }
}

extension Text {
  /// Whether this dotted name equals the other one or is below it.
  fileprivate func isAt(orBelow other: Text) -> Bool { self == other || hasPrefix("\(other).") }
}

extension ArraySlice<UInt8> {
  /// Whether this line of YAML is a directive, or the `---` that ends the directives.
  fileprivate var beginsDocument: Bool {
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

extension [UInt8] {
  /// Records the earlier state of the file in the block that begins here; returns false if no block begins here.
  @discardableResult
  fileprivate mutating func noteBefore(_ before: BlockMark.Before) -> Bool {
    guard let first = FileLines(self).all.first, let mark = BlockMark(first.text), case .begin(.whole) = mark.kind,
      let comment = mark.comment
    else { return false }
    replaceSubrange(first.content, with: BlockMark(subject: mark.subject, kind: .begin(before)).line(comment).utf8)
    return true
  }
}
