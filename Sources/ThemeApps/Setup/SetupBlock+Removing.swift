internal import ThemedSystem

extension SetupBlock {
  struct Block {
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
  func blocks(in file: [UInt8], _ lines: [FileLines.Line], _ original: [UInt8]?? = nil) -> [Block] {
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

  /// The blocks that have our own lines, and not the user's.
  func ownBlocks(in file: [UInt8], _ lines: [FileLines.Line]) -> [Block] {
    blocks(in: file, lines).filter { !$0.isReplacement }
  }

  /// A file with these lines in the app's blocks, such as the colors of the side that is shown; nil if the file has no
  /// block, or if the lines of one were changed.
  package func filled(_ file: [UInt8], with content: [UInt8]) -> [UInt8]? {
    let lines = FileLines(file).all
    let blocks = ownBlocks(in: file, lines)
    let inner = FileLines(content).all.map { content[$0.content] }
    guard !blocks.isEmpty, blocks.allSatisfy({ $0.intact != nil && !$0.isBroken }),
      !inner.contains(where: { BlockMark(Text(decoding: $0)) != nil })
    else { return nil }
    let last = BlockMark(subject: subject, kind: .end(sum: BlockMark.sum(inner)))
    return blocks.reversed().reduce(into: file) { new, block in
      let (first, end) = (lines[block.lines.lowerBound], lines[block.lines.upperBound - 1])
      let lineEnd = file[first.content.upperBound..<first.range.upperBound]
      new.replaceSubrange(end.content, with: last.line(block.mark.comment ?? setup.comment).utf8)
      let old = first.range.upperBound..<end.range.lowerBound
      new.replaceSubrange(old, with: inner.flatMap { $0 + lineEnd })
    }
  }

  /// The maximum number of lines that are searched for the beginning of a block.
  static let longest = 1_000

  /// The lines just above a last comment that have this checksum; nil if no lines have it.
  func summed(_ sum: Text, _ lines: ArraySlice<FileLines.Line>, in file: [UInt8]) -> Range<Int>? {
    let contents = lines.suffix(Self.longest).map { file[$0.content] }
    return contents.indices.reversed().first { BlockMark.sum(Array(contents[$0...])) == sum }
      .map { lines.endIndex - contents.count + $0..<lines.endIndex }
  }

  /// The lines just below a first comment, if we wrote them; otherwise nil.
  func written(
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
  /// - Parameters:
  ///   - original: The earlier content of the file; an inner nil if the file did not exist, nil if unknown.
  ///   - keepsCopy: Whether the rest of a file that was created with more than the block stays.
  package func removed(
    from file: [UInt8], before original: [UInt8]?? = nil, keepsCopy: Bool = false
  ) -> Removal? {
    let lines = FileLines(file).all
    let blocks = blocks(in: file, lines, original)
    guard !blocks.isEmpty else { return nil }
    var (new, isGone, created) = (file, false, Text?.none)
    let contents = blocks.map { block in block.intact.flatMap { restored(block, $0, in: file, lines) } }
    let changed = zip(blocks, contents).filter { $1 == nil }.map(\.0)
    let begun = changed.filter(\.mark.isBegin)
    if !begun.isEmpty { return .changed(lines: begun.map { $0.lines.lowerBound + 1 }) }
    if let last = changed.last { return .beginningGone(line: last.lines.upperBound) }
    for case (let block, let restored?) in Array(zip(blocks, contents)).reversed() {
      let range = lines[block.lines.lowerBound].range.lowerBound..<lines[block.lines.upperBound - 1].range.upperBound
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
      case .begin(.created(let sum)): created = sum
      default: break
      }
      new = head + tail
    }
    if let created, created == BlockMark.sum(of: new), !keepsCopy { return .noFile }
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
  package func restored(_ file: [UInt8], as original: [UInt8]?) -> Removal? {
    let old = original ?? []
    let (lines, oldLines) = (FileLines(file).all, FileLines(old).all)
    guard !isMarked(in: file), !stands(in: old) else { return nil }
    let ours = ownLines(in: file, lines).filter { !isUsersHeader($0, in: lines, oldLines) }
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
    var (head, tail): ([UInt8], [UInt8]) = ([], [])
    var inPlace = replacedByMerging(old, oldLines, in: file, lines, ours).flatMap(text)
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

  /// Our lines, without blanks around them.
  private var ownTexts: [Text] {
    setup.line.split("\n", omittingEmpty: true).map { Text(decoding: Array($0.utf8)[...].trimmed) }
  }

  /// Whether a header among our lines is the user's, because the program has merged our section with theirs: it has a
  /// setting of theirs, or it is the only one of its name, and they had one.
  private func isUsersHeader(_ index: Int, in lines: [FileLines.Line], _ old: [FileLines.Line]) -> Bool {
    func isHeader(_ line: FileLines.Line) -> Bool { line.text.hasPrefix("[") && line.text.hasSuffix("]") }
    let header = lines[index]
    guard form == .lines, isHeader(header) else { return false }
    let section = lines[(index + 1)...].prefix { !isHeader($0) }
    if section.contains(where: { !$0.text.isEmpty && !ownTexts.contains($0.text) }) { return true }
    func count(_ lines: [FileLines.Line]) -> Int { lines.count { $0.text == header.text } }
    return count(lines) == 1 && count(old) > 0
  }

  /// The user's settings that a program dropped when it merged our section with theirs, since ours came last.
  private func replacedByMerging(
    _ old: [UInt8], _ oldLines: [FileLines.Line], in file: [UInt8], _ lines: [FileLines.Line], _ ours: [Int]
  ) -> [Statements.Statement] {
    // If conflicts are named, these tell what was replaced.
    guard form == .lines, setup.conflicts.isEmpty else { return [] }
    func settings(_ file: [UInt8], _ lines: [FileLines.Line]) -> [Statements.Statement] {
      Statements(file, lines, form, comment: setup.comment).all.filter { !$0.isTable }
    }
    let line = Array(setup.line.utf8)
    let given = settings(line, FileLines(line).all).map(\.name)
    let left = settings(file, lines).filter { !ours.contains($0.lines.lowerBound) }.map(\.name)
    return settings(old, oldLines).filter { given.contains($0.name) && !left.contains($0.name) }
  }

  /// The indices of our lines in a file without our comments.
  func ownLines(in file: [UInt8], _ lines: [FileLines.Line]) -> [Int] {
    if !setup.conflicts.isEmpty, let given = setup.given {
      let own = Text(ownPath.map(\.string).joined(separator: "."))
      return Statements(file, lines, form, comment: setup.comment).all
        .filter { $0.name == own && file[$0.value].holds(given) }.flatMap(\.lines)
    }
    let texts = ownTexts
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
  func restored(
    _ block: Block, _ inner: Range<Int>, in file: [UInt8], _ lines: [FileLines.Line]
  ) -> [UInt8]? {
    guard block.isReplacement else { return [] }
    return block.mark.comment.flatMap { uncommented(lines[inner], $0, in: file) }
  }

  /// The user's lines, restored from these comments; nil if one of the lines is not such a comment.
  func uncommented(
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

  func replacedPrefix(_ comment: CommentStyle) -> [UInt8] {
    Array("\(comment.start) \(BlockMark.replacedPrefix)".utf8)
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
