import Testing
import ThemedModel
import ThemedSystem

@testable import ThemeApps

/// App files of desktops: the groups [desktop] and [setting NAME].
@Suite struct DesktopFileTests {
  private static let scheme = """
    [setting color-scheme]
    read=gsettings get x y
    write=gsettings set x y {quoted}
    reset=gsettings reset x y
    kind=scheme
    light=prefer-light
    dark=prefer-dark
    none=default

    """

  private func file(_ text: String) -> AppFile { AppFile(name: "x", Array(("[app]\nprogram=x\n" + text).utf8)) }

  @Test func `a desktop has its names and settings, in order`() throws {
    let app = try #require(
      file(
        """
        [setting theme]
        write=set {value}
        reset=reset
        read=get
        own=own
        value=gtk
        asset=wallpaper
        form=uri
        guess=-dark;-Dark
        installed=$XDG_DATA_DIRS/themes/{value};~/.themes/{value};/usr/share/themes/{value}/index
        light=A
        dark=B
        changed=* /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify;org.xfce.Xfconf * org.xfce.Xfconf.PropertyChanged xsettings
        side=dark
        switch=yes
        process=sway;i3
        forgets=yes
        desktops=GNOME;Unity
        timeout=9
        [desktop]
        desktops=XFCE;*
        settle=500
        \(Self.scheme)
        """
      ).app)
    let desktop = try #require(app.desktop)
    #expect(desktop.names == ["XFCE"] && desktop.isFallback && desktop.settle == 500)
    #expect(desktop.isFor(["ubuntu", "Xfce"]) && !desktop.isFor([]) && !desktop.isFor(["GNOME"]))
    #expect(desktop.settings.map(\.name) == ["theme", "color-scheme"] && desktop.schemeSetting?.name == "color-scheme")
    let theme = desktop.settings[0]
    #expect(theme.write == ["set", "{value}"] && theme.values == [.light: "A", .dark: "B"] && theme.timeout == 9)
    #expect(
      theme.side == .dark && theme.isPartOfSwitch && theme.processes == ["sway", "i3"] && theme.isForgotten
        && theme.form == .uri)
    #expect(theme.isFor(["ubuntu", "gnome"]) && !theme.isFor(["sway"]) && !theme.isFor([]))
    #expect(desktop.settings[1].isFor([]), "it is shown on all")
    #expect(theme.changed.map(\.sender) == [nil, "org.xfce.Xfconf"] && theme.changed[1].argument == "xsettings")
    #expect(app.needsApplying && app.canBeEnabled && !app.hasActions)
    let directories = AppPath.Directories(home: "/h", data: "/h/.local/share")
    #expect(
      theme.installed.flatMap { $0.paths("N", in: directories, data: ["/a", "/b"]) } == [
        "/a/themes/N", "/b/themes/N", "/h/.themes/N", "/usr/share/themes/N/index",
      ])
    for name: Text in ["", ".", "..", "a/b", "a\nb"] {
      #expect(theme.installed[1].paths(name, in: directories, data: []).isEmpty)
    }
  }

  @Test(arguments: [
    ("[desktop]\ndesktops=X\n", "[setting NAME]"), ("[setting a]\nwrite=a\nreset=b\n", "[desktop]"),
    ("[desktop]\n[setting a]\nwrite=a\nreset=b\n", "desktops="),
    ("[desktop]\ndesktops=X\n[setting a]\nread=a\n", "write=… or file=…"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a {value}\n", "cannot be restored"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite={value} a\nreset=b\n", "a program's name"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a {text-hex}\nreset=b\n", "text-hex"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a {other}\nreset=b\n", "other"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nkind=scheme\n", "light="),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nkind=other\n", "one of: scheme"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nexplicit-for=waybar\n", "used with kind=scheme"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nafter=x\n", "used with read="),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nread=b\nuntil=x\n", "used with after="),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nforgets=yes\n", "process="),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\ndesktops=*\n", "left out for a setting of every desktop"),
    ("[desktop]\ndesktops=X\n\(Self.scheme)desktops=X\n", "left out for kind=scheme"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nguess=dark\n", "-dark"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nguess=-dark\n", "installed="),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\ninstalled=/usr/x\n", "{value}"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nchanged=x\n", "Notify"),
    ("[desktop]\ndesktops=X\n[setting a]\nfile=~/x\nkey=nogroup\n", "GROUP/KEY"),
    ("[desktop]\ndesktops=X\n[setting a]\nwrite=a\nreset=b\nkey=A/b\n", "file="),
    ("[desktop]\ndesktops=X\nsettle=1 s\n[setting a]\nwrite=a\nreset=b\n", "number"),
    ("[desktop]\ndesktops=X\n[setting]\nwrite=a\nreset=b\n", "setting with a name"),
  ])
  func `a mistake is told with what is right`(text: String, words: String) {
    let remarks = file(text).remarks
    #expect(remarks.contains { $0.text.contains(words) }, "\(remarks)")
  }

  @Test func `an app for certain desktops is proposed there, and where the desktop has no name`() throws {
    let text = "[app]\ndesktops=Hyprland;niri\n[terminal]\nprocess=x\n"
    let app = try #require(AppFile(name: "x", Array(text.utf8)).app)
    #expect(app.isProposed(on: ["hyprland"]) && app.isProposed(on: []) && !app.isProposed(on: ["sway", "wlroots"]))
    #expect(try #require(file("[terminal]\nprocess=x\n").app).isProposed(on: ["sway"]))
  }

  @Test func `two settings cannot both be the scheme`() {
    let other = Self.scheme.replacing("color-scheme]", with: "other]")
    #expect(file("[desktop]\ndesktops=X\n" + Self.scheme + other).remarks.contains { $0.text.contains("kind=scheme") })
  }

  @Test(arguments: [
    ("'prefer-dark'", "prefer-dark"), ("\"it's\"", "it's"), ("'a\\'b\\\\'", "a'b\\"), ("plain", "plain"), ("'", "'"),
    ("'a' 'b'", "'a' 'b'"), ("['a', 'b']", "['a', 'b']"), ("''", ""), ("'a\\nb'", "'a\\nb'"), ("'open\\'", "'open\\'"),
  ])
  func `GVariant's quotes are removed from a single string`(text: String, value: String) {
    #expect(Text(text).withoutVariantQuotes == Text(value))
  }

  @Test func `a value that is quoted for gsettings is the same again`() {
    for text: Text in ["a", "it's", "\\", "\"", "a\\'b", "ä", "'x'"] {
      #expect(text.quotedAsVariant.withoutVariantQuotes == text)
    }
  }

  @Test func `a value cannot end a part of a word in a program's own language`() {
    let words: [Text] = ["swaymsg", "output * bg '{value}' fill"]
    #expect(App.DesktopSetting.words(words, value: "/a b/c.png") == ["swaymsg", "output * bg '/a b/c.png' fill"])
    for value: Text in ["/a'; exec x", "/a\"", "/a;b", "/a,b", "/a\\"] {
      #expect(App.DesktopSetting.words(words, value: value) == nil)
      #expect(App.DesktopSetting.words(["set", "{value}"], value: value) == ["set", value])
      #expect(App.DesktopSetting.words(["set", "{quoted}"], value: value) == ["set", value.quotedAsVariant])
    }
  }
}
