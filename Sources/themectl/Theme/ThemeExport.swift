import ArgumentParser
import ThemedClientCore
import ThemedModel
import ThemeSetup
import ThemedSystem

extension ExportFormat: ExpressibleByArgument {
  /// The format with this word.
  public init?(argument: String) { self.init(word: Text(argument)) }
  /// The word, as it is typed.
  public var defaultValueDescription: String { word.string }
  /// The words of all formats.
  public static var allValueStrings: [String] { allCases.map(\.word.string) }
}

struct ExportTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print a theme in a format for other programs.",
    discussion: """
      Without a name, this prints the theme that is shown now. The format 'theme' contains only the colours that the \
      theme's file gives; every other format also contains the derived colours.

      themed writes every format that 'theme import' reads. Most formats contain one side: the side that you name, else \
      the theme's only side, else the side that is shown. The formats theme, json, css, \(bothSides) \
      contain both. If a format has no place for a colour of the theme, a note says so.

      For example:
        themectl theme export mint --format css > mint.css
        themectl theme export mint --format xresources --dark | xrdb -merge
        themectl theme export mint --format ghostty --dark > ~/.config/ghostty/themes/mint
        eval "$(themectl theme export --format shell)"; echo "$THEME_BACKGROUND"
        themectl theme export --format fish | source
      """)

  private static var bothSides: String {
    let words = SchemeFormat.all.filter { !$0.isOfOneSide }.map(\.word.string)
    return "\(words.dropLast().joined(separator: ", ")) and \(words.last ?? "")"
  }

  @Argument(
    help: ArgumentHelp("The theme: its name, or the path of its file.", valueName: "theme"),
    completion: .custom { words, _, _ in InstalledThemes.candidates(after: words) })
  var theme: String?

  @Option(help: "The format to print; 'theme' is the format of .theme files.")
  var format = ExportFormat.theme

  @OptionGroup var side: SideOption
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience

  func run() throws {
    let (theme, place) = try readTheme(theme ?? shownTheme(daemon, audience), of: daemon)
    // A base16 scheme of a theme with two sides has its side in its name.
    let whole = format.isOfOneSide ? theme : try side.narrowed(theme)
    let side =
      format.isOfOneSide ? try side.one(of: theme, for: "'\(format.word)'") { shownSide } : whole.schemes[0]
    let exported = ExportedTheme(theme: whole, path: place.path, assetPath: place.assetPath)
    try write(exported.text(as: format, side: side))
    guard let scheme = format.scheme else { return }
    let sides = format.isOfOneSide ? [side] : whole.schemes
    for side in sides { tell(exported.lost(of: side, in: scheme), of: sides.count > 1 ? side : nil) }
  }

  private var shownSide: ColorScheme? {
    do throws(CallError) {
      var connection = try ThemeConnection(socket: daemon.socket, timeout: .seconds(2))
      return try connection.call(.state(app: audience.app)).scheme
    } catch { return nil }
  }

  /// Tells which colours are lost; `side` names their side if the output has two.
  private func tell(_ lost: [(role: Role, color: Color, instead: Color)], of side: ColorScheme?) {
    guard lost.count <= 3 else {
      let roles = lost.map(\.role.rawValue).few
      let owner = side.map { "the theme's \($0.rawValue) side" } ?? "the theme"
      complain("note: \(format.word) has no place for \(lost.count) colours of \(owner): \(roles)")
      return
    }
    for (role, color, instead) in lost {
      let name = side.map { "\($0.rawValue) \(role.rawValue)" } ?? role.rawValue.string
      complain(
        "note: \(format.word) has no place for the theme's \(name) colour "
          + "(\(color.hexadecimal)); programs that read this file will use \(instead.hexadecimal) instead")
    }
  }
}
