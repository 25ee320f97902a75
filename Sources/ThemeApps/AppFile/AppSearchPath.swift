public import ThemedSystem

/// The search path of app files and templates, the strongest place first: pure lists of paths.
public struct AppSearchPath: Sendable, Hashable {
  /// The directories that have `apps` and `templates`; the user's own comes first.
  public let roots: [Text]

  /// The user's own place in `configuration`, then the places in the data directories.
  ///
  /// - Parameter override: `THEMED_APPS`, directories separated by colons, instead of those in `data`.
  public init(configuration: Text?, data: [Text], override: Text? = nil) {
    let system = override.map { $0.split(":", omittingEmpty: true).filter { $0.hasPrefix("/") } }
    let own: [Text] = configuration.map { ["\($0)/themed"] } ?? []
    roots = own + (system ?? data.map { "\($0)/themed" })
  }

  /// The directories of app files.
  public var appDirectories: [Text] { roots.map { "\($0)/apps" } }

  /// The directories of templates.
  public var templateDirectories: [Text] { roots.map { "\($0)/templates" } }

  /// The possible paths of an app file; empty if the name is invalid.
  public func paths(ofApp name: Text) -> [Text] {
    App.isValidName(name) ? appDirectories.map { "\($0)/\(name)\(App.suffix)" } : []
  }

  /// The possible paths of a template.
  public func paths(ofTemplate name: Text) -> [Text] { templateDirectories.map { "\($0)/\(name)" } }

  /// The possible paths of a template of an app file in another place: beside that file, and then as for all.
  public func paths(ofTemplate name: Text, forAppAt path: Text) -> [Text] {
    let directory = path.splitAtLast("/")?.before ?? "."
    guard !appDirectories.contains(directory) else { return paths(ofTemplate: name) }
    return ["\(directory)/../templates/\(name)"] + paths(ofTemplate: name)
  }
}

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
