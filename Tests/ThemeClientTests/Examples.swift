import ThemedText
import Foundation
import Testing
import ThemeClient

// The programs of README and of the documentation, which are built here, so that they stay right.

private func readme() async throws {
  for try await state in ThemeStates() {
    print(state.scheme, state.theme ?? "without a theme")
  }
}

@MainActor final class Label {
  var ink = Color.black
  var paper = Color.white
}

extension Label: @MainActor Themeable {
  func apply(_ look: Look) {
    (ink, paper) = (look[.text], look[.background])
  }
}

@MainActor func follow(_ label: Label) async throws {
  let theming = Theming(Look(.light))
  theming.register(label)
  try await theming.follow()
}

private func dynamic(_ look: Look) {
  func draw(_ path: String, on color: Color) {}
  if let cream = Color("#fdf6e3"), let night = Color("#002b36") {
    let paper = DynamicColor(light: cream, dark: night)
    let wallpaper = DynamicAsset(light: "day.jpg", dark: "night.jpg", role: "wallpaper")
    draw(wallpaper.path(in: look), on: paper.color(in: look))
  }
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
    arguments: ["README.md"]
      + ["FollowingThemes", "ThemeClient"].map { "Sources/ThemeClient/ThemeClient.docc/\($0).md" })
  func built(path: String) throws {
    let programs = try [text("/Tests/ThemeClientTests/Examples.swift"), text("/Sources/themed-example/Example.swift")]
      .map(lines)
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
    let theming = Theming(Look(.dark))
    theming.register(label)
    #expect((label.ink, label.paper) == (.white, .black))
  }
}
