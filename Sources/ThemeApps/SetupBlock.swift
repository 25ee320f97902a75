public import ThemedText

/// The lines that an app needs in a file of the user's, between two comments: put there, and taken away again so that
/// the file is what it was, byte for byte.
///
/// The first comment remembers what the file was like, the last one what was written between them: what somebody has
/// changed there since is not thrown away.
public struct SetupBlock: Sendable, Hashable {
  /// What a file is without the block.
  public enum Removal: Sendable, Hashable {
    /// These bytes.
    case bytes([UInt8])
    /// There was no file.
    case noFile
    /// The block begins there, and its end is gone, or what stands in it was changed.
    case changed(line: Int)
  }

  let setup: App.Setup
  let subject: Text

  /// The block of an app.
  public init(app: Text, _ setup: App.Setup) {
    self.setup = setup
    subject = setup.name.isEmpty ? app : "\(app) \(setup.name)"
  }

  /// Whether the lines, or those that do as well, stand in a file already, in the block or where the user has put them:
  /// for a key that stands there once only, also what it gives, such as one file of a list.
  public func stands(in file: [UInt8]) -> Bool {
    let file = Array(file[...].dropping(prefix: .byteOrderMark))
    let all = FileLines(file).all
    let lines = Set(all.map(\.text))
    let isWritten = [setup.line, setup.otherLine].compactMap(\.self).contains { line in
      line.split("\n", omittingEmpty: true)
        .allSatisfy { lines.contains(Text(decoding: Array($0.utf8)[...].trimmed)) }
    }
    guard !isWritten, let given = setup.given, rivalKey(in: file) != nil else { return isWritten }
    return all.contains { !$0.text.hasPrefix(setup.comment.start) && file[$0.content].holds(given) }
  }

  /// The number, from 1, of the first line beside which the block cannot stand: one that has to be the first itself, or
  /// that gives one of the block's own keys, which may stand there once only; nil where the block can be written.
  public func rival(in file: [UInt8]) -> Int? { rivalBeginning(in: file) ?? rivalKey(in: file) }

  /// Of a file at whose start the block belongs, the line that makes another file of what stands before it: one with a
  /// byte order mark, or where a document of YAML begins.
  private func rivalBeginning(in file: [UInt8]) -> Int? {
    guard setup.place == .start else { return nil }
    if file.starts(with: [UInt8].byteOrderMark) { return 1 }
    guard !setup.rivals.isEmpty else { return nil }
    let lines = FileLines(file).all
    return lines.firstIndex { !$0.text.isEmpty && !$0.text.hasPrefix(setup.comment.start) }
      .flatMap { file[lines[$0].content].beginsDocument ? $0 + 1 : nil }
  }

  /// The line that gives one of the block's own keys: before the first table, or a table of that name.
  private func rivalKey(in file: [UInt8]) -> Int? {
    guard !setup.rivals.isEmpty else { return nil }
    var (isTop, isOwn) = (true, false)
    for (index, line) in FileLines(file).all.enumerated() {
      if let mark = BlockMark(line.text), mark.subject == subject {
        isOwn = mark.isBegin
        continue
      }
      let content = file[line.content].dropping(prefix: index == 0 ? .byteOrderMark : [])
      let table = content.table
      if table != nil { isTop = false }
      guard !isOwn, let key = table ?? (isTop ? content.key : nil), setup.rivals.contains(key) else { continue }
      return index + 1
    }
    return nil
  }

  /// Whether the block stands in a file.
  public func isMarked(in file: [UInt8]) -> Bool { begin(in: FileLines(file).all) != nil }

  /// Whether the block of any app stands in a file.
  public static func isAnyMarked(in file: [UInt8]) -> Bool {
    FileLines(file).all.contains { BlockMark($0.text)?.isBegin == true }
  }

  /// A file with the block where it belongs; nil is one that is not there.
  public func inserted(into file: [UInt8]?) -> [UInt8] {
    let old = file ?? []
    let isAtEnd = setup.place == .end || setup.place == .beforeSections && place(before: FileLines(old).all) == nil
    let isUnended = isAtEnd && old.last.map { $0 != 0x0A } ?? false
    let before: BlockMark.Before = file == nil ? .absent : isUnended ? .unended : .whole
    // As the lines of the file end.
    let end: [UInt8] = old.firstIndex(of: 0x0A).map { $0 > 0 && old[$0 - 1] == 0x0D } ?? false ? [0x0D, 0x0A] : [0x0A]
    let inner = setup.line.split("\n").map { Array($0.utf8)[...] }
    let begin = BlockMark(subject: subject, kind: .begin(before))
    let last = BlockMark(subject: subject, kind: .end(sum: BlockMark.sum(inner)))
    let lines = [Array(begin.line(setup.comment).utf8)[...]] + inner + [Array(last.line(setup.comment).utf8)[...]]
    let block = lines.flatMap { $0 + end }
    switch setup.place {
    case .start: return block + old
    case .end: return old + (isUnended ? end : []) + block
    case .beforeSections:
      let head = place(before: FileLines(old).all) ?? old.count
      return old[..<head] + (isUnended ? end : []) + block + old[head...]
    }
  }

  /// Where the first section begins; nil where none does.
  private func place(before lines: [FileLines.Line]) -> Int? {
    lines.first { $0.text.hasPrefix("[") }?.range.lowerBound
  }

  /// A file without the block; nil where none stands there.
  public func removed(from file: [UInt8]) -> Removal? {
    let lines = FileLines(file).all
    guard let (index, before) = begin(in: lines) else { return nil }
    let rest = lines[(index + 1)...]
    let marks = rest.lazy.map { BlockMark($0.text) }
    guard let end = zip(rest.indices, marks).first(where: { $0.1 != nil }), let mark = end.1,
      case .end(let sum) = mark.kind, mark.subject == subject,
      sum == BlockMark.sum(lines[(index + 1)..<end.0].map { file[$0.content] })
    else { return .changed(line: index + 1) }
    var head = Array(file[..<lines[index].range.lowerBound])
    var tail = Array(file[lines[end.0].range.upperBound...])
    switch before {
    case .whole: break
    case .unended where head.last != 0x0A: break
    case .unended:
      // What stands below stays on a line of its own; a block of another app has to know.
      let isReturned = lines[index].range.upperBound - lines[index].content.upperBound == 2
      if tail.isEmpty { head.removeLast(isReturned ? 2 : 1) } else { tail.noteBefore(before) }
    case .absent:
      if head.isEmpty, tail.isEmpty { return .noFile }
      if tail.isEmpty || !tail.noteBefore(before) { head.noteBefore(before) }
    }
    return .bytes(head + tail)
  }

  private func begin(in lines: [FileLines.Line]) -> (index: Int, before: BlockMark.Before)? {
    for (index, line) in lines.enumerated() {
      if let mark = BlockMark(line.text), mark.subject == subject, case .begin(let before) = mark.kind {
        return (index, before)
      }
    }
    return nil
  }
}

extension App.Setup {
  /// What the line gives its key, without the brackets of a list; nil where it gives none.
  fileprivate var given: [UInt8]? {
    let line = Array(line.utf8)
    guard let sign = line.firstIndex(where: { "=:".utf8.contains($0) }) else { return nil }
    let isAround = { (byte: UInt8) in " []".utf8.contains(byte) }
    var given = line[(sign + 1)...].drop(while: isAround)
    while let last = given.last, isAround(last) { given.removeLast() }
    return given.isEmpty ? nil : Array(given)
  }
}

extension [UInt8] {
  /// What some editors begin a file of UTF-8 with.
  fileprivate static var byteOrderMark: [UInt8] { [0xEF, 0xBB, 0xBF] }
}

extension ArraySlice<UInt8> {
  fileprivate func dropping(prefix: [UInt8]) -> ArraySlice {
    starts(with: prefix) ? dropFirst(prefix.count) : self
  }

  /// Whether this line of YAML is a directive, or what ends those: `---`, with or without something behind it.
  fileprivate var beginsDocument: Bool {
    if first == UInt8(ascii: "%") { return true }
    return starts(with: "---".utf8) && dropFirst(3).first.map { " \t".utf8.contains($0) } ?? true
  }

  /// The name of the table that begins with this line of TOML; nil where none does.
  fileprivate var table: Text? {
    let line = drop { " \t".utf8.contains($0) }
    guard line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    // Behind that of an element of a list stands a comma.
    let rest = line[end...].drop { "] \t".utf8.contains($0) }
    guard rest.first.map({ $0 == UInt8(ascii: "#") }) ?? true else { return nil }
    return line[..<end].drop { $0 == UInt8(ascii: "[") }.name
  }

  /// The key that this line of TOML or YAML gives; nil where it gives none, and for one that is another's in YAML.
  fileprivate var key: Text? {
    guard let sign = firstIndex(where: { "=:".utf8.contains($0) }) else { return nil }
    if self[sign] == UInt8(ascii: ":"), first == UInt8(ascii: " ") { return nil }
    return self[..<sign].name
  }

  /// A name, without the blanks and quotes that may be in it; nil where it is none.
  private var name: Text? {
    let name = filter { !" \t\"'".utf8.contains($0) }
    let isName = !name.isEmpty && name.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    return isName ? Text(decoding: name) : nil
  }
}

extension [UInt8] {
  /// Has a block that begins here remember what the file was like before; false where none begins.
  @discardableResult
  fileprivate mutating func noteBefore(_ before: BlockMark.Before) -> Bool {
    guard let first = FileLines(self).all.first, let mark = BlockMark(first.text), case .begin(.whole) = mark.kind,
      let comment = mark.comment
    else { return false }
    replaceSubrange(first.content, with: BlockMark(subject: mark.subject, kind: .begin(before)).line(comment).utf8)
    return true
  }
}
