import Foundation
import Testing
import ThemeClient

// The programs of docs/your-programs.md and of the documentation, which are built here, so that they stay right.

private func subscribe() async throws {
  for try await state in AsyncThemeClient(app: "editor").states() {
    print(state.scheme, state.title ?? "without a theme")
  }
}

@MainActor final class Label {
  var ink = ThemePalette(for: .light)[.text]
  var paper = ThemePalette(for: .light)[.background]

  func apply(_ state: ThemeState) {
    let palette = state.palette ?? ThemePalette(for: state.scheme)
    (ink, paper) = (palette[.text], palette[.background])
  }
}

@MainActor func follow(_ label: Label) async throws {
  for try await state in AsyncThemeClient(app: "editor", details: true).states() {
    label.apply(state)
  }
}

private func block() throws {
  var client = try BlockingThemeClient(app: "editor")
  while true { print(try client.nextState().scheme) }
}

private struct Loop {
  var session = ThemeSession(app: "editor")
  func connect() {}
  func write(_ bytes: [UInt8]) {}
  func closeAndWait(_ pause: Duration) {}
  func closeForGood(_ error: ThemeError) {}

  mutating func handle(_ event: ThemeSession.Event) {
    switch session.handle(event) {
    case .connect: connect()
    case .send(let bytes): write(bytes)
    case .wait(let pause): closeAndWait(pause)
    case .giveUp(let error): closeForGood(error)
    case nil: break
    }
  }
}

func ask() async throws {
  let client = AsyncThemeClient(app: "editor")
  let state = try await client.state()
  print(state.scheme, state.origin(of: .scheme)?.rule.description ?? "unknown rule")
  for theme in try await client.themes() where theme.problem == nil {
    print(theme.title ?? theme.name)
  }
}

func darkForAnHour() async throws {
  let override = ThemeOverride(scheme: .dark, expiresAt: .now + .seconds(3600))
  let change = try await AsyncThemeClient().setOverride(override)
  if !change.isSaved { print("the override is lost when the daemon stops") }
}

func followTheDesktop(_ app: String) async throws {
  try await AsyncThemeClient().setOverride(ThemeOverride(app: app, pinned: [.scheme]))
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
    arguments: ["docs/your-programs.md", "Sources/ThemeClient/README.md"]
      + ["Following", "FollowingInALoop", "AskingAndOverriding", "TestingYourProgram", "ThemeClient"].map {
        "Sources/ThemeClient/ThemeClient/ThemeClient.docc/\($0).md"
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

  @Test @MainActor func aTheme() throws {
    let label = Label()
    let paper = try #require(ThemeColor("#002b36"))
    let night = ThemePalette([.background: paper], for: .dark)
    label.apply(ThemeState(scheme: .dark, theme: "night", palette: night))
    #expect(label.paper == paper)
  }
}
