import Foundation
import Testing
import ThemedTestSupport

/// Programs with one file only: themed-apply keeps the colours between two comments in the user's own.
@Suite(.ownThreads) struct AppBlockStories {
  private static let own = "width = 300\nbackground_color = 123456 # mine\n[output.left]\nname = DP-1"

  private func prepare(_ session: Session) throws {
    session.environment["THEMED_APPS"] = Products.package + "/share"
    _ = try session.startThemed()
    _ = try session.startApply()
  }

  private func enable(_ session: Session, _ app: String) throws -> Finished {
    try session.themectl("app", "enable", app, "--yes")
  }

  private func awaits(_ words: String, in file: String, _ session: Session) throws {
    try eventually("\(words) in \(session.text(file) ?? "nothing")") { session.text(file)?.contains(words) == true }
  }

  @Test func `the colors in the user's own file turn, and it comes back byte for byte, with its mode and its link`()
    throws
  {
    try withSession { session in
      try prepare(session)
      let (path, real) = (session.directory.path("config/wob/wob.ini"), "home/dotfiles/wob.ini")
      try session.directory.write(Self.own, to: real)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: session.directory.path(real))
      _ = try session.directory.directory("config/wob")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: session.directory.path(real))
      let enabled = try enable(session, "wob")
      #expect(enabled.status == .exited(0) && enabled.lines.last == "wob is enabled", "\(enabled)")
      try awaits("bar_color = ", in: real, session)
      let light = try #require(session.text(real))
      #expect(light.hasPrefix("width = 300\nbackground_color = 123456 # mine\n# themed: wob begins\n"), "\(light)")
      #expect(light.hasSuffix("\n[output.left]\nname = DP-1"), "\(light)")
      #expect(try session.themectl("set", "dark").status == .exited(0))
      try eventually("other colors in \(session.text(real) ?? "nothing")") { session.text(real) != light }
      // The user goes on writing around the block.
      let more = try #require(session.text(real)).replacing("width = 300", with: "width = 400") + "\n# more\n"
      try session.directory.write(more, to: real)
      #expect(try session.themectl("set", "light").status == .exited(0))
      let block = { (text: String) in text.split(separator: "# themed: wob")[1] }
      try eventually("the light colors again") { session.text(real).map { block($0) == block(light) } ?? false }
      #expect(try session.themectl("app", "show", "wob").output.contains("(there)"))
      let disabled = try session.themectl("app", "disable", "wob")
      #expect(disabled.status == .exited(0) && disabled.lines == ["wob is disabled"], "\(disabled)")
      #expect(session.text(real) == Self.own.replacing("width = 300", with: "width = 400") + "\n# more\n")
      #expect(
        try FileManager.default.attributesOfItem(atPath: session.directory.path(real))[.posixPermissions] as? Int
          == 0o640)
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil)
    }
  }

  @Test func `two files of the user's own take turns between the comments`() throws {
    try withSession { session in
      try prepare(session)
      try session.directory.write(Self.own, to: "config/wob/wob.ini")
      let day = try session.directory.write("bar_color = dddddd\n", to: "home/day.ini")
      let night = try session.directory.write("bar_color = 111111\n", to: "home/night.ini")
      let used = try session.themectl("app", "use", "wob", "--light", day, "--dark", night, "--yes")
      #expect(used.status == .exited(0), "\(used)")
      try awaits("# themed: wob begins\nbar_color = dddddd\n# themed: wob ends", in: "config/wob/wob.ini", session)
      #expect(try session.themectl("set", "dark").status == .exited(0))
      try awaits("# themed: wob begins\nbar_color = 111111\n# themed: wob ends", in: "config/wob/wob.ini", session)
      #expect(try session.themectl("app", "disable", "wob").status == .exited(0))
      #expect(session.text("config/wob/wob.ini") == Self.own)
    }
  }

  @Test func `without a file of the user's one is made, and removed again`() throws {
    try withSession { session in
      try prepare(session)
      for (app, file) in [("wob", "config/wob/wob.ini"), ("labwc", "config/labwc/themerc-override")] {
        #expect(try enable(session, app).status == .exited(0))
        try awaits("color", in: file, session)
        #expect(try session.themectl("app", "disable", app).status == .exited(0))
        #expect(session.text(file) == nil)
        #expect(!FileManager.default.fileExists(atPath: session.directory.path("config/\(app)")))
      }
    }
  }

  @Test func `lines between the comments that the user has changed stay, and it is said what to do`() throws {
    try withSession { session in
      try prepare(session)
      try session.directory.write("font=x\n", to: "config/swaylock/config")
      #expect(try enable(session, "swaylock").status == .exited(0))
      try awaits("ring-color=", in: "config/swaylock/config", session)
      let changed = try #require(session.text("config/swaylock/config")).replacing("ring-color=", with: "ring-color=00")
      try session.directory.write(changed, to: "config/swaylock/config")
      #expect(try session.themectl("set", "dark").status == .exited(0))
      try session.awaitApplied("swaylock") { $0.actions.contains { $0.state == "failed" } }
      #expect(session.text("config/swaylock/config") == changed)
      let shown = try session.themectl("app", "show", "swaylock").output
      #expect(shown.contains("the lines of swaylock there were changed since themed wrote them"), "\(shown)")
    }
  }

  @Test func `Starship's line goes below a prompt of several lines, and not into it`() throws {
    try withSession { session in
      try prepare(session)
      // As `starship preset gruvbox-rainbow` writes it: lines of the prompt begin with brackets.
      let own = #"""
        format = """
        [](color_orange)\
        $os\
        """

        palette = 'gruvbox_dark'

        [palettes.gruvbox_dark]
        color_orange = '#d65d0e'

        """#
      try session.directory.write(own, to: "home/.config/starship.toml")
      let enabled = try enable(session, "starship")
      #expect(enabled.status == .exited(0), "\(enabled)")
      let lines = try #require(session.text("home/.config/starship.toml")).components(separatedBy: "\n")
      #expect(lines.starts(with: own.components(separatedBy: "\n").prefix(5)), "\(lines)")
      let line = try #require(lines.firstIndex(of: "palette = \"themed\""))
      #expect(line < lines.firstIndex(of: "[palettes.gruvbox_dark]") ?? 0, "\(lines)")
      #expect(try session.themectl("app", "disable", "starship").status == .exited(0))
      #expect(session.text("home/.config/starship.toml") == own)

      // A line that an older version has put into the prompt does not count.
      let inside = own.replacing("[](color_orange)", with: "palette = \"themed\"\n[](color_orange)")
      try session.directory.write(inside, to: "home/.config/starship.toml")
      #expect(try session.themectl("app", "enable", "starship", "--print").output.contains("palette = \"themed\""))
    }
  }

  @Test func `Starship keeps the user's own prompt, and its palette is the theme's until it is disabled`() throws {
    try withSession { session in
      try prepare(session)
      let own = "add_newline = false\npalette = 'mine'\n\n[palettes.mine]\nred = '#ff0000'\n"
      try session.directory.write(own, to: "home/.config/starship.toml")
      let enabled = try enable(session, "starship")
      #expect(enabled.status == .exited(0), "\(enabled)")
      try awaits("[palettes.themed]\n", in: "home/.config/starship.toml", session)
      let text = try #require(session.text("home/.config/starship.toml"))
      #expect(text.contains("\n# | palette = 'mine'\n") && text.contains("\npalette = \"themed\"\n"), "\(text)")
      #expect(try session.themectl("app", "disable", "starship").status == .exited(0))
      #expect(session.text("home/.config/starship.toml") == own)

      // Also if a comment is gone: what was there before the first of the app's groups is known.
      #expect(try enable(session, "starship").status == .exited(0))
      try awaits("[palettes.themed]\n", in: "home/.config/starship.toml", session)
      let lines = try #require(session.text("home/.config/starship.toml")).components(separatedBy: "\n")
      let replaced = try #require(lines.firstIndex(of: "# | palette = 'mine'"))
      #expect(lines[replaced + 1].hasPrefix("# themed: starship ends"), "\(lines)")
      let rest = lines[...replaced] + lines[(replaced + 2)...]
      try session.directory.write(rest.joined(separator: "\n"), to: "home/.config/starship.toml")
      let disabled = try session.themectl("app", "disable", "starship")
      #expect(disabled.status == .exited(0), "\(disabled)")
      #expect(session.text("home/.config/starship.toml") == own)
    }
  }

  @Test func `the user's own borders of Hyprland that give way are named, but not comments`() throws {
    try withSession { session in
      try prepare(session)
      let own =
        "hl.config({\n  general = { col = {\n    active_border = \"rgba(33ccffee)\",\n  } },\n  -- active_border = x\n})\n"
      try session.directory.write(own, to: "config/hypr/hyprland.lua")
      let plan = try session.themectl("app", "enable", "hyprland", "--print").output
      #expect(plan.contains("give way until the app is disabled: "), "\(plan)")
      #expect(plan.contains("/hypr/hyprland.lua, line 3\n"), "\(plan)")
    }
  }

  @Test func `a file that a program would no longer read is named`() throws {
    try withSession { session in
      try prepare(session)
      session.environment["SHELL"] = "/bin/bash"
      session.environment["FZF_DEFAULT_OPTS_FILE"] = try session.directory.write("--reverse\n", to: "home/fzf")
      let bin = try session.directory.write("#!/bin/sh\necho 0.60.3\n", to: "bin/fzf")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin)
      session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
      let refused = try enable(session, "fzf")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("the program would stop reading ~/fzf"), "\(refused.errors)")
    }
  }

  @Test func `a file that themed may not change is named, and so is one without the block that it needs`() throws {
    try withSession { session in
      try prepare(session)
      try session.directory.write("# nothing\n", to: "config/i3/config")
      let refused = try enable(session, "i3bar")
      #expect(refused.status != .exited(0))
      #expect(
        refused.errors.contains(
          "has no block bar { } for themed's lines; a block with one of these stays as it is: i3status, "),
        "\(refused.errors)")
      try session.directory.write(
        "bar {\n    status_command date\n}\n", to: "config/i3/config")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o444], ofItemAtPath: session.directory.path("config/i3/config"))
      let locked = try enable(session, "i3bar")
      #expect(locked.status != .exited(0))
      #expect(locked.errors.contains("the program reads them from this file only"), "\(locked.errors)")
    }
  }
}
