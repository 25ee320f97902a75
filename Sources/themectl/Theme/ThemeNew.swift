import ArgumentParser
import ThemeModel
import ThemeSetup
import ThemedSystem

struct NewTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a new theme, and print the path of its file.",
    discussion: """
      The file has both sides, and comments that explain the format. With --from, the file is a copy of another theme. \
      Edit the file, then run 'themectl theme check' to find mistakes and 'themectl theme preview' to see the theme.

      For example:
        $EDITOR "$(themectl theme new dusk)"
        $EDITOR "$(themectl theme new dusk --from mint)"
      """)

  @Argument(help: ArgumentHelp("The theme's name: letters, digits, '.', '_', '+' and '-'.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The title that people see.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("The theme to copy: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { words, _, _ in InstalledThemes.candidates(after: words) })
  var from: String?

  @OptionGroup var installation: ThemeInstallation
  @OptionGroup var daemon: Daemon

  func validate() throws {
    guard !Text(name).hasSuffix(ThemeFile.suffix) else {
      throw ValidationError(
        "a theme's name is its file's name without '\(ThemeFile.suffix)'; try: themectl theme new dusk")
    }
    guard !Theme.isValidName(Text(name)) else { return }
    throw ValidationError(
      "invalid theme name '\(name)': it must consist of \(Theme.nameExpectation); try: themectl theme new dusk")
  }

  func run() throws {
    let theme = try begin()
    let text = from == nil ? Self.explanation + ThemeFile.text(of: theme) : ThemeFile.text(of: theme)
    try say(installation.write(theme, bytes: Array(text.utf8), otherwise: "choose another name"))
    InstalledThemes.known(to: daemon.socket).warnOfUnsearchedDirectories()
  }

  private func begin() throws -> Theme {
    guard let from else {
      let accent = Color(hexadecimal: "#2f80ed")
      let (black, white) = (Color(hexadecimal: "#1b1e24"), Color(hexadecimal: "#f7f8fa"))
      func side(_ background: Color?, _ text: Color?) -> Side {
        let colors: [Role: Color?] = [.background: background, .text: text, .primary: accent]
        return Side(colors: colors.compactMapValues(\.self))
      }
      return Theme(name: Text(name), title: title.map { Text($0) }, light: side(white, black), dark: side(black, white))
    }
    var (theme, place) = try readTheme(from, in: .known(to: daemon.socket))
    theme.name = Text(name)
    theme.title = Text(title ?? name)
    // The copy is in another directory than the images.
    return theme.withAssets(place.assetPath)
  }

  private static let explanation = """
    # A theme for themed. themed.theme(5) lists the roles, and says how missing colours are derived.
    # For a theme with one side, remove the groups of the other side.
    # [light.assets] can name images, such as wallpaper=~/Pictures/day.jpg, and
    # [light.values] can have values for single programs, such as bat=OneHalfLight.


    """
}

struct ThemeInstallation: ParsableArguments {
  @Flag(help: "Replace an existing theme of the same name.")
  var force = false

  /// Writes a theme's file, and returns its path; without --force, an existing file is an error.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file; nil writes the theme alone.
  ///   - isReplacing: Whether to replace it without --force, because nothing of it is lost.
  ///   - otherwise: The alternative to --force if the file exists, in words.
  func write(
    _ theme: Theme, bytes: [UInt8]? = nil, isReplacing: Bool = false, otherwise: String
  ) throws(Refusal) -> String {
    do throws(ThemeFile.Problems) {
      _ = try ThemeFile(name: theme.name, groups: ThemeFile.groups(of: theme))
    } catch { throw Refusal("\(error)") }
    guard let path = InstalledThemes.ofUser.newPath(of: theme.name) else {
      throw Refusal("cannot tell where to put the theme: neither XDG_DATA_HOME nor HOME is set")
    }
    guard force || isReplacing || FileIdentity(of: path) == nil else {
      throw Refusal("the theme \(path) already exists; use --force to replace it, or \(otherwise)")
    }
    let shadowed = InstalledThemes.ofUser.place(of: theme.name).flatMap { $0.path == path ? nil : $0.path }
    do throws(SystemError) {
      try writeFile(path, bytes ?? Array(ThemeFile.text(of: theme).utf8))
    } catch { throw Refusal("\(error)") }
    if let shadowed { complain("note: your theme '\(theme.name)' is now used instead of \(shadowed)") }
    return path
  }

  struct Own {
    let theme: Theme
    let path: String
    let bytes: [UInt8]

    /// The file with a theme's sides added after its content, comments included; nil if it has only its own theme, and
    /// can be written again.
    func adding(_ other: Theme) throws(Refusal) -> [UInt8]? {
      guard Text(decoding: bytes) != Text(ThemeFile.text(of: theme)) else { return nil }
      var new = bytes
      if new.last != UInt8(ascii: "\n") { new.append(UInt8(ascii: "\n")) }
      let sides = ThemeFile.groups(of: other).filter { $0.name != "theme" }
      new += "\n\(ThemeFile.text(of: sides))".utf8
      guard new.count <= ThemeExamination.maximumBytes else { throw refusal("the file would be longer than 64 KiB") }
      // Groups for both sides must be valid for the new side too.
      do { _ = try ThemeFile(name: theme.name, KeyFile(strict: new)) } catch { throw refusal("\(error)") }
      return new
    }

    private func refusal(_ reason: String) -> Refusal {
      Refusal("cannot add a side to \(path): \(reason); use --name to make a theme with another name")
    }
  }

  var ownThemes: [Own] {
    InstalledThemes(own: ThemeDirectories(data: Array(BaseDirectory.data.prefix(1)))).all.compactMap { place in
      guard let theme = ThemeExamination(place).theme,
        let bytes = try? readFile(place.path, maximum: ThemeExamination.maximumBytes)
      else { return nil }
      return Own(theme: theme, path: place.path, bytes: bytes)
    }
  }
}
