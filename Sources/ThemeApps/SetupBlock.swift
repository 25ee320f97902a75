public import ThemedText

/// The lines that an app needs in a file of the user's, between two comments: put there, and taken away again so that
/// the file is what it was, byte for byte.
public struct SetupBlock: Sendable, Hashable {
  /// What a file is without the block.
  public enum Removal: Sendable, Hashable {
    /// These bytes.
    case bytes([UInt8])
    /// There was no file.
    case noFile
    /// The block begins there, and its last line is gone: nobody can tell where it ends.
    case unclosed(line: Int)
  }

  /// What the file was like, which the first line of the block remembers.
  private enum Before: String, CaseIterable {
    case whole = ""
    case unended = " (the line above had no end)"
    case absent = " (there was no such file)"
  }

  private let setup: App.Setup
  private let subject: Text

  /// The block of an app.
  public init(app: Text, _ setup: App.Setup) {
    self.setup = setup
    subject = setup.name.isEmpty ? app : "\(app) \(setup.name)"
  }

  /// Whether the lines stand in a file already, in the block or where the user has put them.
  public func stands(in file: [UInt8]) -> Bool {
    let lines = Set(file.split(separator: 0x0A).map { Text(decoding: $0.trimmed) })
    return setup.line.split("\n", omittingEmpty: true)
      .allSatisfy { lines.contains(Text(decoding: Array($0.utf8)[...].trimmed)) }
  }

  /// Whether the block stands in a file.
  public func isMarked(in file: [UInt8]) -> Bool { begin(in: file) != nil }

  /// A file with the block where it belongs; nil is one that is not there.
  public func inserted(into file: [UInt8]?) -> [UInt8] {
    let old = file ?? []
    let isUnended = setup.place == .end && old.last.map { $0 != 0x0A } ?? false
    let before: Before = file == nil ? .absent : isUnended ? .unended : .whole
    let block = Array("\(first(before))\n\(setup.line)\n\(last)\n".utf8)
    return setup.place == .start ? block + old : old + (isUnended ? [0x0A] : []) + block
  }

  /// A file without the block; nil where none stands there.
  public func removed(from file: [UInt8]) -> Removal? {
    guard let (before, start) = begin(in: file) else { return nil }
    let lineNumber = file[..<start].count { $0 == 0x0A } + 1
    guard let end = Self.line(last, in: file[start...]) else { return .unclosed(line: lineNumber) }
    var head = file[..<start]
    let tail = file[end.upperBound...]
    // What somebody has written below stays on a line of its own.
    if before == .unended, tail.isEmpty, head.last == 0x0A { head = head.dropLast() }
    return before == .absent && head.isEmpty && tail.isEmpty ? .noFile : .bytes(Array(head) + tail)
  }

  // MARK: Lines

  private func first(_ before: Before) -> Text { setup.comment.line("themed: \(subject) begins\(before.rawValue)") }

  private var last: Text { setup.comment.line("themed: \(subject) ends") }

  private func begin(in file: [UInt8]) -> (before: Before, start: Int)? {
    for before in Before.allCases {
      if let range = Self.line(first(before), in: file[...]) { return (before, range.lowerBound) }
    }
    return nil
  }

  /// Where a line stands, with what ends it.
  private static func line(_ line: Text, in file: ArraySlice<UInt8>) -> Range<Int>? {
    var start = file.startIndex
    while start < file.endIndex {
      let end = file[start...].firstIndex(of: 0x0A) ?? file.endIndex
      if file[start..<end].elementsEqual(line.utf8) { return start..<min(end + 1, file.endIndex) }
      start = end + 1
    }
    return nil
  }
}
