import Foundation
import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// Schemes of base16 and base24: files of YAML, to themes and back.
@Suite struct SchemeTests {
  @Test("Of 500 files over the whole specification, each is read as what it says, or refused in one line")
  func generated() throws {
    var random = SeededGenerator(seed: 16)
    for index in 0..<500 {
      let fault =
        index % 4 == 0 ? GeneratedScheme.Fault.allCases[(index / 4) % GeneratedScheme.Fault.allCases.count] : nil
      let generated = GeneratedScheme(&random, fault: fault)
      switch read(generated.text) {
      case .success(let scheme):
        #expect(fault == nil, "\(fault?.rawValue ?? ""):\n\(generated.text)")
        #expect(GeneratedScheme.Meaning(scheme) == generated.meaning, "\(generated.text)")
      case .failure(let problem):
        #expect(fault != nil, "\(problem):\n\(generated.text)")
        #expect(problem.description.utf8.count < 400 && !problem.description.contains("\n"), "\(problem)")
      }
    }
  }

  @Test("What is imported and exported says the same, in both systems")
  func identity() throws {
    var random = SeededGenerator(seed: 24)
    for _ in 0..<40 {
      let generated = GeneratedScheme(&random)
      let scheme = try read(generated.text).get()
      let theme = try #require(pair([ReadScheme(path: "x.yaml", scheme: scheme)]).themes.first?.theme)
      let kept = try ThemeFile(name: theme.name, KeyFile(strict: Array(ThemeFile.text(of: theme).utf8)))
        .theme
      #expect(kept == theme)
      let exported = ExportedTheme(theme: kept, path: "x.theme") { $0 }
      let format = ExportFormat.scheme(generated.meaning.colors.count == 24 ? "base24" : "base16")
      let again = try read(exported.text(as: format, side: scheme.variant)).get()
      var expected = generated.meaning
      // A scheme without a name is called by its file.
      expected.name = expected.name ?? "x"
      #expect(GeneratedScheme.Meaning(again) == expected)
      let less = try read(exported.text(as: .scheme("base16"), side: scheme.variant)).get()
      #expect(less.colors.filter(\.key.isSlot) == again.colors.filter { Role.base16Slots.contains($0.key) })
    }
  }

  @Test("A light scheme and a dark one, told apart by their files' names alone, become one theme")
  func pairs() throws {
    let (light, dark) = (try scheme("Ayu Light", .light), try scheme("Ayu Dark", .dark))
    let (themes, faults, _) = pair([
      ReadScheme(path: "/a/ayu-dark.yaml", scheme: dark), ReadScheme(path: "other.yml", scheme: light),
      ReadScheme(path: "ayu_light.yaml", scheme: light),
    ])
    #expect(faults == [])
    #expect(themes.map(\.theme.name) == ["ayu", "other"])
    #expect(themes.map(\.theme.title) == ["Ayu", "Ayu Light"])
    #expect(themes.map(\.theme.schemes) == [[.light, .dark], [.light]])
    #expect(themes[0].paths == ["ayu_light.yaml", "/a/ayu-dark.yaml"])
    let exported = ExportedTheme(theme: themes[0].theme, path: "x.theme") { $0 }
    #expect(try read(exported.text(as: .scheme("base16"), side: .dark)).get().title == "Ayu Dark")
  }

  @Test("A word for the side may stand in one name alone, or in the middle")
  func pairNames() throws {
    let (light, dark) = (try scheme("A", .light), try scheme("A", .dark))
    for (one, other, name) in [
      ("brush.yaml", "brush-dark.yaml", "brush"), ("gruvbox-light-hard.yml", "gruvbox-dark-hard.yml", "gruvbox-hard"),
    ] {
      let themes = pair([ReadScheme(path: one, scheme: light), ReadScheme(path: other, scheme: dark)]).themes
      #expect(themes.map { $0.theme.name } == [Text(name)])
    }
    let other = try scheme("B", .dark)
    let apart = pair([ReadScheme(path: "light.yaml", scheme: light), ReadScheme(path: "dark.yaml", scheme: other)])
      .themes
    #expect(apart.map(\.theme.name) == ["light", "dark"])
  }

  @Test(
    "A pair's title tells no side, whatever the two were called; else it is called by its name",
    arguments: [
      ("Ayu Light", "Ayu Dark", "Ayu"), ("Gruvbox light, hard", "Gruvbox dark, hard", "Gruvbox, hard"),
      ("GitHub (Light)", "GitHub", "GitHub"), ("OneLight", "OneDark", "One"), ("One Light", "OneDark", "One"),
      ("Catppuccin Latte", "Catppuccin Mocha", "Catppuccin"), ("Rosé Pine Dawn", "Rosé Pine", "Rosé Pine"),
      ("Light Owl", "Night Owl", "pair"), ("Day", "Night", "pair"), ("Light", "Dark", "pair"),
      ("Dark Matter light", "Dark Matter", "Dark Matter"), ("Solarized - Light", "Solarized - Dark", "Solarized"),
      ("Moonlight", "Moonlight Dark", "Moonlight"),
    ])
  func pairTitles(_ one: String, _ other: String, _ title: String) throws {
    let (light, dark) = (try scheme(one, .light), try scheme(other, .dark))
    let schemes = [ReadScheme(path: "a.yaml", scheme: light), ReadScheme(path: "b.yaml", scheme: dark)]
    #expect(pair(schemes, name: "pair").themes.map(\.theme.title) == [Text(title)])
    #expect(pair(schemes.reversed(), name: "pair").themes.map(\.theme.title) == [Text(title)])
  }

  @Test("A side gets the other one that is installed alone, if there is one of its name; with two, it is left alone")
  func completion() throws {
    let light = try #require(
      pair([ReadScheme(path: "ayu-light.yaml", scheme: try scheme("Ayu Light", .light))]).themes.first)
    func installed(_ name: Text, _ schemes: [ThemedModel.ColorScheme]) -> Theme {
      var theme = Theme(name: name, title: "Ayu Dark")
      for scheme in schemes { theme[scheme] = Side(values: ["of": name]) }
      return theme
    }
    let whole = light.completed(with: [installed("ayu-dark", [.dark]), installed("sea", [.dark])], isNamed: false)
    #expect(whole?.theme.name == "ayu")
    #expect(whole?.theme.title == "Ayu")
    #expect(whole?.theme.light == light.theme.light)
    #expect(whole?.theme.dark?.values == ["of": "ayu-dark"])
    for others in [
      [], [installed("ayu-dark", [.light])], [installed("ayu-dark", [.light, .dark])],
      [installed("ayu-black", [.dark])],
      [installed("ayu-dark", [.dark]), installed("ayu", [.dark])],
    ] {
      #expect(light.completed(with: others, isNamed: false) == nil)
    }
    #expect(light.completed(with: [installed("ayu-dark", [.dark])], isNamed: true) == nil)
    #expect(light.completed(with: [installed("ayu-light", [.dark])], isNamed: true)?.theme.name == "ayu-light")
  }

  @Test("Two of the same kind are no pair; with a name, that is a mistake")
  func noPair() throws {
    let light = try scheme("A", .light)
    let two = [ReadScheme(path: "a.yaml", scheme: light), ReadScheme(path: "a-light.yaml", scheme: light)]
    #expect(pair(two).themes.map(\.theme.name) == ["a", "a-light"])
    #expect(pair(two, name: "b").themes == [])
    let fault = try #require(pair(two, name: "b").faults.first)
    #expect(fault.description.hasPrefix("cannot make one theme from a.yaml, a-light.yaml: "))
    let both = [two[0], ReadScheme(path: "zzz.yaml", scheme: try scheme("A", .dark))]
    #expect(pair(both, name: "b").themes.map(\.theme.name) == ["b"])
  }

  @Test("What comes by a pipe is called by what it says; what says nothing needs a name; a name is given once")
  func names() throws {
    let named = try scheme("Café del Mar", .light)
    #expect(pair([ReadScheme(path: "/dev/fd/63", scheme: named)]).themes.map(\.theme.name) == ["caf-del-mar"])
    let nameless = try scheme("☃", .light)
    #expect(
      pair([ReadScheme(path: "/dev/fd/63", scheme: nameless)]).faults
        == [Refusal("/dev/fd/63: cannot derive a theme name; add --name")])
    var other = named
    other.colors[.base05] = .black
    let two = [ReadScheme(path: "/a/x.yaml", scheme: named), ReadScheme(path: "/b/x.yaml", scheme: other)]
    #expect(
      pair([two[0], two[0]]).doubts == ["not importing /a/x.yaml: another file has the same name and the same colours"])
    let fault = try #require(pair(two).faults.first)
    #expect(fault.description.hasPrefix("/b/x.yaml: another file became the theme 'x'; "))
  }

  @Test("A text that would keep a reader busy for ever is given up", .timeLimit(.minutes(10)))
  func bomb() {
    var text = "a0: &a0 [x, x]\n"
    for level in 1..<60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    text += "? *a59\n: 1\n? *a58\n: 2\n"
    #expect(refusal(of: text)?.contains("more than 4096 values") == true)
    #expect(refusal(of: "<<: *a\n") == "line 1: '*a' refers to nothing above")
    #expect(refusal(of: "a: &a {b: *a}\n") == "line 1: '*a' refers to nothing above")
    for deep in ["[", "{a: ", "- ", "? ", "{? "] {
      let text = "a:\n  " + String(repeating: deep, count: 60_000 / deep.utf8.count)
      #expect(refusal(of: text)?.contains("32 levels of ") == true, "\(deep)")
    }
    #expect(refusal(of: "a: [" + String(repeating: "b,", count: 30_000) + "]")?.contains("4096 values") == true)
    let long = String(repeating: "a", count: 1_048_577)
    #expect(refusal(of: long) == "the file is longer than 1024 KiB, too long for a scheme")
  }

  @Test("A file that is none says why, and on which line")
  func refusals() {
    for (text, refusal) in [
      ("a: 'b", "line 1: invalid YAML: found unexpected end of stream"),
      ("a: b\n\tc: d\n", "line 2: invalid YAML: found a tab character that violates indentation"),
      ("a: b\nc\n", "line 3: invalid YAML: could not find expected ':'"),
      ("a: \u{1}\n", "invalid YAML: control characters are not allowed"),
      ("a: b\nc: d\na: e\n", "line 3: 'a' is already set above"),
      ("p:\n  a: b\n  a\u{301}: c\n  a: d\n", "line 4: 'a' is already set above"),
      ("\u{E9}: b\ne\u{301}: c\n\"\\u202E\": d\n\"\\u202E\": e\n", "line 4: '?' is already set above"),
      ("", "expected lines such as 'name: value'"),
      ("- a\n- b\n", "expected lines such as 'name: value'"),
      ("text", "expected lines such as 'name: value'"),
      ("a: b\n---\nc: d\n", "line 2: expected one document, but a second one begins"),
    ] {
      #expect(self.refusal(of: text) == refusal, "\(text.debugDescription)")
    }
    #expect(throws: SchemeFile.Problem(text: "the file is not UTF-8 text", kind: .otherFormat)) {
      try SchemeFile(yaml: [0x61, 0x3A, 0xFF])
    }
  }

  @Test("A file has its members in order with their lines, and what a scheme needs not is passed over")
  func members() throws {
    let text = "\u{FEFF}# c\na: &x b\n? [k]\n: [v, {w: x}]\np:\n  q: 'r'\n  s: {t: u}\n\"\": |\n  l\n  m\n...\n"
    #expect(
      try SchemeFile(yaml: Array(text.utf8)).members == [
        .init(name: "a", line: 2, value: .text("b")),
        .init(name: "", line: 3, value: .list([.text("v"), .members([.init(name: "w", line: 4, value: .text("x"))])])),
        .init(
          name: "p", line: 5,
          value: .members([
            .init(name: "q", line: 6, value: .text("r")),
            .init(name: "s", line: 7, value: .members([.init(name: "t", line: 7, value: .text("u"))])),
          ])),
        .init(name: "", line: 8, value: .text("l\nm\n")),
      ])
  }

  private func refusal(of text: String) -> String? {
    do throws(SchemeFile.Problem) {
      _ = try SchemeFile(yaml: Array(text.utf8))
      return nil
    } catch { return error.description }
  }

  // MARK: -

  private var base16: String {
    "scheme: 'a'\n" + Role.base16Slots.map { "\($0.rawValue): '3584e4'\n" }.joined()
  }

  private func scheme(_ name: String, _ variant: ThemedModel.ColorScheme) throws -> Scheme {
    try read(
      "variant: \(variant.rawValue)\nname: '\(name)'\n" + base16.replacingOccurrences(of: "scheme: 'a'\n", with: "")
    )
    .get()
  }

  private func read(_ text: String) -> Result<Scheme, SchemeFile.Problem> {
    Result { () throws(SchemeFile.Problem) in try SchemeFile(yaml: Array(text.utf8)) }.flatMap { file in
      Result { () throws(SchemeFile.Problem) in
        return try Scheme.all(of: file.members, in: .yaml)[0]
      }.mapError { SchemeFile.Problem(text: $0.description) }
    }
  }
}

extension GeneratedScheme.Meaning {
  fileprivate init(_ scheme: Scheme) {
    self.init(
      name: scheme.title?.string, author: scheme.author?.string, variant: scheme.variant.rawValue,
      colors: Dictionary(
        uniqueKeysWithValues: scheme.colors.filter(\.key.isSlot).map { ($0.key.rawValue.string, $0.value.hexadecimal) })
    )
  }
}
