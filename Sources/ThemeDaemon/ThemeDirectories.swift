internal import Appearance
internal import ForeignText
internal import CLinux
internal import Glibc
internal import Themes
internal import Unix

/// The directories that themes are installed in, the user's own first: what they hold is read when it is asked for.
struct ThemeDirectories {
  private let directories: [String]
  private let home: String?

  /// The directories below those for data, the user's own first.
  init(data: [String], home: String?) {
    directories = data.map { $0 + "/themed/themes" }
    self.home = home
  }

  /// A theme that was read, and what in its file means nothing.
  struct Found {
    let theme: Theme
    let path: Text
    let unknown: [ThemeFile.Problem]
  }

  /// Why a theme that is installed cannot be used: its file, and what is wrong with it.
  struct Fault: Error, Equatable, CustomStringConvertible {
    let path: Text
    let problem: String
    var description: String { "\(path): \(problem)" }
  }

  /// Where the file of a theme may be, the one that holds first.
  func paths(of name: Text) -> [String] { directories.map { "\($0)/\(name)\(ThemeFile.suffix)" } }

  /// The themes that are installed, by name; nothing of them is read.
  func list() -> [(name: Text, path: Text)] {
    var paths: [Text: Text] = [:]
    for directory in directories {
      for file in names(inDirectory: directory) {
        guard let name = Text(file).dropping(suffix: ThemeFile.suffix), Theme.isValidName(name), paths[name] == nil
        else { continue }
        paths[name] = "\(directory)/\(file)"
      }
    }
    return paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Reads a theme whole, its assets as absolute paths; nil where none of this name is installed.
  func read(_ name: Text) throws(Fault) -> Found? {
    guard Theme.isValidName(name) else { return nil }
    for path in paths(of: name) {
      let text: [UInt8]
      do throws(SystemError) {
        text = try readFile(path, maximum: Limits.themeFile)
      } catch {
        if error.code == ENOENT || error.code == ENOTDIR { continue }
        throw Fault(path: Text(path), problem: SystemError.text(error.code))
      }
      return try parse(text, name, Text(path))
    }
    return nil
  }

  private func parse(_ text: [UInt8], _ name: Text, _ path: Text) throws(Fault) -> Found {
    do {
      let file = try ThemeFile(name: name, groups: KeyFile(text).groups())
      let theme = try locateAssets(of: file.theme, Text(parent(of: path.string)))
      return Found(theme: theme, path: path, unknown: file.unknown)
    } catch {
      // GLib quotes the line, and a terminal takes orders from control characters.
      throw Fault(path: path, problem: Text("\(error)").shown())
    }
  }

  /// The theme with absolute paths; throws those where no file is that can be read.
  private func locateAssets(of theme: Theme, _ directory: Text) throws(ThemeFile.Problems) -> Theme {
    var theme = theme
    var problems: [ThemeFile.Problem] = []
    for scheme in theme.schemes {
      for (asset, text) in (theme[scheme]?.assets ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = Side.assetPath(text, directory: directory, home: home.map { Text($0) })
        theme[scheme]?.assets[asset] = path
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
