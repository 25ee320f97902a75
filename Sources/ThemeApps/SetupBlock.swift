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

  private let setup: App.Setup
  private let subject: Text

  /// The block of an app.
  public init(app: Text, _ setup: App.Setup) {
    self.setup = setup
    subject = setup.name.isEmpty ? app : "\(app) \(setup.name)"
  }

  /// Whether the lines, or those that do as well, stand in a file already, in the block or where the user has put them.
  public func stands(in file: [UInt8]) -> Bool {
    let lines = Set(FileLines(file).all.map(\.text))
    return [setup.line, setup.otherLine].compactMap(\.self).contains { line in
      line.split("\n", omittingEmpty: true)
        .allSatisfy { lines.contains(Text(decoding: Array($0.utf8)[...].trimmed)) }
    }
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
    let isUnended = setup.place == .end && old.last.map { $0 != 0x0A } ?? false
    let before: BlockMark.Before = file == nil ? .absent : isUnended ? .unended : .whole
    // As the lines of the file end.
    let end: [UInt8] = old.firstIndex(of: 0x0A).map { $0 > 0 && old[$0 - 1] == 0x0D } ?? false ? [0x0D, 0x0A] : [0x0A]
    let inner = setup.line.split("\n").map { Array($0.utf8)[...] }
    let begin = BlockMark(subject: subject, kind: .begin(before))
    let last = BlockMark(subject: subject, kind: .end(sum: BlockMark.sum(inner)))
    let lines = [Array(begin.line(setup.comment).utf8)[...]] + inner + [Array(last.line(setup.comment).utf8)[...]]
    let block = lines.flatMap { $0 + end }
    return setup.place == .start ? block + old : old + (isUnended ? end : []) + block
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
