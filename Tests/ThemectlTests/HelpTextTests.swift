import Testing

@testable import themectl

/// Help in narrow terminals.
@Suite struct HelpTextTests {
  private func wrapped(_ line: String, columns: Int = 40) -> [String] {
    HelpText(text: line, columns: columns).wrapped.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test(
    "a line that is too long continues below its text",
    arguments: [
      ("A paragraph continues at the left margin.", ["A paragraph continues at the left", "margin."]),
      (
        "  2   the command failed, or the theme does not exist",
        ["  2   the command failed, or the theme", "      does not exist"]
      ),
      (
        "      for 'portal status': programs do not follow",
        ["      for 'portal status': programs do", "        not follow"]
      ),
      (
        "  --app <name>    For this app only; it has a name.",
        ["  --app <name>    For this app only; it", "                  has a name."]
      ),
    ])
  func continued(line: String, lines: [String]) {
    #expect(wrapped(line) == lines)
  }

  @Test("an option whose name takes the whole column has its text in the next one")
  func longOption() {
    let lines = wrapped("  --remote-command <path> The path of themed on that machine.", columns: 50)
    let margin = String(repeating: " ", count: 26)
    #expect(lines == ["  --remote-command <path> The path of themed on", margin + "that machine."])
  }

  @Test(
    "a usage and an example stay whole, so that a user can copy them",
    arguments: [
      "USAGE: themectl theme import [<file> ...] [--light <file>]",
      "  themectl theme import --light latte.yaml --dark mocha.yaml",
      "  curl -s https://example.org/latte.yaml | themectl theme import -",
    ])
  func whole(line: String) {
    #expect(wrapped(line) == [line])
  }

  @Test("words that are longer than the terminal is wide do not hang it", arguments: 1...30)
  func narrow(columns: Int) {
    let line = "  themectl set dark    whatever the desktop asks for"
    let words = wrapped(line, columns: columns).joined(separator: " ").split(separator: " ")
    #expect(words == line.split(separator: " "))
  }
}
