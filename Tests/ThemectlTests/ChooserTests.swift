import Foundation
import Testing
import ThemedClientCore
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup
@testable import themectl

/// The list from which a theme is chosen: what keys do, and what the screen shows.
@Suite struct ChooserTests {
  private let themes: [ThemeExamination]

  init() throws {
    let directory = try ScratchDirectory()
    let files: [(Text, String)] =
      [("ant", "[light.palette]\n[dark.palette]\n"), ("bee", "[dark.palette]\n"), ("cow", "[dark.palette]\ntext=x\n")]
      + (0..<9).map { ("x\($0)", "[light.palette]\n[dark.palette]\n") }
    themes = try files.map { name, text in
      ThemeExamination(InstalledThemes.Place(name: name, path: try directory.write(text, to: "\(name).theme")))
    }
  }

  private func chooser(_ chosen: Text? = nil, shown: ColorScheme = .light, side: ColorScheme? = nil) -> Chooser {
    let choice = ThemeChoice(light: chosen, dark: chosen)
    var style = Style(.never, isTerminal: true) { _ in nil }
    style.isUTF8 = true
    return Chooser(themes, choice: choice, shown: shown, side: side, style: style)
  }

  /// What a key leads to: the theme's name and its side, and what else there is.
  private func act(_ chooser: inout Chooser, _ key: Chooser.Key) -> String {
    switch chooser.handle(key) {
    case .preview(let theme, let side)?: "\(theme.name) \(side.rawValue)"
    case .choose(let name)?: "choose \(name)"
    case .leave?: "leave"
    case nil: "-"
    }
  }

  private func acts(_ keys: [Chooser.Key], in chooser: Chooser) -> [String] {
    var chooser = chooser
    return keys.map { act(&chooser, $0) }
  }

  @Test func `the keys go through the themes that can be chosen, and each is shown on the side that it has`() {
    #expect(
      acts([.up, .down, .down, .otherSide, .up, .otherSide, .last, .down, .first], in: chooser())
        == ["-", "bee dark", "x0 light", "x0 dark", "bee dark", "-", "x8 dark", "-", "ant dark"])
  }

  @Test func `the list begins at the chosen theme, which is shown at once`() {
    for (chosen, expected) in [("x3", "x3"), ("gone", "ant")] as [(Text, Text)] {
      guard case .preview(let theme, .dark)? = chooser(chosen, shown: .dark).preview else {
        Issue.record("nothing is shown")
        return
      }
      #expect(theme.name == expected)
    }
  }

  @Test func `for one side there are the themes that have it, and no other side`() {
    #expect(acts([.down, .otherSide, .choose], in: chooser(side: .light)) == ["x0 light", "-", "choose x0"])
    #expect(acts([.down, .leave], in: chooser(side: .dark)) == ["bee dark", "leave"])
  }

  @Test func `where no theme is, nothing can be done but to leave`() {
    let none = Chooser([], choice: ThemeChoice(), shown: .dark, side: nil, style: Style(depth: .none))
    #expect(none.preview == nil)
    #expect(acts([.down, .last, .otherSide, .choose, .leave], in: none) == ["-", "-", "-", "-", "leave"])
  }

  /// The same list with those of these names alone.
  private func only(_ names: Text...) -> [ThemeExamination] { themes.filter { names.contains($0.place.name) } }

  @Test func `themes come and go, and the list stays at its theme by name, which may come again`() {
    var chooser = chooser("x3", shown: .dark)
    func shown(_ themes: [ThemeExamination]) -> String {
      guard case .preview(let theme, let side)? = chooser.show(themes) else { return "-" }
      return "\(theme.name) \(side.rawValue)"
    }
    #expect(shown(themes) == "-", "nothing has changed")
    #expect(shown(only("x1", "x3")) == "-", "it is at another place")
    #expect(shown(only("ant", "x1")) == "x1 dark")
    #expect(shown([]) == "-")
    #expect(chooser.handle(.choose) == nil)
    #expect(shown(only("x1")) == "x1 dark")
    #expect(shown(themes) == "x3 dark", "it is back")
    _ = chooser.handle(.up)
    #expect(shown(only("x1", "x2", "x3")) == "-", "the keys have led elsewhere")
    #expect(act(&chooser, .choose) == "choose x2")
  }

  @Test func `a theme that was edited is shown anew, and one that was made faulty is none`() throws {
    let directory = try ScratchDirectory()
    func read(_ text: String) throws -> [ThemeExamination] {
      let place = InstalledThemes.Place(name: "bee", path: try directory.write(text, to: "bee.theme"))
      return only("ant") + [ThemeExamination(place)]
    }
    var chooser = chooser("bee", shown: .dark)
    _ = chooser.show(try read("[dark.palette]\n"))
    let edited = chooser.show(try read("[dark.palette]\ntext=#ff0000\n"))
    guard case .preview(let theme, .dark)? = edited else {
      Issue.record("nothing is shown")
      return
    }
    #expect(theme.dark?.colors[.text] == Color("#ff0000"))
    _ = chooser.show(try read("[dark.palette]\ntext=x\n"))
    #expect(act(&chooser, .choose) == "choose ant")
  }

  @Test func `the chooser is no more than three hundred lines`() throws {
    let file = Products.package + "/Sources/themectl/Theme/ThemeChoose.swift"
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 300)
  }

  @Test func `the screen has the theme at which the list is, whatever its size`() {
    for rows in [1, 2, 3, 5, 8, 14, 40] {
      for columns in [18, 30, 80] {
        var chooser = chooser("x2")
        for key in [.down, .pageDown, .up, .pageUp, .last, .first, .down] as [Chooser.Key] {
          let lines = chooser.lines(rows: rows, columns: columns)
          #expect(lines.count <= max(3, rows))
          #expect(lines.filter { $0.hasPrefix("▸ ") }.count == 1)
          #expect(lines.allSatisfy { $0.columns <= columns }, "\(lines)")
          _ = chooser.handle(key)
        }
      }
    }
    var chooser = chooser("bee")
    #expect(
      chooser.lines(rows: 5, columns: 30) == [
        "              light dark", "    ant        Aa    Aa ", "▸ > bee      >     > Aa ", "    x0         Aa    Aa ",
        "Enter: choose  Escape: cancel",
      ])
  }

  @Test func `a page is as many themes as the screen has room for`() {
    var chooser = chooser()
    _ = chooser.lines(rows: 6, columns: 80)
    #expect(act(&chooser, .pageDown) == "x2 light")
    #expect(chooser.lines(rows: 6, columns: 80)[4].hasPrefix("▸   x2"))
    #expect(act(&chooser, .pageUp) == "ant light")
  }
}

/// The bytes of a terminal's keys.
@Suite struct KeyReaderTests {
  private func keys(_ chunks: String...) -> [Chooser.Key] {
    var reader = KeyReader()
    return chunks.flatMap { reader.keys(Array($0.utf8)) }
  }

  @Test func `arrows, pages and ends are known in every form, also where they come in pieces`() {
    #expect(
      keys("\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~") == [
        .up, .down, .pageUp, .pageDown, .first, .last, .first, .last,
      ])
    #expect(
      keys("\u{1B}", "[", "B", "j", "kgG \r\nq") == [
        .down, .down, .up, .first, .last, .otherSide, .choose, .choose, .leave,
      ])
  }

  @Test func `what means nothing does nothing, however long it is`() {
    #expect(keys("x\u{1B}[27;5;9~\u{7F}é\u{1B}[1;2A") == [])
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 100_000), "A", "j") == [.down])
  }

  @Test func `Escape is a key when nothing comes behind it, or what begins no sequence`() {
    var reader = KeyReader()
    #expect(reader.keys([0x1B]) == [])
    #expect(reader.isUndecided)
    #expect(reader.flush() == [.leave])
    #expect(!reader.isUndecided)
    #expect(keys("\u{1B}j") == [.leave, .down])
  }
}
