import ForeignText
import TestSupport
import Testing

@testable import ThemeDaemon

/// Which backends the portal asks, by its sources.
@Suite struct PortalBackendsTests {
  private static func backend(_ name: Text, useIn: [Text] = [], settings: Bool = true) -> PortalBackends.Backend {
    .init(
      name: name, busName: "org.freedesktop.impl.portal.desktop.\(name)",
      interfaces: settings ? [PortalBackends.settings] : ["org.freedesktop.impl.portal.FileChooser"], useIn: useIn)
  }

  private let installed = [
    backend("wlr", useIn: ["wlroots", "sway"], settings: false), backend("kde", useIn: ["KDE"]), backend("darkman"),
    backend("gtk", useIn: ["gnome"]),
  ]

  private func chosen(
    _ desktops: [Text], _ lists: [Text: [Text]]? = nil, readsPreference: Bool = true
  ) -> [Text] {
    PortalBackends(
      installed: installed, preference: lists.map { .init(path: "/portals.conf", lists: $0) }, desktops: desktops,
      readsPreference: readsPreference
    ).chosen.map(\.name)
  }

  @Test func `up to 1.16 all are asked, those that are made for the desktop first`() {
    #expect(chosen(["GNOME"], readsPreference: false) == ["gtk", "darkman", "kde"])
    #expect(chosen(["ubuntu", "KDE"], readsPreference: false) == ["kde", "darkman", "gtk"])
    #expect(chosen([], ["default": ["none"]], readsPreference: false) == ["darkman", "gtk", "kde"])
  }

  @Test func `without a preference those for the desktop are asked, else the GTK one`() {
    #expect(chosen(["kde"]) == ["kde"])
    #expect(chosen(["sway"]) == ["gtk"], "the backend for sway has no settings")
    #expect(chosen([]) == ["gtk"])
  }

  @Test func `the interface's own list comes before the default, and none is none`() {
    let settings = PortalBackends.settings
    #expect(chosen(["KDE"], ["default": ["gtk"]]) == ["gtk"])
    #expect(chosen(["KDE"], ["default": ["gtk"], settings: ["darkman", "kde"]]) == ["darkman", "kde"])
    #expect(chosen(["KDE"], ["default": ["gtk"], settings: ["none"]]) == [])
    #expect(chosen(["KDE"], ["default": ["none"]]) == [])
    #expect(chosen(["KDE"], ["default": ["none"], settings: ["kde"]]) == ["kde"])
    #expect(chosen(["KDE"], ["default": ["gtk"], settings: ["absent", "wlr"]]) == ["gtk"], "neither can")
    #expect(chosen(["KDE"], ["default": ["darkman", "*"]]) == ["darkman", "kde", "gtk"], "and the rest in order")
    #expect(chosen(["KDE"], ["default": ["wlr"]]) == ["kde"], "as if nothing was preferred")
  }

  @Test func `files are found where the portal looks for them, the user's before the system's`() throws {
    let scratch = try ScratchDirectory()
    let text = "[portal]\nDBusName=org.example.impl\nInterfaces=org.freedesktop.impl.portal.Settings;\nUseIn=sway;\n"
    try scratch.write(text, to: "data/xdg-desktop-portal/portals/mine.portal")
    try scratch.write("[portal]\n", to: "data/xdg-desktop-portal/portals/broken.portal")
    try scratch.write(text, to: "data/xdg-desktop-portal/portals/mine.txt")
    try scratch.write("[preferred]\ndefault=mine;gtk\n", to: "data/xdg-desktop-portal/sway-portals.conf")
    var environment: [Text: Text] = [
      "XDG_DATA_HOME": Text(scratch.path("data")), "XDG_DATA_DIRS": "/nowhere",
      "XDG_CONFIG_HOME": Text(scratch.path("config")),
      "XDG_CONFIG_DIRS": "/nowhere", "XDG_CURRENT_DESKTOP": "../../evil:Sway",
    ]
    let read = PortalBackends(environment: environment, readsPreference: true)
    #expect(read.desktops == ["Sway"])
    #expect(
      read.installed.first
        == .init(name: "mine", busName: "org.example.impl", interfaces: [PortalBackends.settings], useIn: ["sway"]))
    #expect(!read.installed.contains { $0.name == "broken" })
    #expect(
      read.preference
        == .init(
          path: scratch.path("data/xdg-desktop-portal/sway-portals.conf"), lists: ["default": ["mine", "gtk"]]))

    try scratch.write("[preferred]\ndefault=none\n", to: "config/xdg-desktop-portal/portals.conf")
    #expect(PortalBackends(environment: environment, readsPreference: true).chosen == [])

    environment["XDG_DESKTOP_PORTAL_DIR"] = Text(scratch.path("data/xdg-desktop-portal/portals"))
    let arranged = PortalBackends(environment: environment, readsPreference: true)
    #expect(arranged.installed.map(\.name) == ["mine"])
    #expect(arranged.preference == nil)
    #expect(PortalBackends(environment: environment, readsPreference: false).chosen.map(\.name) == ["mine"])
  }

  @Test(arguments: [("xdg-desktop-portal 1.16.0", 16), ("1.20.3", 20)])
  func `the version is read from what the portal prints`(text: String, minor: Int) {
    #expect(PortalProgram.parse(Text(text))?.0 == 1)
    #expect(PortalProgram.parse(Text(text))?.1 == minor)
    #expect(PortalProgram.parse("Unknown option") == nil)
  }
}
