import ArgumentParser
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

/// The themes that `set theme` names: one for each side that it has, or one for each side that is named.
struct ThemeWords {
  let names: [String]
  let sides: [ColorScheme]

  init(_ names: [String], for sides: [ColorScheme]) throws(ValidationError) {
    (self.names, self.sides) = (names, sides)
    let isForEach = sides.isEmpty && names.count == 1
    guard isForEach || !sides.isEmpty && Set(sides).count == sides.count && sides.count == names.count else {
      throw ValidationError(
        "give one theme, or give a theme after --light and another after --dark; try: "
          + "themectl set theme mint; themectl set theme mint --dark; themectl set theme --light mint --dark outrun")
    }
  }

  /// The sides that the user returns to the theme of the configuration.
  var pins: Set<Field> {
    let words = sides.isEmpty ? ColorScheme.allCases.map { ($0, names[0]) } : Array(zip(sides, names))
    return Set(words.filter { isAuto($0.1) }.map { .theme($0.0) })
  }

  /// Whether the word is `auto`; a theme with that name has to be given by its file's path.
  private func isAuto(_ word: String) -> Bool { Text(word) == "auto" }

  /// Chooses these themes, with the app and the end of the override, and reports which are chosen now.
  func choose(_ override: Override, _ daemon: Daemon, as format: Format) throws {
    func name(_ word: String) throws -> Text? { isAuto(word) ? nil : try daemon.themeName(word) }
    var override = override
    for (side, word) in zip(sides, names) {
      if let name = try name(word) { override.setTheme(name, for: side) }
    }
    try daemon.choose(sides.isEmpty ? name(names[0]) : nil, override, as: format)
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
    let (note, change, choice) = try callAboutThemes { (daemon) throws(CallError) in
      let note = try daemon.noteAboutUnknownApp(override.app, isSet: true)
      if let name {
        let theme = try daemon.call(.theme(named: name.string)).theme
        for scheme in theme.schemes { override.setTheme(name, for: scheme) }
      }
      let change = try daemon.call(.setOverride(override))
      return (note, change, try ThemeChoice(&daemon, app: override.app))
    }
    if let note { complain(note) }
    if format.json {
      try say(change.json)
    } else {
      try say(choice.line(of: ColorScheme.allCases.filter { override.fields.contains(.theme($0)) }))
      for scheme in ColorScheme.allCases where !override.fields.contains(.theme(scheme)) {
        guard let name else { continue }
        let rest = choice[scheme].map { "'\($0)' stays chosen" } ?? "still no theme is chosen"
        complain("note: '\(name)' has no \(scheme.rawValue) side; for \(scheme.rawValue), \(rest)")
      }
    }
    try requireSaved(change)
  }

  /// Makes calls that name themes, and explains the error if a theme is unknown or its file has a mistake.
  private func callAboutThemes<Value>(
    _ body: (inout ThemeConnection) throws(CallError) -> Value
  ) throws -> Value {
    var unknown: (name: Text, places: InstalledThemes)?
    let value = try call(.toChange) { (daemon) throws(CallError) -> Value? in
      do throws(CallError) { return try body(&daemon) } catch {
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
    let (scheme, name) = try call(.toChange) { (daemon) throws(CallError) -> (ColorScheme, Text?) in
      let scheme = try daemon.call(.state(app: app)).scheme
      let chosen = try ThemeChoice(&daemon, app: audience.name)[scheme]
      let names = try daemon.call(.themes).map(\.name)
      for name in order(names, after: chosen, forward: forward) {
        // Skips themes with mistakes and themes without this side.
        do throws(CallError) {
          if try daemon.call(.theme(named: name.string)).theme[scheme] != nil { return (scheme, name) }
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

  init(_ daemon: inout ThemeConnection, app: Text?) throws(CallError) {
    let overrides = Array(try daemon.call(.overrides))
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

  /// The themes of these sides, for people: once if both sides have the same.
  func line(of sides: [ColorScheme]) -> String {
    let names = sides.map { self[$0].map { printable($0) } ?? "-" }
    if sides.count == 2, Text(names[0]) == Text(names[1]) { return names[0] }
    return zip(sides, names).map { "\($0.rawValue) \($1)" }.joined(separator: ", ")
  }
}
