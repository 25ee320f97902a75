public import ThemedText
internal import ThemeModel
internal import ThemedUnix

/// The directories that themes are installed in, the one that holds first: what the daemon and its clients take for a
/// theme, and where.
///
/// Of what a theme's file says nothing is known here. Whatever looks at a directory may wait for ever.
public struct ThemeSearchPath: Sendable {
  /// The directories, the user's own first.
  public let directories: [String]

  /// These directories.
  public init(directories: [String]) {
    self.directories = directories
  }

  /// The directories below those for data, the user's own first.
  public init(data: [String]) {
    directories = data.map { $0 + "/themed/themes" }
  }

  /// The name of the theme whose file is called so; nil where it is no theme's.
  public static func name(ofFile file: Text) -> Text? {
    file.dropping(suffix: ThemeFile.suffix).flatMap { Theme.isValidName($0) ? $0 : nil }
  }

  /// Where the file of a theme of this name may be, the one that holds first; nowhere where no theme is called so.
  public func paths(of name: Text) -> [String] {
    Theme.isValidName(name) ? directories.map { "\($0)/\(name)\(ThemeFile.suffix)" } : []
  }

  /// Where the file of the theme of this name is; nil where none is installed.
  public func path(of name: Text) -> String? {
    paths(of: name).first { FileIdentity(of: $0) != nil }
  }

  /// The files of the themes that are installed, by the themes' names, so many at most; nothing of them is read.
  ///
  /// `note` is called with each directory before it is looked at.
  public func installed(atMost maximum: Int = .max, _ note: (Text) -> Void = { _ in }) -> [Text: String] {
    var paths: [Text: String] = [:]
    for directory in directories {
      note(Text(directory))
      forEachName(inDirectory: directory) { file in
        if let name = Self.name(ofFile: file), !paths.keys.contains(name) { paths[name] = "\(directory)/\(file)" }
        return paths.count < maximum
      }
    }
    return paths
  }

  /// The directories that are there and cannot be read, and why: what lies in them is not listed.
  public var unreadable: [(directory: String, problem: String)] {
    directories.compactMap { directory in problem(ofDirectory: directory).map { (directory, $0) } }
  }

  /// The files that are no themes' for what they are called alone.
  public var misnamed: [String] {
    directories.flatMap { directory in
      names(inDirectory: directory)
        .filter { $0.hasSuffix(ThemeFile.suffix) && Self.name(ofFile: $0) == nil }
        .map { "\(directory)/\($0)" }
    }
  }
}
