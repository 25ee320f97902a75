import ArgumentParser
import ThemedModel
import ThemeSetup
import ThemedSystem

struct NewTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a new theme, and print the path of its file.",
    discussion: """
      The file has both sides, and comments that explain the format. With --from, the file is a copy of another theme. \
      With --picture, the theme has the colours of a picture, and the picture as its wallpaper. Text has a contrast of \
      at least 7:1 with the background, and the colours of a terminal of at least 4.5:1. With only --light or only --dark, \
      and --force, the other side of an existing theme stays. With --follow-wallpaper, \
      themed-apply makes a side again when you choose another wallpaper while that side is shown, after 'themectl \
      desktop enable'.

      Edit the file, then run 'themectl theme check' to find mistakes and 'themectl theme preview' to see the theme.

      For example:
        $EDITOR "$(themectl theme new dusk)"
        $EDITOR "$(themectl theme new dusk --from mint)"
        themectl theme new beach --picture ~/Pictures/beach.jpg
        themectl theme new day --light day.jpg --dark night.jpg
        themectl theme new wall --picture ~/Pictures/beach.jpg --follow-wallpaper
      """)

  @Argument(help: ArgumentHelp("The theme's name: letters, digits, '.', '_', '+' and '-'.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The title that people see.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("The theme to copy: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { words, _, _ in InstalledThemes.candidates(after: words) })
  var from: String?

  @Option(
    help: ArgumentHelp("Make both sides from this picture; gdk-pixbuf reads it.", valueName: "file"),
    completion: .file())
  var picture: String?

  @Option(help: ArgumentHelp("Make the light side from this picture.", valueName: "file"), completion: .file())
  var light: String?

  @Option(help: ArgumentHelp("Make the dark side from this picture.", valueName: "file"), completion: .file())
  var dark: String?

  @Flag(help: "Make the side that is shown again from each new wallpaper of the desktop.")
  var followWallpaper = false

  @OptionGroup var installation: ThemeInstallation
  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws {
    guard from == nil || !isFromPictures else { throw ValidationError("use either '--from' or pictures") }
    guard !followWallpaper || isFromPictures else {
      throw ValidationError("'--follow-wallpaper' needs a picture; try: --picture beach.jpg --follow-wallpaper")
    }
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
    let isStart = from == nil && !isFromPictures
    let text = (isStart ? Self.explanation : "") + ThemeFile.text(of: theme)
    let path = try installation.write(theme, bytes: Array(text.utf8), otherwise: "choose another name")
    try say(path)
    let place = InstalledThemes.Place(name: theme.name, path: path)
    if isFromPictures, let note = ThemeExamination.noteAboutWarnings(of: [place]) { complain(note) }
    InstalledThemes.known(to: daemon.socket).warnOfUnsearchedDirectories()
  }

  private func begin() throws -> Theme {
    if isFromPictures { return try makeFromPictures() }
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

  private var isFromPictures: Bool { picture != nil || light != nil || dark != nil }

  /// The theme with the sides that are made from pictures, and everything else of the theme that is replaced.
  private func makeFromPictures() throws -> Theme {
    let both = try picture.map { path throws(Refusal) in try Picture(ofFile: path) }
    var sides: [(scheme: ColorScheme, side: Side)] = []
    for (scheme, path) in [(ColorScheme.light, light), (.dark, dark)] {
      let own = try path.map { path throws(Refusal) in try Picture(ofFile: path) }
      if let picture = own ?? both {
        sides.append((scheme, picture.side(scheme, followingWallpaper: followWallpaper)))
      }
    }
    // Decoding takes seconds: read before it, the theme would lose what the user saves meanwhile.
    var theme = Theme(name: Text(name))
    let known = InstalledThemes.known(to: daemon.socket)
    if picture == nil, installation.force, known.place(of: Text(name)) != nil {
      let (old, place) = try readTheme(name, in: known)
      theme = old.withAssets(place.assetPath)
    }
    if let title { theme.title = Text(title) }
    for (scheme, side) in sides { theme[scheme] = side.keepingValues(of: theme[scheme]) }
    return theme
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
  func write(
    _ theme: Theme, bytes: [UInt8]? = nil, isReplacing: Bool = false, otherwise: String
  ) throws(Refusal) -> String {
    let isReplacing = force || isReplacing
    let written = try OwnTheme.write(theme, bytes: bytes, isReplacing: isReplacing, otherwise: otherwise)
    if let note = written.note { complain(note) }
    return written.path
  }
}
