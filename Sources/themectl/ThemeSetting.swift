import ThemeInterface
import ThemeModel
import ThemeResolution
import ArgumentParser
import ThemedText
import ThemeClientCore
import ThemedUnix

struct SetTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Choose a theme for each side that it has, or one for each side.",
    usage: """
      themectl theme set <theme>|auto [--light | --dark] [--app <name>] [--for <time> | --until <time>] [--until-changed]
      themectl theme set --light <theme>|auto --dark <theme>|auto ...
      """,
    discussion: """
      For example:
        themectl theme set mint                       both sides, as far as it has them
        themectl theme set mint --dark                the dark side alone
        themectl theme set --light mint --dark outrun
        themectl theme set outrun --app nvim --until 07:30
        themectl theme set auto --app nvim            what the configuration names,
                                                      whatever is chosen for all

      Instead of its name, the path of a theme's file does, if it lies where themed looks.
      """)

  @Argument(
    help: ArgumentHelp("The theme; of two sides, one for each, in their order.", valueName: "theme"),
    completion: .custom { words, index, _ in
      let option = words.prefix(max(0, index)).last.flatMap { Text($0).dropping(prefix: "--") }
      let side = ColorScheme.allCases.first { Text($0.rawValue) == option }
      return ThemePlaces.candidates(after: words, with: side)
    })
  var themes: [String] = []

  @Flag(help: "For this side; without a word, for each that the theme has.")
  var sides: [ColorScheme] = []

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    let isForEach = sides.isEmpty && themes.count == 1
    guard isForEach || !sides.isEmpty && Set(sides).count == sides.count && sides.count == themes.count else {
      throw ValidationError(
        "Name one theme, or one for each side. For example: themectl theme set mint; themectl theme set mint --dark; "
          + "themectl theme set --light mint --dark outrun")
    }
    var override = Override()
    try ending.end(&override, now: wallClock())
    guard !(ending.isGiven && !pins.isEmpty && audience.app == nil) else {
      throw ValidationError(
        "For all apps 'auto' is no override, so it has no end. For example: themectl theme set mint --for 2h30m")
    }
  }

  /// The sides that are to show what the configuration names.
  private var pins: Set<Field> {
    let words =
      sides.isEmpty
      ? ColorScheme.allCases.compactMap { side in themes.first.map { (side, $0) } } : Array(zip(sides, themes))
    return Set(words.filter { isAuto($0.1) }.map { .theme($0.0) })
  }

  /// A theme that is called so is meant by its file's path.
  private func isAuto(_ word: String) -> Bool { Text(word) == "auto" }

  func run() throws {
    func name(_ word: String) throws -> Text? { isAuto(word) ? nil : try daemon.themeName(word) }
    var override = Override(app: audience.name, auto: pins)
    for (side, word) in zip(sides, themes) {
      if let name = try name(word) { override.setTheme(name, for: side) }
    }
    try ending.end(&override, now: wallClock(), asking: daemon)
    let forEach = sides.isEmpty ? try themes.first.flatMap(name) : nil
    try daemon.choose(forEach, override, as: format)
  }
}

extension Override {
  /// Names the theme of a side.
  mutating func setTheme(_ name: Text, for scheme: ColorScheme) {
    if scheme == .light { lightTheme = name } else { darkTheme = name }
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
        for scheme in theme.schemes { override.setTheme(name, for: scheme) }
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
        } else if override.auto.contains(.theme(scheme)) {
          try say("\(scheme.rawValue)\t\(choice[scheme].map { printable($0) } ?? "-")")
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
        return .failure(UnknownTheme(name: name.inner, places: try ThemePlaces.ofUser.known(to: &daemon)))
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

  @Argument(help: .hidden)
  var words: [String] = []

  @Flag(help: "For each single app, too.")
  var allApps = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    try audience.validate(besides: allApps, of: "theme unset")
    guard let word = words.first else { return }
    throw ValidationError(
      "'\(word)' is no option: a side is named by --light or --dark. For example: themectl theme unset --dark")
  }

  func run() throws {
    let fields = (sides.isEmpty ? ColorScheme.allCases : sides).map(Field.theme)
    let change = try daemon.clear(fields, for: audience, everyApp: allApps) {
      ["theme unset"] + sides.map { "--\($0.rawValue)" }
    }
    try say(format.json ? change.json : change.state.resolution.theme.map { printable($0.name) } ?? "-")
    try requireSaved(change)
  }
}
