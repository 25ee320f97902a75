import Foundation
import Testing
import ThemedTestSupport

/// Which themes there are: for the command the same ones as for the daemon, and a word where the two look elsewhere.
@Suite(.ownThreads) struct ThemePlaceStories {
  /// A daemon that looks in other directories than the commands that follow.
  private func startElsewhere(_ session: Session) throws {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    try session.directory.write("[theme]\ntitle=Of the daemon\n[dark.palette]\n", to: "data/themed/themes/owl.theme")
    try session.directory.write("[light.palette]\n", to: "data/themed/themes/both.theme")
    try session.directory.write("[theme]\ntitle=Of the shell\n[light.palette]\n", to: "mine/themed/themes/both.theme")
    try session.directory.write("[dark.palette]\n", to: "mine/themed/themes/own.theme")
    _ = try session.startThemed()
    session.environment["XDG_DATA_HOME"] = session.directory.path("mine")
  }

  @Test func `the daemon's themes are listed and read, and those that it does not see are named`() throws {
    try withSession { session in
      try startElsewhere(session)
      let list = try session.themectl("theme", "list")
      #expect(list.lines == ["both\tlight\t-\tboth", "owl\tdark\t-\tOf the daemon"])
      let own = session.directory.path("mine/themed/themes")
      #expect(list.errors.contains("themed does not look for themes in \(own)"), "\(list.errors)")
      #expect(list.errors.contains("XDG_DATA_HOME"))
      #expect(try session.themectl("theme", "show", "owl").lines.first == "Of the daemon")
      #expect(try session.themectl("theme", "show", "both").lines.first == "both")
      #expect(try session.themectl("theme", "check").lines.allSatisfy { $0.contains("/data/themed/themes/") })
      session.environment["THEMED_SOCKET"] = "/nowhere"
      let alone = try session.themectl("theme", "list")
      #expect(alone.lines == ["both\tlight\t-\tOf the shell", "own\tdark\t-\town"])
      #expect(alone.errors == "")
    }
  }

  @Test func `a theme that is made where the daemon does not look is told of`() throws {
    try withSession { session in
      try startElsewhere(session)
      let made = try session.themectl("theme", "new", "dusk")
      #expect(made.lines == [session.directory.path("mine/themed/themes/dusk.theme")])
      #expect(made.errors.contains("themed does not look for themes in"), "\(made.errors)")
      session.environment["XDG_DATA_HOME"] = session.directory.path("data")
      #expect(try session.themectl("theme", "new", "dawn").errors == "")
    }
  }

  @Test func `a directory of themes that cannot be read is told of, and what lies elsewhere is listed`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      try session.directory.write("[dark.palette]\n", to: "share/themed/themes/owl.theme")
      // Root may read whatever is a directory.
      let themes = try session.directory.write("", to: "data/themed/themes")
      _ = try session.startThemed()
      for command in ["list", "check"] {
        let done = try session.themectl("theme", command)
        #expect(done.status == .exited(0) && done.output.contains("owl"), "\(done)")
        #expect(done.errors.contains("cannot list the themes in \(themes): Not a directory"), "\(done)")
      }
      let doctor = try session.themectl("doctor")
      #expect(doctor.output.contains("\(themes): Not a directory"), "\(doctor.output)")
      #expect(doctor.output.contains("ls -ld \(themes)"), "\(doctor.output)")
    }
  }

  @Test func `a link that leads nowhere is no theme, and has nobody told of a place unseen`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      try session.directory.write("[dark.palette]\n", to: "share/themed/themes/owl.theme")
      let themes = try session.directory.directory("data/themed/themes")
      try FileManager.default.createSymbolicLink(atPath: "\(themes)/gone.theme", withDestinationPath: "/nowhere.theme")
      _ = try session.startThemed()
      let list = try session.themectl("theme", "list")
      #expect(list.lines == ["owl\tdark\t-\towl"] && list.errors == "", "\(list)")
    }
  }

  @Test func `of a daemon that does not answer in time the list says so, and who chooses waits longer`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      let themed = try session.startThemed()
      _ = try session.themectl("get")
      themed.send(.stop)
      let chooser = try session.spawnThemectl("theme", "choose")
      for _ in 0..<2 {
        let list = try session.themectl("theme", "list")
        #expect(list.status == .exited(0) && list.errors.contains("note: themed did not answer within 2"), "\(list)")
      }
      #expect(chooser.isRunning)
      themed.send(.continue)
      #expect(try chooser.wait() == .exited(2))
      #expect(chooser.errors.contains("there are no themes to choose from"), "\(chooser.errors)")
    }
  }

  @Test func `a path has no slash twice, though those of GNOME's session end with one`() throws {
    try withSession { session in
      let share = session.directory.path("share")
      session.environment["XDG_DATA_DIRS"] = "/nowhere/:\(share)/"
      try session.directory.write("[dark.palette]\n", to: "share/themed/themes/owl.theme")
      _ = try session.startThemed()
      session.environment["XDG_DATA_DIRS"] = share
      let shown = try session.themectl("theme", "show", "owl")
      #expect(shown.output.contains(" \(share)/themed/themes/owl.theme\n"), "\(shown)")
      #expect(try session.themectl("theme", "list").errors == "", "these are the same directories")
      session.environment["XDG_DATA_DIRS"] = "\(share)/"
      #expect(try session.themectl("theme", "check", "owl").output.hasPrefix("\(share)/themed/themes/owl.theme: "))
    }
  }

  @Test func `a theme that is faulty is refused with its file, named once, and the line`() throws {
    try withSession { session in
      let file = try session.directory.write(
        "[dark.palette]\nbackground=red\n", to: "data/themed/themes/owl.theme")
      _ = try session.startThemed()
      let refused = try session.themectl("set", "theme", "owl")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.hasPrefix("themectl: \(file):2: error: [dark.palette] background is 'red'"), "\(refused)")
      #expect(refused.errors.hasSuffix("\n  2 | background=red\n"), "\(refused)")
      #expect(refused.errors.components(separatedBy: file).count == 2, "\(refused)")
    }
  }

  @Test
  func `where both look in the same directories nothing is said, and one theme shadows another as for the daemon`()
    throws
  {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share") + ":/usr/share"
      try session.directory.write("[dark.palette]\n", to: "share/themed/themes/own.theme")
      try session.directory.write("[light.palette]\n", to: "data/themed/themes/own.theme")
      _ = try session.startThemed()
      let list = try session.themectl("theme", "list")
      #expect(list.lines.contains("own\tlight\t-\town"))
      #expect(list.errors == "")
    }
  }

  @Test func `directories that are named with a slash at their end are shown as others are`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share") + "//:/usr/share/"
      session.environment["XDG_DATA_HOME"] = session.directory.path("data") + "/"
      try session.directory.write("[dark.palette]\n", to: "share/themed/themes/own.theme")
      _ = try session.startThemed()
      let shown = try session.themectl("theme", "show", "own")
      #expect(shown.output.contains(session.directory.path("share/themed/themes/own.theme")), "\(shown.output)")
      #expect(
        try session.themectl("theme", "new", "dusk").lines == [session.directory.path("data/themed/themes/dusk.theme")])
    }
  }

  @Test func `a theme is set by the path of its file too, if that is where the daemon looks`() throws {
    try withSession { session in
      try startElsewhere(session)
      let owl = session.directory.path("data/themed/themes/owl.theme")
      #expect(try session.themectl("set", "theme", owl).lines == ["dark owl"])
      #expect(try session.themectl("set", "theme", "--dark", owl).lines == ["dark owl"])
      for path in ["mine/themed/themes/own.theme", "mine/themed/themes/both.theme"] {
        let other = session.directory.path(path)
        let refused = try session.themectl("set", "theme", other)
        #expect(refused.status == .exited(2))
        #expect(refused.errors.contains("--from \(other)"), "\(refused.errors)")
      }
      let nowhere = try session.themectl("set", "theme", "./nowhere.theme")
      #expect(nowhere.status == .exited(2))
      #expect(nowhere.errors.contains("./nowhere.theme"))
    }
  }

  @Test func `a name that is nearly one of a theme's gets a suggestion`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      for name in ["gruvbox-hard", "gruvbox-soft", "mint"] {
        try session.directory.write("[dark.palette]\n", to: "data/themed/themes/\(name).theme")
      }
      for command in [["theme", "show"], ["theme", "export"], ["theme", "check"], ["set", "theme"]] {
        if command[0] == "set" { _ = try session.startThemed() }
        for (word, told) in [
          ("gruvbox", "did you mean 'gruvbox-hard' or 'gruvbox-soft'?"), ("mnit", "did you mean 'mint'?"),
          ("Mint", "did you mean 'mint'?"), ("zebra", "'themectl theme list'"),
        ] {
          let refused = try session.themectl(command + [word])
          #expect(refused.status == .exited(2))
          #expect(refused.errors.contains("unknown theme '\(word)'; \(told)"), "\(refused.errors)")
        }
      }
    }
  }

  @Test func `of so many themes that one answer has no room for all, none is unknown`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      let title = String(repeating: "long ", count: 24)
      for number in 1000..<4500 {
        try session.directory.write(
          "[theme]\ntitle=\(title)\n[dark.palette]\n", to: "data/themed/themes/t\(number).theme")
      }
      _ = try session.startThemed()
      // On a machine that is busy with other tests, a call may be refused until all of them were read.
      let omitted = try eventually("all are read") {
        try session.connect().call("ListThemes").int("parameters.omitted")
      }
      #expect(omitted > 0)
      #expect(try session.themectl("theme", "list").lines.count == 3500)
      #expect(try session.themectl("theme", "show", "t4499").status == .exited(0))
    }
  }

  @Test func `a side's option completes with the themes that have that side`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      for (name, sides) in [("ant", ["light", "dark"]), ("bee", ["dark"]), ("dog", ["light"])] {
        let text = sides.map { "[\($0).palette]\n" }.joined()
        try session.directory.write(text, to: "data/themed/themes/\(name).theme")
      }
      func candidates(_ side: String...) throws -> [String] {
        let words = ["themectl", "set", "theme"] + side + [""]
        let line = ["---completion", "set", "--", "positional@0", "\(words.count - 1)", "0"] + words
        return try session.themectl(line).lines.sorted()
      }
      session.environment["SAP_SHELL"] = "bash"
      #expect(try candidates("--light") == ["ant", "auto", "dog"])
      #expect(try candidates("--dark") == ["ant", "auto", "bee"])
      #expect(try candidates() == ["ant", "auto", "bee", "dog"])
    }
  }
}
