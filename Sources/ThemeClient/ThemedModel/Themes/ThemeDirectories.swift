public import ThemedSystem

/// The directories of installed themes in order of precedence; the daemon and its clients find themes by the same rule.
///
/// The content of theme files does not matter here. Accessing a directory may hang.
public struct ThemeDirectories: Sendable {
  /// The directories, the user's own first.
  public let all: [String]
  /// The home directory, in which images may be; nil if it is unknown.
  public let home: String?

  /// The theme directories below these data directories, the user's own first.
  public init(data: [String], home: String? = nil) {
    all = data.map { $0 + "/themed/themes" }
    self.home = home
  }

  /// The name of the theme with this file name; nil if it is not the name of a theme file.
  public static func name(ofFile file: Text) -> Text? {
    file.dropping(suffix: ThemeFile.suffix).flatMap { Theme.isValidName($0) ? $0 : nil }
  }

  /// The possible paths of a theme's file in order of precedence; empty if the name is not valid.
  public func paths(of name: Text) -> [String] {
    Theme.isValidName(name) ? all.map { "\($0)/\(name)\(ThemeFile.suffix)" } : []
  }

  /// The path of a theme's file; nil if no theme of this name is installed.
  public func path(of name: Text) -> String? { paths(of: name).first { FileIdentity(of: $0) != nil } }

  /// The files of the installed themes, by the themes' names, with a maximum number; the files are not read.
  ///
  /// `note` is called with each directory before it is accessed.
  public func installed(atMost maximum: Int = .max, _ note: (Text) -> Void = { _ in }) -> [Text: String] {
    var paths: [Text: String] = [:]
    for directory in all {
      note(Text(directory))
      forEachName(inDirectory: directory) { file in
        if let name = Self.name(ofFile: file), !paths.keys.contains(name) { paths[name] = "\(directory)/\(file)" }
        return paths.count < maximum
      }
    }
    return paths
  }

  /// The existing directories that cannot be read, and why; themes in them are not listed.
  public var unreadable: [(directory: String, problem: String)] {
    all.compactMap { directory in problem(ofDirectory: directory).map { (directory, $0) } }
  }

  /// The files that are not themes only because of their names.
  public var misnamed: [String] {
    all.flatMap { directory in
      names(inDirectory: directory)
        .filter { $0.hasSuffix(ThemeFile.suffix) && Self.name(ofFile: $0) == nil }
        .map { "\(directory)/\($0)" }
    }
  }
}
