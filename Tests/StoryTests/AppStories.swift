import Foundation
import Testing
import ThemedTestSupport

/// Programs that cannot subscribe are enabled by one command, and disabled without a trace.
@Suite(.ownThreads) struct AppStories {
  private static let app = """
    [app]
    title=Cat, the program
    program=cat
    [write]
    template=cat.mustache
    file=~/.config/cat/themed.conf
    [setup]
    file=~/.config/cat/cat.conf
    line=include themed.conf

    """

  private func install(_ session: Session, _ text: String = app, template: String = "bg={{background-hex}}\n") throws {
    try session.directory.write(text, to: "config/themed/apps/cat.app")
    try session.directory.write(template, to: "config/themed/templates/cat.mustache")
  }

  private func bytes(_ session: Session, _ path: String) throws -> [UInt8]? {
    let path = session.directory.path(path)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// What the directory of the program's own files holds.
  private func files(_ session: Session) -> [String] {
    let path = session.directory.path("home/.config/cat")
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  @Test func `enabling shows what it does, and changes nothing without a terminal unless it is told to`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("font=mono", to: "home/.config/cat/cat.conf")
      let plan = [
        "Cat, the program:", "  adds to ~/.config/cat/cat.conf: include themed.conf",
        "  themed-apply writes ~/.config/cat/themed.conf at each change",
      ]
      let told = try session.themectl("app", "enable", "cat")
      #expect(told.status == .exited(1) && told.lines == plan)
      #expect(told.errors.contains("so nothing was changed; run 'themectl app enable cat --yes' to skip the question"))
      let printed = try session.themectl("app", "enable", "cat", "--print")
      #expect(printed.status == .exited(0) && printed.lines == plan && printed.errors == "")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("font=mono".utf8))
      #expect(try bytes(session, "config/themed/apps.enabled") == nil)
      let written = try session.themectl("app", "enable", "cat", "--yes")
      #expect(written.status == .exited(0), "\(written.errors)")
      #expect(written.lines == plan + ["Cat, the program is enabled"])
      #expect(written.errors.contains("added to ~/.config/cat/cat.conf: include themed.conf"), "\(written.errors)")
      #expect(
        written.errors.contains("cat: nothing follows yet, since no systemd user manager is running: have your session")
      )
      #expect(
        try bytes(session, "home/.config/cat/cat.conf")
          == Array(
            "font=mono\n# themed: cat begins (the line above had no end)\ninclude themed.conf\n# themed: cat ends, f1e12058\n"
              .utf8))
      #expect(try bytes(session, "config/themed/apps.enabled") == Array("cat\n".utf8))
      #expect(files(session) == ["cat.conf", "themed.conf"], "nothing else is left beside it")
    }
  }

  @Test(arguments: [("y", true), ("Y", true), ("yes", true), ("Yes", true), ("", false), ("n", false)])
  func `on a terminal it asks, and every way to say yes is one`(answer: String, isEnabled: Bool) throws {
    try withSession { session in
      try install(session)
      let program = try Products.path("themectl")
      let script = "printf '%s\\n' '\(answer)' | script -qec '\(program) app enable cat' /dev/null"
      let typed = try session.run("sh", ["-c", script])
      #expect(typed.output.contains("Continue? [y/N]"), "\(typed)")
      #expect((session.text("config/themed/apps.enabled") != nil) == isEnabled)
      #expect((session.text("home/.config/cat/cat.conf") != nil) == isEnabled)
    }
  }

  @Test func `several are enabled and disabled by one command, and none where one of them cannot be`() throws {
    try withSession { session in
      try install(session)
      for name in ["dog", "eel"] {
        try session.directory.write("[setup]\nfile=~/\(name)\nline=themed\n", to: "config/themed/apps/\(name).app")
      }
      let unknown = try session.themectl("app", "enable", "cat", "dgo", "dog", "--yes")
      #expect(unknown.status == .exited(2) && unknown.errors.contains("did you mean 'dog'?"), "\(unknown.errors)")
      #expect(files(session) == [] && session.text("home/dog") == nil)
      let enabled = try session.themectl("app", "enable", "cat", "dog", "eel", "dog", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled.errors)")
      #expect(enabled.lines.suffix(3) == ["Cat, the program is enabled", "dog is enabled", "eel is enabled"])
      #expect(try session.themectl("app", "enable", "dog", "--yes").lines == ["dog is already enabled"])
      #expect(try session.themectl("app", "disable", "dgo", "dog").status == .exited(2))
      #expect(session.text("home/dog")?.contains("themed") == true)
      #expect(try session.themectl("app", "disable", "dog", "eel").lines == ["dog is disabled", "eel is disabled"])
      #expect(try session.themectl("app", "disable").status == .exited(64))
      #expect(try session.themectl("app", "disable", "--all").lines == ["Cat, the program is disabled"])
      #expect(try session.themectl("app", "disable", "--all").lines == ["no app is enabled"])
      #expect(files(session) == [] && session.text("home/dog") == nil && session.text("home/eel") == nil)
    }
  }

  @Test(arguments: [nil, "", "font=mono", "font=mono\n", "a\r\n\u{1B}[31m\n\n", "x\u{0}\u{301}"] as [String?])
  func `disabling leaves every file as it was, byte for byte`(before: String?) throws {
    try withSession { session in
      try install(session)
      if let before { try session.directory.write(before, to: "home/.config/cat/cat.conf") }
      try session.directory.write("# mine\nother\n", to: "config/themed/apps.enabled")
      let enabled = try session.themectl("app", "enable", "cat", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled.errors)")
      #expect(try bytes(session, "home/.config/cat/cat.conf") != before.map { Array($0.utf8) })
      // As themed-apply would have.
      let mark = "# Written by themed-apply for 'cat', and overwritten at each change.\n"
      try session.directory.write(mark + "bg=000000\n", to: "home/.config/cat/themed.conf")
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == before.map { Array($0.utf8) })
      #expect(files(session) == (before == nil ? [] : ["cat.conf"]), "no copy, and nothing of ours, is left")
      #expect(try bytes(session, "config/themed/apps.enabled") == Array("# mine\nother\n".utf8))
    }
  }

  @Test func `what a program has made is undone by the app file's command, and again where that fails`()
    throws
  {
    try withSession { session in
      let left = session.directory.path("left")
      let command = "command=sh -c 'rm \"$0\" && test $1 = cat' \"\(left)\" {program}\n"
      try install(session, Self.app + "[disable]\n" + command)
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      #expect(try session.themectl("app", "show", "cat").output.contains("\nwhen disabled: runs sh '-c' "))
      let failed = try session.themectl("app", "disable", "cat")
      #expect(failed.status == .exited(2))
      #expect(
        failed.errors.contains("failed with exit status 1: run it yourself, or run this again"), "\(failed.errors)")
      #expect(files(session).isEmpty)
      try session.directory.write("made by the program", to: "left")
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(!FileManager.default.fileExists(atPath: left))
    }
  }

  @Test func `a link stays a link, and what it leads to is changed and restored`() throws {
    try withSession { session in
      try install(session)
      let real = try session.directory.write("font=mono\n", to: "dotfiles/cat.conf")
      let link = session.directory.path("home/.config/cat/cat.conf")
      try FileManager.default.createDirectory(
        atPath: session.directory.path("home/.config/cat"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
      _ = try session.themectl("app", "enable", "cat", "--yes")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
      #expect(try bytes(session, "dotfiles/cat.conf")?.count ?? 0 > 20)
      _ = try session.themectl("app", "disable", "cat")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
      #expect(try bytes(session, "dotfiles/cat.conf") == Array("font=mono\n".utf8))
    }
  }

  @Test func `what the user changed meanwhile stays`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("font=mono\n", to: "home/.config/cat/cat.conf")
      _ = try session.themectl("app", "enable", "cat", "--yes")
      let with = String(decoding: try bytes(session, "home/.config/cat/cat.conf") ?? [], as: UTF8.self)
      try session.directory.write("size=12\n" + with + "last=1\n", to: "home/.config/cat/cat.conf")
      _ = try session.themectl("app", "disable", "cat")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("size=12\nfont=mono\nlast=1\n".utf8))
      #expect(files(session) == ["cat.conf"])
    }
  }

  @Test func `what the user writes between our comments is not thrown away, and told with its line`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("font=mono\n", to: "home/.config/cat/cat.conf")
      _ = try session.themectl("app", "enable", "cat", "--yes")
      let with = String(decoding: try bytes(session, "home/.config/cat/cat.conf") ?? [], as: UTF8.self)
      let changed = with.replacing("include themed.conf\n", with: "include themed.conf\nprecious=1\n")
      try session.directory.write(changed, to: "home/.config/cat/cat.conf")
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(2))
      #expect(disabled.errors.contains("cat.conf:2: the lines that themed added here have been changed"))
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array(changed.utf8))
    }
  }

  @Test func `an app file that asks for another line has the old one replaced, and nothing is left of either`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("font=mono\r\n", to: "home/.config/cat/cat.conf")
      _ = try session.themectl("app", "enable", "cat", "--yes")
      try install(session, Self.app.replacing("line=include", with: "comment=//\nline=source"))
      let again = try session.themectl("app", "enable", "cat", "--yes")
      #expect(again.status == .exited(0), "\(again.errors)")
      let with = String(decoding: try bytes(session, "home/.config/cat/cat.conf") ?? [], as: UTF8.self)
      #expect(!with.contains("include") && with.contains("\nsource themed.conf\n"), "\(with)")
      _ = try session.themectl("app", "disable", "cat")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("font=mono\r\n".utf8))
      #expect(files(session) == ["cat.conf"])
    }
  }

  @Test func `an app file that names another file of the user's leaves nothing in the first`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("font=mono\n", to: "home/.config/cat/cat.conf")
      _ = try session.themectl("app", "enable", "cat", "--yes")
      try install(session, Self.app.replacing("cat/cat.conf", with: "cat/new.conf"))
      let again = try session.themectl("app", "enable", "cat", "--yes")
      #expect(again.status == .exited(0), "\(again.errors)")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("font=mono\n".utf8))
      #expect(try bytes(session, "home/.config/cat/new.conf") != nil)
      _ = try session.themectl("app", "disable", "cat")
      #expect(files(session) == ["cat.conf"])
    }
  }

  @Test func `an app file that names another file to write leaves nothing of the first`() throws {
    try withSession { session in
      try install(session)
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      // As themed-apply would have.
      let mark = "# Written by themed-apply for 'cat', and overwritten at each change.\n"
      let first = try session.directory.write(mark, to: "home/.config/cat/themed.conf")
      try install(session, Self.app.replacing("~/.config/cat/themed.conf", with: first))
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      #expect(files(session) == ["cat.conf", "themed.conf"], "it is the same one")
      try install(session, Self.app.replacing("cat/themed.conf", with: "cat/new.conf"))
      let again = try session.themectl("app", "enable", "cat", "--yes")
      #expect(again.status == .exited(0), "\(again.errors)")
      #expect(files(session) == ["cat.conf", "new.conf"])
      _ = try session.themectl("app", "disable", "cat")
      #expect(files(session) == [])
    }
  }

  @Test(arguments: ["#", "none"])
  func `a file of ours behind a link is removed there, and written there again`(comment: String) throws {
    try withSession { session in
      let write = "[write]\ntemplate=cat.mustache\nfile=~/.config/cat/x.json\ncomment=\(comment)\n"
      try install(session, write, template: "{{scheme}}\n")
      let link = try session.directory.directory("home/.config/cat") + "/x.json"
      let real = try session.directory.directory("dotfiles") + "/x.json"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../../../dotfiles/x.json")
      try session.addHook("stay", "true")
      _ = try session.startThemed()
      _ = try session.startApply()
      for _ in 0..<2 {
        let enabled = try session.themectl("app", "enable", "cat", "--yes")
        #expect(enabled.status == .exited(0), "\(enabled.errors)")
        try session.awaitApplied("cat") { $0.isDone("light") }
        #expect(session.text("dotfiles/x.json")?.hasSuffix("light\n") == true)
        let disabled = try session.themectl("app", "disable", "cat")
        #expect(disabled.status == .exited(0) && !disabled.errors.contains("stays"), "\(disabled.errors)")
        #expect(!FileManager.default.fileExists(atPath: real))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../../../dotfiles/x.json")
      }
    }
  }

  /// Puts a program into PATH that tells its version and does no more, and has the shipped app files be found.
  private func bring(_ session: Session, _ name: String, _ version: String) throws {
    let path = try session.directory.write("#!/bin/sh\necho '\(version)'\n", to: "bin/" + name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
    session.environment["THEMED_APPS"] = Products.package + "/share"
    session.environment["SHELL"] = "/bin/bash"
  }

  @Test(arguments: ["config/alacritty/alacritty.toml", "config/alacritty.toml", "home/.alacritty.toml"])
  func `the line goes into the file that the program reads, and no other one is made`(own: String) throws {
    try withSession { session in
      try bring(session, "alacritty", "alacritty 0.15.1")
      let before = "[window]\nopacity = 0.9\n\n[colors.primary]\nbackground = \"#282830\"\n"
      try session.directory.write(before, to: own)
      let printed = try session.themectl("app", "enable", "alacritty", "--print")
      #expect(
        printed.output.contains(
          "; this replaces your colors.primary at \(own.replacing("home/", with: "~/")):4-5, which".replacing(
            "config/alacritty", with: session.directory.path("config/alacritty"))), "\(printed)")
      let enabled = try session.themectl("app", "enable", "alacritty", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled.errors)")
      #expect(session.text(own)?.contains("\ngeneral.import = [") == true)
      #expect(session.text(own)?.contains("\nbackground") == false, "the user's own color would win")
      let made = ["config/alacritty/alacritty.toml", "config/alacritty.toml", "home/.alacritty.toml"]
      #expect(made.filter { session.text($0) != nil } == [own])
      #expect(try session.themectl("app", "disable", "alacritty").status == .exited(0))
      #expect(session.text(own) == before)
    }
  }

  @Test func `a program that has become newer gets the line of its new version`() throws {
    try withSession { session in
      let own = "[window]\nopacity = 0.9\n"
      try session.directory.write(own, to: "config/alacritty/alacritty.toml")
      try bring(session, "alacritty", "alacritty 0.13.2")
      #expect(try session.themectl("app", "enable", "alacritty", "--yes").status == .exited(0))
      #expect(session.text("config/alacritty/alacritty.toml")?.contains("\nimport = [") == true)
      try bring(session, "alacritty", "alacritty 0.15.1")
      // The old line still works, and is left where it cannot be replaced.
      let path = session.directory.path("config/alacritty/alacritty.toml")
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let old = session.text("config/alacritty/alacritty.toml")
      let closed = try session.themectl("app", "enable", "alacritty", "--yes")
      #expect(closed.status == .exited(0), "\(closed)")
      #expect(session.text("config/alacritty/alacritty.toml") == old)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      // The user's own setting may be in the way, too.
      let strict = "general = { live_config_reload = true }\n" + (old ?? "")
      try session.directory.write(strict, to: "config/alacritty/alacritty.toml")
      #expect(try session.themectl("app", "enable", "alacritty", "--yes").status == .exited(0))
      #expect(session.text("config/alacritty/alacritty.toml") == strict)
      try session.directory.write(old ?? "", to: "config/alacritty/alacritty.toml")
      #expect(try session.themectl("app", "enable", "alacritty", "--yes").status == .exited(0))
      let again = try session.themectl("app", "enable", "alacritty", "--yes")
      #expect(again.status == .exited(0) && !again.output.contains("adds to"), "\(again)")
      let text = try #require(session.text("config/alacritty/alacritty.toml"))
      #expect(text.contains("\ngeneral.import = [") && !text.contains("\nimport = ["), "\(text)")
      #expect(try session.themectl("app", "disable", "alacritty").status == .exited(0))
      #expect(session.text("config/alacritty/alacritty.toml") == own)
    }
  }

  @Test func `a file on a disk that is away is named, and comes back as it was once the disk is there`() throws {
    try withSession { session in
      try bring(session, "alacritty", "alacritty 0.15.1")
      let own = "[colors.primary]\nbackground = \"#282830\"\n"
      try session.directory.write(own, to: "disk/alacritty.toml")
      _ = try session.directory.directory("config/alacritty")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("config/alacritty/alacritty.toml"),
        withDestinationPath: session.directory.path("disk/alacritty.toml"))
      #expect(try session.themectl("app", "enable", "alacritty", "--yes").status == .exited(0))
      let (disk, away) = (session.directory.path("disk"), session.directory.path("away"))
      try FileManager.default.moveItem(atPath: disk, toPath: away)
      let disabled = try session.themectl("app", "disable", "alacritty")
      #expect(disabled.status == .exited(0), "\(disabled)")
      #expect(
        disabled.errors.contains(
          "alacritty.toml is missing, and had themed's line; if it comes back, run 'themectl app disable alacritty'"),
        "\(disabled)")
      try FileManager.default.moveItem(atPath: away, toPath: disk)
      #expect(try session.themectl("app", "disable", "alacritty").status == .exited(0))
      #expect(session.text("disk/alacritty.toml") == own)
    }
  }

  @Test func `a vimrc in Vim9's language gets comments that it understands`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      let own = "vim9script\nset number\n"
      let path = try session.directory.write(own, to: "home/.vimrc")
      #expect(try session.themectl("app", "enable", "vim", "--yes").status == .exited(0))
      #expect(session.text("home/.vimrc")?.contains("\n# themed: vim") == true, "\(session.text("home/.vimrc") ?? "")")
      let vim = try session.run("vim", ["-u", path, "-i", "NONE", "-es", "-c", "qa!"])
      #expect(vim.status == .exited(0), "\(vim)")
      #expect(try session.themectl("app", "disable", "vim").status == .exited(0))
      #expect(session.text("home/.vimrc") == own)
    }
  }

  @Test func `a file that was closed to programs since says what to remove from it`() throws {
    try withSession { session in
      try install(session)
      let path = try session.directory.write("font=mono\n", to: "home/.config/cat/cat.conf")
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let refused = try session.themectl("app", "disable", "cat")
      #expect(refused.status == .exited(2))
      #expect(
        refused.errors.contains("is read-only; by hand, remove the lines between the comments 'themed: cat …'"),
        "\(refused.errors)")
    }
  }

  @Test func `a file that only an older version reads is not hidden by a new one`() throws {
    try withSession { session in
      try bring(session, "alacritty", "alacritty 0.15.1")
      try session.directory.write("# mine\n", to: "home/.alacritty.yml")
      let refused = try session.themectl("app", "enable", "alacritty", "--yes")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("a new file would hide ~/.alacritty.yml; "), "\(refused.errors)")
      #expect(try bytes(session, "config/themed/apps.enabled") == nil)
      #expect(try bytes(session, "config/alacritty/alacritty.toml") == nil)
    }
  }

  @Test func `a file that an app made for an older version is not in the way of the new one`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try bring(session, "swaync", "swaync 0.11.0")
      _ = try session.startApply()
      #expect(try session.themectl("app", "enable", "swaync", "--yes").status == .exited(0))
      try session.awaitApplied("swaync") { $0.state == "done" }
      #expect(session.text("config/swaync/style.css")?.contains("\n@import \"themed.css\";\n") == true)
      try session.directory.write("#!/bin/sh\necho 'swaync 0.12.1'\n", to: "bin/swaync")
      _ = try session.themectl("set", "dark")
      // Until the app is enabled again, the user's file has all that it names.
      try session.awaitApplied("swaync") { $0.state == "failed" }
      #expect(session.text("config/swaync/themed.css") != nil)
      let enabled = try session.themectl("app", "enable", "swaync", "--yes")
      #expect(enabled.status == .exited(0), "\(enabled)")
      try eventually("the style is the theme's") {
        session.text("config/swaync/style.css")?.hasPrefix("/* Written by themed-apply for 'swaync'") == true
      }
      try eventually("the older file is gone") { session.text("config/swaync/themed.css") == nil }
      #expect(try session.themectl("app", "disable", "swaync").status == .exited(0))
      #expect(session.text("config/swaync/style.css") == nil)
    }
  }

  @Test func `a shell has fzf read no file that is not there`() throws {
    try withSession { session in
      try bring(session, "fzf", "0.60.3 (debian)")
      #expect(try session.themectl("app", "enable", "fzf", "--yes").status == .exited(0))
      func told() throws -> String {
        try session.check("bash", ["-c", ". ~/.bashrc; echo ${FZF_DEFAULT_OPTS_FILE-none}"])
      }
      let made = session.directory.path("home/.config/fzf/themed")
      #expect(try told() == made)
      try FileManager.default.removeItem(atPath: made)
      #expect(try told() == "none")
      let path = try session.directory.write("--color=dark\n", to: "home/.config/fzf/themed")
      #expect(try told() == path)
    }
  }

  @Test func `a key that may stand in a file once only makes way, and one that says the same is the user's own`() throws
  {
    try withSession { session in
      let line = "line=theme = \"themed\"\nconflicts=theme"
      try install(session, Self.app.replacing("line=include themed.conf", with: line))
      let own = "font = 9\ntheme = \"onedark\"\n[editor]\n"
      try session.directory.write(own, to: "home/.config/cat/cat.conf")
      let enabled = try session.themectl("app", "enable", "cat", "--yes")
      #expect(
        enabled.status == .exited(0)
          && enabled.output.contains(
            "; this replaces your theme at ~/.config/cat/cat.conf:2, which 'themectl app disable cat' restores"),
        "\(enabled)")
      #expect(session.text("home/.config/cat/cat.conf")?.contains("\ntheme = \"themed\"\n") == true)
      // Another one that is added below would win.
      let with = session.text("home/.config/cat/cat.conf") ?? ""
      try session.directory.write(
        with.replacing("[editor]", with: "theme = \"x\"\n[editor]"), to: "home/.config/cat/cat.conf")
      #expect(
        try session.themectl("app", "show", "cat").output.contains(
          "hidden by your own setting at ~/.config/cat/cat.conf:"))
      try session.directory.write(with, to: "home/.config/cat/cat.conf")
      #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array(own.utf8))
      // In whatever spelling, what gives the same is all that is needed, and stays the user's.
      let changed = "theme='themed' # mine\n".replacing("'", with: "\"")
      try session.directory.write(changed, to: "home/.config/cat/cat.conf")
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array(changed.utf8))
      _ = try session.themectl("app", "disable", "cat")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array(changed.utf8))
    }
  }

  @Test(arguments: ["", "[write]\n", "[terminal]\nprocess=x\n"])
  func `an app file that is gone, wrong or another one since is no reason to leave anything behind`(now: String) throws
  {
    try withSession { session in
      try install(session)
      try session.directory.write("font=mono", to: "home/.config/cat/cat.conf")
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      let mark = "# Written by themed-apply for 'cat', and overwritten at each change.\n"
      try session.directory.write(mark, to: "home/.config/cat/themed.conf")
      let path = session.directory.path("config/themed/apps/cat.app")
      if now.isEmpty {
        try FileManager.default.removeItem(atPath: path)
      } else {
        try install(session, now)
      }
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("font=mono".utf8))
      #expect(files(session) == ["cat.conf"])
      #expect(!FileManager.default.fileExists(atPath: session.directory.path("state/themed")))
    }
  }

  @Test(arguments: [nil, "last without an end", "a\n"] as [String?], [["one", "two"], ["two", "one"]])
  func `two apps with lines in one file are disabled in any order, and it is what it was`(
    before: String?, order: [String]
  ) throws {
    try withSession { session in
      for name in ["one", "two"] {
        try session.directory.write(
          "[setup]\nfile=~/shared\nline=\(name)\n[setup more]\nfile=~/shared\nline=more \(name)\n",
          to: "config/themed/apps/\(name).app")
      }
      if let before { try session.directory.write(before, to: "home/shared") }
      for name in ["one", "two"] {
        #expect(try session.themectl("app", "enable", name, "--yes").status == .exited(0))
      }
      for name in order {
        let disabled = try session.themectl("app", "disable", name)
        #expect(disabled.status == .exited(0), "\(disabled.errors)")
      }
      #expect(try bytes(session, "home/shared") == before.map { Array($0.utf8) })
      let home = try FileManager.default.contentsOfDirectory(atPath: session.directory.path("home"))
      #expect(home == (before == nil ? [] : ["shared"]))
    }
  }

  @Test func `apps that are enabled at the same time are all enabled, and all their lines are there`() throws {
    try withSession { session in
      let names = (1...8).map { "app\($0)" }
      for name in names {
        try session.directory.write(
          "[setup]\nfile=~/shared\nline=\(name)\n", to: "config/themed/apps/\(name).app")
      }
      let running = try names.map {
        try session.spawn(Products.path("themectl"), ["app", "enable", $0, "--yes"])
      }
      for process in running { #expect(try process.wait() == .exited(0)) }
      let list = String(decoding: try bytes(session, "config/themed/apps.enabled") ?? [], as: UTF8.self)
      #expect(Set(list.split(separator: "\n").map(String.init)) == Set(names))
      let shared = String(decoding: try bytes(session, "home/shared") ?? [], as: UTF8.self)
      #expect(Set(names).isSubset(of: shared.split(separator: "\n").map(String.init)))
    }
  }

  @Test func `a file that cannot say whose it is is ours only as it was written`() throws {
    try withSession { session in
      try install(session, "[write]\ntemplate=cat.mustache\nfile=~/none.json\ncomment=none\n")
      let path = try session.directory.write("{}", to: "home/none.json")
      let refused = try session.themectl("app", "enable", "cat")
      #expect(refused.status == .exited(2) && refused.errors.contains("none.json is in the way"), "\(refused.errors)")
      // As themed-apply has it: FNV-1a of 64 bits of '{}'.
      try session.directory.write("08f44b07b5901a25 \(path)\n", to: "state/themed/apply.files")
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
      #expect(try bytes(session, "home/none.json") == nil)
    }
  }

  @Test func `a file that is closed to programs is left alone, and the line is said`() throws {
    try withSession { session in
      try install(session)
      let path = try session.directory.write("font=mono\n", to: "home/.config/cat/cat.conf")
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let refused = try session.themectl("app", "enable", "cat", "--yes")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("cat.conf is read-only; change it by hand"), "\(refused.errors)")
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("font=mono\n".utf8))
    }
  }

  @Test func `a repository puts nothing into an app file but what is written, whatever it calls things`() throws {
    try withSession { session in
      let command = #"[reload]\ncommand=sh -c \"id >pwned\"\n[light]"#
      for (config, template) in [
        ("default:\n  filename: \"colors.conf\\n\(command)\"\n", "default"),
        ("\"a\\n\(command)\":\n  filename: x\n", "a\n[reload]\ncommand=sh -c \"id >pwned\"\n[light]"),
        ("\" a]\":\n  filename: x\n", " a]"),
      ] {
        let path = session.directory.path("repository")
        try? FileManager.default.removeItem(atPath: path)
        try session.directory.write(config, to: "repository/templates/config.yaml")
        try session.directory.write("# x\n", to: "repository/templates/\(template).mustache")
        let added = try session.themectl("app", "add", path, "--name", "evil", "--file", "~/.config/st/")
        #expect(added.status == .exited(2), "\(config)")
        #expect(try bytes(session, "config/themed/apps/evil.app") == nil)
      }
    }
  }

  @Test func `a line that the user has written is seen, and stays when the app is disabled`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("  include themed.conf\n", to: "home/.config/cat/cat.conf")
      #expect(try session.themectl("app", "enable", "cat", "--yes").lines.last == "Cat, the program is enabled")
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.errors.contains("is your own and stays"))
      #expect(try bytes(session, "home/.config/cat/cat.conf") == Array("  include themed.conf\n".utf8))
    }
  }

  @Test func `a file that is not ours is never overwritten nor removed, and what is in the way is said`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("my own\n", to: "home/.config/cat/themed.conf")
      let refused = try session.themectl("app", "enable", "cat", "--yes")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("is in the way, since themed did not write it"), "\(refused.errors)")
      #expect(try bytes(session, "config/themed/apps.enabled") == nil)
      #expect(files(session) == ["themed.conf"])
      try session.directory.write("cat\n", to: "config/themed/apps.enabled")
      _ = try session.themectl("app", "disable", "cat")
      #expect(try bytes(session, "home/.config/cat/themed.conf") == Array("my own\n".utf8))
    }
  }

  @Test func `an app that nobody knows, or whose file or template is wrong, is not enabled`() throws {
    try withSession { session in
      try install(session, template: "{{#a}}\n")
      let unknown = try session.themectl("app", "enable", "cta")
      #expect(unknown.status == .exited(2))
      #expect(unknown.errors == "themectl: no app file for 'cta'; did you mean 'cat'?\n")
      let broken = try session.themectl("app", "enable", "cat")
      #expect(broken.status == .exited(2))
      #expect(broken.errors.contains("templates/cat.mustache:1: error: the section 'a' is never closed"))
      let check = try session.themectl("app", "check")
      #expect(check.status == .exited(1))
      #expect(check.lines.count == 1 && check.lines[0].hasSuffix("the section 'a' is never closed"))
      try install(session, template: "{{base00-hex}} {{bas00-hex}}\n")
      let warned = try session.themectl("app", "check", "cat")
      #expect(warned.status == .exited(0))
      #expect(
        warned.lines.first?.hasSuffix("cat.mustache:1: warning: unknown variable 'bas00-hex' is empty") == true)
      try install(session, "[write]\nfile=x\n")
      let wrong = try session.themectl("app", "check", session.directory.path("config/themed/apps/cat.app"))
      #expect(wrong.lines.count == 2 && wrong.lines[0].contains("cat.app:1: error: "))
    }
  }

  @Test func `every program is listed with how it follows, and JSON says the same`() throws {
    try withSession { session in
      try install(session)
      let apps = session.directory.path("config/themed/apps/")
      for (name, text) in [
        ("absent", "[app]\nprogram=no-such-program\n[terminal]\nprocess=x\n"), ("self", "[follows]\nby=portal\n"),
        ("nvim", "[follows]\nby=plugin\n"), ("wrong", "[write]\n"), ("dog", "[terminal]\nprocess=dog\n"),
      ] {
        try text.write(toFile: apps + name + ".app", atomically: true, encoding: .utf8)
      }
      try session.directory.write("dog\n", to: "config/themed/apps.enabled")
      try session.directory.write(
        #"{"apps":[{"name":"dog","state":"failed","when":1,"problem":"no \u001b[31mroom","advice":"make some"}],"hooks":[{"name":"wall","state":"done"}]}"#,
        to: "run/themed-apply/status.json")
      let dead = try session.themectl("app", "list")
      #expect(
        dead.lines.contains {
          $0.hasPrefix("dog\tdoes not follow: themed-apply is not running: ")
        },
        "one that was killed left the file")
      _ = try session.spawn("flock", [session.directory.path("run/themed-apply/lock"), "cat"], input: [])
      try eventually { try session.themectl("app", "list").output.contains("does not follow: failed") }
      _ = try session.startThemed()
      let listed = try session.themectl("app", "list")
      #expect(listed.status == .exited(0))
      #expect(
        listed.lines.map { $0.replacing(/failed .*:/, with: "failed:") } == [
          "wall (hook)\tdone", "absent\tnot installed", "cat\tcan be enabled: 'themectl app enable cat'",
          "dog\tdoes not follow: failed: no ?[31mroom; make some",
          "nvim\tfollows through its plugin, not connected now", "self\tfollows through the desktop portal",
          "wrong\tdoes not follow: its app file has errors; 'themectl app check wrong' lists them",
        ])
      let json = try JSONSerialization.jsonObject(with: Data(session.themectl("app", "--json").output.utf8))
      let object = try #require(json as? [String: Any])
      #expect((object["clients"] as? [Any])?.isEmpty == true)
      let states = (object["apps"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
      #expect(states == ["not-installed", "available", "enabled", "plugin", "itself", "faulty"])
      let words = (object["apps"] as? [[String: Any]])?.compactMap { $0["words"] as? String }
      #expect(words?[1] == "can be enabled: 'themectl app enable cat'" && words?.count == 6, "\(words ?? [])")
      let shown = try session.themectl("app", "show", "cat")
      #expect(shown.lines.contains("needs: ~/.config/cat/cat.conf: include themed.conf (missing)"), "\(shown.lines)")
      let plugin = try session.themectl("app", "enable", "nvim")
      #expect(
        plugin.status == .exited(2) && plugin.errors.contains("cannot enable nvim: it follows through its plugin"))
    }
  }

  @Test func `a hook that is not executable, and one that failed, are told of with what to do`() throws {
    try withSession { session in
      let path = try session.directory.write("#!/bin/sh\n", to: "config/themed/hooks.d/wall")
      try session.directory.write("", to: "config/themed/hooks.d/wall~")
      let told = "wall (hook)\tfailed: it is not executable; 'chmod +x \(path)'"
      #expect(try session.themectl("app", "list").lines.contains(told), "also where themed-apply does not run")
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("problem: the hook wall: it is not executable"), "\(doctor)")
      #expect(doctor.contains("do: 'chmod +x \(path)'"), "\(doctor)")
      #expect(!doctor.contains("wall~"))

      try session.addHook("wall", "exit 3")
      _ = try session.startThemed()
      _ = try session.startApply()
      try eventually { try session.themectl("app", "list").output.contains("failed with exit status 3") }
      let failed = try session.themectl("doctor").output
      #expect(failed.contains("problem: the hook wall: "), "\(failed)")
      #expect(failed.contains("failed with exit status 3"), "\(failed)")
    }
  }

  @Test func `an enabled program whose line is gone is told of so, whatever was written for it`() throws {
    try withSession { session in
      try install(session)
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      try session.directory.write("cat\n", to: "config/themed/apps.enabled")
      _ = try session.startApply()
      try session.awaitApplied("cat") { $0.state == "done" }
      #expect(
        try session.themectl("app").lines.contains(
          "cat\tdoes not follow: its line is missing: 'themectl app enable cat' adds it"))
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      #expect(try session.themectl("app").lines.contains { $0.hasPrefix("cat\tfollows, done ") })
    }
  }

  @Test func `doctor tells of enabled apps what keeps them from following`() throws {
    try withSession { session in
      try install(session)
      try session.directory.write("[terminal]\nprocess=cat\n", to: "config/themed/apps/other.app")
      try session.directory.write(
        "[app]\nversion-command=echo 1.2\n[write]\ntemplate=cat.mustache\nfile=~/x\nversions=>=2\n",
        to: "config/themed/apps/old.app")
      try session.directory.write("cat\nother\nold\ngone\n", to: "config/themed/apps.enabled")
      let findings = try session.themectl("doctor", "--json").lines.compactMap { line in
        try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["name"] as? String
      }
      #expect(
        findings.filter { $0.hasPrefix("app") } == [
          "apply_not_running", "app_unknown", "app_line_missing", "app_version", "app_twice",
        ])
    }
  }

  @Test func `a repository of templates is added as it is, old and new, and what is for other systems is passed over`()
    throws
  {
    try withSession { session in
      for (name, text) in [
        (
          "config.yaml",
          """
          default:
            supported-systems: [base16, base24]
            filename: "colors/{{ scheme-system }}-{{ scheme-slug }}.vim"
          legacy:
            extension: -theme.el
            output: out
          dotted:
            extension: .toml
            output: .
          new:
            supported-systems: [tinted8]
            filename: x
          broken:
            extension: .x
            output: y

          """
        ),
        ("default.mustache", "\" {{scheme-name}}\nlet g:colors_name = \"{{scheme-system}}-{{scheme-slug}}\"\n"),
        ("legacy.mustache", ";; {{scheme-author}}\n"), ("dotted.mustache", "# x\n"),
        ("new.mustache", "{{palette.red}}"),
        ("broken.mustache", "{{> x}}"),
      ] { try session.directory.write(text, to: "repository/templates/" + name) }
      let path = session.directory.path("repository")
      let many = try session.themectl("app", "add", path, "--file", "~/x")
      #expect(many.status == .exited(2))
      #expect(many.errors.contains("'new' is skipped: the template is for tinted8"), "\(many.errors)")
      #expect(many.errors.contains("'broken' is skipped") && many.errors.contains("cannot include another one"))
      #expect(many.errors.contains("has several templates; choose a template with --template: default, legacy, dotted"))
      let home = session.directory.path("home")
      // An app file of this name is there already.
      session.environment["THEMED_APPS"] = Products.package + "/share"
      #expect(try session.themectl("app", "enable", "vim", "--yes").status == .exited(0))
      let words = ["--name", "vim", "--template", "default", "--file", home + "/.vim/colors/"]
      let shadowing = try session.themectl(["app", "add", path] + words)
      #expect(shadowing.status == .exited(2) && shadowing.errors.contains("'vim' is enabled with "), "\(shadowing)")
      #expect(try session.themectl("app", "disable", "vim").status == .exited(0))
      let added = try session.themectl(
        "app", "add", path, "--name", "vim", "--template", "default", "--file", home + "/.vim/colors/", "--template",
        "legacy", "--file", "$XDG_DATA_HOME/x/", "--template", "dotted", "--file", "/tmp/y")
      #expect(added.status == .exited(0), "\(added.errors)")
      #expect(
        String(decoding: try bytes(session, "config/themed/apps/vim.app") ?? [], as: UTF8.self) == """
          [app]
          title=vim

          [write default]
          template=vim-default.mustache
          file=~/.vim/colors/base24-themed.vim
          comment="
          escape=html
          system=base24

          [write legacy]
          template=vim-legacy.mustache
          file=$XDG_DATA_HOME/x/base16-themed-theme.el
          comment=;
          escape=html
          system=base16

          [write dotted]
          template=vim-dotted.mustache
          file=/tmp/y
          comment=#
          escape=html
          system=base16

          """)
      #expect(try session.themectl("app", "check", "vim").status == .exited(0))
      let again = try session.themectl("app", "add", path, "--name", "vim", "--template", "dotted", "--file", "/x")
      #expect(again.status == .exited(2) && again.errors.contains("replace it with --force"))
      let none = try session.themectl("app", "add", home)
      #expect(none.errors.contains("has no templates/config.yaml"))
    }
  }
}
