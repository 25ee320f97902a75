import ThemeResolution
import ThemedText
import Testing
import ThemedVarlink

@testable import ThemeClient
@testable import themectl

/// What `themectl status` says of a state.
@Suite struct ReportTests {
  private func report(_ origin: Origin) throws -> String {
    var settings = Parameters(["settings": .array([])])
    let resolution = Resolution(scheme: .dark, desktop: .none, origins: ["scheme": origin])
    return Report(
      app: nil, state: State(instance: "1", serial: 1, resolution: resolution), overrides: [],
      configuration: try ThemeConfiguration(&settings), hidden: nil
    ).text(Style(.never, isTerminal: false) { _ in nil }, now: 0)
  }

  @Test func `a rule that a newer daemon has is shown under its own name as the one that decided`() throws {
    let lines = try report(Origin(.init(rawValue: "moon\u{1B}"))).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix(">") } == ["> moon?     dark"])
    #expect(try report(Origin(.default)).split(separator: "\n").filter { $0.hasPrefix(">") } == ["> default   -"])
  }
}
