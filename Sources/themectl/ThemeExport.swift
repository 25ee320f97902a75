import ArgumentParser
import ForeignText
import ThemeClient
import Unix

extension ExportFormat: ExpressibleByArgument {}

struct ExportTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a theme for other programs.",
    discussion: """
      Every colour is written, given or derived. base16, base24, shell and xresources hold one side: with --side, of a \
      theme that has both.

      For example:
        themectl theme export mint --format css > mint.css
        themectl theme export mint --format xresources --side dark | xrdb -merge
        eval "$(themectl theme export mint --format shell --side "$(themectl get)")"; echo "$THEME_BACKGROUND"
      """)

  @OptionGroup var theme: ThemeArgument

  @Option(help: "The form: theme (a theme's file), base16, base24, json, css, shell or xresources.")
  var format = ExportFormat.theme

  @OptionGroup var side: SideOption

  func run() throws {
    let (theme, place) = try theme.read()
    // Of a theme with two sides, a scheme of one is called by its side.
    let whole = format.isOfOneSide ? theme : try side.narrowed(theme)
    let side = format.isOfOneSide ? try side.one(of: theme, for: "'\(format.rawValue)'") : whole.schemes[0]
    let exported = ExportedTheme(theme: whole, path: place.path, assetPath: place.assetPath)
    let text: String
    do throws(ExportedTheme.Refusal) { text = try exported.text(as: format, side: side) } catch {
      complain("\(error)")
      throw ExitCode.failed
    }
    try write(text)
  }
}

extension ThemePlaces.Place {
  /// Where an asset of the theme is, by what the theme writes.
  func assetPath(_ text: Text) -> Text {
    Side.assetPath(text, directory: directory, home: BaseDirectory.home.map { Text($0) }) ?? text
  }
}
