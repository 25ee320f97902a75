import ArgumentParser
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

struct NextTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Choose the next theme, in alphabetical order, for the side that is shown.")

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws { try daemon.step(forward: true, audience, ending, format) }
}

struct PreviousTheme: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Choose the previous theme, in alphabetical order, for the side that is shown.")

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
    try ending.end(&override, now: wallClock(), asking: self)
    let (scheme, name) = try call(.toChange) { (daemon) throws(ThemeClientError) -> (ColorScheme, Text?) in
      let scheme = try daemon.getState(app: app).scheme
      let chosen = try ThemeChoice(&daemon, app: audience.name)[scheme]
      let names = try daemon.listThemes().themes.map(\.name)
      for name in order(names, after: chosen, forward: forward) {
        // One with a mistake, or without this side, is passed over.
        do throws(ThemeClientError) {
          if try daemon.getTheme(name.string).theme[scheme] != nil { return (scheme, name) }
        } catch {
          guard error.code == .unusableTheme || error.code == .unknownTheme else { throw error }
        }
      }
      return (scheme, nil)
    }
    guard let name else {
      complain(
        "found no other theme with a \(scheme.rawValue) side; 'themectl theme list' lists the installed themes")
      throw ExitCode.failed
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
