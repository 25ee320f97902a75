// swift-format-ignore-file
import TestSupport
import ThemeClient
import Unix
import Varlink

/// What the foreign project draws.
final class Window: ThemeApplying {
  var state = State(isOpen: true)
  var color = Color(name: "none")
  var schemes: [ThemeScheme] = []

  func apply(_ look: ThemeLook) {
    color.name = look[.background].hexadecimal
    schemes.append(look.scheme)
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
    _ = (Palette(), Theme(), Override())

    var states = ThemeStates(app: client.name, details: true).makeAsyncIterator()
    let first = try await states.next()
    try expect(
      first?.scheme == .light && first?.origin(of: .scheme)?.rule == .default,
      "the first state: \(first, default: "none")")

    let daemon = ThemeCalls()
    let change = try await daemon.call(.setOverride(ThemeOverride(scheme: .dark, accentColor: ThemeColor("#e66100"))))
    try expect(change.isSaved && change.state.scheme == .dark, "what the override led to")
    let dark = try await states.next()
    try expect(dark?.scheme == .dark && dark?.accentColor?.hexadecimal == "#e66100", "the override, followed")
    let overrides = try await daemon.call(.overrides)
    try expect(overrides.map(\.scheme) == [.dark] && overrides.omitted == 0, "the override, listed")
    try expect(try await daemon.call(.clients).map(\.app) == ["foreign"], "who follows")

    try await follow(daemon)
    try await ask(daemon)
    print("foreign: followed, asked and overrode")
  }

  /// A window of the main actor is told of each change there.
  static func follow(_ daemon: ThemeCalls) async throws {
    let (window, center) = (Window(), ThemeCenter())
    center.register(window)
    let following = Task { try await center.follow(app: "foreign") }
    while window.schemes.isEmpty { await Task.yield() }
    _ = try await daemon.call(.toggle())
    while window.schemes.last != .light { await Task.yield() }
    _ = try await daemon.call(.clearEveryOverride())
    following.cancel()
    try await following.value
    try expect(window.color.name == "#ffffff" && window.state.isOpen, "what the window was told: \(window.schemes)")
  }

  static func ask(_ daemon: ThemeCalls) async throws {
    try expect(try await daemon.call(.overrides).isEmpty, "no override is left")
    try expect(try await daemon.call(.serviceInfo).interfaces.contains("org.themed.theme"), "the interface")
    try expect(try await !daemon.call(.configuration).settings.isEmpty, "the configuration")
    try expect(try await daemon.call(.diagnostics).changes.map(\.scheme).contains(.dark), "the changes")
    for theme in try await daemon.call(.themes) {
      try expect(try await daemon.call(.theme(named: theme.name.string)).schemes == theme.schemes, "\(theme.name)")
    }
    do {
      _ = try await daemon.call(.theme(named: "none-of-ours"))
      throw Unexpected(description: "a theme that is not there")
    } catch let error as ThemeClientError {
      try expect(error.code == .unknownTheme && error.theme == "none-of-ours", "\(error)")
    }
    // Names are bytes: these two are the same for a String.
    try expect(ThemeText("\u{E9}") != ThemeText("e\u{301}"), "names compare as bytes")
    var connection = try ThemeConnection()
    try expect(try connection.call(.state()) == ThemeState(json: connection.call(.state()).json), "JSON")
  }
}
