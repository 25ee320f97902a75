import Testing
import ThemedModel
import ThemedSystem

@testable import themectl

/// What a terminal answers to questions after its colours.
@Suite struct TerminalColorsTests {
  private func answers(_ text: String, inPiecesOf size: Int = 1000) -> TerminalAnswers {
    var answers = TerminalAnswers()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      answers.receive(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return answers
  }

  @Test("Answers are heard in whatever pieces they come, among keys that are pressed", arguments: [1, 2, 3, 7, 1000])
  func pieces(_ size: Int) {
    let text =
      "x\u{1B}]4;1;rgb:cdcd/0000/0000\u{1B}\\\u{1B}[Ay\u{1B}]11;rgb:ff/ff/ff\u{7}\u{1B}]10;#010203\u{7}\u{1B}[?62;22c"
    let answers = answers(text, inPiecesOf: size)
    #expect(answers.isComplete)
    #expect(answers.colors == [.number(1): "rgb:cdcd/0000/0000", .background: "rgb:ff/ff/ff", .text: "#010203"])
    #expect(answers.scheme == .light)
  }

  @Test("An answer without an end keeps nobody busy, and what comes behind it is heard")
  func endless() {
    var answers = TerminalAnswers()
    answers.receive(Array("\u{1B}]4;1;".utf8))
    for _ in 0..<500 { answers.receive(Array(repeating: UInt8(ascii: "f"), count: 1_000)) }
    answers.receive(Array("\u{1B}]11;#ffffff\u{7}".utf8))
    #expect(answers.colors == [.background: "#ffffff"])
  }

  @Test("Behind the resets, what is not what it was is set to that, and what is or was never told is let be")
  func restoration() {
    let before = answers("\u{1B}]4;1;rgb:cdcd/0000/0000\u{1B}\\\u{1B}]11;#000000\u{7}\u{1B}]10;#ffffff\u{7}\u{1B}[?6c")
    let after = answers("\u{1B}]4;1;rgb:cdcd/0000/0000\u{1B}\\\u{1B}]11;#111111\u{7}\u{1B}]12;#222222\u{7}\u{1B}[?6c")
    #expect(before.restoration(after: after) == "\u{1B}]10;#ffffff\u{1B}\\\u{1B}]11;#000000\u{1B}\\")
    #expect(TerminalAnswers.resets.hasPrefix("\u{1B}]104;0\u{1B}\\\u{1B}]104;1\u{1B}\\"))
    #expect(TerminalAnswers.resets.hasSuffix("\u{1B}]110\u{1B}\\\u{1B}]111\u{1B}\\\u{1B}]112\u{1B}\\"))
  }

  @Test(
    "An answer that is no colour is not sent back to the terminal",
    arguments: ["", "rgb:1/2/3;0;x", "\u{9B}31m", "$(x)"])
  func hostile(_ value: String) {
    #expect(answers("\u{1B}]11;\(value)\u{7}\u{1B}[?6c").colors == [:])
  }

  @Test("Until the last answer has come, it is not complete")
  func incomplete() {
    #expect(!answers("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}[?62;2").isComplete)
    #expect(!answers("c\u{1B}[6c").isComplete)
  }
}
