public import ThemedText

/// Where app files and their templates are looked for, the place that holds first: pure lists of paths.
public struct AppSearchPath: Sendable, Hashable {
  /// The directories that have `apps` and `templates`; the user's own comes first.
  public let roots: [Text]

  /// The user's own place below `configuration`, then those below the data directories.
  ///
  /// - Parameter override: `THEMED_APPS`: directories with colons between them, in the place of those below `data`.
  public init(configuration: Text?, data: [Text], override: Text? = nil) {
    let system = override.map { $0.split(":", omittingEmpty: true).filter { $0.hasPrefix("/") } }
    let own: [Text] = configuration.map { ["\($0)/themed"] } ?? []
    roots = own + (system ?? data.map { "\($0)/themed" })
  }

  /// The directories of app files.
  public var appDirectories: [Text] { roots.map { "\($0)/apps" } }

  /// The directories of templates.
  public var templateDirectories: [Text] { roots.map { "\($0)/templates" } }

  /// Where the file of an app may be; nowhere where no app is called so.
  public func paths(ofApp name: Text) -> [Text] {
    App.isValidName(name) ? appDirectories.map { "\($0)/\(name)\(App.suffix)" } : []
  }

  /// Where a template may be.
  public func paths(ofTemplate name: Text) -> [Text] { templateDirectories.map { "\($0)/\(name)" } }
}

/// The list of enabled apps, `apps.enabled`: a name a line; a comment behind `#` stays where it is.
public struct EnabledApps: Sendable, Hashable {
  /// The longest list that is read, in bytes.
  public static let maximumSize = 64 << 10

  private var lines: [Text]

  /// The list that these bytes are.
  public init(_ bytes: [UInt8] = []) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Text(decoding: $0) }
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// Where the list is, below the directory that the user configures programs in.
  public static func path(configuration: Text) -> Text { "\(configuration)/themed/apps.enabled" }

  /// The names, in order, each once; a line that is none is passed over.
  public var names: [Text] {
    var seen: Set<Text> = []
    return lines.compactMap(Self.name).filter { seen.insert($0).inserted }
  }

  /// The list with an app at its end, unless it is there.
  public mutating func insert(_ name: Text) {
    if !names.contains(name) { lines.append(name) }
  }

  /// The list without an app.
  public mutating func remove(_ name: Text) { lines.removeAll { Self.name(in: $0) == name } }

  /// The file.
  public var bytes: [UInt8] { lines.flatMap { Array($0.utf8) + [0x0A] } }

  private static func name(in line: Text) -> Text? {
    let word = line.split("#", maxSplits: 1)[0].split(" ", omittingEmpty: true)
    guard word.count == 1, App.isValidName(word[0]) else { return nil }
    return word[0]
  }
}
