import Foundation
import Testing
import ThemedTestSupport

/// Two files or themes of the user's own, instead of the theme's colours.
@Suite(.ownThreads) struct AppUseStories {
  private static let app = """
    [app]
    title=Cat
    program=cat
    [write]
    template=cat.mustache
    file=~/.config/cat/themed.conf
    [setup]
    file=~/.config/cat/cat.conf
    line=include themed.conf

    """
  private static let mark = "# Written by themed-apply for 'cat', and overwritten at each change.\n"

  private func install(_ session: Session, template: String = "bg={{background-hex}}\n") throws {
    try session.directory.write(Self.app, to: "config/themed/apps/cat.app")
    try session.directory.write(template, to: "config/themed/templates/cat.mustache")
    try session.directory.write("day\n", to: "home/day.conf")
    try session.directory.write("night\n", to: "home/night.conf")
    try session.directory.write("mine\n", to: "home/.config/cat/cat.conf")
  }

  private func use(_ session: Session, _ light: String, _ dark: String) throws -> Finished {
    try session.themectl("app", "use", "cat", "--light", light, "--dark", dark, "--yes")
  }

  private func awaits(_ text: String, _ session: Session) throws {
    try eventually("\(text); there is \(session.text("home/.config/cat/themed.conf") ?? "nothing")") {
      session.text("home/.config/cat/themed.conf") == Self.mark + text
    }
  }

  @Test func `the user's own files are shown, also after a change and a restart, and disabling leaves nothing`() throws
  {
    try withSession { session in
      _ = try session.startThemed()
      try install(session)
      let apply = try session.startApply()
      let before = session.everything.filter { $0.key.hasPrefix("config") || $0.key.hasPrefix("home") }
      let home = session.directory.path("home")
      let used = try use(session, "\(home)/day.conf", "\(home)/night.conf")
      #expect(used.status == .exited(0), "\(used)")
      #expect(used.lines.last == "Cat shows ~/day.conf while it is light, and ~/night.conf while it is dark")
      try awaits("day\n", session)
      _ = try session.themectl("set", "dark")
      try awaits("night\n", session)
      try session.directory.write("late night\n", to: "home/night.conf")
      try awaits("late night\n", session)
      apply.send(.terminate)
      _ = try apply.wait()
      _ = try session.startApply()
      _ = try session.themectl("set", "light")
      try awaits("day\n", session)
      let listed = try session.themectl("app").output
      #expect(listed.contains("it shows ~/day.conf while it is light, and ~/night.conf while it is dark"), "\(listed)")
      #expect(
        try session.themectl("app", "show", "cat", "--json").output.contains(
          #""use":{"light":"~/day.conf","dark":"~/night.conf"}"#))
      try FileManager.default.removeItem(atPath: home + "/day.conf")
      let failed = try session.awaitApplied("cat") { $0.state == "failed" }
      #expect(failed.problem?.hasSuffix("day.conf: it does not exist") == true, "\(failed)")
      try session.directory.write("day\n", to: "home/day.conf")
      try session.directory.write("night\n", to: "home/night.conf")
      #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
      let after = session.everything.filter { $0.key.hasPrefix("config") || $0.key.hasPrefix("home") }
      #expect(after == before)
    }
  }

  @Test func `of several files the user's own replace the one without a name, and no other`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try install(session, template: "theme {{scheme}}\n")
      let more = "[write more]\ntemplate=more.mustache\nfile=~/.config/cat/more.conf\n"
      try session.directory.write(Self.app + more, to: "config/themed/apps/cat.app")
      try session.directory.write("{{scheme}}\n", to: "config/themed/templates/more.mustache")
      _ = try session.startApply()
      let home = session.directory.path("home")
      let used = try use(session, "\(home)/day.conf", "\(home)/night.conf")
      #expect(used.status == .exited(0), "\(used)")
      try awaits("day\n", session)
      _ = try session.themectl("set", "dark")
      try awaits("night\n", session)
      try eventually { session.text("home/.config/cat/more.conf") == Self.mark + "dark\n" }
      try session.directory.write(
        Self.app.replacing("[write]", with: "[write one]") + more, to: "config/themed/apps/cat.app")
      let refused = try use(session, "\(home)/day.conf", "\(home)/night.conf")
      #expect(refused.status == .exited(2), "\(refused)")
      #expect(refused.errors.contains("themed-apply writes no file that is plainly the main one"), "\(refused)")
    }
  }

  @Test func `a name reaches a template that asks for it, and --reset brings the theme's colours back`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try install(session, template: "{{#value}}inherits={{value}}{{/value}}{{^value}}own={{scheme}}{{/value}}\n")
      try session.directory.write("# of mine\n[hooks]\ntimeout=10\n", to: "config/themed/themed.conf")
      _ = try session.startApply()
      #expect(try use(session, "latte", "mocha").status == .exited(0))
      try awaits("inherits=latte\n", session)
      _ = try session.themectl("set", "dark")
      try awaits("inherits=mocha\n", session)
      try eventually("the daemon has read the file again") {
        try session.themectl("config").output.contains("[use cat]\nlight=latte\ndark=mocha")
      }
      // Half a choice is a mistake, and both programs keep the last good one.
      try session.configure("# of mine\n[hooks]\ntimeout=10\n[use cat]\ndark=mocha\n")
      try eventually("the daemon tells the mistake") {
        try session.themectl("config").errors.contains("themed.conf:4: [use cat] needs light=")
      }
      _ = try session.themectl("set", "light")
      try awaits("inherits=latte\n", session)
      _ = try session.themectl("set", "dark")
      #expect(try session.themectl("app", "use", "cat", "--reset").lines == ["'cat' shows the colours of the theme"])
      try awaits("own=dark\n", session)
      #expect(session.text("config/themed/themed.conf") == "# of mine\n[hooks]\ntimeout=10\n")
    }
  }

  @Test func `the answer that it needs is a command of its own, and a missing themed-apply is named`() throws {
    try withSession { session in
      try install(session)
      let home = session.directory.path("home")
      let words = ["app", "use", "cat", "--light", "\(home)/day.conf", "--dark", "\(home)/night.conf"]
      let asked = try session.themectl(words)
      #expect(asked.status == .exited(1), "\(asked)")
      #expect(asked.errors.contains("run 'themectl \(words.joined(separator: " ")) --yes'"), "\(asked)")
      #expect(try session.themectl("app", "enable", "cat", "--yes").status == .exited(0))
      let used = try session.themectl(words)
      #expect(used.status == .exited(0), "\(used)")
      #expect(used.output.hasSuffix("while it is dark as soon as themed-apply runs"), "\(used)")
      #expect(used.errors.contains("themed-apply is not running: run 'themed-apply'"), "\(used)")
    }
  }

  @Test func `what an app cannot show is refused, and nothing is enabled`() throws {
    try withSession { session in
      try install(session)
      let home = session.directory.path("home")
      try session.directory.write("day\n", to: "home/day.conf ")
      let target = try session.directory.write("mine\n", to: "home/.config/cat/themed.conf")
      try FileManager.default.createSymbolicLink(atPath: "\(home)/linked.conf", withDestinationPath: target)
      try session.directory.write(String(repeating: "x", count: 256 << 10) + "\n", to: "home/long.conf")
      for (light, dark, reason) in [
        ("\(home)/day.conf", "\(home)/long.conf", "long.conf is longer than 256 KiB"),
        ("latte", "mocha", "Cat takes files, and no names of themes: give a path, such as ./latte"),
        ("\(home)/day.conf", "\(home)/none.conf", "none.conf does not exist"),
        (home, home, "is not a regular file"),
        (target, "\(home)/night.conf", "themed.conf is the file that themed-apply writes for Cat"),
        ("\(home)/day.conf", "\(home)/linked.conf", "linked.conf is the file that themed-apply writes for Cat"),
        ("\(home)/day.conf ", "\(home)/night.conf", "themed.conf: '~/day.conf ' cannot be the value of light: "),
      ] {
        let refused = try use(session, light, dark)
        #expect(refused.status == .exited(2) && refused.errors.contains(reason), "\(refused)")
      }
      #expect(try session.themectl("app", "use", "cat", "--light", "x").status != .exited(0))
      #expect(session.text("config/themed/apps.enabled") == nil && session.text("config/themed/themed.conf") == nil)
    }
  }

  private func setMode(_ mode: Int, ofFile path: String, _ session: Session) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: session.directory.path(path))
  }

  @Test func `if themed.conf cannot be changed, nothing is enabled, and disabling undoes everything else`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try install(session)
      let home = session.directory.path("home")
      try session.directory.write("words\n", to: "config/themed/themed.conf")
      let faulty = try use(session, "\(home)/day.conf", "\(home)/night.conf")
      #expect(faulty.status == .exited(2) && faulty.errors.contains("themed.conf:1: "), "\(faulty)")
      try session.directory.write("[hooks]\ntimeout=10\n", to: "config/themed/themed.conf")
      try setMode(0o444, ofFile: "config/themed/themed.conf", session)
      let refused = try use(session, "\(home)/day.conf", "\(home)/night.conf")
      #expect(refused.status == .exited(2) && refused.lines == [], "\(refused)")
      #expect(refused.errors.contains("is read-only, so it stays as it is; write these lines into it by hand:\n"))
      #expect(session.text("config/themed/apps.enabled") == nil)
      #expect(session.text("home/.config/cat/cat.conf") == "mine\n")

      try setMode(0o644, ofFile: "config/themed/themed.conf", session)
      _ = try session.startApply()
      #expect(try use(session, "\(home)/day.conf", "\(home)/night.conf").status == .exited(0))
      try awaits("day\n", session)
      try setMode(0o444, ofFile: "config/themed/themed.conf", session)
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0) && disabled.lines == ["Cat is disabled"], "\(disabled)")
      #expect(disabled.errors.contains("note: themed.conf keeps your own files or themes for 'cat'"), "\(disabled)")
      #expect(session.text("home/.config/cat/cat.conf") == "mine\n")
      #expect(try session.themectl("app", "disable", "--all").lines == ["no app is enabled"])
    }
  }

  @Test func `a linked themed.conf is written through its link, and stays`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try install(session)
      let path = try session.directory.write("", to: "dotfiles/themed.conf")
      let link = session.directory.path("config/themed/themed.conf")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      _ = try session.startApply()
      let home = session.directory.path("home")
      #expect(try use(session, "\(home)/day.conf", "\(home)/night.conf").status == .exited(0))
      let chosen = "[use cat]\nlight=~/day.conf\ndark=~/night.conf\n"
      #expect(session.text("dotfiles/themed.conf") == chosen)
      let printed = try session.themectl("app", "use", "cat", "--reset", "--print")
      #expect(printed.lines == ["'cat' would show the colours of the theme"])
      #expect(session.text("dotfiles/themed.conf") == chosen)
      #expect(try session.themectl("app", "use", "cat", "--reset").status == .exited(0))
      #expect(session.text("dotfiles/themed.conf") == "")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
      let unknown = try session.themectl("app", "use", "cta", "--reset")
      #expect(unknown.status == .exited(2) && unknown.errors.contains("no app file for 'cta'"), "\(unknown)")
    }
  }
}
