import Glibc
import Testing
import ThemedInterface
import ThemedModel
import ThemedDBus
import ThemedSystem
import ThemedTestSupport

@testable import ThemeTray

@Suite struct TrayTests {
  private let now: Int64 = 1_800_000_000

  private func tray(_ events: Tray.Event...) -> Tray {
    var tray = Tray()
    for event in events { _ = tray.handle(event, now: now) }
    return tray
  }

  private func state(
    _ scheme: ColorScheme, by rule: Rule = .portal, theme: Text? = nil, expiresAt: Int64? = nil,
    untilDesktopChanges: Bool = false
  ) -> Tray.Event {
    let origin = Origin(
      rule, expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges)
    return .state(State(scheme: scheme, desktop: .light, theme: theme, origins: ["scheme": origin]))
  }

  private func chosen(_ tray: Tray) -> [Text] { tray.menu.all.filter { $0.isChosen == true }.compactMap(\.label) }

  private func id(_ label: Text, _ tray: Tray) throws -> Int32 {
    try #require(tray.menu.all.first { $0.label == label }).id
  }

  @Test func `the icon and the tooltip say what is shown and why`() {
    var tray = tray(state(.dark, by: .override))
    #expect(tray.look.icon == "themed-dark-symbolic")
    #expect(tray.look.sentence == "Dark, because you set it; the desktop asks for light.")
    let effects = tray.handle(state(.light), now: now)
    #expect(effects.contains(.newIcon) && effects.contains(.newToolTip))
    #expect(tray.look.icon == "themed-light-symbolic" && tray.look.sentence == "Light, as the desktop asks.")
    #expect(tray.handle(state(.light), now: now) == [.wake(nil), .look])
  }

  @Test func `while the desktop is kept in step, the sentence is silent about what it asked for`() {
    let tray = tray(state(.dark, by: .override), .surroundings(Tray.Surroundings(isInStep: true)))
    #expect(tray.look.sentence == "Dark, because you set it.")
  }

  @Test func `if the settings window is installed, the last entry opens it, also without a daemon`() throws {
    var tray = Tray(hasWindow: true)
    for event in [Tray.Event.connected(false), state(.dark), .themes([])] {
      _ = tray.handle(event, now: now)
      #expect(tray.menu.children.last?.label == "Settings")
      #expect(tray.handle(.chosen(try id("Settings", tray)), now: now) == [.openWindow])
    }
    var other = self.tray(state(.dark))
    #expect(!other.menu.all.contains { $0.label == "Settings" })
    #expect(other.handle(.chosen(Tray.Entry.window.rawValue), now: now) == [])
  }

  @Test func `a click switches until the next switch, a middle click goes back to automatic`() {
    var tray = tray(state(.light))
    #expect(tray.handle(.activated, now: now) == [.change(.toggle)])
    #expect(tray.handle(.secondary, now: now) == [.change(.clear([.scheme]))])
  }

  @Test func `without a daemon the item is passive, and a click does nothing`() throws {
    var tray = Tray()
    #expect(tray.look.status == "Passive" && tray.look.sentence == "themed is not running.")
    for event in [Tray.Event.activated, .secondary, .opened, .chosen(try id("Dark", tray))] {
      #expect(tray.handle(event, now: now) == [])
    }
    #expect(tray.handle(state(.dark), now: now).contains(.newStatus("Active")))
  }

  @Test func `a daemon that restarts leaves the item as it is, and one that stays away makes it passive`() {
    var tray = tray(state(.dark))
    #expect(tray.handle(.connected(false), now: now) == [.wake(Limits.lastGood)])
    // The source does not give the same state again.
    #expect(tray.handle(.connected(true), now: now) == [.wake(nil), .look])
    #expect(tray.handle(.woken, now: now) == [])
    #expect(tray.look.status == "Active" && tray.look.sentence == "Dark, as the desktop asks.")
    _ = tray.handle(.connected(false), now: now)
    let effects = tray.handle(.woken, now: now)
    #expect(effects.contains(.newStatus("Passive")) && effects.contains(.newToolTip))
    #expect(tray.handle(.activated, now: now) == [])
    #expect(tray.handle(.connected(true), now: now).contains(.newStatus("Active")))
    #expect(tray.look.icon == "themed-dark-symbolic")
  }

  @Test func `a failed change is in the menu for one opening, and not after the daemon is gone`() {
    func isShown(_ tray: Tray) -> Bool { tray.menu.all.contains { $0.label == "it failed" } }
    var tray = tray(state(.dark), .changed(trouble: "it failed"))
    // Panels report an opening twice.
    for _ in 1...2 { #expect(tray.handle(.opened, now: now) == [.look] && isShown(tray)) }
    #expect(tray.handle(.opened, now: now + 60) == [.look, .layout] && !isShown(tray))
    _ = tray.handle(.changed(trouble: "it failed"), now: now + 60)
    #expect(tray.handle(.opened, now: now + 61) == [.look] && isShown(tray))
    for event in [Tray.Event.connected(false), .woken] { _ = tray.handle(event, now: now + 62) }
    #expect(!isShown(tray))
  }

  @Test func `without a report of the daemon, nothing that an earlier one said is shown`() {
    let report = Tray.Surroundings(isInStep: true, problem: "it is wrong")
    var tray = tray(state(.dark, by: .override), .surroundings(report))
    #expect(tray.handle(.surroundings(nil), now: now).contains(.newToolTip))
    #expect(tray.look.sentence == "Dark, because you set it; the desktop asks for light.")
    #expect(!tray.menu.all.contains { $0.label == "it is wrong" })
  }

  @Test func `the menu checks what decides: a side that the user set, or automatic`() throws {
    #expect(chosen(tray(state(.dark))) == ["Automatic"])
    #expect(chosen(tray(state(.dark, by: .override))) == ["Dark", "Until You Change It"])
    #expect(
      chosen(tray(state(.light, by: .override, untilDesktopChanges: true))) == ["Light", "Until the Next Switch"])
    let end = try #require(tomorrow(after: now))
    #expect(chosen(tray(state(.light, by: .override, expiresAt: end))) == ["Light", "Until Tomorrow"])
    #expect(chosen(tray(state(.light, by: .override, expiresAt: end - 60))) == ["Light"])
  }

  @Test func `an entry asks for what it says, and an end only for an override that is in force`() throws {
    var tray = tray(state(.light))
    #expect(tray.handle(.chosen(try id("Dark", tray)), now: now) == [.change(.set(Override(scheme: .dark)))])
    #expect(tray.handle(.chosen(try id("Until Tomorrow", tray)), now: now) == [])
    _ = tray.handle(state(.dark, by: .override), now: now)
    let end = try #require(tomorrow(after: now))
    #expect(
      tray.handle(.chosen(try id("Until Tomorrow", tray)), now: now)
        == [.change(.set(Override(scheme: .dark, expiresAt: end)))])
    #expect(
      tray.handle(.chosen(try id("Until the Next Switch", tray)), now: now)
        == [.change(.set(Override(scheme: .dark, untilDesktopChanges: true)))])
    #expect(tray.handle(.chosen(try id("Automatic", tray)), now: now) == [.change(.clear([.scheme]))])
  }

  @Test func `the next day begins at midnight by the local clock`() throws {
    let end = try #require(tomorrow(after: now))
    #expect(end > now && end - now <= 25 * 3600)
    #expect(clockText(end, as: "%H:%M:%S") == "00:00:00")
  }

  @Test func `a theme is chosen for the sides that it has, and a faulty one is left out`() throws {
    let swatch: [Role: Color] = [:]
    let list = [
      ThemeListing(name: "both", path: "/b", title: "Both_of them", swatches: [.light: swatch, .dark: swatch]),
      ThemeListing(name: "faulty", path: "/f", problem: "it is empty"),
      ThemeListing(name: "night", path: "/n", title: "Night\u{1B}[31m\u{202E}", swatches: [.dark: swatch]),
    ]
    var tray = tray(state(.dark, theme: "night"), .themes(list))
    let entries = try #require(tray.menu[Tray.Entry.themes.rawValue]).children.compactMap(\.label)
    // An underscore would underline the next letter, and control characters are commands.
    #expect(entries == ["As Configured", "Both__of them", "Night?[31m?"])
    #expect(chosen(tray).last == "Night?[31m?")
    let (both, night) = (try id("Both__of them", tray), try id("Night?[31m?", tray))
    #expect(
      tray.handle(.chosen(both), now: now)
        == [.change(.set(Override(lightTheme: "both", darkTheme: "both")))])
    #expect(tray.handle(.chosen(night), now: now) == [.change(.set(Override(darkTheme: "night")))])
    // A click on a list that has changed meanwhile chooses nothing else.
    #expect(tray.handle(.themes(Array(list.dropFirst())), now: now) == [.layout])
    #expect(tray.handle(.chosen(both), now: now) == [] && tray.handle(.chosen(night), now: now) == [])
  }

  @Test func `the menu has a limited number of themes, with titles of limited length`() throws {
    let title = Text(String(repeating: "ä", count: 1000))
    let list = (0..<500).map { ThemeListing(name: "t\($0)", path: "/t", title: title, swatches: [.dark: [:]]) }
    let themes = try #require(tray(state(.dark), .themes(list)).menu[Tray.Entry.themes.rawValue]).children.dropFirst(2)
    #expect(themes.count == Limits.themes)
    #expect(themes.allSatisfy { ($0.label?.count ?? 0) <= Limits.title + 3 })
  }

  @Test func `a change of properties is told as such, and another list as a new layout`() {
    var tray = tray(state(.light))
    let before = tray.revision
    let effects = tray.handle(state(.dark, by: .override), now: now)
    #expect(tray.revision == before + 1)
    let labels = effects.flatMap { effect in
      if case .entries(let entries) = effect { entries.compactMap(\.label) } else { [Text]() }
    }
    #expect(
      labels == [
        "Dark, because you set it.", "Dark", "Automatic", "Until the Next Switch",
        "Until Tomorrow", "Until You Change It",
      ])
    #expect(tray.handle(.changed(trouble: "it failed"), now: now) == [.layout])
    #expect(tray.menu.children[1].label == "it failed")
    #expect(tray.handle(.surroundings(nil), now: now) == [])
    #expect(tray.handle(.changed(trouble: nil), now: now) == [.layout])
  }

  @Test func `the layout stops at the depth that a panel asks for, and has only the properties that it names`() {
    let menu = MenuEntry(0, children: [MenuEntry(1, "a", children: [MenuEntry(2, "b", isChosen: false)])])
    func label(_ text: Text) -> Value { .structure([.string("label"), .variant(.string(text))]) }
    let inner = Value.structure([.int32(2), .array([label("b")]), .array([])])
    #expect(
      menu.layout(depth: -1, ["label"])
        == .structure([
          .int32(0), .array([]),
          .array([
            .typed("(ia{sv}av)", .structure([.int32(1), .array([label("a")]), .array([.typed("(ia{sv}av)", inner)])]))
          ]),
        ]))
    #expect(menu.layout(depth: 0, ["label"]) == .structure([.int32(0), .array([]), .array([])]))
    #expect(menu[2]?.properties.map(\.name) == ["label", "enabled", "toggle-type", "toggle-state"])
  }

  @Test func `the drawn icons differ, cover a part of their square, and have the size that they name`() {
    func opacities(_ scheme: ColorScheme) -> [UInt8] {
      guard case .structure(let parts) = Picture(of: scheme).value, parts[0] == .int32(32), parts[1] == .int32(32),
        case .bytes(let bytes) = parts[2], bytes.count == 32 * 32 * 4
      else { return [] }
      return stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }
    }
    for scheme in [ColorScheme.light, .dark] {
      let share = Double(opacities(scheme).count { $0 > 127 }) / 1024
      #expect((0.15...0.5).contains(share), "\(scheme)")
    }
    #expect(opacities(.light) != opacities(.dark))
  }
}
