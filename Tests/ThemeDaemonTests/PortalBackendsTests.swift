import Foundation
import Testing
import ThemedInterface
import ThemedSystem
import ThemedTestSupport

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
    _ desktops: [Text], _ lists: [Text: [Text]]? = nil, rule: PortalBackends.Rule = .listed
  ) -> [Text] {
    PortalBackends(
      installed: installed, preferences: lists.map { [.init(path: "/portals.conf", lists: $0)] } ?? [],
      desktops: desktops, rule: rule
    ).chosen.map(\.name)
  }

  @Test func `up to 1.16 all are asked, those that are made for the desktop first`() {
    #expect(chosen(["GNOME"], rule: .all) == ["gtk", "darkman", "kde"])
    #expect(chosen(["ubuntu", "KDE"], rule: .all) == ["kde", "darkman", "gtk"])
    #expect(chosen([], ["default": ["none"]], rule: .all) == ["darkman", "gtk", "kde"])
  }

  @Test(
    arguments: [("X-Cinnamon", "xapp"), ("XFCE", "xapp"), ("COSMIC", "cosmic"), ("GNOME", "gnome"), ("KDE", "kde")]
      as [(Text, Text)])
  func `of the oldest, ours is asked first on every desktop with a backend of its own`(desktop: Text, name: Text) throws
  {
    let scratch = try ScratchDirectory()
    let own = "packaging/aaa-themed.portal"
    try scratch.write(String(contentsOfFile: "\(Products.package)/\(own)", encoding: .utf8), to: "aaa-themed.portal")
    try scratch.write(
      """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.\(name)
      Interfaces=org.freedesktop.impl.portal.Settings;
      UseIn=\(name == "xapp" ? "X-Cinnamon;MATE;XFCE" : desktop);

      """, to: "\(name).portal")
    let environment: [Text: Text] = [
      "XDG_DESKTOP_PORTAL_DIR": Text(scratch.path(".")), "XDG_CURRENT_DESKTOP": desktop,
    ]
    let backends = PortalBackends(environment: environment, of: (1, 16, 0))
    #expect(backends.chosen.map(\.name) == ["aaa-themed", name])
  }

  @Test func `where the portal's environment may not be read, the user manager's holds, and ours without one`() throws {
    let scratch = try ScratchDirectory()
    try scratch.write(
      "[portal]\nDBusName=org.freedesktop.impl.portal.desktop.kde\nInterfaces=\(PortalBackends.settings)\nUseIn=KDE\n",
      to: "kde.portal")
    let manager: [Text: Text] = [
      "XDG_DESKTOP_PORTAL_DIR": Text(scratch.path(".")), "XDG_CURRENT_DESKTOP": "KDE",
    ]
    // No process has this number.
    let nobody = UInt32.max
    let below = PortalBackends.downstream(process: nobody, interface: 2, manager: manager)
    #expect(below == ["org.freedesktop.impl.portal.desktop.kde"])
    // It is tried again.
    #expect(PortalBackends.downstream(process: nobody, interface: 2, manager: nil) == nil)
    #expect(PortalProgram.environment(ofPortal: nobody, manager: [:]) == PortalProgram.own)
    let process = UInt32(ProcessInfo.processInfo.processIdentifier)
    #expect(PortalProgram.environment(ofPortal: process, manager: manager) == PortalProgram.own)
  }

  @Test func `where no portals.conf names one, ours takes nobody's place on a desktop without a backend of its own`()
    throws
  {
    let scratch = try ScratchDirectory()
    let own = "packaging/aaa-themed.portal"
    try scratch.write(String(contentsOfFile: "\(Products.package)/\(own)", encoding: .utf8), to: "aaa-themed.portal")
    try scratch.write(
      "[portal]\nDBusName=org.freedesktop.impl.portal.desktop.gtk\nInterfaces=\(PortalBackends.settings);\nUseIn=gnome\n",
      to: "gtk.portal")
    for desktop in ["sway", "Hyprland", "i3", ""] as [Text] {
      let environment: [Text: Text] = [
        "XDG_DESKTOP_PORTAL_DIR": Text(scratch.path(".")), "XDG_CURRENT_DESKTOP": desktop,
      ]
      #expect(PortalBackends(environment: environment, of: (1, 20, 0)).chosen.map(\.name) == ["gtk"], "\(desktop)")
      #expect(PortalBackends(environment: environment, of: (1, 16, 0)).chosen.first?.name == "aaa-themed", "\(desktop)")
    }
  }

  @Test func `of the oldest, names are compared with their ending`() {
    let two = [Self.backend("a"), Self.backend("a-b")]
    #expect(PortalBackends(installed: two, rule: .all).chosen.map(\.name) == ["a-b", "a"])
    let lists: [Text: [Text]] = ["default": ["*"]]
    let preferences = [PortalBackends.Preference(path: "", lists: lists)]
    #expect(PortalBackends(installed: two, preferences: preferences).chosen.map(\.name) == ["a", "a-b"])
  }

  @Test func `up to 1.19.0 those that are named are asked, in no order of theirs, and nobody else`() {
    let settings = PortalBackends.settings
    #expect(chosen(["KDE"], rule: .named) == [])
    #expect(chosen(["KDE"], ["default": ["gtk", "kde"]], rule: .named) == ["kde", "gtk"])
    #expect(chosen(["KDE"], ["default": ["*"]], rule: .named) == ["kde", "darkman", "gtk"])
    #expect(chosen(["KDE"], ["default": ["gtk"], settings: ["absent"]], rule: .named) == [])
    #expect(chosen(["KDE"], ["default": ["gtk"], settings: ["none"]], rule: .named) == [])
  }

  @Test(arguments: [
    ((1, 16, 0), PortalBackends.Rule.all), ((1, 17, 0), .all), ((1, 17, 1), .named), ((1, 18, 4), .named),
    ((1, 19, 0), .named), ((1, 19, 1), .listed), ((2, 0, 0), .listed),
  ])
  func `the version decides how they are chosen`(version: PortalProgram.Version, rule: PortalBackends.Rule) {
    #expect(PortalBackends.Rule(version) == rule)
  }

  @Test func `from 1.21.1 on, what a file does not say the next one may`() {
    var backends = PortalBackends(installed: installed, desktops: ["KDE"])
    backends.preferences = [
      .init(path: "/1", lists: ["org.freedesktop.impl.portal.FileChooser": ["gtk"]]),
      .init(path: "/2", lists: ["default": ["darkman"]]), .init(path: "/3", lists: ["default": ["none"]]),
    ]
    #expect(backends.chosen.map(\.name) == ["darkman"])
    backends.preferences[1].lists = ["default": ["absent"]]
    #expect(backends.chosen == [])
  }

  @Test(arguments: [
    ("DBusName=org.a.b\nInterfaces=\n", "UseIn is missing"), ("Interfaces=\nUseIn=x\n", "DBusName is missing"),
    ("DBusName=org\nInterfaces=\nUseIn=x\n", "not a valid bus name"),
    ("DBusName=org..a\nInterfaces=\nUseIn=x\n", "not a valid bus name"),
    ("DBusName=org.1a\nInterfaces=\nUseIn=x\n", "not a valid bus name"),
    ("DBusName=org.a.b\nUseIn=x\n", "Interfaces is missing"),
    ("DBusName=org.a.b\nInterfaces=org.example.A\nUseIn=x\n", "'org.example.A' is not an interface"),
    ("DBusName=org.a.b\nInterfaces=org.freedesktop.impl.portal.A-b\nUseIn=x\n", "not an interface"),
    ("DBusName=org.a-b\nInterfaces=org.freedesktop.impl.portal.Settings;\nUseIn=\n", nil),
  ])
  func `a file is taken whole or not at all, as the portal does`(text: String, refusal: String?) throws {
    let scratch = try ScratchDirectory()
    try scratch.write("[portal]\n" + text, to: "a.portal")
    let environment: [Text: Text] = ["XDG_DESKTOP_PORTAL_DIR": Text(scratch.path(""))]
    let read = PortalBackends(environment: environment, of: (1, 16, 0))
    #expect(read.installed.count == (refusal == nil ? 1 : 0))
    #expect(read.refused.count == (refusal == nil ? 0 : 1))
    if let refusal { #expect(read.refused.first?.reason.contains(refusal) == true, "\(read.refused)") }
    let newer = PortalBackends(environment: environment, of: (1, 18, 0))
    #expect(newer.refused.isEmpty == (refusal == nil || refusal == "UseIn is missing"))
  }

  @Test func `places that are named with a slash at their end are shown as others are`() {
    let places = PortalBackends.Places([
      "HOME": "/h", "XDG_CONFIG_HOME": "/c/", "XDG_CONFIG_DIRS": "/etc/xdg/", "XDG_DATA_DIRS": "/usr/share/gnome:/s//",
    ])
    #expect(places.backends.contains("/s/xdg-desktop-portal/portals"))
    #expect(places.configuration.contains("/c/xdg-desktop-portal"))
    #expect((places.backends + places.configuration).allSatisfy { !$0.string.contains("//") }, "\(places)")
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
      "XDG_DATA_HOME": Text(scratch.path("data") + "/"), "XDG_DATA_DIRS": "/nowhere/",
      "XDG_CONFIG_HOME": Text(scratch.path("config")),
      "XDG_CONFIG_DIRS": "/nowhere", "XDG_CURRENT_DESKTOP": "../../evil:Sway",
    ]
    let newest = (1, 21, 1)
    let read = PortalBackends(environment: environment, of: newest)
    #expect(read.desktops == ["Sway"])
    #expect(
      read.installed.first
        == .init(name: "mine", busName: "org.example.impl", interfaces: [PortalBackends.settings], useIn: ["sway"]))
    #expect(!read.installed.contains { $0.name == "broken" })
    #expect(
      read.refused == [
        .init(path: Text(scratch.path("data/xdg-desktop-portal/portals/broken.portal")), reason: "DBusName is missing")
      ])
    #expect(
      PortalBackends(environment: environment, of: (1, 20, 0)).installed.first?.name != "mine", "only the system's")
    #expect(
      read.preferences.first
        == .init(
          path: scratch.path("data/xdg-desktop-portal/sway-portals.conf"), lists: ["default": ["mine", "gtk"]]))

    try scratch.write("[preferred]\ndefault=none\n", to: "config/xdg-desktop-portal/portals.conf")
    #expect(PortalBackends(environment: environment, of: newest).chosen == [])
    #expect(PortalBackends(environment: environment, of: newest).preferences.count == 2)
    #expect(PortalBackends(environment: environment, of: (1, 21, 0)).preferences.count == 1, "it masks the other")

    environment["XDG_DESKTOP_PORTAL_DIR"] = Text(scratch.path("data/xdg-desktop-portal/portals"))
    let arranged = PortalBackends(environment: environment, of: newest)
    #expect(arranged.installed.map(\.name) == ["mine"])
    #expect(arranged.preferences == [])
    #expect(PortalBackends(environment: environment, of: (1, 16, 0)).chosen.map(\.name) == ["mine"])
  }

  @Test(arguments: [("xdg-desktop-portal 1.16.0", 16), ("1.20.3", 20)])
  func `the version is read from what the portal prints`(text: String, minor: Int) {
    #expect(PortalProgram.parse(Text(text))?.0 == 1)
    #expect(PortalProgram.parse(Text(text))?.1 == minor)
    #expect(PortalProgram.parse("Unknown option") == nil)
  }

  @Test func `a portal whose program was replaced while it runs tells its own version`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path("xdg-desktop-portal")
    try FileManager.default.copyItem(atPath: "/usr/bin/sleep", toPath: path)
    // What it is called by is asked, and what it says of itself is all that is read.
    let own = try #require(Program.run([path, "--version"])?.lines.first.flatMap(PortalProgram.parse))
    let portal = Process()
    (portal.executableURL, portal.arguments) = (URL(filePath: path), ["1000"])
    try portal.run()
    defer {
      // A thread of tasks blocks all other signals, and so does what it starts.
      kill(portal.processIdentifier, SIGKILL)
      portal.waitUntilExit()
    }
    let process = UInt32(portal.processIdentifier)
    try eventually { PortalProgram(process: process, manager: nil).version.map { $0 == own } == true }
    try FileManager.default.removeItem(atPath: path)
    try scratch.write("#!/bin/sh\necho xdg-desktop-portal 99.9.9\n", to: "xdg-desktop-portal")
    try eventually { PortalProgram(process: process, manager: nil).version.map { $0 == own } == true }
  }

  @Test func `of a portal of no known version nothing is expected that only newer ones do`() {
    let backends = PortalBackends(installed: installed, desktops: ["X-Cinnamon", "GNOME"])
    func facts(_ version: PortalProgram.Version?) -> PortalChainFacts {
      var chain = PortalChainFacts()
      chain.learn(backends, [:], version)
      return chain
    }
    #expect(facts((1, 21, 1)).fallsThrough && facts((1, 21, 1)).readsUsersBackends)
    #expect(!facts(nil).fallsThrough && !facts(nil).readsUsersBackends)
    #expect(facts(nil).desktop == "x-cinnamon")
  }
}
