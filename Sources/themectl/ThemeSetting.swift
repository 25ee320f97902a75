import ArgumentParser
import ThemedText
import ThemeClient
import ThemedUnix

struct SetTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Choose a theme for each side that it has, or one for each side.",
    usage: """
      themectl theme set <theme> [--app <name>] [--for <time> | --until <time>] [--until-changed]
      themectl theme set [--light <theme>] [--dark <theme>] …
      """,
    discussion: """
      For example:
        themectl theme set mint                       both sides, as far as it has them
        themectl theme set --light mint --dark outrun
        themectl theme set outrun --app nvim --until 07:30

      Instead of its name, the path of a theme's file does, if it lies where themed looks.
      """)

  @Argument(
    help: ArgumentHelp("The theme for each side that it has.", valueName: "theme"),
    completion: .custom { words, _, _ in ThemePlaces.candidates(after: words) })
  var theme: String?

  @Option(
    help: ArgumentHelp("The theme for the light side.", valueName: "theme"),
    completion: .custom { words, _, _ in ThemePlaces.candidates(after: words, with: .light) })
  var light: String?

  @Option(
    help: ArgumentHelp("The theme for the dark side.", valueName: "theme"),
    completion: .custom { words, _, _ in ThemePlaces.candidates(after: words, with: .dark) })
  var dark: String?

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    guard (theme != nil) != (light != nil || dark != nil) else {
      throw ValidationError(
        "Name one theme, or one for each side. For example: themectl theme set mint; "
          + "themectl theme set --light mint --dark outrun")
    }
    var override = Override()
    try ending.end(&override, now: wallClock())
  }

  func run() throws {
    let light = try light.map(daemon.themeName)
    let dark = try dark.map(daemon.themeName)
    var override = Override(app: audience.name, lightTheme: light, darkTheme: dark)
    try ending.end(&override, now: wallClock())
    try daemon.choose(try theme.map(daemon.themeName), override, as: format)
  }
}

extension Daemon {
  /// The name of the theme that a user means: this, or that of the file at this path, where the daemon finds it by that
  /// name.
  fileprivate func themeName(_ word: String) throws -> Text {
    guard isPath(word) else { return Text(word) }
    let places = ThemePlaces.known(to: socket)
    guard let meant = places.place(meantBy: word), let file = FileIdentity(of: meant.path) else {
      complain("there is no file \(word) that can be read")
      throw ExitCode.failed
    }
    guard let known = places.place(of: meant.name), FileIdentity(of: known.path) == file else {
      let name = Theme.isValidName(meant.name) ? meant.name.string : "NAME"
      complain(
        "\(word) does not lie where themed looks for themes; "
          + "'themectl theme new \(name) --from \(Text(word).asWord)' puts it there")
      throw ExitCode.failed
    }
    return meant.name
  }

  /// Chooses a theme for each side that it has, or those that the override names, and says which were set.
  func choose(_ name: Text?, _ override: Override, as format: Format) throws {
    var override = override
    let (note, change, choice) = try callAboutThemes { (daemon) throws(ThemeClientError) in
      let note = try daemon.noteOfStranger(override.app)
      if let name {
        let theme = try daemon.getTheme(name.string).theme
        if theme.light != nil { override.lightTheme = name }
        if theme.dark != nil { override.darkTheme = name }
      }
      let change = try daemon.setOverride(override)
      return (note, change, try ThemeChoice(&daemon, app: override.app))
    }
    if let note { complain(note) }
    if format.json {
      try say(change.json)
    } else {
      for scheme in ColorScheme.allCases {
        if let set = override.theme(scheme) {
          try say("\(scheme.rawValue)\t\(printable(set))")
        } else if let name {
          let rest = choice[scheme].map { "\($0) stays" } ?? "it stays without a theme"
          complain("note: '\(name)' has no \(scheme.rawValue) side, which was not set: \(rest)")
        }
      }
    }
    try requireSaved(change)
  }
}

extension Daemon {
  /// Makes calls that name themes: of one that there is not, those are told that may be meant.
  private func callAboutThemes<Value>(
    _ body: (inout ThemeConnection) throws(ThemeClientError) -> Value
  ) throws -> Value {
    let result = try call(.toChange) { (daemon) throws(ThemeClientError) -> Result<Value, UnknownTheme> in
      do throws(ThemeClientError) { return .success(try body(&daemon)) } catch {
        guard error.code == .unknownTheme, let name = error.theme else { throw error }
        return .failure(UnknownTheme(name: name, places: try ThemePlaces.ofUser.known(to: &daemon)))
      }
    }
    do throws(UnknownTheme) { return try result.get() } catch { throw unknownTheme(error.name, in: error.places) }
  }

  private struct UnknownTheme: Error {
    let name: Text
    let places: ThemePlaces
  }
}

struct UnsetTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Choose no theme any more: then the configuration's is shown, if it names one.",
    discussion: "Without --app, single apps keep those that were chosen for them; with --all-apps they do not.")

  @Flag(help: "For this side; without a word, for both.")
  var sides: [ColorScheme] = []

  @Flag(help: "For each single app, too.")
  var allApps = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws { try audience.validate(besides: allApps, of: "theme unset") }

  func run() throws {
    let fields: [Field] = (sides.isEmpty ? ColorScheme.allCases : sides).map { $0 == .light ? .lightTheme : .darkTheme }
    let change = try daemon.clear(fields, for: audience, everyApp: allApps) {
      ["theme unset"] + sides.map { "--\($0.rawValue)" }
    }
    try say(format.json ? change.json : change.state.resolution.theme.map { printable($0.name) } ?? "-")
    try requireSaved(change)
  }
}
