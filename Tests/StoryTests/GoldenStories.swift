import Foundation
import Testing
import ThemedTestSupport

/// All that the command says to people, word for word; how goldens are renewed stands in Tests/README.md.
@Suite(.ownThreads) struct GoldenStories {
  @Test func `each program has a help and a version`() throws {
    try withSession { session in
      var golden = Golden("help", session)
      for program in ["themed", "themectl"] {
        if program == "themed" { try golden.run(["--help"], of: program) }
        try golden.run(["--version"], of: program)
      }
      try golden.expect()
    }
  }

  @Test func `docs/commands.md has the help of every command`() throws {
    try withSession { session in
      let commands = try commands(session)
      var page = """
        # Commands

        All commands of `themectl`, each with its help. `make goldens` writes this page from the program;
        `themectl COMMAND --help` prints the same. [themectl(1)](themectl.1) says more about each command.

        | command | what it does |
        |---|---|

        """
      for (words, abstract) in commands.dropFirst() {
        let link = (["themectl"] + words).joined(separator: "-")
        page += "| [`\(words.joined(separator: " "))`](#\(link)) | \(abstract) |\n"
      }
      for (words, _) in commands {
        let help = try session.themectl(words + ["--help"]).output.trimmingCharacters(in: .newlines)
        let title = (["themectl"] + words).joined(separator: " ")
        page += "\n## \(title)\n\n```text\n\(help)\n```\n"
      }
      try Golden.expect(page, in: "docs/commands.md")
    }
  }

  @Test(arguments: [60, 120])
  func `help fits the terminal`(columns: Int) throws {
    try withSession { session in
      var golden = Golden("help-\(columns)", session)
      for words in [[], ["set"], ["theme"], ["theme", "import"]] {
        try golden.run(words + ["--help"], columns: columns)
      }
      try golden.expect()
    }
  }

  @Test func `without a daemon each command says what to start`() throws {
    try withSession { session in
      var golden = Golden("no-daemon", session)
      for words in [
        [], ["status"], ["get"], ["is", "dark"], ["set", "dark"], ["set", "contrast", "high"], ["toggle"], ["unset"],
        ["app"], ["overrides"], ["config"], ["set", "theme", "mint"], ["unset", "theme"], ["theme", "next"],
        ["get", "--json"], ["schedule"], ["set", "dark", "--until", "sunset"], ["theme", "choose"], ["theme", "show"],
        ["set", "theme", "--light", "auto", "--dark", "mint"], ["theme", "previous"], ["get", "--socket", "/nowhere"],
        ["status", "--verbose"], ["desktop"], ["desktop", "enable"], ["desktop", "disable"],
        ["schedule", "07:00-19:00"], ["config", "get", "mode", "dark"], ["config", "set", "level", "debug"],
        ["config", "unset", "schedule.mode", "level"],
      ] {
        try golden.run(words)
      }
      try golden.expect()
    }
  }

  @Test func `a mistake in the words is named, with the words that are right`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = session.directory.path("share")
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      _ = try session.startThemed()
      var golden = Golden("errors", session)
      for words in [
        // Commands and options.
        ["paint"], ["statsu"], ["dark"], ["help", "paint"], ["theme", "lst"], ["app", "paint"], ["portal", "paint"],
        ["watch", "--json"], ["list"], ["themes"], ["on"], ["enable", "kitty"], ["stop"], ["theme", "use", "mint"],
        ["theme", "paint"], ["help", "theme", "paint"],
        ["get", "--colour"], ["get", "--detials"], ["get", "--socket"], ["theme", "show", "--side", "dark"],
        ["status", "extra"], ["doctor", "extra"], ["overrides", "extra"], ["schedule", "extra"],
        ["schedule", "on"], ["schedule", "07:00-07:00"], ["schedule", "sun", "--at", "here"],
        ["schedule", "--at", "1,2"],
        ["config", "extra"], ["config", "mode", "sun"], ["config", "get"], ["config", "get", "paint"],
        ["config", "get", "schedule"], ["config", "get", "theme"], ["config", "set"], ["config", "set", "mode=sun"],
        ["config", "set", "modr", "sun"], ["config", "set", "mode", "moon"], ["config", "set", "latitude", "52.5"],
        ["config", "unset", "paint"],
        ["setup", "extra"], ["toggle", "extra"], ["theme", "next", "extra"], ["portal", "enable", "--socket", "x"],
        ["status", "--color", "sometimes"], ["status", "--details"], ["get", "--app", ""], ["get", "--socket", ""],
        ["--app", "nvim", "get"],
        // Fields.
        ["is"], ["is", "purple"], ["is", "dark"], ["get", "colour"], ["get", "accent"], ["get", "palette.txet"],
        ["get", "theme", "--details"], ["monitor", "colour"], ["monitor", "theme", "--details"],
        // Overrides.
        ["set"], ["set", "purple"], ["set", "drak"], ["set", "scheme"], ["set", "--dark"], ["set", "--dark", "mint"],
        ["set", "night"], ["set", "dark", "light"], ["set", "contrast"],
        ["set", "accent"],
        ["set", "contrast", "hihg"], ["set", "accent", "red"], ["set", "auto", "--for", "1h"],
        ["unset", "colour"], ["unset", "dark"], ["unset", "contrats"], ["unset", "--dark"],
        ["unset", "--app", "nvim", "--all-apps"],
        // Times.
        ["set", "dark", "--for"], ["set", "dark", "--for", "soon"], ["set", "dark", "--for", "10"],
        ["set", "dark", "--for", "-5m"], ["set", "dark", "--for", "9999d"], ["set", "dark", "--until", "25:00"],
        ["set", "dark", "--until", "2020-01-01"], ["set", "dark", "--for", "1h", "--until", "07:30"],
        ["set", "dark", "--until", "sunrise"], ["set", "dark", "--until-changed"], ["toggle", "--for", "soon"],
        // Themes.
        ["set", "theme"], ["set", "theme", "no-such"], ["set", "theme", "./no-such.theme"],
        ["set", "theme", "mint", "--light", "--dark"], ["set", "theme", "auto", "--for", "1h"],
        ["unset", "theme", "dark"], ["unset", "theme", "--app", "nvim", "--all-apps"], ["theme", "next"],
        ["theme", "list"], ["theme", "show"], ["theme", "show", "no-such"], ["theme", "check", "no-such"],
        ["theme", "check", "/nowhere.theme"], ["theme", "export"], ["theme", "export", "no-such"],
        ["theme", "export", "--format", "pdf"], ["theme", "import"], ["theme", "import", "/nowhere.yaml"],
        ["theme", "import", "--name", "a b", "/nowhere.yaml"], ["theme", "new"], ["theme", "new", "a b"],
        ["theme", "new", "dusk.theme"], ["theme", "new", "dusk", "--from", "no-such"], ["theme", "preview"],
        ["theme", "preview", "mint", "--for", "10"], ["theme", "choose"],
        // Apps, and other machines.
        ["app", "enable"], ["app", "enable", "no-such"], ["app", "show"], ["app", "show", "no-such"],
        ["app", "disable"],
        ["app", "disable", "no-such"], ["app", "disable", "kitty", "--all"], ["app", "check", "no-such"],
        ["desktop", "extra"], ["desktop", "paint"], ["desktop", "enable", "--print", "--yes"],
        ["app", "check", "/nowhere.app"], ["app", "add"], ["app", "add", "/nowhere"], ["share"],
        ["share", "one", "two"],
      ] {
        try golden.run(words)
      }
      for words in [["--paint"], ["--socket"], ["extra"]] { try golden.run(words, of: "themed") }
      try golden.expect()
    }
  }

  @Test func `a mistake in a file is named with its line, and what themectl refuses with the reason`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = session.directory.path("share")
      try session.installThemes()
      try session.installFaultyFiles()
      try session.configure("[appearance]\nno-desktop=drak\n[apearance]\nx=1\n")
      _ = try session.startThemed()
      var golden = Golden("errors-files", session)
      func path(_ name: String) -> String { session.directory.path(name) }
      for words in [
        ["config"], ["config", "set", "mode", "sun"], ["schedule", "sun"], ["theme", "list"], ["theme", "check"],
        ["theme", "show", "faulty"], ["set", "theme", "faulty"],
        ["set", "theme", "night", "--light"], ["set", "theme", "night"], ["set", "theme", "ngiht"],
        ["set", "theme", path("elsewhere.theme")], ["theme", "export", "night", "--light"],
        ["theme", "export", path("elsewhere.theme"), "--format", "base16"],
        ["theme", "export", path("elsewhere.theme"), "--format", "shell"],
        ["set", "theme", "mint"], ["get", "palette.txet"], ["theme", "new", "mint"], ["theme", "new", "mint"],
        ["theme", "check", "mint"],
      ] {
        try golden.run(words)
      }
      for name in [
        "wrong.yaml", "broken.yaml", "twice.yaml", "half.yaml", "wrong.toml", "broken.toml", "wrong.conf",
        "include.conf",
        "text.yaml",
      ] {
        try golden.run(["theme", "import", path(name)])
      }
      try golden.run(["theme", "import", path("dusk.yaml")])
      try golden.run(["theme", "import", path("dusk.yaml")])
      try golden.run(["theme", "import", "--name", "two", path("dusk.yaml"), path("dusk.yaml")])
      for words in [
        ["app", "check"], ["app", "check", path("cat.app")], ["app", "show", "cat"], ["app", "enable", "cat"],
        ["app", "enable", "cta"], ["app", "add", session.directory.path("empty")],
      ] {
        try golden.run(words)
      }
      try golden.run(["theme", "preview", "mint"], isDetached: true)
      try golden.run(["theme", "choose"], isDetached: true)
      try golden.expect()
    }
  }

  @Test func `the read-only socket shows what it may, and says what it refuses`() throws {
    try withSession { session in
      try session.installThemes()
      _ = try session.startThemed()
      _ = try session.themectl("set", "theme", "mint")
      session.environment["THEMED_SOCKET"] = session.readOnlyPath
      var golden = Golden("errors-read-only", session)
      for words in [
        ["set", "dark"], ["unset"], ["toggle"], ["set", "theme", "mint"], ["set", "theme", "no-such"],
        ["unset", "theme"],
        ["theme", "next"], ["overrides"], ["config"], ["schedule"], ["app"], ["get"], ["status"],
        ["status", "--verbose"],
        ["theme", "list"], ["theme", "check"], ["theme", "show", "no-such"], ["desktop"],
        ["desktop", "enable", "--yes"],
        ["desktop", "disable"],
      ] {
        try golden.run(words)
      }
      try golden.expect()
    }
  }

  @Test func `a change that cannot be saved applies, and is said to be unsaved`() throws {
    try withSession { session in
      _ = try session.startThemed()
      // A directory in the file's place cannot be replaced.
      try session.directory.directory("state/themed/overrides.json/in-the-way")
      var golden = Golden("errors-unsaved", session)
      for words in [["set", "dark"], ["unset", "theme"], ["toggle"]] { try golden.run(words) }
      try golden.expect()
    }
  }

  @Test func `status, app, overrides and config say what is shown, why and for whom`() throws {
    try withSession { session in
      let asked: [[String]] = [
        ["status"], ["status", "--app", "nvim"], ["app"], ["overrides"], ["config"], ["status", "--verbose"],
      ]
      try session.configure("[appearance]\nno-desktop=dark\ntransition=350\n")
      _ = try session.startThemed()
      var golden = Golden("status", session)
      for words in asked { try golden.run(words) }
      for words in [
        ["set", "light"], ["set", "contrast", "high"], ["set", "accent", "#3584e4"],
        ["set", "dark", "--app", "nvim", "--until", "changed"], ["toggle"], ["unset", "contrast"],
      ] {
        try golden.run(words)
      }
      for words in asked.dropLast() { try golden.run(words) }
      for words in [
        ["config", "get", "no-desktop", "light-theme"], ["config", "get", "transition", "--json"],
        ["config", "set", "no-desktop", "light", "transition", "0"], ["config", "unset", "no-desktop"],
        ["schedule", "off"],
      ] {
        try golden.run(words)
      }
      try golden.expect()
    }
  }

  @Test(arguments: [60, 80, 120])
  func `status and lists fit a terminal`(columns: Int) throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = session.directory.path("share")
      try session.directory.write("[app]\ntitle=A long-winded cat\n[follows]\nby=portal\n", to: "share/apps/cat.app")
      for name in ["dog", "fish", "parrot"] {
        try session.directory.write(
          "[app]\nprogram=no-\(name)-here\n[terminal]\nprocess=\(name)\n",
          to: "share/apps/\(name)-of-the-neighbours.app")
      }
      try session.directory.write("gone\n", to: "config/themed/apps.enabled")
      _ = try session.startThemed()
      for words in [["dark"], ["contrast", "high"], ["light", "--app", "nvim", "--until", "changed"]] {
        _ = try session.themectl(["set"] + words)
      }
      var golden = Golden("status-\(columns)", session)
      for words in [["status"], ["overrides"], ["app"], ["config"]] { try golden.run(words, columns: columns) }
      try golden.expect()
    }
  }

  @Test func `doctor where there is neither desktop nor daemon, and where there is a daemon`() throws {
    try withSession { session in
      try session.hideTheMachine()
      var golden = Golden("doctor", session)
      try golden.run(["doctor"])
      _ = try session.startThemed()
      try golden.run(["doctor"])
      for columns in [60, 120] { try golden.run(["doctor"], columns: columns) }
      try golden.expect()
    }
  }

  @Test func `the desktop is left alone, kept in step, and left alone again`() throws {
    try withSession { session in
      try session.describeDesktop()
      _ = try session.startDesktop(.none)
      _ = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop != "unavailable" }
      var golden = Golden("desktop", session)
      for words in [
        ["desktop"], ["desktop", "enable"], ["desktop", "enable", "--print"], ["set", "dark"],
        ["desktop", "enable", "--yes"], ["desktop"], ["status"],
      ] {
        try golden.run(words)
      }
      _ = try session.startApply()
      try eventually("it turns") { try session.themectl("desktop").status == .exited(0) }
      try eventually("its settings are known") { try session.themectl("desktop").output.contains("gtk-theme") }
      for words in [
        ["desktop", "enable"], ["desktop"], ["desktop", "--json"], ["status"], ["portal"],
      ] {
        try golden.run(words)
      }
      for columns in [60, 80] { try golden.run(["desktop"], columns: columns) }
      for words in [["desktop", "disable"], ["desktop"], ["status"]] { try golden.run(words) }
      try golden.expect()
    }
  }

  @Test func `themes are listed, shown and checked`() throws {
    try withSession { session in
      try session.installThemes()
      _ = try session.startThemed()
      var golden = Golden("themes", session)
      try golden.run(["theme", "list"])
      try golden.run(["set", "theme", "mint"])
      for words in [
        ["list"], ["show"], ["check", "mint"], ["check", "faulty"], ["next"], ["list"],
      ] {
        try golden.run(["theme"] + words)
      }
      for words in [
        ["get", "theme"], ["set", "theme", "night"], ["set", "theme", "--light", "mint", "--dark", "night"],
        ["unset", "theme", "--dark"], ["set", "theme", "auto"], ["set", "theme", "night", "--app", "nvim"],
        ["set", "theme", "auto", "--app", "nvim"], ["unset", "theme"], ["unset", "theme", "--app", "nvim"],
      ] {
        try golden.run(words)
      }
      try golden.expect()
    }
  }

  @Test(arguments: [60, 120])
  func `themes in a terminal, in their colours`(columns: Int) throws {
    try withSession { session in
      try session.installThemes()
      _ = try session.startThemed()
      _ = try session.themectl("set", "theme", "mint")
      var golden = Golden("themes-\(columns)", session)
      for words in [["list"], ["show", "mint"], ["check", "faulty"]] {
        try golden.run(["theme"] + words, columns: columns)
      }
      try golden.expect()
    }
  }

  /// The words and the short description of every command, as the command itself tells them; first those of themectl.
  private func commands(_ session: Session) throws -> [(words: [String], abstract: String)] {
    let dump = try session.themectl("--experimental-dump-help").output
    let tree = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
    func all(_ command: [String: Any], _ words: [String]) -> [(words: [String], abstract: String)] {
      let below = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { subcommand in
        all(subcommand, words + [subcommand["commandName"] as? String ?? ""])
      }
      return [(words, command["abstract"] as? String ?? "")] + below
    }
    return all(try #require(tree?["command"] as? [String: Any]), []).filter { $0.words != ["help"] }
  }
}

extension Session {
  /// Lets programs see no desktop, no portal and no service manager of this machine's.
  func hideTheMachine() throws {
    environment["XDG_DATA_DIRS"] = directory.path("share")
    environment["PATH"] = try directory.directory("bin") + ":" + (environment["PATH"] ?? "")
    for program in ["systemctl", "xdg-desktop-portal"] {
      let path = try directory.write("#!/bin/sh\nexit 1\n", to: "bin/" + program)
      guard unsafe chmod(path, 0o755) == 0 else { throw Failure("chmod") }
    }
  }

  /// A desktop whose settings have the same values on each machine.
  fileprivate func describeDesktop() throws {
    environment["THEMED_APPS"] = directory.path("share")
    let commands = { (key: String) in
      "read=gsettings get org.gnome.desktop.interface \(key)\n"
        + "write=gsettings set org.gnome.desktop.interface \(key) {quoted}\n"
        + "reset=gsettings reset org.gnome.desktop.interface \(key)\n"
    }
    try directory.write(
      "[app]\ntitle=A desktop\nprogram=gsettings\n[desktop]\ndesktops=GNOME\n"
        + "[setting color-scheme]\nkind=scheme\nlight=prefer-light\ndark=prefer-dark\nnone=default\n"
        + commands("color-scheme") + "[setting gtk-theme]\nlight=Adwaita\ndark=Adwaita-dark\n" + commands("gtk-theme"),
      to: "share/apps/gnome.app")
  }

  /// Files with a mistake of each kind: a theme outside themed's directories, schemes, and an app.
  fileprivate func installFaultyFiles() throws {
    let dusk = (0..<16).map { "  base0\(String($0, radix: 16).uppercased()): \"\($0 < 8 ? "101010" : "d0d0d0")\"\n" }
      .joined()
    for (name, text) in [
      ("elsewhere.theme", "[dark.palette]\nprimary=3584e4\nbase0D=aabbcc\n[dark.values]\na-b=1\na_b=2\n"),
      ("dusk.yaml", "system: base16\nname: Dusk\nvariant: dark\npalette:\n" + dusk),
      ("wrong.yaml", "system: base16\nname: Wrong\nvariant: dim\npalette:\n  base00: reddish\n  base01: #101010\n"),
      ("broken.yaml", "system: base16\n\tname: Tab\n"),
      ("twice.yaml", "name: One\nname: Two\n"),
      ("half.yaml", "system: base16\nname: Half\npalette:\n  base00: \"101010\"\n  base01: \"202020\"\n"),
      ("text.yaml", "Dear diary\n"),
      ("wrong.toml", "[colors.primary]\nbackground = 'reddish'\nforeground = '#d0d0d0'\n"),
      ("broken.toml", "[colors.primary\nbackground = '#101010'\n"),
      ("wrong.conf", "background reddish\nforeground #d0d0d0\ncolor3 $(id)\n"),
      ("include.conf", "include colours.conf\nforeground #d0d0d0\n"),
      ("config/themed/apps/cat.app", "[app]\ntitle=Cat\n[write]\nfile=x\n[reload]\nsignal=NONE\n"),
      ("cat.app", "[app\ntitle=Cat\n"), ("empty/README", "Nothing.\n"),
    ] {
      try directory.write(text, to: name)
    }
  }

  /// Three themes, one of them wrong.
  fileprivate func installThemes() throws {
    environment["XDG_DATA_DIRS"] = directory.path("share")
    for (name, text) in [
      ("mint", "[theme]\ntitle=Mint\nauthor=A. Person\n[light.palette]\ntint=26c472\n[dark.palette]\ntint=84ffbf\n"),
      ("night", "[dark.palette]\nbase00=101010\nbase05=d0d0d0\nbase0D=6699ff\n[dark.values]\nbat=Nord\n"),
      ("faulty", "[dark.palette]\ntext=x\n"),
    ] {
      try directory.write(text, to: "share/themed/themes/\(name).theme")
    }
  }
}
