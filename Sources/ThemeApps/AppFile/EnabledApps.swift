public import ThemedSystem

/// The list of enabled apps, `apps.enabled`, with a name on each line and comments after `#`, which stay.
public struct EnabledApps: Sendable, Hashable {
  /// The longest list that is read, in bytes.
  public static let maximumSize = 64 << 10

  private var lines: [[UInt8]]

  /// Parses the list.
  public init(_ bytes: [UInt8] = []) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The path of the list in the user's configuration directory.
  public static func path(configuration: Text) -> Text { "\(configuration)/themed/apps.enabled" }

  /// The names, in order, each once; invalid lines are ignored.
  public var names: [Text] {
    var seen: Set<Text> = []
    return lines.compactMap(Self.name).filter { seen.insert($0).inserted }
  }

  /// The lines that are neither a name nor a comment, with their numbers, from 1.
  public var faults: [(line: Int, text: Text)] {
    zip(1..., lines).filter { !Self.word(in: $1).isEmpty && Self.name(in: $1) == nil }
      .map { ($0, Text(decoding: Self.word(in: $1))) }
  }

  /// Adds an app at the end, unless the list has it.
  public mutating func insert(_ name: Text) {
    if !names.contains(name) { lines.append(Array(name.utf8)) }
  }

  /// Removes an app; a comment after its name stays.
  public mutating func remove(_ name: Text) {
    lines = lines.compactMap { line in
      guard Self.name(in: line) == name else { return line }
      return line.firstIndex(of: UInt8(ascii: "#")).map { Array(line[$0...]) }
    }
  }

  /// The content of the file.
  public var bytes: [UInt8] { lines.flatMap { $0 + [0x0A] } }

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
public struct WrittenFiles: Sendable {
  /// The longest list that is read, in bytes.
  public static let maximumSize = 1 << 20

  private let lines: Set<Text>

  /// Parses the list.
  public init(_ bytes: [UInt8]) {
    lines = Set(bytes.split(separator: 0x0A).map { Text(decoding: $0) })
  }

  /// The path of the list in the user's state directory.
  public static func path(state: Text) -> Text { "\(state)/themed/apply.files" }

  /// Whether themed-apply wrote these bytes at this path, which has no links.
  public func contains(_ bytes: [UInt8], at path: Text) -> Bool { lines.contains(Self.line(bytes, at: path)) }

  /// The line for a file: the 64-bit FNV-1a sum of the bytes, and the path.
  public static func line(_ bytes: [UInt8], at path: Text) -> Text {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(sum, radix: 16)
    return "\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits) \(path)"
  }
}
