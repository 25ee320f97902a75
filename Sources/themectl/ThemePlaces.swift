import ForeignText
import ThemeClient
import Unix

/// Where themes are installed: the directories that the daemon looks in, too.
struct ThemePlaces {
  /// The directories, the user's own first.
  let directories: [String]

  /// Those of this user.
  static var ofUser: ThemePlaces { ThemePlaces(directories: BaseDirectory.data.map { $0 + "/themed/themes" }) }

  /// A theme that is installed.
  struct Place: Hashable {
    /// What the theme is chosen by.
    let name: Text
    /// Its file.
    let path: String

    /// The directory that its file lies in, which may start here.
    var directory: Text {
      guard let (before, _) = Text(path).splitAtLast("/") else { return "." }
      return before.isEmpty ? "/" : before
    }
  }

  /// Every theme, by name; of those with the same name the one that holds.
  var all: [Place] {
    var paths: [Text: String] = [:]
    for directory in directories {
      for file in names(inDirectory: directory) {
        guard let name = themeName(ofFile: file), paths[name] == nil else { continue }
        paths[name] = "\(directory)/\(file)"
      }
    }
    return paths.sorted { $0.key < $1.key }.map(Place.init)
  }

  /// The names of all, for a shell to complete.
  static var candidates: [String] { ofUser.all.map(\.name.string) }

  /// The theme of this name; nil where none is installed.
  func place(of name: Text) -> Place? {
    guard Theme.isValidName(name) else { return nil }
    return directories.lazy.map { Place(name: name, path: "\($0)/\(name)\(ThemeFile.suffix)") }.first {
      FileIdentity(of: $0.path) != nil
    }
  }

  /// The theme that a user means by a word: the path of a file, or a name.
  func place(meantBy word: String) -> Place? {
    let text = Text(word)
    guard text.contains("/") || text.hasSuffix(ThemeFile.suffix) else { return place(of: text) }
    let file = text.split("/", omittingEmpty: true).last ?? text
    return Place(name: themeName(ofFile: file) ?? file, path: word)
  }

  /// Where a new theme of this name is put; nil where the user has no place for data.
  func newPath(of name: Text) -> String? { directories.first.map { "\($0)/\(name)\(ThemeFile.suffix)" } }
}

/// The name of the theme whose file is called so; nil where it is no theme's.
private func themeName(ofFile file: Text) -> Text? {
  file.dropping(suffix: ThemeFile.suffix).flatMap { Theme.isValidName($0) ? $0 : nil }
}
