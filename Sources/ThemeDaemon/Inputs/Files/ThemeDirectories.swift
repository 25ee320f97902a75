internal import ThemeResolution
internal import ThemedText
internal import Glibc
internal import ThemeFiles
internal import ThemeInterface
internal import ThemeModel
internal import ThemedUnix
internal import ThemedVarlink

/// The directories that themes are installed in, the user's own first: what they hold is read when it is asked for.
///
/// Reading may wait for ever: it is for a thread that may.
struct ThemeDirectories: Sendable {
  private let places: ThemeSearchPath
  private let home: String?

  /// The directories below those for data, the user's own first.
  init(data: [String], home: String?) {
    places = ThemeSearchPath(data: data)
    self.home = home
  }

  /// A theme that was read, and what in its file means nothing.
  struct Found: Sendable, Equatable {
    let theme: Theme
    let path: Text
    let unknown: [Text]
    /// What is said of the images that are not there, and are left out; nil where all are.
    let missing: String?
    /// Where the theme's images are, or are to be.
    let images: [Text]
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
  func paths(of name: Text) -> [String] { places.paths(of: name) }

  /// The themes that are installed, by name, so many at most; nothing of them is read.
  func list(atMost maximum: Int = .max) -> [ThemeListing] {
    places.installed(atMost: maximum).sorted { $0.key < $1.key }
      .map { ThemeListing(name: $0.key, path: Text($0.value)) }
  }

  /// The reply of ListThemes; `note` is called with each path before it is looked at.
  func listing(_ note: (Text) -> Void = { _ in }) -> Listing {
    places.directories.first.map { note(Text($0)) }
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

  /// Reads a theme whole, its assets as absolute paths of files that can be read; nil where none of this name is
  /// installed.
  ///
  /// `note` is called with each path before it is looked at.
  func read(_ name: Text, _ note: (Text) -> Void = { _ in }) throws(Fault) -> Found? {
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
      let file = try ThemeFile(name: name, KeyFile(strict: text))
      let located = locateAssets(of: file.theme, Text(parent(of: path.string)), note)
      let missing =
        located.missing.isEmpty
        ? nil : "\(path): \(ThemeFile.Problems(located.missing)); what is missing is left out until it is there"
      return Found(
        theme: located.theme, path: path, unknown: file.unknown.map { Text("\($0)") },
        missing: missing.map { Text($0).shown(atMost: Limits.problem) }, images: located.images,
        sides: located.theme.shown)
    } catch {
      throw Fault(path: path, problem: Text("\(error)").shown(atMost: Limits.problem))
    }
  }

  /// The theme with the absolute paths of those images that are files that can be read, those that are not, and the
  /// paths of all.
  private func locateAssets(
    of theme: Theme, _ directory: Text, _ note: (Text) -> Void
  ) -> (theme: Theme, missing: [ThemeFile.Problem], images: [Text]) {
    var theme = theme
    var missing: [ThemeFile.Problem] = []
    var images: Set<Text> = []
    for scheme in theme.schemes {
      for (asset, text) in (theme[scheme]?.assets ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = Side.assetPath(text, directory: directory, home: home.map { Text($0) })
        if let path {
          note(path)
          images.insert(path)
          if isReadableFile(path.string) {
            theme[scheme]?.assets[asset] = path
            continue
          }
        }
        theme[scheme]?.assets[asset] = nil
        let expected = "the path of a file that can be read"
        missing.append(
          ThemeFile.Problem(group: "\(scheme.rawValue).assets", key: asset, value: text, expected: expected))
      }
    }
    return (theme, missing, images.sorted())
  }
}
