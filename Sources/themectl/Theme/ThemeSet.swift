import ThemeInterface
import ArgumentParser
import ThemeClientCore
import ThemeModel
import ThemedSystem

struct SetTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Choose one theme for both sides, or a theme for each side.",
    usage: """
      themectl theme set <theme>|auto [--light | --dark] [--app <name>] [--for <time> | --until <time>] [--until-changed]
      themectl theme set --light <theme>|auto --dark <theme>|auto ...
      """,
    discussion: """
      For example:
        themectl theme set mint                       each side that mint has
        themectl theme set mint --dark                only the dark side
        themectl theme set --light mint --dark outrun
        themectl theme set outrun --app nvim --until 07:30
        themectl theme set auto --app nvim            the theme in themed.conf, even if you chose another for all apps

      You can give the path of a theme's file instead of its name, if the file is in a directory that themed searches for \
      themes.
      """)

  @Argument(
    help: ArgumentHelp(
      "The theme. To choose a different theme for each side, give a theme after --light and another after --dark.",
      valueName: "theme"),
    completion: .custom { words, index, _ in
      let option = words.prefix(max(0, index)).last.flatMap { Text($0).dropping(prefix: "--") }
      let side = ColorScheme.allCases.first { Text($0.rawValue) == option }
      return InstalledThemes.candidates(after: words, with: side)
    })
  var themes: [String] = []

  @Flag(help: "Only for this side; otherwise for each side that the theme has.")
  var sides: [ColorScheme] = []

  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    let isForEach = sides.isEmpty && themes.count == 1
    guard isForEach || !sides.isEmpty && Set(sides).count == sides.count && sides.count == themes.count else {
      throw ValidationError(
        "give one theme, or give a theme after --light and another after --dark; try: "
          + "themectl theme set mint; themectl theme set mint --dark; themectl theme set --light mint --dark outrun")
    }
    guard !(ending.isGiven && !pins.isEmpty && audience.app == nil) else {
      throw ValidationError(
        "'auto' without --app removes the choice, so --for, --until and --until-changed cannot be used "
          + "with it; try: themectl theme set mint --for 2h30m")
    }
  }

  /// The sides that the user returns to the theme of the configuration.
  private var pins: Set<Field> {
    let words =
      sides.isEmpty
      ? ColorScheme.allCases.compactMap { side in themes.first.map { (side, $0) } } : Array(zip(sides, themes))
    return Set(words.filter { isAuto($0.1) }.map { .theme($0.0) })
  }

  /// Whether the word is `auto`; a theme with that name has to be given by its file's path.
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
  mutating func setTheme(_ name: Text, for scheme: ColorScheme) {
    if scheme == .light { lightTheme = name } else { darkTheme = name }
  }
}

extension Daemon {
  /// The name of the theme that a user means: the word itself, or for a path the name by which the daemon finds that
  /// file.
  fileprivate func themeName(_ word: String) throws -> Text {
    guard isPath(word) else { return Text(word) }
    let places = InstalledThemes.known(to: socket)
    guard let meant = places.place(meantBy: word), let file = FileIdentity(of: meant.path) else {
      throw failed("cannot read \(word): \(reasonOfAbsence(word))")
    }
    guard let known = places.place(of: meant.name), FileIdentity(of: known.path) == file else {
      let name = Theme.isValidName(meant.name) ? meant.name.string : "NAME"
      throw failed(
        "\(word) is not in a directory that themed searches for themes; "
          + "'themectl theme new \(name) --from \(Text(word).asWord)' copies it to such a directory")
    }
    return meant.name
  }

  /// Chooses a theme for each side that it has, or for those that the override names, and reports which were set.
  func choose(_ name: Text?, _ override: Override, as format: Format) throws {
    var override = override
    let (note, change, choice) = try callAboutThemes { (daemon) throws(ThemeClientError) in
      let note = try daemon.noteAboutUnknownApp(override.app, isSet: true)
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
          let rest = choice[scheme].map { "'\($0)' stays chosen" } ?? "still no theme is chosen"
          complain("note: '\(name)' has no \(scheme.rawValue) side; for \(scheme.rawValue), \(rest)")
        }
      }
    }
    try requireSaved(change)
  }

  /// Makes calls that name themes, and explains the error if a theme is unknown or its file has a mistake.
  private func callAboutThemes<Value>(
    _ body: (inout ThemeConnection) throws(ThemeClientError) -> Value
  ) throws -> Value {
    var unknown: (name: Text, places: InstalledThemes)?
    let value = try call(.toChange) { (daemon) throws(ThemeClientError) -> Value? in
      do throws(ThemeClientError) { return try body(&daemon) } catch {
        guard error.code == .unknownTheme || error.code == .unusableTheme, let name = error.theme else {
          throw error
        }
        let places = try InstalledThemes.ofUser.known(to: &daemon)
        // Only the daemon's message names a mistake outside of the file, such as a missing side.
        guard error.code == .unknownTheme || places.hasMistakes(name) else { throw error }
        unknown = (name, places)
        return nil
      }
    }
    if let value { return value }
    guard let (name, places) = unknown else { throw ExitCode.failed }
    guard !places.hasMistakes(name) else {
      _ = try readTheme(name.string, in: places)
      throw ExitCode.failed
    }
    throw unknownTheme(name, in: places)
  }
}

struct UnsetTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove the choice of a theme, and return to the theme in themed.conf.",
    discussion: """
      If themed.conf sets no theme, no theme is shown then. Themes that you chose for individual apps stay. To remove the \
      choice for one app, use --app; to remove the choices for every app as well, use --all-apps.
      """)

  @Flag(help: "Only for this side; otherwise for both.")
  var sides: [ColorScheme] = []

  @Argument(help: .hidden)
  var words: [String] = []

  @Flag(help: "Also remove the themes chosen for individual apps.")
  var allApps = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    try audience.validate(besides: allApps, of: "theme unset")
    guard let word = words.first else { return }
    throw ValidationError(
      "unexpected argument '\(word)'; name a side with --light or --dark; try: themectl theme unset --dark")
  }

  func run() throws {
    let fields = (sides.isEmpty ? ColorScheme.allCases : sides).map(Field.theme)
    let change = try daemon.clear(fields, for: audience, everyApp: allApps) {
      ["theme unset"] + sides.map { "--\($0.rawValue)" }
    }
    try say(format.json ? change.json : change.state.theme.map { printable($0) } ?? "-")
    try requireSaved(change)
  }
}

struct NextTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Choose the next theme, in alphabetical order, for the side that is shown.")

  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws { try daemon.step(forward: true, audience, ending, format) }
}

struct PreviousTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Choose the previous theme, in alphabetical order, for the side that is shown.")

  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws { try daemon.step(forward: false, audience, ending, format) }
}

extension Daemon {
  fileprivate func step(forward: Bool, _ audience: Audience, _ ending: OverrideEnd, _ format: Format) throws {
    let app = audience.app
    var override = Override(app: audience.name)
    try ending.end(&override, now: wallClock(), asking: self)
    let (scheme, name) = try call(.toChange) { (daemon) throws(ThemeClientError) -> (ColorScheme, Text?) in
      let scheme = try daemon.getState(app: app).scheme
      let chosen = try ThemeChoice(&daemon, app: audience.name)[scheme]
      let names = try daemon.call(.themes).map(\.name)
      for name in order(names, after: chosen, forward: forward) {
        // Skips themes with mistakes and themes without this side.
        do throws(ThemeClientError) {
          if try daemon.getTheme(name.string).theme[scheme] != nil { return (scheme, name) }
        } catch { guard error.code == .unusableTheme || error.code == .unknownTheme else { throw error } }
      }
      return (scheme, nil)
    }
    guard let name else {
      throw failed(
        "found no other theme with a \(scheme.rawValue) side; 'themectl theme list' lists the installed themes")
    }
    override.setTheme(name, for: scheme)
    try choose(nil, override, as: format)
  }
}

/// The names in the order in which they follow this one, which is left out; the order wraps around at the end.
func order(_ names: [Text], after name: Text?, forward: Bool) -> [Text] {
  let names = forward ? names.sorted() : names.sorted().reversed()
  guard let name else { return names }
  let isAfter = { (other: Text) in forward ? other > name : other < name }
  return names.filter(isAfter) + names.filter { !isAfter($0) && $0 != name }
}

/// The names of the themes that are chosen for each side, for an app or for all.
///
/// The daemon may be unable to show a chosen theme.
struct ThemeChoice: Hashable {
  static var settings: [Text] { [setting(.light), setting(.dark)] }

  private(set) var light: Text?
  private(set) var dark: Text?

  private static func setting(_ scheme: ColorScheme) -> Text { "[appearance] \(scheme.rawValue)-theme" }

  init(app: Text?, overrides: [Override], configuration: ThemeConfiguration) {
    func chosen(_ scheme: ColorScheme) -> Text? {
      let field = Field.theme(scheme)
      // An override that pins this app's side names no theme; then the configuration decides.
      let rules = overrides.filter { $0.fields.contains(field) }
      let rule = rules.first { $0.app != nil && $0.app == app } ?? rules.first { $0.app == nil }
      let setting = configuration.value(of: Self.setting(scheme))
      return rule?.theme(scheme) ?? setting.flatMap { $0.isEmpty ? nil : $0 }
    }
    light = chosen(.light)
    dark = chosen(.dark)
  }

  init(_ daemon: inout ThemeConnection, app: Text?) throws(ThemeClientError) {
    let overrides = try daemon.listOverrides()
    self.init(app: app, overrides: overrides, configuration: try daemon.call(.configuration(of: Self.settings)))
  }

  /// A choice of these themes; without arguments, of none.
  init(light: Text? = nil, dark: Text? = nil) {
    (self.light, self.dark) = (light, dark)
  }

  /// The choice as far as it is known from the shown state alone.
  init(shown state: State) {
    if state.scheme == .light { light = state.resolution.theme?.name } else { dark = state.resolution.theme?.name }
  }

  subscript(scheme: ColorScheme) -> Text? { scheme == .light ? light : dark }

  func sides(of name: Text) -> [ColorScheme] { ColorScheme.allCases.filter { self[$0] == name } }
}
