import Testing

@testable import themectl

/// Tables on terminals of every width.
@Suite struct TableTests {
  private let rows = [
    ["waybar", "enabled, done 10:21"],
    ["notify-on-change.sh (hook)", "failed 10:21: it is not executable; 'chmod +x ~/.config/themed/hooks.d/notify'"],
    ["not installed", "alacritty, 東京の夜, bspwm, btop, cinnamon, console, cosmic, delta, dunst, emacs, firefox"],
  ]
  private let style = Style(depth: .none)

  @Test func `no line is wider than the terminal, and no word is lost`() {
    for columns in 24...130 {
      let lines = lines(of: rows, style, margin: "  ", columns: columns)
      for line in lines { #expect(line.columns <= columns, "\(columns): \(line)") }
      let words = { (text: String) in text.filter { $0 != " " } }
      #expect(words(lines.joined()).count == words(rows.joined().joined()).count, "\(columns)")
    }
  }

  @Test func `a long cell continues below its column`() {
    #expect(
      lines(of: [["a", "one two three"], ["long name", "four"]], style, columns: 20)
        == ["a          one two", "           three", "long name  four"])
  }

  @Test func `programs get one line for each row, with tabs, whatever the width`() {
    let plain = Style(.auto, isTerminal: false) { _ in nil }
    #expect(lines(of: rows, plain, columns: 20) == rows.map { $0.joined(separator: "\t") })
  }

  @Test func `a word that is longer than the line is broken`() {
    #expect("abcdefgh ij".wrapped(to: 4) == ["abcd", "efgh", "ij"])
    #expect("東京の夜".wrapped(to: 5) == ["東京", "の夜"])
    #expect("".wrapped(to: 4) == [""])
  }
}
