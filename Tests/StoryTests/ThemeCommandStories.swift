import Foundation
import Testing
import ThemedTestSupport

/// `themectl theme`, as far as it needs no daemon: the real command, its files, its words, its exit statuses.
@Suite(.ownThreads) struct ThemeCommandStories {
  private func themes(of session: Session) throws -> [String] {
    let directory = session.directory.path("data/themed/themes")
    return ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  @Test func `of 500 schemes each is imported, or gets one complaint that names it`() throws {
    try withSession { session in
      var random = SeededGenerator(seed: 500)
      var files: [String] = []
      var good: Set<String> = []
      for index in 0..<500 {
        let fault = index % 5 == 0 ? GeneratedScheme.Fault.allCases.randomElement(using: &random) : nil
        files.append(try session.directory.write(GeneratedScheme(&random, fault: fault).text, to: "s/s\(index).yaml"))
        if fault == nil { good.insert("s\(index)") }
      }
      let finished = try session.themectl(["theme", "import"] + files)
      #expect(finished.status == .exited(1))
      let words = finished.lines.map { $0.split(separator: "\t") }
      #expect(Set(words.map { String($0[0]) }) == good)
      #expect(try Set(themes(of: session)) == Set(good.map { $0 + ".theme" }))
      let complaints = finished.errors.split(separator: "\n").filter {
        // Below a complaint are the lines that it is about.
        $0.hasPrefix("themectl: ") && !$0.contains("note: ")
      }
      // One for each mistake in a file.
      for index in 0..<500 {
        let isRefused = complaints.contains { $0.contains("/s\(index).yaml: ") }
        #expect(isRefused != good.contains("s\(index)"))
      }
      // A few of them there and back, by the command alone.
      for name in good.sorted().prefix(5) {
        let first = try session.themectl("theme", "export", name, "--format", "base24")
        let again = try session.directory.write(first.output + "\n", to: "again/\(name).yaml")
        let imported = try session.themectl("theme", "import", again, "--force")
        #expect(imported.status == .exited(0), "\(imported.errors)")
        #expect(try session.themectl("theme", "export", name, "--format", "base24").output == first.output)
      }
    }
  }

  @Test func `an import says how many warnings there are of colours, and what names them`() throws {
    try withSession { session in
      func scheme(_ name: String, error: String, selection: String) throws -> String {
        var colors = [
          "101418", "20242a", selection, "60646a", "a0a4aa", "e0e4e8", "f0f4f8", "ffffff", error, "e09050", "e0c060",
          "60c070", "50c0c0", "6090e0", "b080e0", "c08060",
        ]
        for index in colors.indices { colors[index] = "base0\(String(index, radix: 16)): '\(colors[index])'\n" }
        return try session.directory.write(colors.joined(), to: "\(name).yaml")
      }
      let good = try scheme("good", error: "e06060", selection: "40444a")
      #expect(try session.themectl("theme", "import", good).errors == "")
      // Its error looks like text, and its selection like the background.
      let doubtful = try scheme("doubtful", error: "e0e0e0", selection: "101418")
      let one = try session.themectl("theme", "import", good, doubtful, "--force")
      #expect(one.status == .exited(0) && one.lines.count == 2)
      #expect(
        one.errors
          == "themectl: note: 2 warnings about colours in 1 theme; run 'themectl theme check doubtful'\n")
      let check = try session.themectl("theme", "check", "doubtful")
      #expect(check.status == .exited(0) && check.lines.count == 2)
      #expect(
        check.output.contains("error looks like text") && check.output.contains("selection looks like background"))
      let more = try (1...4).map { try scheme("d\($0)", error: "e0e0e0", selection: "40444a") }
      let four = try session.themectl(["theme", "import"] + more)
      #expect(four.errors == "themectl: note: 4 warnings about colours in 4 themes; run 'themectl theme check'\n")
    }
  }

  @Test func `a theme that is there is not overwritten unless that is said`() throws {
    try withSession { session in
      let path = try session.themectl("theme", "new", "dusk").output
      #expect(path == session.directory.path("data/themed/themes/dusk.theme"))
      let text = "[dark.palette]\ntint=#ff0000\n"
      try session.directory.write(text, to: "data/themed/themes/dusk.theme")
      for words in [["new", "dusk"], ["new", "dusk", "--from", "dusk"]] {
        let refused = try session.themectl(["theme"] + words)
        #expect(refused.status == .exited(2))
        #expect(refused.errors.contains("--force"))
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      #expect(try session.themectl("theme", "new", "dusk", "--force").status == .exited(0))
      #expect(try String(contentsOfFile: path, encoding: .utf8) != text)
    }
  }

  @Test func `a new theme is good, and one made from another is that one`() throws {
    try withSession { session in
      let path = try session.themectl("theme", "new", "dusk", "--title", "Dusk").output
      let check = try session.themectl("theme", "check", "dusk")
      #expect(check.status == .exited(0))
      #expect(check.lines == ["\(path): good"])
      _ = try session.themectl("theme", "new", "dawn", "--from", "dusk", "--title", "Dusk")
      #expect(
        try session.themectl("theme", "export", "dawn").output == session.themectl("theme", "export", "dusk").output)
    }
  }

  @Test func `a theme of the user's own takes the place of the system's, and that is said`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      let path = try session.directory.write("[dark.palette]\n", to: "share/themed/themes/mint.theme")
      let made = try session.themectl("theme", "new", "mint", "--from", "mint")
      #expect(made.status == .exited(0))
      #expect(made.errors.contains("is now used instead of \(path)"))
    }
  }

  @Test func `what is unknown or wrong is named, and nothing changes`() throws {
    try withSession { session in
      let wrong = try session.directory.write(
        "[dark.palette]\ntext=blue-ish\n[dark.assets]\nwallpaper=/nowhere/x.png\n", to: "w/wrong.theme")
      let noSide = try session.directory.write("[theme]\ntitle=X\n", to: "w/none.theme")
      for (words, status, told) in [
        (["export", "nope"], 2, ["unknown theme 'nope'"]), (["check", "nope"], 2, ["unknown theme 'nope'"]),
        (["preview", "nope"], 2, ["unknown theme 'nope'"]),
        (["new", "a", "--from", "nope"], 2, ["unknown theme 'nope'"]),
        (["new", "a b"], 64, ["letters, digits"]), (["import", "/nowhere.yaml"], 1, ["/nowhere.yaml: No such file"]),
        (["export", wrong], 2, ["wrong.theme:2:", "'blue-ish'"]),
        (["new", "a", "--from", noSide], 2, ["none.theme: error: there should be a side"]),
        (["export", wrong, "--format", "paint"], 64, ["paint"]),
      ] as [([String], Int32, [String])] {
        let finished = try session.themectl(["theme"] + words)
        #expect(finished.status == .exited(status), "\(words)")
        for text in told { #expect(finished.errors.contains(text), "\(words): \(finished.errors)") }
        #expect(finished.lines == [])
      }
      #expect(try session.themectl("theme", "check", wrong).status == .exited(1))
      #expect(try themes(of: session) == [])
    }
  }

  @Test func `of a theme with two sides, a form of one asks which where no daemon tells`() throws {
    try withSession { session in
      _ = try session.themectl("theme", "new", "dusk")
      let both = try session.themectl("theme", "export", "dusk", "--format", "shell")
      #expect(both.status == .exited(64))
      #expect(both.errors.contains("--dark"))
      let light = try session.themectl("theme", "export", "dusk", "--light")
      #expect(light.output.contains("[light.palette]") && !light.output.contains("[dark.palette]"))
      let path = try session.directory.write(light.output, to: "one.theme")
      #expect(try session.themectl("theme", "export", path, "--format", "shell").lines.contains("THEME_SIDE='light'"))
      let none = try session.themectl("theme", "export", path, "--dark")
      #expect(none.status == .exited(2))
      #expect(none.errors.contains("has no dark side"))
    }
  }

  // MARK: Preview

  /// What a terminal saw, as Tests/Terminal/terminal.py tells it.
  private struct Seen: Decodable {
    let first: [String: String]
    let shown: [[String: String]]
    let last: [String: String]
    /// Those that a program has set: the terminal's settings do not change these.
    let set: [String]
    let output: String
    let settings: Bool?
    let signal: Int32
    let status: Int32
  }

  private func preview(_ session: Session, _ end: String, _ words: [String] = ["dusk"]) throws -> Seen {
    _ = try session.themectl("theme", "new", "dusk")
    return try inTerminal(session, end, ["theme", "preview"] + words)
  }

  private func inTerminal(_ session: Session, _ end: String, _ words: [String]) throws -> Seen {
    let script = #filePath.components(separatedBy: "/StoryTests/")[0] + "/Terminal/terminal.py"
    let finished = try session.python([script, end, Products.path("themectl")] + words)
    return try JSONDecoder().decode(Seen.self, from: Data(finished.output.utf8))
  }

  @Test(arguments: ["keys:q", "keys: q", "keys:   \u{1B}", "signal:2", "signal:15", "signal:1", "signal:3"])
  func `a preview shows the theme, and puts every colour back, however it ends`(end: String) throws {
    try withSession { session in
      let seen = try preview(session, end)
      #expect(seen.shown.first?["11"] == "rgb:f7/f8/fa")
      #expect(seen.shown.allSatisfy { shown in shown.allSatisfy { seen.first[$0.key] != $0.value } })
      #expect(seen.last == seen.first)
      // A colour that is set holds against a file that the emulator reads anew.
      #expect(seen.set == ["4;3"], "that which was set before")
      #expect(seen.settings == true)
      let signal = end.hasPrefix("signal:") ? Int32(end.dropFirst(7)) : 0
      #expect(seen.signal == signal)
      if end == "keys: q" { #expect(seen.shown.last?["11"] == "rgb:1b/1e/24") }
    }
  }

  @Test func `a preview ends after its time, and with its terminal`() throws {
    try withSession { session in
      let timed = try preview(session, "wait", ["dusk", "--dark", "--for", "1s"])
      #expect(timed.status == 0)
      #expect(timed.shown.first?["11"] == "rgb:1b/1e/24")
      #expect(timed.last == timed.first)
      #expect(try preview(session, "close").signal == 1)
    }
  }

  /// A daemon with three themes, each with its number for a background.
  private func startWithThree(_ session: Session) throws {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    for (index, name) in ["ant", "bee", "cow"].enumerated() {
      let sides = ["light", "dark"].enumerated().map { "[\($1).palette]\nbackground=#\($0)0000\(index)\n" }.joined()
      try session.directory.write(sides, to: "share/themed/themes/\(name).theme")
    }
    _ = try session.startThemed()
  }

  @Test func `a theme is chosen from a list: each is shown, Enter sets it, and the old colours are back`() throws {
    try withSession { session in
      try startWithThree(session)
      let seen = try inTerminal(session, "keys:jj k\n", ["theme", "choose"])
      #expect(
        seen.shown.map { $0["11"] } == [
          "rgb:00/00/00", "rgb:00/00/01", "rgb:00/00/02", "rgb:10/00/02", "rgb:10/00/01",
        ])
      #expect(seen.last == seen.first && seen.set == ["4;3"])
      #expect(seen.settings == true)
      #expect(seen.status == 0)
      #expect(seen.output.hasSuffix("bee\r\n"), "\(seen.output)")
      #expect(try session.themectl("get", "theme").lines == ["bee"])
      let dark = try inTerminal(session, "keys:j\n", ["theme", "choose", "--dark", "--app", "nvim"])
      #expect(dark.shown.map { $0["11"] } == ["rgb:10/00/01", "rgb:10/00/02"], "it begins at the chosen one")
      #expect(try session.themectl("overrides", "--app", "nvim").lines == ["nvim\tdark theme cow\t-"])
    }
  }

  @Test(arguments: ["keys:j\u{1B}", "keys:jq", "signal:2", "signal:15", "close"])
  func `who leaves the list has chosen nothing, and the old colours are back`(end: String) throws {
    try withSession { session in
      try startWithThree(session)
      let seen = try inTerminal(session, end, ["theme", "choose"])
      if end != "close" {
        #expect(seen.last == seen.first)
        #expect(seen.settings == true)
      }
      #expect(seen.signal == (end.hasPrefix("signal:") ? Int32(end.dropFirst(7)) : end == "close" ? 1 : 0))
      #expect(try session.themectl("get", "theme").lines == ["-"])
    }
  }

  @Test func `nothing is chosen without a daemon, a terminal or a theme, and each is said`() throws {
    try withSession { session in
      #expect(try session.themectl("theme", "choose").status == .exited(3))
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      let daemon = try session.startThemed()
      let none = try session.themectl("theme", "choose")
      #expect(none.status == .exited(2))
      #expect(none.errors.contains("there are no themes to choose from"), "\(none.errors)")
      daemon.send(.terminate)
      try daemon.wait()
      try startWithThree(session)
      let blind = try session.run("setsid", ["--wait", Products.path("themectl"), "theme", "choose"])
      #expect(blind.status == .exited(2))
      #expect(blind.errors.contains("the list of themes needs a terminal"), "\(blind.errors)")
    }
  }

  @Test func `a terminal that does not tell its colours is left as it is`() throws {
    try withSession { session in
      let seen = try preview(session, "silent")
      #expect(seen.status == 2)
      #expect(seen.output.contains("does not report its colours"))
      #expect(seen.shown == [])
      #expect(seen.last == seen.first)
      #expect(seen.settings == true)
    }
  }
}
