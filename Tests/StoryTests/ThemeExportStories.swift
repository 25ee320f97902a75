import Foundation
import Testing
import ThemedTestSupport

/// Themes written for other programs: of what is shown where nothing else is said, and nothing lost without a word.
@Suite(.ownThreads) struct ThemeExportStories {
  private let palettes = "[light.palette]\nbackground=#f0f0f0\n[dark.palette]\nbackground=#101010\n"

  private func theme(_ session: Session, _ name: String, _ text: String) throws {
    try session.directory.write(text, to: "data/themed/themes/\(name).theme")
  }

  @Test func `what is shown is exported, theme and side, unless something else is said`() throws {
    try withSession { session in
      try theme(session, "mint", "[theme]\ntitle=Mint\n" + palettes)
      try theme(session, "night", "[dark.palette]\nbackground=#000000\n")
      _ = try session.startThemed()
      let none = try session.themectl("theme", "export", "--format", "shell")
      #expect(none.status == .exited(2))
      #expect(none.errors.contains("no theme is shown"))
      _ = try session.themectl("set", "theme", "mint")
      _ = try session.themectl("set", "dark")
      func lines(_ words: String...) throws -> [String] {
        try session.themectl(["theme", "export", "--format", "shell"] + words).lines
      }
      #expect(try lines().contains("THEME_BACKGROUND='#101010'"))
      _ = try session.themectl("set", "light")
      #expect(try lines().contains("THEME_BACKGROUND='#f0f0f0'"))
      #expect(try lines("mint").contains("THEME_SIDE='light'"))
      #expect(try lines("--dark").contains("THEME_SIDE='dark'"))
      #expect(try lines("night").contains("THEME_SIDE='dark'"), "its only side")
      _ = try session.themectl("set", "dark", "--app", "nvim")
      #expect(try lines("--app", "nvim").contains("THEME_SIDE='dark'"))
      #expect(try session.themectl("theme", "export").lines.contains("title=Mint"))
    }
  }

  @Test func `a mistake that shows only while a command runs shows the usage of that command`() throws {
    try withSession { session in
      try theme(session, "mint", palettes)
      let both = try session.themectl("theme", "export", "mint", "--format", "shell")
      #expect(both.status == .exited(64))
      #expect(both.errors.contains("Usage: themectl theme export [<theme>]"), "\(both.errors)")
      #expect(both.errors.contains("See 'themectl theme export --help' for more information."))
      #expect(both.errors.contains("--light") && both.errors.contains("--dark"))
      #expect(!both.errors.contains("<subcommand>"))
    }
  }

  @Test func `sides are named in one way by every command about themes`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
      try theme(session, "mint", palettes)
      _ = try session.startThemed()
      let show = try session.themectl("theme", "show", "mint", "--dark").lines
      #expect(show.contains("dark") && !show.contains("light"))
      let export = try session.themectl("theme", "export", "mint", "--light").lines
      #expect(export.contains("[light.palette]") && !export.contains("[dark.palette]"))
      _ = try session.themectl("set", "theme", "--light", "mint", "--dark", "mint")
      _ = try session.themectl("unset", "theme", "--dark")
      #expect(try session.themectl("theme", "list").lines == ["mint\tlight,dark\tlight\tmint"])
      #expect(try session.themectl("unset", "theme", "--light", "--dark").status == .exited(0))
      #expect(try session.themectl("theme", "list").lines == ["mint\tlight,dark\t-\tmint"])
      for words in [["show", "mint"], ["export", "mint"], ["preview", "mint"]] {
        let both = try session.themectl(["theme"] + words + ["--light", "--dark"])
        #expect(both.status == .exited(64), "\(words)")
        let old = try session.themectl(["theme"] + words + ["--side", "dark"])
        #expect(old.status == .exited(64), "\(words)")
        #expect(old.errors.contains("use '--light' or '--dark'"), "\(old.errors)")
      }
    }
  }

  @Test func `fish reads the variables, whatever stands in them, and nothing else happens`() throws {
    try withSession { session in
      let odd = #"it's \ $HOME (touch pwned) \' "#
      let value = odd.replacingOccurrences(of: "\\", with: "\\\\") + "\\s"
      let values = "[dark.values]\nbat=\(value)\nmy-path=a:b\n"
      try theme(session, "odd", "[theme]\ntitle=x'\u{301}; touch pwned #\n[dark.palette]\n" + values)
      let exported = try session.themectl("theme", "export", "odd", "--format", "fish")
      let script = try session.directory.write(exported.output + "\n", to: "x.fish")
      let show =
        #"source $argv[1]; printf '%s\n' "$THEME_TITLE" "$THEME_VALUE_BAT" "$THEME_SIDE" "$THEME_ANSI0""#
        + "; count $THEME_VALUE_MY_PATH"
      let read = try session.run("fish", ["--no-config", "-c", show, script])
      #expect(read.errors == "")
      #expect(read.lines == ["x'\u{301}; touch pwned #", odd + " ", "dark", "#000000", "1"])
      #expect(!FileManager.default.fileExists(atPath: "pwned"))
    }
  }

  @Test func `of a theme by a relative path each form says where its images are, as one made from it does`() throws {
    try withSession { session in
      try session.directory.write("[dark.palette]\n[dark.assets]\nwallpaper=night.png\n", to: "w/x.theme")
      let image = session.directory.path("w/night.png")
      func there(_ words: String...) throws -> Finished {
        let place = "--chdir=" + session.directory.path("w")
        return try session.run("env", [place, Products.path("themectl"), "theme"] + words)
      }
      for word in ["x.theme", "./x.theme", "../w/x.theme"] {
        for form in ["theme", "json", "css", "shell", "fish"] {
          let exported = try there("export", word, "--format", form)
          let path = word.hasPrefix("..") ? session.directory.path("w") + "/../w/night.png" : image
          #expect(exported.output.contains(path), "\(word), \(form): \(exported)")
        }
      }
      let made = try there("new", "dusk", "--from", "./x.theme")
      let text = try String(contentsOfFile: made.output, encoding: .utf8)
      #expect(text.contains("wallpaper=\(image)\n"), "\(text)")
    }
  }

  @Test func `what a scheme cannot say of a theme is told`() throws {
    try withSession { session in
      try theme(session, "tinted", "[dark.palette]\nbackground=#000000\nbase0D=#aabbcc\ntint=#3584e4\n")
      for format in ["base16", "base24"] {
        let exported = try session.themectl("theme", "export", "tinted", "--format", format)
        #expect(exported.status == .exited(0))
        #expect(exported.lines.contains("  base0D: \"aabbcc\""))
        #expect(
          exported.errors.contains(
            "\(format) has no place for the theme's primary colour (#3584e4); programs that read this file "
              + "will use #aabbcc instead"),
          "\(exported.errors)")
      }
      let (light, dark) = ("[light.palette]\nbackground=#ffffff\n", "[dark.palette]\nbackground=#000000\n")
      try theme(session, "lined", light + "separator=#ff0000\n" + dark + "separator=#ff0000\n")
      let lined = try session.themectl("theme", "export", "lined", "--format", "foot").errors
      #expect(lined.contains("the theme's light separator colour"), "\(lined)")
      #expect(lined.contains("the theme's dark separator colour"), "\(lined)")
      try theme(session, "bright", "[dark.palette]\nbase00=#000000\nbase12=#ff0000\n")
      let exported = try session.themectl("theme", "export", "bright", "--format", "base16")
      #expect(exported.errors.contains("base12 colour (#ff0000)"), "\(exported.errors)")
      #expect(try session.themectl("theme", "export", "bright", "--format", "base24").errors == "")
    }
  }
}
