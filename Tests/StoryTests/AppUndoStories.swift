import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// Enabling changes everything or nothing, and disabling always has its way back.
@Suite(.ownThreads) struct AppUndoStories {
  private static let app = """
    [app]
    title=Cat, the program
    program=cat
    [write]
    template=cat.mustache
    file=~/.config/cat/themes/themed.conf
    [setup]
    file=~/.config/cat/cat.toml
    line=theme = "themed"
    conflicts=theme;colors
    position=start

    """
  private static let own = "# mine\ntheme = \"own\" # dark\n\n[colors.primary]\nred = 1\n[font]\nsize = 9"
  private static let mark = "# Written by themed-apply for 'cat', and overwritten at each change.\n"

  private func install(_ session: Session, _ text: String = app, template: String = "bg={{background-hex}}\n") throws {
    try session.directory.write(text, to: "config/themed/apps/cat.app")
    try session.directory.write(template, to: "config/themed/templates/cat.mustache")
  }

  private func text(_ session: Session, _ path: String = "home/.config/cat/cat.toml") -> String? {
    try? String(contentsOfFile: session.directory.path(path), encoding: .utf8)
  }

  private func write(_ text: String, _ session: Session) throws {
    try session.directory.write(text, to: "home/.config/cat/cat.toml")
  }

  private func enable(_ session: Session) throws -> Finished { try session.themectl("app", "enable", "cat", "--yes") }

  @Test func `an app whose disabling was interrupted is named by doctor, and undone by disable --all`() throws {
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      #expect(try enable(session).status == .exited(0))
      // As after a kill between the list and the file.
      try session.directory.write("", to: "config/themed/apps.enabled")
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("the app 'cat' is only half enabled or half disabled"))
      #expect(doctor.contains("themectl app disable cat"))
      let disabled = try session.themectl("app", "disable", "--all")
      #expect(disabled.status == .exited(0) && disabled.lines == ["Cat, the program is disabled"], "\(disabled)")
      #expect(text(session) == Self.own)
      #expect(try session.themectl("app", "disable", "--all").lines == ["no app is enabled"])
    }
  }

  @Test func `the command that undoes an app does not run where the app is not enabled`() throws {
    try withSession { session in
      let command = "[disable]\ncommand=sh -c 'echo undone >> \"$HOME\"/undone'\n"
      try install(session, Self.app.replacing("program=cat\n", with: "") + "\n" + command)
      try write(Self.own, session)
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0), "\(disabled)")
      #expect(disabled.lines == ["Cat, the program is not enabled"], "\(disabled)")
      #expect(session.text("home/undone") == nil)
      #expect(try enable(session).status == .exited(0))
      #expect(try session.themectl("app", "disable", "cat").lines == ["Cat, the program is disabled"])
      #expect(session.text("home/undone") == "undone\n")
      #expect(text(session) == Self.own)
    }
  }

  @Test func `an app whose file is a link into a missing directory is enabled without that file`() throws {
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      let link = session.directory.path("home/.config/cat/themes/themed.conf")
      _ = try session.directory.directory("home/.config/cat/themes")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "missing/themed.conf")
      let enabled = try enable(session)
      #expect(enabled.status == .exited(0), "\(enabled)")
      #expect(text(session)?.contains("theme = \"themed\"") == true)
      #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
      #expect(text(session) == Self.own)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "missing/themed.conf")
    }
  }

  @Test func `a place of the program's that is a link to another one is one file`() throws {
    try withSession { session in
      let places = "files=~/.config/cat/cat.toml;~/.cat.toml\nfile=~/.config/cat/cat.toml"
      try install(session, Self.app.replacing("file=~/.config/cat/cat.toml", with: places))
      try write(Self.own, session)
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("home/.cat.toml"), withDestinationPath: ".config/cat/cat.toml")
      #expect(try enable(session).status == .exited(0))
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0) && disabled.errors == "", "\(disabled)")
      #expect(text(session) == Self.own)
    }
  }

  @Test func `what conflicts with our line is a comment while the app is enabled, and comes back`() throws {
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      #expect(try enable(session).status == .exited(0))
      let with = try #require(text(session))
      #expect(with.contains("\ntheme = \"themed\"\n") && with.contains("\n# | theme = \"own\" # dark\n"), "\(with)")
      #expect(with.contains("\n# | [colors.primary]\n# | red = 1\n") && with.hasSuffix("[font]\nsize = 9"), "\(with)")
      #expect(!session.everything.keys.contains { $0.contains("before-themed") })
      // What is changed elsewhere meanwhile stays.
      try write("# above\n" + with.replacing("size = 9", with: "size = 10\n"), session)
      #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
      #expect(text(session) == "# above\n" + Self.own.replacing("size = 9", with: "size = 10\n"))
    }
  }

  @Test(arguments: [
    (
      "theme = \"themed\"\n\n[font]\nsize = 9\n",
      "theme = \"own\" # dark\n\n[font]\nsize = 9\n[colors.primary]\nred = 1\n"
    ),
    (
      "theme=\"themed\"\ncolors.primary.red = 2\n",
      "theme = \"own\" # dark\ncolors.primary.red = 2\n"
    ),
  ])
  func `a program that rewrites its file without our comments does not cost the user theirs`(
    rewritten: String, restored: String
  ) throws {
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      #expect(try enable(session).status == .exited(0))
      try session.directory.write(Self.mark, to: "home/.config/cat/themes/themed.conf")
      try write(rewritten, session)
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(disabled.errors.contains("without themed's comments"), "\(disabled.errors)")
      #expect(text(session) == restored)
      #expect(text(session, "home/.config/cat/themes/themed.conf") == nil)
    }
  }

  @Test func `a file that the user's own still names is not removed, and that is said`() throws {
    try withSession { session in
      try install(session)
      try write("theme = \"themed\" # I wrote this\n", session)
      #expect(try enable(session).status == .exited(0))
      try session.directory.write(Self.mark, to: "home/.config/cat/themes/themed.conf")
      let disabled = try session.themectl("app", "disable", "cat")
      #expect(disabled.status == .exited(0), "\(disabled.errors)")
      #expect(disabled.errors.contains("~/.config/cat/themes/themed.conf stays too"), "\(disabled.errors)")
      #expect(text(session) == "theme = \"themed\" # I wrote this\n")
      #expect(text(session, "home/.config/cat/themes/themed.conf") == Self.mark)
    }
  }

  @Test func `enabling that fails leaves everything as it was, whatever the reason`() throws {
    let other = "[setup other]\nfile=~/other\nline=x\n"
    for obstacle in ["hard link", "read-only", "list", "JSON", "line"] {
      try withSession { session in
        try install(session, Self.app + other)
        try write(Self.own, session)
        try session.directory.write("x = 1\n", to: "home/other")
        let path = session.directory.path("home/other")
        switch obstacle {
        case "hard link": try FileManager.default.linkItem(atPath: path, toPath: session.directory.path("home/second"))
        case "read-only":
          try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        case "list":
          try FileManager.default.createSymbolicLink(
            atPath: session.directory.path("config/themed/apps.enabled"), withDestinationPath: "/proc/version")
        case "JSON": try session.directory.write("{\n  \"x\": 1\n}\n", to: "home/other")
        default: try write("theme = \"own\"\n[a = 1\n", session)
        }
        let before = session.everything
        let refused = try enable(session)
        #expect(refused.status == .exited(2), "\(obstacle): \(refused.errors)")
        #expect(session.everything.filter { !$0.key.hasPrefix("state") } == before, "\(obstacle)")
        if obstacle == "line" {
          #expect(refused.errors.contains("cat.toml:2: ") && refused.errors.contains("theme = \"themed\""))
        }
      }
    }
  }

  @Test func `a line never names a file that is missing, though themed-apply does not run`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      let own = "window#waybar {\n  color: red;\n}\n"
      try session.directory.write(own, to: "config/waybar/style.css")
      try session.directory.write("[urgency_low]\nbackground = \"#000\"\n", to: "config/dunst/dunstrc")
      let before = session.everything
      for isFirst in [true, false] {
        let enabled = try session.themectl("app", "enable", "waybar", "foot", "dunst", "--yes")
        #expect(enabled.errors.contains("have your session start 'themed-apply'"), "\(enabled)")
        let told = "  your own settings give way until the app is disabled: "
        let css = session.directory.path("config/waybar/style.css")
        let dunst = session.directory.path("config/dunst/dunstrc")
        if isFirst {
          #expect(enabled.lines.contains(told + "\(css), line 2"), "\(enabled)")
          #expect(enabled.lines.contains(told + "\(dunst), line 2"), "\(enabled)")
        }
        for name in ["config/waybar/themed-bar.css", "config/waybar/themed.css", "home/.config/foot/themed.ini"] {
          #expect(session.text(name)?.contains("Written by themed-apply for '") == true, "\(name)")
        }
      }
      #expect(try session.themectl("app", "disable", "--all", "--yes").status == .exited(0))
      #expect(session.everything == before)
    }
  }

  @Test func `an app that is disabled right after it was enabled leaves nothing, however slow themed-apply is`() throws
  {
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      _ = try session.startThemed()
      try session.enableApp("dog", "[write]\ntemplate=dog.mustache\nfile=~/dog\n", template: "{{scheme}}\n")
      _ = try session.startApply()
      try session.awaitApplied("dog") { $0.state == "done" }
      for scheme in ["dark", "light", "dark", "light", "dark", "light"] {
        #expect(try enable(session).status == .exited(0))
        #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
        _ = try session.themectl("set", scheme)
        // By now, themed-apply has done what it had begun.
        try eventually { session.text("home/dog")?.hasSuffix("\(scheme)\n") }
        #expect(text(session, "home/.config/cat/themes/themed.conf") == nil)
        #expect(text(session) == Self.own)
      }
      #expect(try session.applied("cat") == nil)
    }
  }

  @Test func `disabling is tried again until it succeeds, also when the app file is gone`() throws {
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      #expect(try enable(session).status == .exited(0))
      let with = try #require(text(session))
      try session.directory.write(Self.mark, to: "home/.config/cat/themes/themed.conf")
      try FileManager.default.removeItem(atPath: session.directory.path("config/themed/apps/cat.app"))
      try write(with.replacing("# | red = 1", with: "# | red = 2"), session)
      for _ in 0..<2 {
        let failed = try session.themectl("app", "disable", "cat")
        #expect(failed.status == .exited(2) && failed.errors.contains("cat.toml:"), "\(failed.errors)")
        #expect(text(session, "home/.config/cat/themes/themed.conf") != nil, "its own file still names it")
      }
      try write(with, session)
      #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
      #expect(text(session) == Self.own && text(session, "home/.config/cat/themes/themed.conf") == nil)
      #expect(try session.themectl("app", "disable", "cat").status == .exited(2), "nothing is known of it any more")
    }
  }

  @Test func `directories that were made for an app go with it, and others stay`() throws {
    try withSession { session in
      try install(session)
      for isThere in [false, true] {
        if isThere { try session.directory.directory("home/.config/cat") }
        #expect(try enable(session).status == .exited(0))
        try session.directory.write(Self.mark, to: "home/.config/cat/themes/themed.conf")
        #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
        #expect(FileManager.default.fileExists(atPath: session.directory.path("home/.config/cat")) == isThere)
        #expect(!FileManager.default.fileExists(atPath: session.directory.path("home/.config/cat/themes")))
      }
    }
  }

  @Test(arguments: ["settings.json", "settings.jsonc", "fonts.xml"])
  func `an app file that puts a line into a format without comments is not good, and is not enabled`(name: String)
    throws
  {
    try withSession { session in
      try install(session, Self.app.replacing("cat.toml", with: name).replacing("conflicts=theme;colors\n", with: ""))
      let own = "{\n  \"theme\": \"own\"\n}\n"
      try session.directory.write(own, to: "home/.config/cat/\(name)")
      let checked = try session.themectl("app", "check", "cat")
      #expect(checked.status == .exited(1) && checked.output.contains("cat.app:8: error: "), "\(checked.output)")
      #expect(try enable(session).status == .exited(2))
      #expect(text(session, "home/.config/cat/\(name)") == own)
    }
  }

  @Test func `root changes nothing in a home that is somebody else's`() throws {
    guard geteuid() == 0 else { return }
    try withSession { session in
      try install(session)
      try write(Self.own, session)
      let home = session.directory.path("home")
      try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: home)
      let before = session.everything
      for words in [
        ["app", "enable", "cat", "--yes"], ["app", "disable", "cat"], ["app", "add", "x"], ["theme", "new", "mine"],
        ["theme", "import", "x"], ["setup", "--yes"], ["portal", "enable"],
      ] {
        let refused = try session.themectl(words)
        #expect(
          refused.status == .exited(2) && refused.errors.contains("\(home) belongs to "), "\(words)")
        #expect(refused.errors.contains(": themectl \(words[0]) "), "\(refused.errors)")
      }
      #expect(session.everything == before)
      #expect(try session.themectl("app", "check", "cat").status == .exited(0), "who only looks may")
    }
  }

  @Test func `a stranger's repository is read without its links, and what its templates mean is printed`() throws {
    try withSession { session in
      let config = "default:\n  supported-systems: [base16]\n  filename: out/x.toml\nother:\n  filename: x\n"
      try session.directory.write(config, to: "repository/templates/config.yaml")
      try session.directory.write("a secret\n", to: "home/secret")
      try session.directory.write(
        "x {{png,gif*},\", fg = \"#{{base0E-hex}} y\n", to: "repository/templates/other.mustache")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("repository/templates/default.mustache"),
        withDestinationPath: "../../home/secret")
      let repository = session.directory.path("repository")
      let added = try session.themectl("app", "add", repository, "--name", "x", "--file", "~/x")
      #expect(added.status == .exited(0), "\(added.errors)")
      #expect(added.errors.contains("default.mustache is, or is below, a symbolic link"), "\(added.errors)")
      #expect(!session.everything.contains { $0.key.hasPrefix("config") && $0.value.contains("a secret") })
      let checked = try session.themectl("app", "check", "x")
      #expect(
        checked.status == .exited(0) && checked.output.contains("warning: unknown variable "), "\(checked.output)")
      // Nor is a directory on the way a link.
      try FileManager.default.moveItem(
        atPath: repository + "/templates", toPath: session.directory.path("elsewhere"))
      try FileManager.default.createSymbolicLink(
        atPath: repository + "/templates", withDestinationPath: session.directory.path("elsewhere"))
      let refused = try session.themectl("app", "add", repository, "--name", "y", "--file", "~/y")
      #expect(refused.status == .exited(2) && refused.errors.contains("symbolic link"), "\(refused.errors)")
    }
  }
}
