import Foundation
import Testing
import ThemedTestSupport

/// `themectl theme` with a daemon: what is chosen, for which side, for whom and until when; and a program that follows.
@Suite(.ownThreads) struct ThemeChoiceStories {
  private func start(_ session: Session) throws {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    for (name, sides) in [
      ("ant", ["light", "dark"]), ("bee", ["dark"]), ("cow", ["light", "dark"]), ("dog", ["light"]),
    ] {
      let text = sides.map { "[\($0).palette]\nbase0D=#808080\n" }.joined()
      try session.directory.write("[theme]\ntitle=The \(name)\n" + text, to: "share/themed/themes/\(name).theme")
    }
    try session.directory.write("[dark.palette]\ntext=none\n", to: "share/themed/themes/cat.theme")
    _ = try session.startThemed()
  }

  private func chosen(_ session: Session, _ words: [String] = []) throws -> [String: String] {
    var chosen: [String: String] = [:]
    for line in try session.themectl(["theme", "list"] + words).lines {
      let fields = line.split(separator: "\t").map(String.init)
      if fields[2] != "-" { chosen[fields[0]] = fields[2] }
    }
    return chosen
  }

  @Test func `a theme is set for each side that it has, and what was not set is said`() throws {
    try withSession { session in
      try start(session)
      #expect(try session.themectl("set", "theme", "ant").lines == ["ant"])
      let bee = try session.themectl("set", "theme", "bee")
      #expect(bee.lines == ["dark bee"])
      #expect(bee.errors.contains("'bee' has no light side; for light, 'ant' stays chosen"))
      #expect(try chosen(session) == ["ant": "light", "bee": "dark"])
      #expect(
        try session.themectl("set", "theme", "--light", "dog", "--dark", "cow").lines == ["light dog, dark cow"])
      #expect(try chosen(session) == ["dog": "light", "cow": "dark"])
      #expect(try session.themectl("unset", "theme", "--light").lines == ["-"])
      #expect(try chosen(session) == ["cow": "dark"])
      #expect(try session.themectl("unset", "theme").status == .exited(0))
      #expect(try chosen(session) == [:])
    }
  }

  @Test func `a theme is set for one app, for a time, and the others see nothing of it`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "ant")
      _ = try session.themectl("set", "theme", "cow", "--app", "nvim", "--for", "2h")
      #expect(try chosen(session) == ["ant": "light,dark"])
      #expect(try chosen(session, ["--app", "nvim"]) == ["cow": "light,dark"])
      #expect(try session.themectl("theme", "show", "--app", "nvim").lines.first == "The cow")
      #expect(try session.themectl("overrides").output.contains("nvim\tlight theme cow, dark theme cow\tuntil"))
      #expect(try session.themectl("status", "--app", "nvim").output.contains("theme     cow (override of nvim, until"))
      #expect(try session.themectl("status").output.contains("theme     ant (override)"))
      _ = try session.themectl("unset", "theme", "--app", "nvim")
      #expect(try chosen(session, ["--app", "nvim"]) == ["ant": "light,dark"])
    }
  }

  @Test func `the themes of all apps are unset together, or said to stay`() throws {
    try withSession { session in
      try start(session)
      for app in ["nvim", "foot"] { _ = try session.themectl("set", "theme", "cow", "--app", app) }
      let kept = try session.themectl("unset", "theme", "--dark").errors
      #expect(kept.contains("2 apps keep their own overrides (foot, nvim); "))
      #expect(kept.contains("'themectl unset theme --dark --all-apps'"))
      #expect(try session.themectl("unset", "theme", "--all-apps").errors == "")
      #expect(try session.themectl("overrides").lines == [])
      #expect(try session.themectl("unset", "theme", "--all-apps", "--app", "nvim").status == .exited(64))
    }
  }

  @Test func `a theme whose name ends as files do can be used, and is not begun by mistake`() throws {
    try withSession { session in
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/odd.theme.theme")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/with space.theme")
      try start(session)
      for words in [["theme", "list"], ["theme", "check"]] {
        #expect(try session.themectl(words).errors.contains("with space.theme: a theme's name must consist of"))
      }
      #expect(try session.themectl("set", "theme", "odd.theme").status == .exited(0))
      #expect(try session.themectl("theme", "show", "odd.theme").status == .exited(0))
      let begun = try session.themectl("theme", "new", "dusk.theme")
      #expect(begun.status == .exited(64))
      #expect(begun.errors.contains("without '.theme'"))
    }
  }

  @Test func `what the configuration names is chosen, until something is set`() throws {
    try withSession { session in
      try session.directory.write("[appearance]\nlight-theme=dog\n", to: "config/themed/themed.conf")
      try start(session)
      // A start waits for its files for a second only.
      try eventually("the configured theme") { try chosen(session) == ["dog": "light"] }
      #expect(try session.themectl("status").output.contains("theme     dog (configured)"))
      _ = try session.themectl("set", "theme", "ant")
      #expect(try chosen(session) == ["ant": "light,dark"])
    }
  }

  @Test func `next and previous go through those with the side that is shown, and pass over what is faulty`() throws {
    try withSession { session in
      try start(session)
      func step(_ word: String) throws -> [String] { try session.themectl("theme", word).lines }
      _ = try session.themectl("set", "dark")
      for name in ["ant", "bee", "cow", "ant"] { #expect(try step("next") == ["dark \(name)"]) }
      for name in ["cow", "bee"] { #expect(try step("previous") == ["dark \(name)"]) }
      _ = try session.themectl("set", "light")
      #expect(try session.themectl("theme", "next", "--app", "x").lines == ["light ant"])
      #expect(try session.themectl("theme", "previous", "--app", "x").lines == ["light dog"])
    }
  }

  @Test func `next and previous leave the side that is not shown as it is`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "--light", "dog", "--dark", "ant")
      _ = try session.themectl("set", "dark")
      let next = try session.themectl("theme", "next")
      #expect(next.lines == ["dark bee"])
      #expect(next.errors == "")
      _ = try session.themectl("theme", "next")
      #expect(try chosen(session) == ["cow": "dark", "dog": "light"])
      _ = try session.themectl("theme", "previous", "--app", "nvim")
      #expect(try chosen(session, ["--app", "nvim"]) == ["bee": "dark", "dog": "light"])
    }
  }

  @Test func `an option for a side stands before or behind its theme, and leaves the other side as it is`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "cow")
      #expect(try session.themectl("set", "theme", "ant", "--dark").lines == ["dark ant"])
      #expect(try chosen(session) == ["ant": "dark", "cow": "light"])
      #expect(try session.themectl("set", "theme", "--light", "ant").lines == ["light ant"])
      #expect(try chosen(session) == ["ant": "light,dark"])
      let both = try session.themectl("set", "theme", "--dark", "cow", "dog", "--light")
      #expect(both.lines == ["light dog, dark cow"])
      let word = try session.themectl("unset", "theme", "dark")
      #expect(word.status == .exited(64))
      #expect(word.errors.contains("themectl unset theme --dark"), "\(word.errors)")
    }
  }

  @Test func `what cannot be chosen is named, and nothing changes`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "ant")
      let before = try session.themectl("theme", "list").output
      for (words, told) in [
        (["nope"], "unknown theme 'nope'"), (["cat"], "'none'"), (["--light", "bee"], "no light side"),
        (["--light", "dog", "--dark", "nope"], "unknown theme 'nope'"),
      ] {
        let refused = try session.themectl(["set", "theme"] + words)
        #expect(refused.status == .exited(2))
        #expect(refused.errors.contains(told), "\(refused.errors)")
        #expect(refused.errors.components(separatedBy: ".theme:").count <= 2, "\(refused.errors)")
      }
      for words in [
        ["ant", "--dark", "bee"], [], ["ant", "--for", "1h", "--until", "07:30"], ["ant", "--light", "--dark"],
        ["ant", "bee"], ["--dark", "--dark", "ant", "bee"], ["--dark"],
      ] {
        #expect(try session.themectl(["set", "theme"] + words).status == .exited(64))
      }
      #expect(try session.themectl("theme", "list").output == before)
    }
  }

  @Test func `the list is a table for people, tabs for scripts, and JSON; without a daemon nothing is chosen`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "ant")
      let lines = try session.themectl("theme").lines
      #expect(lines[0] == "ant\tlight,dark\tlight,dark\tThe ant")
      #expect(lines[2] == "cat\t-\t-\tfaulty; run 'themectl theme check cat'")
      let json = try session.themectl("theme", "list", "--json").output
      let list = try #require(
        (JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])?["themes"] as? [[String: Any]])
      #expect(list.map { $0["name"] as? String } == ["ant", "bee", "cat", "cow", "dog"])
      #expect(list[1]["sides"] as? [String] == ["dark"])
      // The colours that a chooser draws.
      #expect(list[1]["light"] == nil)
      let samples = try #require(list[1]["dark"] as? [String: String])
      let roles = ["background", "error", "info", "primary", "secondary", "success", "text", "warning"]
      #expect(samples.keys.sorted() == roles)
      let shown = try session.themectl("theme", "show", "bee").output
      #expect(samples.allSatisfy { shown.contains("\($0) ") && shown.contains($1) }, "\(samples) in \(shown)")
      #expect((list[2]["problem"] as? String)?.contains("'none'") == true)
      session.environment["THEMED_SOCKET"] = "/nowhere"
      #expect(try session.themectl("theme").lines.allSatisfy { $0.split(separator: "\t")[2] == "-" })
    }
  }

  @Test func `the example shows the theme of the side, and the one that is chosen for it alone`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "ant")
      let example = try session.spawn(Products.path("themed-example"))
      while !(try example.line().contains("The ant")) {}
      _ = try session.themectl("set", "dark")
      let line = try example.line()
      #expect(line.contains("The ant") && line.contains("dark, #000000"))
      _ = try session.themectl("set", "theme", "bee", "--app", "themed-example")
      #expect(try example.line().contains("The bee"))
    }
  }
}
