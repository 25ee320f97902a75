package import ThemedSystem

/// The list of enabled apps, `apps.enabled`, with a name on each line and comments after `#`, which stay.
package struct EnabledApps: Sendable, Hashable {
  /// The longest list that is read, in bytes.
  package static let maximumSize = 64 << 10

  private var lines: [[UInt8]]

  package init(_ bytes: [UInt8] = []) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The path of the list in the user's configuration directory.
  package static func path(configuration: Text) -> Text { "\(configuration)/themed/apps.enabled" }

  /// The names, in order, each once; invalid lines are ignored.
  package var names: [Text] {
    var seen: Set<Text> = []
    return lines.compactMap(Self.name).filter { seen.insert($0).inserted }
  }

  /// The lines that are neither a name nor a comment, with their numbers, from 1.
  package var faults: [(line: Int, text: Text)] {
    zip(1..., lines).filter { !Self.word(in: $1).isEmpty && Self.name(in: $1) == nil }
      .map { ($0, Text(decoding: Self.word(in: $1))) }
  }

  /// Adds an app at the end, unless the list has it.
  package mutating func insert(_ name: Text) { if !names.contains(name) { lines.append(Array(name.utf8)) } }

  /// Removes an app; a comment after its name stays.
  package mutating func remove(_ name: Text) {
    lines = lines.compactMap { line in
      guard Self.name(in: line) == name else { return line }
      return line.firstIndex(of: UInt8(ascii: "#")).map { Array(line[$0...]) }
    }
  }

  package var bytes: [UInt8] { lines.flatMap { $0 + [0x0A] } }

  private static func word(in line: [UInt8]) -> ArraySlice<UInt8> {
    line[..<(line.firstIndex(of: UInt8(ascii: "#")) ?? line.endIndex)].trimmed
  }

  private static func name(in line: [UInt8]) -> Text? {
    let name = Text(decoding: word(in: line))
    return App.isValidName(name) ? name : nil
  }
}

/// The files that themed-apply has written without a mark in them: the list `apply.files` in the state directory, with a
/// line for the content of each.
package struct WrittenFiles: Sendable {
  /// The longest list that is read, in bytes.
  package static let maximumSize = 1 << 20

  private let lines: Set<Text>

  package init(_ bytes: [UInt8]) {
    lines = Set(bytes.split(separator: 0x0A).map { Text(decoding: $0) })
  }

  package static func path(state: Text) -> Text { "\(state)/themed/apply.files" }

  /// Whether themed-apply wrote these bytes at this path, which has no links.
  package func contains(_ bytes: [UInt8], at path: Text) -> Bool { lines.contains(Self.line(bytes, at: path)) }

  /// The line for a file: the 64-bit FNV-1a sum of the bytes, and the path.
  package static func line(_ bytes: [UInt8], at path: Text) -> Text {
    "\(FNV1a().adding(bytes).digits) \(path)"
  }
}
