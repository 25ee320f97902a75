import Testing
import ThemedSystem

@testable import themectl

/// What may be meant by a name that there is not.
@Suite struct SuggestionTests {
  private let names: [Text] = ["gruvbox-hard", "gruvbox-medium", "gruvbox-soft", "gruvbox-x", "Mint", "solarized"]

  @Test(
    "It is what begins so, whatever the case, else what is a slip away; and never much",
    arguments: [
      ("gruvbox", ["gruvbox-x", "gruvbox-hard", "gruvbox-soft"]), ("GRUVBOX-M", ["gruvbox-medium"]),
      ("mint", ["Mint"]), ("mnit", ["Mint"]), ("mit", ["Mint"]), ("minty", ["Mint"]), ("solarised", ["solarized"]),
      ("zebra", []), ("", []), ("mo", []),
    ] as [(Text, [Text])])
  func near(_ word: Text, _ expected: [Text]) {
    #expect(words(near: word, among: names) == expected)
  }

  @Test("A name of a stranger's length is compared with nothing")
  func long() {
    let long = Text(String(repeating: "a\u{301}", count: 500_000))
    #expect(words(near: long, among: names + [long]) == [])
    #expect(words(near: "aa", among: [long]) == [])
  }
}
