import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup
@testable import themectl

/// The list of themes in terminals of every width.
@Suite struct ThemeTableTests {
  private let themes: [ThemeExamination]

  init() throws {
    let directory = try ScratchDirectory()
    let files: [(Text, String)] = [
      ("catppuccin", "[theme]\ntitle=Catppuccin of the longest night\n[light.palette]\n[dark.palette]\n"),
      ("faulty", "[dark.palette]\ntext=x\n"), ("west", "[theme]\ntitle=東京の夜 東京の夜\n[dark.palette]\n"),
    ]
    themes = try files.map { name, text in
      ThemeExamination(InstalledThemes.Place(name: name, path: try directory.write(text, to: "\(name).theme")))
    }
  }

  private func lines(_ columns: Int?, utf8: Bool = true) -> [String] {
    var style = Style(.auto, isTerminal: true) { _ in nil }
    style.isUTF8 = utf8
    return ThemeTable(themes: themes, choice: ThemeChoice(), style: style, columns: columns).lines
  }

  @Test func `no line is longer than the terminal is wide, and each theme has one`() {
    for columns in 16...120 {
      for line in lines(columns) { #expect(line.columns <= columns, "\(columns): \(line)") }
      #expect(lines(columns).count == 4)
    }
  }

  @Test func `where there is no room the titles go first, then the colours, and the names last`() {
    func name(_ columns: Int) -> String { lines(columns)[1] }
    #expect(lines(nil)[1].hasSuffix("  Catppuccin of the longest night"))
    #expect(lines(nil)[2].hasSuffix("  faulty; run 'themectl theme check faulty'"))
    #expect(name(64).hasSuffix("  Catppuccin …"))
    #expect(lines(64)[2] == "  faulty      faulty; run 'themectl theme check faulty'", "in place of the colours")
    #expect(lines(50)[2] == "  faulty      faulty", "half of a command is of no use")
    #expect(lines(64)[3].hasSuffix("  東京の夜 東…"))
    #expect(lines(64, utf8: false)[1].hasSuffix("  Catppuccin.."))
    #expect(lines(50)[1].columns == 50)
    #expect(lines(49)[0].columns == 38, "a column for each colour")
    #expect(lines(37)[0].columns == 24, "text on its ground alone")
    #expect(name(23).hasPrefix("  catppucc… "))
  }

  @Test func `rows are in columns for people, and have tabs for programs`() {
    let rows = [["a", "bb", "c"], ["aaa", "b", "-"]]
    #expect(themectl.lines(of: rows, Style(depth: .sixteen)) == ["a    bb  c", "aaa  b   -"])
    #expect(themectl.lines(of: rows, Style(.auto, isTerminal: false) { _ in nil }) == ["a\tbb\tc", "aaa\tb\t-"])
  }
}
