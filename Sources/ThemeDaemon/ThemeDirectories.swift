internal import Appearance
internal import CLinux
internal import ForeignText
internal import Glibc
internal import ThemeInterface
internal import Themes
internal import Unix
internal import Varlink

/// The directories that themes are installed in, the user's own first: what they hold is read when it is asked for.
///
/// Reading may wait for ever: it is for a thread that may.
struct ThemeDirectories: Sendable {
  private let directories: [String]
  private let home: String?

  /// The directories below those for data, the user's own first.
  init(data: [String], home: String?) {
    directories = data.map { $0 + "/themed/themes" }
    self.home = home
  }

  /// A theme that was read, and what in its file means nothing.
  struct Found: Sendable, Equatable {
    let theme: Theme
    let path: Text
    let unknown: [ThemeFile.Problem]
    /// The theme's sides as they are shown.
    let sides: [ColorScheme: ShownTheme]
  }

  /// What ListThemes returns.
  struct Listing: Sendable {
    let frame: [UInt8]
    /// Whether themes had to be left out.
    let isCut: Bool
  }

  /// Why a theme that is installed cannot be used: its file, and what is wrong with it.
  struct Fault: Error, Equatable, CustomStringConvertible {
    let path: Text
    let problem: String
    var description: String { "\(path): \(problem)" }
  }

  /// Where the file of a theme may be, the one that holds first.
  func paths(of name: Text) -> [String] { directories.map { "\($0)/\(name)\(ThemeFile.suffix)" } }

  /// The themes that are installed, by name, so many at most; nothing of them is read.
  func list(atMost maximum: Int = .max) -> [ThemeListing] {
    var paths: [Text: Text] = [:]
    for directory in directories {
      forEachName(inDirectory: directory) { file in
        if let name = file.dropping(suffix: ThemeFile.suffix), Theme.isValidName(name), paths[name] == nil {
          paths[name] = "\(directory)/\(file)"
        }
        return paths.count < maximum
      }
    }
    return paths.sorted { $0.key < $1.key }.map { ThemeListing(name: $0.key, path: $0.value) }
  }

  /// The reply of ListThemes; `note` is called with each path before it is looked at.
  func listing(_ note: (Text) -> Void = { _ in }) -> Listing {
    directories.first.map { note(Text($0)) }
    let themes = list(atMost: Limits.listedThemes)
    var listed: [JSON] = []
    var bytes = 0
    for theme in themes {
      // In a path, a byte may take six.
      bytes += theme.name.count + 6 * theme.path.count + 32
      guard bytes <= Limits.list else { break }
      listed.append(.object(theme.parameters))
    }
    let isCut = listed.count < themes.count || themes.count == Limits.listedThemes
    return Listing(frame: Reply(["themes": .array(listed)]).frame, isCut: isCut)
  }

  /// Reads a theme whole, its assets as absolute paths; nil where none of this name is installed.
  ///
  /// `note` is called with each path before it is looked at.
  func read(_ name: Text, _ note: (Text) -> Void = { _ in }) throws(Fault) -> Found? {
    guard Theme.isValidName(name) else { return nil }
    for path in paths(of: name) {
      let text: [UInt8]
      note(Text(path))
      do throws(SystemError) {
        text = try readFile(path, maximum: Limits.themeFile)
      } catch {
        if error.code == ENOENT || error.code == ENOTDIR { continue }
        throw Fault(path: Text(path), problem: SystemError.text(error.code))
      }
      return try parse(text, name, Text(path), note)
    }
    return nil
  }

  private func parse(
    _ text: [UInt8], _ name: Text, _ path: Text, _ note: (Text) -> Void
  ) throws(Fault) -> Found {
    do {
      let file = try ThemeFile(name: name, groups: KeyFile(text).groups())
      let theme = try locateAssets(of: file.theme, Text(parent(of: path.string)), note)
      return Found(theme: theme, path: path, unknown: file.unknown, sides: theme.shown)
    } catch {
      throw Fault(path: path, problem: Text("\(error)").shown(atMost: Limits.problem))
    }
  }

  /// The theme with absolute paths; throws those where no file is that can be read.
  private func locateAssets(
    of theme: Theme, _ directory: Text, _ note: (Text) -> Void
  ) throws(ThemeFile.Problems) -> Theme {
    var theme = theme
    var problems: [ThemeFile.Problem] = []
    for scheme in theme.schemes {
      for (asset, text) in (theme[scheme]?.assets ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = Side.assetPath(text, directory: directory, home: home.map { Text($0) })
        theme[scheme]?.assets[asset] = path
        if let path { note(path) }
        guard path.map({ isReadableFile($0.string) }) != true else { continue }
        let expected = "the path of a file that can be read"
        problems.append(
          ThemeFile.Problem(group: "\(scheme.rawValue).assets", key: asset, value: text, expected: expected))
      }
    }
    guard problems.isEmpty else { throw ThemeFile.Problems(problems) }
    return theme
  }
}

private func isReadableFile(_ path: String) -> Bool {
  var status = stat()
  guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
  return unsafe access(path, R_OK) == 0
}
