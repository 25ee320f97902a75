import Testing
import ThemedModel
import ThemedSystem

@testable import ThemeApply
@testable import ThemeApps

/// Which values a desktop's settings get, and which of them are remembered for which side.
@Suite struct DesktopDecisionTests {
  /// A desktop that a test reads, decides for and writes, as a run does.
  private struct Simulated {
    var desktop = App.Desktop()
    var values: [Text: SettingValue]
    var memory: DesktopMemory?
    var installed: Set<Text> = []
    var written: [Text: SettingValue] = [:]
    var isFlip = false
    var families: Set<Text> = []
    var programs: [Text: DesktopDecision.Program] = [:]
    var isExplicit = false

    init(settle: Int = 0, _ values: [Text: SettingValue], _ change: (inout [App.DesktopSetting]) -> Void = { _ in }) {
      desktop.settle = settle
      var scheme = App.DesktopSetting(name: "scheme")
      (scheme.isScheme, scheme.isPartOfSwitch) = (true, true)
      scheme.values = [.light: "prefer-light", .dark: "prefer-dark", .none: "default"]
      var theme = App.DesktopSetting(name: "theme")
      (theme.themeValue, theme.darkMarks) = ("gtk", ["-dark", "-Dark"])
      theme.values = [.light: "Adwaita", .dark: "Adwaita-dark"]
      desktop.settings = [scheme, theme, App.DesktopSetting(name: "icons")]
      change(&desktop.settings)
      self.values = values
    }

    /// A run: with `target`, the daemon has asked for the desktop's switch.
    mutating func run(
      _ side: ColorScheme, target: [Preference] = [], theme: Text = "", _ named: [Text: Text] = [:],
      isSettling: Bool = false, isKilled: Bool = false
    ) {
      var decision = DesktopDecision(
        desktop, DesktopDecision.Look(side: side, theme: theme, values: named), preferences: target, memory: memory,
        values: values, families: families, programs: programs, isSettling: isSettling, isExplicit: isExplicit)
      isFlip = decision.isFlip
      written = [:]
      if let scheme = decision.wantedScheme { written["scheme"] = .text(scheme) }
      for setting in desktop.settings {
        written[setting.name] = decision.wanted(setting) { installed.contains($0) } ?? written[setting.name]
      }
      decision.remember(writing: written)
      memory = decision.memory
      if isKilled { return }
      values.merge(written) { $1 }
      decision.finish(values)
      memory = decision.memory
    }

    mutating func switchTo(_ side: ColorScheme) {
      run(side, target: [side == .dark ? .dark : .none, .light])
      run(side)
    }

    mutating func leave(after side: ColorScheme) {
      let decision = DesktopDecision(
        desktop, DesktopDecision.Look(side: memory?.side ?? side, theme: memory?.theme ?? ""), preferences: [],
        memory: memory, values: values, takesAll: true)
      values.merge(DesktopDecision.leaving(desktop, decision.memory, after: side)) { $1 }
    }
  }

  private static let fresh: [Text: SettingValue] = [
    "scheme": .text("default"), "theme": .text("Adwaita"), "icons": .text("hicolor"),
  ]

  @Test func `a switch writes the scheme and what the file names, and back gives what was there`() {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.dark)
    #expect(
      desktop.values == ["scheme": .text("prefer-dark"), "theme": .text("Adwaita-dark"), "icons": .text("hicolor")])
    desktop.switchTo(.light)
    #expect(desktop.values == Self.fresh)
    desktop.run(.light)
    #expect(desktop.written.isEmpty)
  }

  @Test func `the scheme is written only if a target is there, and not if it is right already`() {
    var desktop = Simulated(Self.fresh)
    desktop.run(.light, target: [.none, .light])
    #expect(desktop.written["scheme"] == nil)
    desktop.run(.dark)
    #expect(desktop.written["scheme"] == nil)
    desktop.run(.light, target: [.light])
    #expect(desktop.written["scheme"] == .text("prefer-light"))
  }

  @Test func `what is chosen by hand while it is dark comes back with dark`() {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.dark)
    desktop.values["theme"] = .text("Nordic")
    desktop.run(.dark)
    #expect(desktop.written.isEmpty)
    desktop.switchTo(.light)
    #expect(desktop.values["theme"] == .text("Adwaita"))
    desktop.switchTo(.dark)
    #expect(desktop.values["theme"] == .text("Nordic"))
  }

  @Test func `what was chosen just before a switch of ours belongs to the side that is left`() {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.dark)
    desktop.values["theme"] = .text("Nordic")
    desktop.switchTo(.light)
    #expect(desktop.values["theme"] == .text("Adwaita"))
    desktop.switchTo(.dark)
    #expect(desktop.values["theme"] == .text("Nordic"))
  }

  @Test func `the other settings follow a flip of the desktop's own switch`() {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.dark)
    desktop.values["scheme"] = .text("default")
    desktop.run(.light)
    #expect(desktop.isFlip && desktop.values == Self.fresh)
  }

  @Test func `a scheme that is read for the first time when it is to be switched is not that of the new side`() {
    var desktop = Simulated(Self.fresh)
    desktop.values["scheme"] = nil
    desktop.run(.light)
    desktop.run(.dark)
    desktop.values["scheme"] = .text("MyLight")
    desktop.run(.dark, target: [.dark])
    #expect(desktop.written["scheme"] == .text("prefer-dark"))
  }

  @Test func `a flip that is seen before the daemon shows it is a flip all the same`() {
    var desktop = Simulated(Self.fresh) { $0[1].isPartOfSwitch = true }
    desktop.switchTo(.dark)
    desktop.values["scheme"] = .text("default")
    desktop.run(.dark)
    #expect(desktop.written.isEmpty)
    desktop.run(.light)
    #expect(desktop.isFlip && desktop.values == Self.fresh)
  }

  @Test func `what a flip changes by itself is not remembered for the side that is left`() {
    var desktop = Simulated(settle: 1000, Self.fresh)
    desktop.switchTo(.light)
    desktop.values = ["scheme": .text("prefer-dark"), "theme": .text("Adwaita"), "icons": .text("breeze-dark")]
    desktop.run(.dark)
    #expect(desktop.isFlip && desktop.values["icons"] == .text("breeze-dark"))
    desktop.switchTo(.light)
    #expect(desktop.values["icons"] == .text("hicolor"))
    desktop.switchTo(.dark)
    #expect(desktop.values["icons"] == .text("breeze-dark"))
  }

  @Test func `what a flip changes later is not the user's choice, and the user's own comes back`() {
    var desktop = Simulated(settle: 1000, Self.fresh)
    desktop.switchTo(.dark)
    desktop.values["icons"] = .text("Papirus")
    desktop.run(.dark)
    desktop.switchTo(.light)
    desktop.values["scheme"] = .text("prefer-dark")
    desktop.run(.dark)
    #expect(desktop.values["icons"] == .text("Papirus"))
    desktop.values["icons"] = .text("breeze-dark")
    desktop.run(.dark, isSettling: true)
    #expect(desktop.values["icons"] == .text("Papirus"))
  }

  @Test func `a theme that a hook sets for the side to come is not taken for the side that is left`() {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.light)
    desktop.values["theme"] = .text("Adwaita-dark")
    desktop.switchTo(.dark)
    desktop.switchTo(.light)
    #expect(desktop.values["theme"] == .text("Adwaita"))
  }

  @Test func `where the theme is the switch, the one that was picked stays`() {
    var desktop = Simulated(Self.fresh) { $0[1].isPartOfSwitch = true }
    desktop.switchTo(.dark)
    desktop.switchTo(.light)
    desktop.values["scheme"] = .text("prefer-dark")
    desktop.values["theme"] = .text("Greybird-dark")
    desktop.run(.dark)
    #expect(desktop.written.isEmpty)
    desktop.switchTo(.light)
    #expect(desktop.values["theme"] == .text("Adwaita"))
    desktop.switchTo(.dark)
    #expect(desktop.values["theme"] == .text("Greybird-dark"))
  }

  @Test func `a theme names the value until the user chooses another, and a later theme names it again`() {
    var desktop = Simulated(Self.fresh)
    desktop.run(.light, theme: "mint", ["gtk": "Mint-Y"])
    #expect(desktop.values["theme"] == .text("Mint-Y"))
    desktop.values["theme"] = .text("Mine")
    desktop.run(.light, theme: "mint", ["gtk": "Mint-Y"])
    #expect(desktop.values["theme"] == .text("Mine"))
    desktop.run(.light, theme: "nord", ["gtk": "Nordic"])
    #expect(desktop.values["theme"] == .text("Nordic"))
    desktop.run(.light, theme: "mint", ["gtk": "Mint-Y"])
    #expect(desktop.values["theme"] == .text("Mint-Y"))
  }

  @Test func `what a theme named gives way to what that side had before, once no theme names a value`() {
    var desktop = Simulated(Self.fresh) { $0[2].themeValue = "icons" }
    let (mint, named): (Text, [Text: Text]) = ("mint", ["gtk": "Mint-Y-Dark", "icons": "Mint"])
    desktop.switchTo(.light)
    // The icons of dark were never seen without the theme, so that they are those of light.
    desktop.run(.dark, target: [.dark], theme: mint, named)
    desktop.run(.dark, theme: mint, named)
    #expect(desktop.values["theme"] == .text("Mint-Y-Dark") && desktop.values["icons"] == .text("Mint"))
    desktop.run(.dark)
    #expect(desktop.values["theme"] == .text("Adwaita-dark") && desktop.values["icons"] == .text("hicolor"))
    // Nor does it come back after the other side.
    desktop.run(.dark, theme: mint, named)
    desktop.run(.light, target: [.none], theme: mint)
    desktop.run(.light)
    desktop.run(.dark, target: [.dark])
    #expect(desktop.values["theme"] == .text("Adwaita-dark") && desktop.values["icons"] == .text("hicolor"))
    // What was chosen by hand stays, whatever theme comes.
    desktop.run(.dark, theme: mint, named)
    desktop.values["icons"] = .text("Papirus")
    desktop.run(.dark, theme: mint, named)
    desktop.run(.dark, theme: "nord", ["icons": "Nordic"])
    #expect(desktop.values["icons"] == .text("Nordic"))
    desktop.run(.dark)
    #expect(desktop.values["icons"] == .text("Papirus"))
  }

  @Test func `a setting that cannot be read is reset once no theme names its value`() {
    var desktop = Simulated(Self.fresh) { settings in
      var wallpaper = App.DesktopSetting(name: "wallpaper")
      (wallpaper.themeValue, wallpaper.write) = ("wallpaper", ["set", "{value}"])
      settings.append(wallpaper)
    }
    desktop.run(.light, theme: "mint", ["wallpaper": "Mint"])
    desktop.values["wallpaper"] = nil
    desktop.run(.light)
    #expect(desktop.written["wallpaper"] == .unset)
    // The reset is not repeated, also if its program starts again.
    for side: ColorScheme in [.light, .dark, .light] {
      desktop.values["wallpaper"] = nil
      desktop.programs = ["wallpaper": .init(process: Text(side.rawValue))]
      desktop.run(side)
      #expect(desktop.written["wallpaper"] == nil)
    }
    // A value that may have been written before themed-apply was killed is reset, too.
    desktop.run(.light, theme: "mint", ["wallpaper": "Mint"], isKilled: true)
    desktop.run(.light)
    #expect(desktop.written["wallpaper"] == .unset)
    // A theme that names only one of dark leaves none on light.
    desktop.run(.dark, theme: "mint", ["wallpaper": "Mint"])
    desktop.values["wallpaper"] = nil
    desktop.run(.light, theme: "mint")
    #expect(desktop.written["wallpaper"] == .unset)
  }

  @Test func `a setting that cannot be read is reset on light if the first theme names a value only for dark`() {
    var desktop = Simulated(Self.fresh) { settings in
      var wallpaper = App.DesktopSetting(name: "wallpaper")
      (wallpaper.themeValue, wallpaper.write) = ("wallpaper", ["set", "{value}"])
      settings.append(wallpaper)
    }
    desktop.run(.light, theme: "mint")
    desktop.run(.dark, theme: "mint", ["wallpaper": "Mint"])
    desktop.values["wallpaper"] = nil
    desktop.run(.light, theme: "mint")
    #expect(desktop.written["wallpaper"] == .unset)
  }

  @Test func `a theme follows the wallpaper that was chosen for it, and no other`() {
    var wallpaper = App.DesktopSetting(name: "wallpaper")
    (wallpaper.asset, wallpaper.form, wallpaper.read) = ("wallpaper", .uri, ["get"])
    var desktop = App.Desktop()
    desktop.settings = [wallpaper]
    var memory: DesktopMemory?
    var look = DesktopDecision.Look(
      side: .dark, theme: "wall", values: ["follow-wallpaper": "yes"], assets: ["wallpaper": "/old.png"])
    func newPicture(_ value: Text) -> Text? {
      var decision = DesktopDecision(
        desktop, look, preferences: [], memory: memory, values: ["wallpaper": .text(value)])
      decision.finish(["wallpaper": .text(value)])
      memory = decision.memory
      return decision.newPicture
    }
    #expect(newPicture("file:///old.png") == nil)
    #expect(newPicture("file:///new%20one%.png") == "/new one%.png")
    look.values = [:]
    #expect(newPicture("file:///new%20one%.png") == nil)
    look.values = ["follow-wallpaper": "yes"]
    look.assets = ["wallpaper": "/new one%.png"]
    #expect(newPicture("file:///new%20one%.png") == nil)
    #expect(newPicture("xml:///slides") == nil)
    // What was chosen for another theme is not meant for this one.
    look.theme = "sea"
    #expect(newPicture("file:///new%20one%.png") == nil)
  }

  @Test func `a wallpaper that was chosen by hand gives way to a newer picture of the same theme`() throws {
    var wallpaper = App.DesktopSetting(name: "wallpaper")
    (wallpaper.asset, wallpaper.form, wallpaper.read) = ("wallpaper", .uri, ["get"])
    var desktop = App.Desktop()
    desktop.settings = [wallpaper]
    var memory: DesktopMemory?
    /// Returns the picture from which the theme is to be made, and what is written.
    func run(_ picture: Text?, _ shown: Text) throws -> [Text?] {
      let look = DesktopDecision.Look(
        side: .dark, theme: "wall", values: ["follow-wallpaper": "yes"],
        assets: picture.map { ["wallpaper": $0] } ?? [:])
      var decision = DesktopDecision(
        desktop, look, preferences: [], memory: memory, values: ["wallpaper": .text(shown)])
      let written = decision.wanted(wallpaper) { _ in true }
      decision.remember(writing: written.map { ["wallpaper": $0] } ?? [:])
      decision.finish(["wallpaper": written ?? .text(shown)])
      // The memory is the same in a later process.
      let kept = try DesktopMemories(reading: DesktopMemories(desktops: ["gtk": decision.memory]).bytes)
      #expect(kept.desktops["gtk"] == decision.memory)
      memory = decision.memory
      return [decision.newPicture, written?.text]
    }
    #expect(try run("/a.png", "file:///a.png") == [nil, nil])
    #expect(try run("/a.png", "file:///b.png") == ["/b.png", nil])
    // The next picture is chosen while the theme is being made from the one before.
    #expect(try run("/a.png", "file:///d.png") == ["/d.png", nil])
    #expect(try run("/b.png", "file:///d.png") == ["/d.png", nil])
    #expect(try run("/d.png", "file:///d.png") == [nil, nil])
    // 'themectl theme new' has made it from another picture, which may be one from before.
    for picture: Text in ["/c.png", "/b.png"] {
      let address: Text = "file://\(picture)"
      #expect(try run(picture, "file:///d.png") == [nil, address])
      #expect(try run(picture, address) == [nil, nil])
      #expect(try run(picture, "file:///d.png") == ["/d.png", nil])
      #expect(try run("/d.png", "file:///d.png") == [nil, nil])
    }
    // The daemon cannot read the theme's picture, so that it has none for now.
    #expect(try run(nil, "file:///d.png") == ["/d.png", nil])
    #expect(try run("/d.png", "file:///e.png") == ["/e.png", nil])
    // An older version of themed did not remember the theme's picture.
    memory?.settings["wallpaper"]?.chosen[.dark]?.asset = nil
    #expect(try run("/f.png", "file:///e.png") == ["/e.png", nil])
    #expect(try run("/c.png", "file:///e.png") == [nil, "file:///c.png"])
  }

  @Test func `percent signs of an address are decoded only before two hexadecimal digits`() {
    #expect(("file:///a%20b%2Fc" as Text).pathOfFileAddress == "/a b/c")
    for name: Text in ["/100%", "/100%2", "/%+1", "/%-0", "/%g0", "/%00"] {
      let address: Text = "file://\(name)"
      #expect(address.pathOfFileAddress == name)
    }
  }

  /// A desktop whose wallpaper is kept by a program that forgets it; it was chosen for dark.
  private func withForgottenWallpaper() -> Simulated {
    var desktop = Simulated(Self.fresh) { $0[2].isForgotten = true }
    desktop.programs = ["icons": .init(process: "1")]
    desktop.switchTo(.light)
    desktop.switchTo(.dark)
    desktop.values["icons"] = .text("night")
    desktop.run(.dark)
    return desktop
  }

  @Test func `a program that forgets gets its value again when it has started, on either side`() {
    var desktop = withForgottenWallpaper()
    for start in ["2", "3"] {
      desktop.programs = ["icons": .init(process: Text(start))]
      desktop.values["icons"] = .text("hicolor")
      desktop.run(.dark)
      #expect(desktop.values["icons"] == .text("night"))
    }
    desktop.switchTo(.light)
    #expect(desktop.values["icons"] == .text("hicolor"))
    // It starts again while it turns.
    desktop.programs = ["icons": .init(process: "4")]
    desktop.switchTo(.dark)
    #expect(desktop.values["icons"] == .text("night"))
    // While it runs, its first value can be chosen as any other.
    desktop.values["icons"] = .text("hicolor")
    desktop.run(.dark)
    #expect(desktop.written.isEmpty)
  }

  @Test func `a program that is still starting may get its first value a little later`() {
    var desktop = withForgottenWallpaper()
    for (first, later): (Text, Text) in [("session", "session"), ("night", "session"), ("night", "hicolor")] {
      // The second look is when the program counts as started.
      desktop.programs = ["icons": .init(process: "\(first) \(later)", startsFor: 5000)]
      desktop.values["icons"] = .text(first)
      desktop.run(.dark)
      desktop.programs["icons"]?.startsFor = 0
      desktop.values["icons"] = .text(later)
      desktop.run(.dark)
      #expect(desktop.values["icons"] == .text("night"), "\(first) \(later)")
    }
    desktop.values["icons"] = .text("mine")
    desktop.run(.dark)
    #expect(desktop.written.isEmpty)
  }

  @Test func `another value in the program's own file is a choice, also where the side already had its first one`() {
    var desktop = withForgottenWallpaper()
    desktop.switchTo(.light)
    for (process, value): (Text, Text) in [("2", "hicolor"), ("3", "new"), ("4", "new")] {
      desktop.programs = ["icons": .init(process: process)]
      desktop.values["icons"] = .text(value)
      desktop.run(.light)
      #expect(desktop.written.isEmpty && desktop.values["icons"] == .text(value))
    }
  }

  @Test func `another value in the program's own file is a choice`() {
    var desktop = withForgottenWallpaper()
    desktop.programs = ["icons": .init(process: "2")]
    desktop.values["icons"] = .text("hicolor")
    desktop.run(.dark)
    for (process, value): (Text, Text) in [("3", "new"), ("4", "hicolor")] {
      desktop.programs = ["icons": .init(process: process)]
      desktop.values["icons"] = .text(value)
      desktop.run(.dark)
      #expect(desktop.written.isEmpty && desktop.values["icons"] == .text(value))
    }
  }

  @Test func `a setting that cannot be read is written again for a program that has started since`() {
    var desktop = Simulated(Self.fresh) { settings in
      var wallpaper = App.DesktopSetting(name: "wallpaper")
      (wallpaper.themeValue, wallpaper.write) = ("wallpaper", ["set", "{value}"])
      settings.append(wallpaper)
    }
    for process: Text in ["1", "2"] {
      desktop.programs = ["wallpaper": .init(process: process)]
      desktop.values["wallpaper"] = nil
      desktop.run(.light, theme: "mint", ["wallpaper": "Mint"])
      #expect(desktop.written["wallpaper"] == .text("Mint"))
      desktop.values["wallpaper"] = nil
      desktop.run(.light, theme: "mint", ["wallpaper": "Mint"])
      #expect(desktop.written.isEmpty)
    }
  }

  @Test func `a stranger's theme cannot name an option or a path`() {
    for name: Text in ["--help", "../x", "a\nb", "a;b", ""] {
      var desktop = Simulated(Self.fresh)
      desktop.run(.light, theme: "x", ["gtk": name])
      #expect(desktop.written.isEmpty, "\(name.shown())")
    }
  }

  @Test func `a counterpart is guessed by its name if it is installed`() {
    for (light, dark): (Text, Text) in [
      ("Yaru", "Yaru-dark"), ("Mint-Y-Aqua", "Mint-Y-Dark-Aqua"), ("Arc", "Arc-Dark"),
    ] {
      var desktop = Simulated(Self.fresh)
      desktop.installed = [light, dark]
      desktop.values["theme"] = .text(light)
      desktop.switchTo(.dark)
      #expect(desktop.values["theme"] == .text(dark))
      desktop = Simulated(["scheme": .text("prefer-dark"), "theme": .text(dark)])
      desktop.installed = [light, dark]
      desktop.switchTo(.light)
      #expect(desktop.values["theme"] == .text(light))
    }
  }

  @Test func `a desktop that is dark from the start gets a dark theme, too`() {
    var desktop = Simulated(["scheme": .text("prefer-dark"), "theme": .text("Adwaita")])
    desktop.run(.dark)
    #expect(desktop.values["theme"] == .text("Adwaita-dark"))
    desktop.leave(after: .dark)
    #expect(desktop.values["theme"] == .text("Adwaita"))
  }

  @Test func `the first wallpaper that is chosen on a screen is for the side that is shown`() {
    for isSwitched in [false, true] {
      var desktop = Simulated(Self.fresh) { settings in
        var wallpaper = App.DesktopSetting(name: "wallpaper")
        wallpaper.each = ["list"]
        settings.append(wallpaper.instance("screen"))
      }
      desktop.families = ["wallpaper"]
      desktop.switchTo(.dark)
      desktop.values["wallpaper screen"] = .text("night.png")
      if isSwitched { desktop.run(.dark) }
      desktop.switchTo(.light)
      #expect(desktop.values["wallpaper screen"] == .unset)
      desktop.values["wallpaper screen"] = .text("day.png")
      desktop.switchTo(.dark)
      #expect(desktop.values["wallpaper screen"] == .text("night.png"))
      desktop.switchTo(.light)
      #expect(desktop.values["wallpaper screen"] == .text("day.png"))
      desktop.leave(after: .light)
      #expect(desktop.values["wallpaper screen"] == .text("day.png"))
    }
  }

  @Test func `a wallpaper that comes to a screen while its program runs is chosen by hand, but not while it starts`() {
    for isStarting in [true, false] {
      var desktop = Simulated(Self.fresh) { settings in
        var wallpaper = App.DesktopSetting(name: "wallpaper")
        (wallpaper.each, wallpaper.themeValue) = (["list"], "wallpaper")
        settings.append(wallpaper.instance("screen"))
      }
      desktop.families = ["wallpaper"]
      desktop.programs = ["wallpaper": .init(process: "1", startsFor: isStarting ? 5000 : 0)]
      desktop.run(.light)
      desktop.programs["wallpaper"]?.startsFor = 0
      desktop.values["wallpaper screen"] = .text("day.png")
      desktop.run(.light, theme: "mint", ["wallpaper": "Mint"])
      #expect(desktop.values["wallpaper screen"] == .text(isStarting ? "Mint" : "day.png"))
    }
  }

  @Test func `a wallpaper that was there before the first switch is for both sides`() {
    var desktop = Simulated(Self.fresh) { settings in
      var wallpaper = App.DesktopSetting(name: "wallpaper")
      wallpaper.each = ["list"]
      settings.append(wallpaper.instance("screen"))
    }
    desktop.families = ["wallpaper"]
    desktop.values["wallpaper screen"] = .text("own.png")
    desktop.switchTo(.dark)
    desktop.switchTo(.light)
    #expect(desktop.values["wallpaper screen"] == .text("own.png"))
  }

  @Test func `light is written by its name where a program keeps the dark side without a preference`() {
    var desktop = Simulated(Self.fresh)
    desktop.isExplicit = true
    desktop.run(.light, target: [.none, .light])
    #expect(desktop.written["scheme"] == nil)
    desktop.switchTo(.dark)
    desktop.run(.light, target: [.none, .light])
    #expect(desktop.written["scheme"] == .text("prefer-light"))
  }

  @Test func `a desktop with the same settings as another one knows what was there before both`() throws {
    func recipe(_ name: Text, _ write: [Text]) -> DesktopRecipe {
      let app = App(name: name)
      var desktop = App.Desktop()
      var scheme = App.DesktopSetting(name: "scheme")
      (scheme.isScheme, scheme.write) = (true, write)
      var theme = App.DesktopSetting(name: "theme of \(name)")
      theme.write = ["set-theme", "{value}"]
      desktop.settings = [scheme, theme]
      return DesktopRecipe(app: app, desktop: desktop)
    }
    let recipes = [
      recipe("one", ["set-scheme", "{value}"]), recipe("two", ["set-scheme", "{value}"]), recipe("far", ["x"]),
    ]
    let known = SettingMemory(original: .text("Adwaita"), wasWritten: true)
    var memories = DesktopMemories(desktops: [
      "one": DesktopMemory(side: .dark, settings: ["theme of one": known, "scheme": SettingMemory(wasDefault: true)])
    ])
    for recipe in recipes { memories.adopt(recipe, from: recipes) }
    #expect(memories.desktops["two"]?.settings["theme of two"] == known && memories.desktops["two"]?.side == .dark)
    #expect(memories.desktops["far"] == nil)
    // Restored on one of them, they are as before on the other.
    memories.forget(recipes[1], among: recipes)
    #expect(memories.desktops["two"] == nil && memories.desktops["one"]?.settings.isEmpty == true)
  }

  @Test func `leaving gives back what was there, except for what was chosen by hand for the side that is shown`() {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.dark)
    desktop.values["icons"] = .text("Papirus")
    desktop.run(.dark)
    var other = desktop
    desktop.leave(after: .light)
    #expect(desktop.values["theme"] == .text("Adwaita"))
    other.leave(after: .dark)
    #expect(other.values["theme"] == .text("Adwaita") && other.values["icons"] == .text("Papirus"))
  }

  @Test func `what was killed before it had written anything has not taken the old values for the new side's`() {
    var desktop = Simulated(Self.fresh)
    desktop.run(.light)
    desktop.run(.dark, target: [.dark], isKilled: true)
    #expect(desktop.values == Self.fresh)
    desktop.switchTo(.dark)
    #expect(desktop.values["theme"] == .text("Adwaita-dark"))
    desktop.run(.light, target: [.none], isKilled: true)
    desktop.leave(after: .light)
    #expect(desktop.values["theme"] == .text("Adwaita"))
  }

  @Test func `a setting for one side keeps what was chosen for it, also while the other side is shown`() {
    var desktop = Simulated(Self.fresh) { $0[2].side = .light }
    desktop.switchTo(.light)
    desktop.switchTo(.dark)
    desktop.values["icons"] = .text("picked")
    desktop.run(.dark)
    desktop.switchTo(.light)
    #expect(desktop.values["icons"] == .text("picked"))
  }

  @Test func `a setting for one side keeps what was chosen while the other side is shown, also when it is left`() {
    var desktop = Simulated(Self.fresh) { ($0[2].side, $0[2].themeValue) = (.dark, "icons") }
    desktop.run(.dark, target: [.dark], theme: "own", ["icons": "Night"])
    desktop.run(.light, target: [.light], theme: "own")
    #expect(desktop.values["icons"] == .text("Night"))
    desktop.values["icons"] = .text("picked")
    desktop.leave(after: .light)
    #expect(desktop.values["icons"] == .text("picked"))
  }

  @Test func `a scheme with names of the user's own is remembered for each side`() {
    var desktop = Simulated(settle: 1000, ["scheme": .text("NordLight"), "theme": .text("x")]) {
      $0[0].values = [.light: "BreezeLight", .dark: "BreezeDark"]
    }
    desktop.run(.light)
    desktop.run(.dark, target: [.dark])
    #expect(desktop.values["scheme"] == .text("BreezeDark"))
    desktop.values["scheme"] = .text("NordDark")
    desktop.run(.dark)
    desktop.run(.light, target: [.light])
    #expect(desktop.values["scheme"] == .text("NordLight"))
    desktop.run(.light)
    desktop.run(.dark, target: [.dark])
    #expect(desktop.values["scheme"] == .text("NordDark"))
  }

  @Test func `random events end in what was there before, whatever was killed or flipped`() {
    for seed in 0..<400 {
      var generator = Seeded(state: UInt64(seed))
      var desktop = Simulated(settle: seed % 2 * 1000, Self.fresh)
      desktop.run(.light)
      for _ in 0..<20 {
        let side: ColorScheme = Bool.random(using: &generator) ? .dark : .light
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: desktop.switchTo(side)
        case 1: desktop.run(side, target: [side == .dark ? .dark : .none], isKilled: true)
        case 2:
          desktop.values["scheme"] = .text(side == .dark ? "prefer-dark" : "default")
          desktop.run(side)
        default: desktop.run(desktop.memory?.side ?? .light)
        }
      }
      desktop.switchTo(.dark)
      #expect(desktop.values["theme"] == .text("Adwaita-dark"), "\(seed)")
      desktop.switchTo(.light)
      #expect(desktop.values == Self.fresh, "\(seed)")
      desktop.switchTo(.dark)
      desktop.leave(after: .light)
      #expect(desktop.values["theme"] == .text("Adwaita"), "\(seed)")
    }
  }

  @Test func `the memory is the same after it was written and read`() throws {
    var desktop = Simulated(Self.fresh)
    desktop.switchTo(.dark)
    desktop.values["theme"] = .text("it's \"mine\" \\")
    desktop.values["icons"] = .unset
    desktop.programs = ["icons": .init(process: "boot 1")]
    desktop.run(.dark, theme: "mint", ["gtk": "Mint-Y"])
    desktop.memory?.settings["icons"]?.started = .text("one\n\ttwo")
    desktop.memory?.settings["icons"]?.startedBefore = .text("before")
    desktop.memory?.settings["icons"]?.before = [.light: .unset, .dark: .text("a")]
    desktop.memory?.settings["killed"] = SettingMemory(before: [.dark: .text("day")])
    var memories = DesktopMemories(desktops: ["gtk": try #require(desktop.memory)])
    memories.desktops["xfce"] = DesktopMemory(side: .light, isByName: true)
    #expect(try DesktopMemories(reading: memories.bytes) == memories)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"version":1}"#, #"{"version":1,"desktops":{"../x":{}}}"#,
    #"{"version":1,"desktops":{"gtk":{"side":"blue","theme":"","flipped":false,"byName":false,"settings":{}}}}"#,
    #"{"version":1,"desktops":{"gtk":{"side":"dark","theme":"","flipped":false,"byName":false,"settings":{"a":{"original":"a\u0007b"}}}}}"#,
    #"{"version":1,"desktops":{"gtk":{"side":"dark","theme":"","flipped":false,"byName":false,"settings":{"a":{"dark":7}}}}}"#,
  ])
  func `a memory that is damaged or foreign is refused`(text: String) {
    #expect(throws: DesktopMemories.Refusal.self) { try DesktopMemories(reading: Array(text.utf8)) }
  }

  @Test func `a memory of a later version is not taken for damaged`() {
    #expect(throws: DesktopMemories.Refusal.newer) {
      try DesktopMemories(reading: Array(#"{"version":2,"desktops":{}}"#.utf8))
    }
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
}

/// A value in a file of another program's settings.
@Suite struct KeyFileTextTests {
  private func file(_ group: Text?, _ key: Text = "*") throws -> App.SettingFile {
    App.SettingFile(path: try #require(AppPath("/x")), group: group, key: key)
  }

  @Test func `a key is replaced in its place, and everything else stays`() throws {
    let text = "top=1\n[Qt]\n# c\nstyle = Fusion\nother=2\n\n[Palette]\nbase=#fff\n"
    let style = try file("Qt", "style")
    #expect(KeyFileText.value(in: Array(text.utf8), style) == "Fusion")
    let dark = KeyFileText.replacing(Array(text.utf8), style, with: "kvantum")
    #expect(Text(decoding: dark) == "top=1\n[Qt]\n# c\nstyle=kvantum\nother=2\n\n[Palette]\nbase=#fff\n")
    let without = KeyFileText.replacing(Array(text.utf8), style, with: nil)
    #expect(Text(decoding: without) == "top=1\n[Qt]\n# c\nother=2\n\n[Palette]\nbase=#fff\n")
    let new = KeyFileText.replacing(Array(text.utf8), try file("Qt", "font"), with: "x")
    #expect(Text(decoding: new) == "top=1\n[Qt]\n# c\nstyle = Fusion\nother=2\nfont=x\n\n[Palette]\nbase=#fff\n")
  }

  @Test func `a whole group is one value, and a missing group comes at the end`() throws {
    let palette = try file("Palette")
    let text = "[Qt]\nstyle=Fusion\n"
    #expect(KeyFileText.value(in: Array(text.utf8), palette) == nil)
    let dark = KeyFileText.replacing(Array(text.utf8), palette, with: "base=#000;text=#fff")
    #expect(Text(decoding: dark) == "[Qt]\nstyle=Fusion\n\n[Palette]\nbase=#000\ntext=#fff\n")
    #expect(KeyFileText.value(in: dark, palette) == "base=#000;text=#fff")
    let light = KeyFileText.replacing(dark, palette, with: "base=#fff")
    #expect(Text(decoding: light) == "[Qt]\nstyle=Fusion\n\n[Palette]\nbase=#fff\n")
    #expect(KeyFileText.replacing(light, palette, with: nil) == Array(text.utf8))
    let commented = Array("[Qt]\n[Palette]\n# mine\nbase=#fff\n\n[Other]\na=b\n".utf8)
    let emptied = KeyFileText.replacing(commented, palette, with: nil)
    #expect(Text(decoding: emptied) == "[Qt]\n[Palette]\n# mine\n\n[Other]\na=b\n")
    let between = KeyFileText.replacing(
      Array("[Qt]\n\n[Palette]\nbase=#fff\n\n[Other]\na=b\n".utf8), palette, with: nil)
    #expect(Text(decoding: between) == "[Qt]\n\n[Other]\na=b\n")
  }

  @Test func `a file may be nothing but the value, of one line or several`() throws {
    let lines = Array("  a:\n    - b\n".utf8)
    let value = try #require(KeyFileText.value(in: lines, try file(nil)))
    #expect(KeyFileText.replacing(Array("c\n".utf8), try file(nil), with: value) == lines)
    #expect(KeyFileText.value(in: Array("true\n".utf8), try file(nil)) == "true")
    #expect(KeyFileText.replacing(nil, try file(nil), with: "false") == Array("false\n".utf8))
  }

  @Test(arguments: ["a", "a\n\n", "a \t\n", "\n", ""])
  func `a file that is nothing but the value gets its own end back`(text: String) throws {
    let (old, file) = (Array(text.utf8), try file(nil))
    let value = try #require(KeyFileText.value(in: old, file))
    let dark = KeyFileText.replacing(old, file, with: "dark")
    #expect(KeyFileText.value(in: dark, file) == "dark")
    #expect(KeyFileText.replacing(dark, file, with: value) == old)
  }
}
