import Foundation
import Testing
import ThemeClient
import ThemedSystem

// The programs of docs/your-programs.md and of the documentation, which are built here, so that they stay right.

private func subscribe() async throws {
  for try await state in ThemeStates(app: "editor") {
    print(state.scheme, state.theme?.shown() ?? "without a theme")
  }
}

@MainActor final class Label {
  var ink = ThemeColor.black
  var paper = ThemeColor.white
}

extension Label: @MainActor ThemeApplying {
  func apply(_ look: ThemeLook) {
    (ink, paper) = (look[.text], look[.background])
  }
}

@MainActor func follow(_ label: Label) async throws {
  let center = ThemeCenter(ThemeLook(.light))
  center.register(label)
  try await center.follow(app: "editor")
}

private func dynamic(_ look: ThemeLook) {
  func draw(_ path: String, on color: ThemeColor) {}
  if let cream = ThemeColor("#fdf6e3"), let night = ThemeColor("#002b36") {
    let paper = ThemeDynamicColor(light: cream, dark: night)
    let wallpaper = ThemeDynamicAsset(light: "day.jpg", dark: "night.jpg", role: "wallpaper")
    draw(wallpaper.path(in: look), on: paper.color(in: look))
  }
}

private struct Loop {
  var session = ThemeSession(app: "editor")
  func connect() {}
  func write(_ bytes: [UInt8]) {}
  func closeAndWait(_ pause: Duration) {}
  func closeForGood(_ error: ThemeClientError?) {}

  mutating func handle(_ event: ThemeSession.Event) {
    guard let action = session.handle(event) else { return }
    switch action.kind {
    case .connect: connect()
    case .send: write(action.bytes)
    case .wait: closeAndWait(action.pause)
    default: closeForGood(action.error)
    }
  }
}

/// The example of ``ThemeFade``.
private func fade(from look: ThemeLook, to next: ThemeLook) {
  func draw(_ look: ThemeLook) {}
  let clock = ContinuousClock()
  var fade = ThemeFade<ContinuousClock.Instant>(look)
  fade.show(next, over: .milliseconds(200), at: clock.now)
  while fade.isUnderWay(at: clock.now) { draw(fade.look(at: clock.now)) }
  draw(next)
}

func ask() async throws {
  let daemon = ThemeCalls()
  let state = try await daemon.call(.state(app: "editor"))
  print(state.scheme, state.origin(of: .scheme)?.rule.description ?? "unknown rule")
  for theme in try await daemon.call(.themes) where theme.problem == nil {
    print(theme.title?.shown() ?? theme.name.shown())
  }
}

func darkForAnHour() async throws {
  let override = ThemeOverride(scheme: .dark, expiresAt: .now + .seconds(3600))
  let change = try await ThemeCalls().call(.setOverride(override))
  if !change.isSaved { print("the override is lost when the daemon stops") }
}

func followTheDesktop(_ app: ThemeText) async throws {
  _ = try await ThemeCalls().call(.setOverride(ThemeOverride(app: app, pinned: [.scheme])))
}

@Suite struct ExampleTests {
  private let package = #filePath.components(separatedBy: "/Tests/")[0]

  private func text(_ path: String) throws -> String { try String(contentsOfFile: package + path, encoding: .utf8) }

  /// The lines without what they are indented by, and without those that say what is imported.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }

  @Test(
    "Each example in Swift stands in a program that is built",
    arguments: ["docs/your-programs.md"]
      + ["FollowingThemes", "FollowingInALoop", "AskingAndOverriding", "TestingYourProgram", "ThemeClient"].map {
        "Sources/ThemeClient/ThemeClient.docc/\($0).md"
      })
  func built(path: String) throws {
    let programs = try [
      "/Tests/ThemeClientTests/Examples.swift", "/docs/examples/swift/async/Example.swift",
      "/docs/examples/swift/glib/Example.swift",
    ].map(text).map(lines)
    let blocks = try text("/" + path).components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
      // What Package.swift is to say is no program.
      .filter { !$0.hasPrefix("dependencies: ") }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let isBuilt = programs.contains { $0.firstRange(of: lines(block)) != nil }
      #expect(isBuilt, "\(block)")
    }
  }

  @Test("A view of the main actor is told there")
  @MainActor func mainActor() throws {
    let label = Label()
    let center = ThemeCenter(ThemeLook(.dark))
    center.register(label)
    #expect((label.ink, label.paper) == (.white, .black))
  }

  @Test @MainActor func aTheme() {
    let label = Label()
    let mint = ThemeState(
      scheme: .dark, theme: "mint", details: ThemeState.Details(palette: [.background: .black], for: .dark))
    label.apply(ThemeLook(mint))
    #expect(label.paper == .black)
  }
}
