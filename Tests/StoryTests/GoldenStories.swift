import Foundation
import ThemedTestSupport
import Testing

/// All that the command says to people, word for word; how goldens are renewed stands in Tests/README.md.
@Suite(.ownThreads) struct GoldenStories {
  @Test func `help is as it was meant for every command`() throws {
    try withSession { session in
      var golden = Golden("help", session)
      for program in ["themed", "themectl"] {
        try golden.run(["--help"], of: program)
        try golden.run(["--version"], of: program)
      }
      for words in try commands(session) { try golden.run(words + ["--help"]) }
      try golden.expect()
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
        ["app"], ["overrides"], ["config"], ["theme", "set", "mint"], ["theme", "unset"], ["theme", "next"],
        ["get", "--json"],
      ] {
        try golden.run(words)
      }
      try golden.expect()
    }
  }

  @Test func `a mistake in the words is named, with the words that are right`() throws {
    try withSession { session in
      _ = try session.startThemed()
      var golden = Golden("errors", session)
      for words in [
        ["set", "purple"], ["is"], ["paint"], ["get", "--colour"], ["dark"], ["set"], ["set", "dark", "--for", "soon"],
        ["set", "dark", "--until", "25:00"], ["set", "dark", "--for", "-5m"], ["set", "accent", "red"],
        ["unset", "colour"], ["--app", "nvim", "get"],
        ["theme", "set", "no-such"], ["theme", "set"], ["theme", "set", "mint", "--light", "--dark"],
        ["theme", "show", "--side", "dark"],
        ["get", "theme", "--details"], ["theme", "import"], ["theme", "import", "/nowhere.yaml"],
        ["theme", "export", "no-such"], ["theme", "show", "no-such"], ["theme", "check", "/nowhere.theme"],
        ["get", "--app", ""], ["get", "--socket", ""],
      ] {
        try golden.run(words)
      }
      for words in [["--paint"], ["--socket"], ["extra"]] { try golden.run(words, of: "themed") }
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
        ["set", "dark", "--app", "nvim", "--until-changed"], ["toggle"], ["unset", "contrast"],
      ] {
        try golden.run(words)
      }
      for words in asked.dropLast() { try golden.run(words) }
      try golden.expect()
    }
  }

  @Test(arguments: [60, 120])
  func `status in a terminal`(columns: Int) throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      var golden = Golden("status-\(columns)", session)
      for words in [["status"], ["overrides"], ["config"]] { try golden.run(words, columns: columns) }
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

  @Test func `themes are listed, shown and checked`() throws {
    try withSession { session in
      try session.installThemes()
      _ = try session.startThemed()
      var golden = Golden("themes", session)
      try golden.run(["theme", "list"])
      try golden.run(["theme", "set", "mint"])
      for words in [
        ["list"], ["show"], ["check", "mint"], ["check", "faulty"], ["next"], ["unset", "dark"], ["list"],
      ] {
        try golden.run(["theme"] + words)
      }
      try golden.expect()
    }
  }

  @Test(arguments: [60, 120])
  func `themes in a terminal, in their colours`(columns: Int) throws {
    try withSession { session in
      try session.installThemes()
      _ = try session.startThemed()
      _ = try session.themectl("theme", "set", "mint")
      var golden = Golden("themes-\(columns)", session)
      for words in [["list"], ["show", "mint"], ["check", "faulty"]] {
        try golden.run(["theme"] + words, columns: columns)
      }
      try golden.expect()
    }
  }

  /// The words of every command, as the command itself tells them.
  private func commands(_ session: Session) throws -> [[String]] {
    let dump = try session.themectl("--experimental-dump-help").output
    let tree = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
    func words(_ command: [String: Any], _ before: [String]) -> [[String]] {
      (command["subcommands"] as? [[String: Any]] ?? []).flatMap { command in
        let all = before + [command["commandName"] as? String ?? ""]
        return [all] + words(command, all)
      }
    }
    return words(try #require(tree?["command"] as? [String: Any]), []).filter { $0 != ["help"] }
  }
}

extension Session {
  /// Lets programs see no desktop, no portal and no service manager of this machine's.
  fileprivate func hideTheMachine() throws {
    environment["XDG_DATA_DIRS"] = directory.path("share")
    environment["PATH"] = try directory.directory("bin") + ":" + (environment["PATH"] ?? "")
    for program in ["systemctl", "xdg-desktop-portal"] {
      let path = try directory.write("#!/bin/sh\nexit 1\n", to: "bin/" + program)
      guard unsafe chmod(path, 0o755) == 0 else { throw Failure("chmod") }
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
