// swift-format-ignore-file
import ArgumentParser
import Loop
import Text
import ThemeApps
import ThemeClient
import ThemeModel

/// What the foreign project draws.
final class Window {
  var state = State(isOpen: true)
  var color = Color(name: "none")
  var schemes: [ThemeScheme] = []

  func show(_ shown: ThemeState) {
    color.name = (shown.palette ?? ThemePalette(for: shown.scheme))[.background].description
    schemes.append(shown.scheme)
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

func expect(_ isSo: Bool, _ what: String) throws {
  if !isSo { throw Unexpected(description: what) }
}

/// Follows a daemon that has just been started, asks and overrides; what it does not find so is thrown.
@main
struct Foreign {
  static func main() async throws {
    // The words are ours, whatever the library has.
    let (client, mode, descriptor) = (Client(name: "foreign"), Mode.night, FileDescriptor(raw: -1))
    try expect(resolve(Text(client.name).letters) == "resolved foreign" && mode == .night, "its own words")
    try expect(descriptor.raw == -1 && themedVersion == "ours" && ColorScheme.garish == .garish, "its own words")
    try expect(ParsedArguments(of: "another version").words == ["another", "version"], "its own parser")
    _ = (Palette(), Theme(), Override())
    // The modules below the library add members to the standard library's types, too.
    try expect(Duration.seconds(1).milliseconds == -1 && ["a", "b"].joined(separator: ",") == "a,b", "its own members")
    try expect(EventLoop().isRunning, "its own loop")
    try await follow()
    print("foreign: followed, asked and overrode")
  }

  /// A window of the main actor is told of each change there.
  static func follow() async throws {
    let client = AsyncThemeClient(app: "foreign", details: true)
    let window = Window()
    for try await state in client.states() {
      window.show(state)
      switch window.schemes.count {
      case 1:
        try expect(state.scheme == .light && state.origin(of: .scheme)?.rule == .default, "the first state: \(state)")
        // Nobody has to use the result.
        try await client.setOverride(ThemeOverride(scheme: .dark, accentColor: ThemeColor("#e66100")))
      case 2:
        try expect(state.scheme == .dark && state.accentColor?.description == "#e66100", "the override, followed")
        try expect(try await client.overrides().map(\.scheme) == [.dark], "the override, listed")
        try await client.toggle()
      case 3:
        try expect(state.scheme == .light, "toggled")
        try await client.clearEveryOverride()
      default:
        try expect(window.color.name == "#ffffff" && window.state.isOpen, "what the window was told: \(window.schemes)")
        return try await ask(client)
      }
    }
  }

  static func ask(_ client: AsyncThemeClient) async throws {
    try expect(try await client.overrides().isEmpty, "no override is left")
    for theme in try await client.themes() {
      // A name that came from the daemon is one that can be asked for.
      try expect(try await client.theme(named: theme.name).schemes == theme.schemes, theme.name)
    }
    do {
      _ = try await client.theme(named: "none-of-ours")
      throw Unexpected(description: "a theme that is not there")
    } catch let error as ThemeError {
      try expect(error.code == .unknownTheme && error.theme == "none-of-ours", "\(error)")
    }
    var blocking = try BlockingThemeClient()
    let state = try blocking.state()
    try expect(state == ThemeState(json: state.json) && state.desktop == .unavailable, "JSON")
    var source = try ThemeSource(app: "foreign")
    _ = try source.nextState()
    try expect(source.isConnected, "the source connects")
  }
}
