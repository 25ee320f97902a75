import ArgumentParser
import ForeignText
import ThemeClient

/// Which themes are chosen, for an app or for all: by name, for each side.
///
/// What the daemon has been told to show, whether it can or not.
struct ThemeChoice: Hashable {
  private(set) var light: Text?
  private(set) var dark: Text?

  /// What these overrides and this configuration choose.
  init(app: Text?, overrides: [Override], configuration: ThemeConfiguration) {
    func chosen(_ scheme: ColorScheme) -> Text? {
      let rules = overrides.filter { $0.theme(scheme) != nil }
      let rule = rules.first { $0.app != nil && $0.app == app } ?? rules.first { $0.app == nil }
      let setting = configuration.value(of: "[appearance] \(scheme.rawValue)-theme")
      return rule?.theme(scheme) ?? setting.flatMap { $0.isEmpty ? nil : $0 }
    }
    light = chosen(.light)
    dark = chosen(.dark)
  }

  /// Asks the daemon.
  init(_ daemon: inout ThemeConnection, app: Text?) throws(ThemeClientError) {
    let overrides = try daemon.listOverrides()
    self.init(app: app, overrides: overrides, configuration: try daemon.getConfiguration())
  }

  /// No theme is chosen.
  init() {}

  /// The theme of a side.
  subscript(scheme: ColorScheme) -> Text? { scheme == .light ? light : dark }

  /// For which sides a theme is chosen.
  func sides(of name: Text) -> [ColorScheme] { ColorScheme.allCases.filter { self[$0] == name } }
}

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
      """)

  @Argument(
    help: ArgumentHelp("The theme for each side that it has.", valueName: "theme"),
    completion: .custom { _, _, _ in ThemePlaces.candidates })
  var theme: String?

  @Option(
    help: ArgumentHelp("The theme for the light side.", valueName: "theme"),
    completion: .custom { _, _, _ in ThemePlaces.candidates })
  var light: String?

  @Option(
    help: ArgumentHelp("The theme for the dark side.", valueName: "theme"),
    completion: .custom { _, _, _ in ThemePlaces.candidates })
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
    var override = Override(
      app: audience.name, lightTheme: light.map { Text($0) }, darkTheme: dark.map { Text($0) })
    try ending.end(&override, now: wallClock())
    try daemon.choose(theme.map { Text($0) }, override, as: format)
  }
}

extension Daemon {
  /// Chooses a theme for each side that it has, or those that the override names, and says which were set.
  fileprivate func choose(_ name: Text?, _ override: Override, as format: Format) throws {
    var override = override
    let (change, choice) = try call { (daemon) throws(ThemeClientError) in
      if let name {
        let theme = try daemon.getTheme(name.string).theme
        if theme.light != nil { override.lightTheme = name }
        if theme.dark != nil { override.darkTheme = name }
      }
      let change = try daemon.setOverride(override)
      return (change, try ThemeChoice(&daemon, app: override.app))
    }
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

struct UnsetTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Choose no theme any more: then the configuration's is shown, if it names one.")

  @Argument(help: "The side, light or dark; without a word, both.")
  var sides: [ColorScheme] = []

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws {
    let fields: [Field] = (sides.isEmpty ? ColorScheme.allCases : sides).map { $0 == .light ? .lightTheme : .darkTheme }
    let change = try daemon.call { (daemon) throws(ThemeClientError) in
      try daemon.clearOverride(app: audience.app, fields: fields)
    }
    try say(format.json ? change.json : change.state.resolution.theme.map { printable($0.name) } ?? "-")
    try requireSaved(change)
  }
}

struct NextTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Choose the next theme, by name, of those that have the side that is shown.")

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws { try daemon.step(forward: true, audience, ending, format) }
}

struct PreviousTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Choose the previous theme, by name, of those that have the side that is shown.")

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws { try daemon.step(forward: false, audience, ending, format) }
}

extension Daemon {
  fileprivate func step(forward: Bool, _ audience: Audience, _ ending: Ending, _ format: Format) throws {
    let app = audience.app
    var override = Override(app: audience.name)
    try ending.end(&override, now: wallClock())
    let name = try call { (daemon) throws(ThemeClientError) -> Text? in
      let scheme = try daemon.getState(app: app).scheme
      let chosen = try ThemeChoice(&daemon, app: audience.name)[scheme]
      let names = try daemon.listThemes().map(\.name)
      for name in order(names, after: chosen, forward: forward) {
        // One with a mistake, or without this side, is passed over.
        do throws(ThemeClientError) {
          if try daemon.getTheme(name.string).theme[scheme] != nil { return name }
        } catch .unusableTheme, .unknownTheme {}
      }
      return nil
    }
    guard let name else {
      complain("no other theme has the side that is shown; 'themectl theme list' has those that there are")
      throw ExitCode.failed
    }
    try choose(name, override, as: format)
  }
}

/// The names in the order in which they come after one, which is left out, and begins anew at the end.
func order(_ names: [Text], after name: Text?, forward: Bool) -> [Text] {
  let names = forward ? names.sorted() : names.sorted().reversed()
  guard let name else { return names }
  let isAfter = { (other: Text) in forward ? other > name : other < name }
  return names.filter(isAfter) + names.filter { !isAfter($0) && $0 != name }
}
