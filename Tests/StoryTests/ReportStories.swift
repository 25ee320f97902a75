import Foundation
import Testing
import ThemedTestSupport

/// What the command tells people and scripts of what is shown, beside light and dark; and whom `unset` is about.
@Suite(.ownThreads) struct ReportStories {
  /// A daemon with the themes `ant`, of both sides, and `bee`, dark alone.
  private func start(_ session: Session) throws {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    for (name, sides) in [("ant", ["light", "dark"]), ("bee", ["dark"])] {
      let text = sides.map { "[\($0).palette]\nbase0D=#808080\n" }.joined()
      try session.directory.write("[theme]\ntitle=The \(name)\n" + text, to: "share/themed/themes/\(name).theme")
    }
    _ = try session.startThemed()
  }

  // MARK: Unset

  @Test func `unset removes every override but the chosen themes, which only their own command removes`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "ant")
      _ = try session.themectl("set", "dark")
      _ = try session.themectl("set", "contrast", "high")
      #expect(try session.themectl("unset").lines == ["light"])
      let state = try session.connect().call("GetState")
      #expect(state.value("parameters.state.highContrast") == nil)
      #expect(state.string("parameters.state.theme") == "ant")
      #expect(try session.themectl("overrides").lines == ["(all apps)\tlight theme ant, dark theme ant\t-"])
      #expect(try session.themectl("unset", "theme").lines == ["-"])
    }
  }

  @Test func `unset says of how many apps overrides stay, and --all-apps removes them at once, but for themes`() throws
  {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "dark")
      for app in ["nvim", "kitty"] { _ = try session.themectl("set", "dark", "--app", app) }
      _ = try session.themectl("set", "theme", "bee", "--app", "foot")
      let unset = try session.themectl("unset")
      #expect(unset.lines == ["light"])
      #expect(
        unset.errors == """
          themectl: note: 2 apps keep their own overrides (kitty, nvim); \
          'themectl unset --all-apps' removes them too

          """)
      let nvim = try session.spawnThemectl("monitor", "--app", "nvim")
      #expect(try nvim.line() == "dark")
      let all = try session.themectl("unset", "--all-apps")
      #expect((all.lines, all.errors) == (["light"], ""))
      #expect(try nvim.line() == "light")
      #expect(try session.themectl("overrides").lines == ["foot\tdark theme bee\t-"])
      #expect(try session.themectl("app").lines == ["nvim\tfollows (1 client)"])
      #expect(try session.themectl("unset", "--all-apps", "--app", "nvim").status == .exited(64))
    }
  }

  @Test func `only the named fields are removed of every app, and stay removed after a restart`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      _ = try session.themectl("set", "dark", "--app", "nvim")
      _ = try session.themectl("set", "contrast", "high", "--app", "nvim")
      let unset = try session.themectl("unset", "contrast")
      #expect(unset.errors.contains("1 app keeps its own override (nvim)"))
      _ = try session.themectl("unset", "contrast", "--all-apps")
      themed.send(.kill)
      try themed.wait()
      _ = try session.startThemed()
      #expect(try session.themectl("overrides").lines == ["nvim\tdark\t-"])
    }
  }

  @Test func `of every app goes with no app, and is refused with one`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let refused = try session.connect().call("ClearOverride", #"{"app":"nvim","everyApp":true}"#)
      #expect(refused.error?.hasSuffix("InvalidParameter") == true)
      #expect(refused.string("parameters.parameter") == "everyApp")
    }
  }

  // MARK: Whom it is about

  @Test func `status says which apps have overrides of their own`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try !session.themectl("status").output.contains("of their own"))
      for app in ["nvim", "kitty", "foot", "gimp"] { _ = try session.themectl("set", "dark", "--app", app) }
      let status = try session.themectl("status")
      #expect(status.lines.last == "  apps      foot, gimp, kitty and 1 more have their own overrides")
      #expect(try !session.themectl("status", "--app", "nvim").output.contains("of their own"))
    }
  }

  @Test func `an app that is neither connected nor known is noted, and what was asked for is done`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let nvim = try session.spawnThemectl("monitor", "--app", "nvim")
      #expect(try nvim.line() == "light")
      func expect(_ words: [String], isNoted: Bool) throws {
        let finished = try session.themectl(words)
        #expect(finished.status == .exited(0))
        let isTold = finished.errors.contains("note: no app called 'nivm' is connected now")
        #expect(isTold == isNoted, "\(words): \(finished.errors)")
      }
      try expect(["unset", "--app", "nivm"], isNoted: true)
      try expect(["status", "--app", "nivm"], isNoted: true)
      // A script asks for itself, and has no need to be connected.
      try expect(["get", "--app", "nivm"], isNoted: false)
      try expect(["set", "dark", "--app", "nivm"], isNoted: true)
      try expect(["set", "dark", "--app", "nivm"], isNoted: false)
      try expect(["toggle", "--app", "nivm"], isNoted: false)
      #expect(try session.themectl("set", "dark", "--app", "nvim").errors == "")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/mint.theme")
      let note = "note: no app called "
      #expect(try session.themectl("set", "theme", "mint", "--app", "foto").errors.contains(note + "'foto'"))
      #expect(try !session.themectl("set", "theme", "mint", "--app", "nvim").errors.contains(note))
      #expect(try nvim.line() == "dark")
    }
  }

  @Test func `words that name a scheme, an app or a setting get the command for them`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = session.directory.path("share")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/dark.theme")
      try session.directory.write(
        "[app]\ntitle=Kitty\nprogram=kitty\n[terminal]\nprocess=kitty\n", to: "share/apps/kitty.app")
      _ = try session.startThemed()
      for (words, meant) in [
        (["dark"], "themectl set dark"), (["kitty", "light"], "themectl set light --app kitty"),
        (["set", "kitty", "light"], "themectl set light --app kitty"),
        (["set", "transition", "300"], "themectl config set transition 300"),
        (["set", "dark", "until", "07:00"], "themectl set dark --until 07:00"),
      ] {
        let finished = try session.themectl(words)
        #expect(finished.status == .exited(64))
        #expect(finished.errors.contains(meant), "\(words): \(finished.errors)")
      }
      let override = try session.themectl("set", "light", "--app", "kitty")
      #expect(override.errors.contains("note: Kitty does not follow yet; 'themectl app enable kitty' makes it follow"))
    }
  }

  // MARK: Themes

  @Test func `a chosen theme that cannot be shown stays in the status, with the reason`() throws {
    try withSession { session in
      try start(session)
      try session.configure("[appearance]\nlight-theme=dusk\ndark-theme=dusk\n")
      let watch = try session.subscribe()
      _ = try session.themectl("set", "theme", "ant")
      _ = try watch.frame { $0.string("parameters.state.theme") == "ant" }
      #expect(try session.themectl("status").output.contains("  theme     ant (override)"))
      try FileManager.default.removeItem(atPath: session.directory.path("share/themed/themes/ant.theme"))
      _ = try watch.frame { $0.value("parameters.state.theme") == nil }
      #expect(try session.themectl("status").lines.contains("  theme     ant (not installed)"))
      _ = try session.themectl("unset", "theme")
      #expect(try session.themectl("status").lines.contains("  theme     dusk (not installed)"))

      try session.directory.write("[dark.palette]\nbase0D=#808080\n", to: "share/themed/themes/dusk.theme")
      _ = try session.themectl("set", "dark")
      _ = try watch.frame { $0.string("parameters.state.theme") == "dusk" }
      #expect(try session.themectl("status").lines.contains("  theme     dusk (configured)"))
      _ = try session.themectl("set", "light")
      #expect(try session.themectl("status").lines.contains("  theme     dusk (it has no light side)"))
    }
  }

  @Test func `a theme that is shown in the place of one that has gone is told beside it`() throws {
    try withSession { session in
      try start(session)
      try session.configure("[appearance]\nlight-theme=ant\n")
      try session.directory.write("[light.palette]\nbase0D=#808080\n", to: "share/themed/themes/dusk.theme")
      let watch = try session.subscribe()
      _ = try session.themectl("set", "theme", "dusk")
      _ = try watch.frame { $0.string("parameters.state.theme") == "dusk" }
      try FileManager.default.removeItem(atPath: session.directory.path("share/themed/themes/dusk.theme"))
      _ = try watch.frame { $0.string("parameters.state.theme") == "ant" }
      let status = try session.themectl("status").lines
      #expect(status.suffix(2) == ["  theme     dusk (not installed)", "            ant (configured)"], "\(status)")
    }
  }

  // MARK: Words for scripts

  @Test func `get prints any field by name; where nobody says, a dash and status 1`() throws {
    try withSession { session in
      try start(session)
      #expect(try session.themectl("get", "contrast").lines == ["-"])
      #expect(try session.themectl("get", "contrast").status == .exited(1))
      #expect(try session.themectl("get", "scheme", "contrast").status == .exited(1))
      #expect(try session.themectl("get", "desktop", "scheme").status == .exited(0))
      #expect(try session.themectl("get", "theme").lines == ["-"])
      _ = try session.themectl("set", "contrast", "high")
      _ = try session.themectl("set", "motion", "normal")
      _ = try session.themectl("set", "accent", "#3584e4")
      _ = try session.themectl("set", "theme", "ant")
      _ = try session.themectl("set", "dark", "--app", "nvim")
      #expect(try session.themectl("get", "contrast").lines == ["high"])
      #expect(try session.themectl("get", "motion").lines == ["normal"])
      #expect(try session.themectl("get", "accent").lines == ["#3584e4"])
      #expect(try session.themectl("get", "theme").lines == ["ant"])
      #expect(try session.themectl("get", "scheme", "--app", "nvim").lines == ["dark"])
      #expect(try session.themectl("get", "scheme", "theme", "motion").lines == ["light\tant\tnormal"])
      #expect(try session.themectl("get", "--json").lines == [#"{"scheme":"light"}"#])
      #expect(
        try session.themectl("get", "theme", "contrast", "accent", "--json").lines
          == [##"{"theme":"ant","contrast":"high","accent":"#3584e4"}"##])
      _ = try session.themectl("unset", "theme")
      #expect(try session.themectl("get", "theme", "--json").lines == [#"{"theme":null}"#])
      #expect(try session.themectl("get", "colour").status == .exited(64))
    }
  }

  @Test func `monitor prints the fields that are named, whenever one of them changes`() throws {
    try withSession { session in
      try start(session)
      let theme = try session.spawnThemectl("monitor", "theme")
      let both = try session.spawnThemectl("monitor", "scheme", "theme")
      let json = try session.spawnThemectl("monitor", "theme", "--json")
      for (monitor, line) in [(theme, "-"), (both, "light\t-"), (json, #"{"theme":null}"#)] {
        #expect(try monitor.line() == line)
      }
      _ = try session.themectl("set", "theme", "ant")
      for (monitor, line) in [(theme, "ant"), (both, "light\tant"), (json, #"{"theme":"ant"}"#)] {
        #expect(try monitor.line() == line)
      }
      _ = try session.themectl("set", "dark")
      #expect(try both.line() == "dark\tant")
      _ = try session.themectl("set", "theme", "bee")
      for (monitor, line) in [(theme, "bee"), (both, "dark\tbee"), (json, #"{"theme":"bee"}"#)] {
        #expect(try monitor.line() == line)
      }
      #expect(theme.lines == ["-", "ant", "bee"])
    }
  }

  @Test func `what a theme gives is asked for by name, as the groups of its file are called`() throws {
    try withSession { session in
      try start(session)
      let text = "[dark.palette]\nbase0D=#123456\n[dark.assets]\nwallpaper=w.png\n[dark.values]\nbat=Nord\n"
      try session.directory.write("", to: "share/themed/themes/w.png")
      try session.directory.write(text, to: "share/themed/themes/cow.theme")
      #expect(try session.themectl("get", "palette.base0D").status == .exited(1), "no theme is shown")
      let monitor = try session.spawnThemectl("monitor", "scheme", "palette.base0D")
      #expect(try monitor.line() == "light\t-")
      _ = try session.themectl("set", "dark")
      #expect(try monitor.line() == "dark\t-")
      _ = try session.themectl("set", "theme", "cow")
      #expect(try monitor.line() == "dark\t#123456")
      let image = session.directory.path("share/themed/themes/w.png")
      func get(_ words: String...) throws -> Finished { try session.themectl(["get"] + words) }
      #expect(try get("palette.base0D", "assets.wallpaper", "values.bat").lines == ["#123456\t\(image)\tNord"])
      #expect(try get("values.bat", "title", "--json").lines == [#"{"values.bat":"Nord","title":"cow"}"#])
      #expect(try get("transition", "desktop", "source").lines == ["200\tunavailable\tdesktop"])
      let none = try get("values.vim")
      #expect((none.lines, none.errors) == (["-"], ""))
      #expect(none.status == .exited(1))
      let slip = try get("palette.backgroud")
      #expect(slip.status == .exited(1))
      #expect(slip.errors.contains("did you mean 'palette.background'?"), "\(slip.errors)")
    }
  }

  @Test func `with --details everything is told, a line each, and of a monitor an empty one behind each state`() throws
  {
    try withSession { session in
      try start(session)
      let monitor = try session.spawnThemectl("monitor", "--details")
      var lines = try (0..<10).map { _ in try monitor.line() }
      #expect(
        lines == [
          "scheme\tlight", "contrast\t-", "motion\t-", "accent\t-", "theme\t-", "title\t-", "transition\t-",
          "desktop\tunavailable", "source\tdesktop", "",
        ])
      _ = try session.themectl("set", "theme", "ant")
      lines = try session.themectl("get", "--details").lines
      #expect(lines.contains("title\tThe ant") && lines.contains("palette.base0D\t#808080"))
      for line in lines + [""] { #expect(try monitor.line() == line) }
      for command in ["get", "monitor"] {
        #expect(try session.themectl(command, "--details", "theme").status == .exited(64))
      }
    }
  }

  @Test func `with --details each state has the colours of its theme`() throws {
    try withSession { session in
      try start(session)
      _ = try session.themectl("set", "theme", "ant")
      let monitor = try session.spawnThemectl("monitor", "--json", "--details")
      let told = try monitor.line()
      let state = try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any]
      #expect((state?["palette"] as? [String: String])?["base0D"] == "#808080")
      let status = try session.themectl("status", "--json", "--details")
      #expect(status.lines == [told])
      #expect(try session.themectl("status", "--details").status == .exited(64))
    }
  }
}
