import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// Palettes: what is given stays, and everything else is derived.
@Suite struct PaletteTests {
  @Test("A side that gives nothing is black on white, or white on black, and all its text can be read")
  func empty() {
    for scheme in ColorScheme.allCases {
      let palette = Palette([:], for: scheme)
      #expect(palette[.background] == (scheme == .light ? .white : .black))
      #expect(palette[.text] == (scheme == .light ? .black : .white))
      #expect(palette.contrasts.filter { !$0.isReadable } == [])
    }
  }

  @Test("Every role has a colour, whatever a side gives, and what it gives stays")
  func total() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      var given: [Role: Color] = [:]
      for role in Role.all where Int.random(in: 0..<4, using: &random) == 0 {
        given[role] = ColorTests.samples.randomElement(using: &random)
      }
      for scheme in ColorScheme.allCases {
        let palette = Palette(given, for: scheme)
        #expect(palette.all.map(\.role) == Role.all)
        for (role, color) in given { #expect(palette[role] == color.rounded) }
        for (_, color) in palette.all { #expect(color == color.rounded) }
      }
    }
  }

  @Test("A base16 scheme's slots are what the semantic roles are made of")
  func slots() {
    var given: [Role: Color] = [:]
    // All that is text can be read as it is.
    for (index, role) in Role.base16Slots.enumerated() { given[role] = gray(index < 3 ? index * 16 : 112 + index * 8) }
    given[.base0D] = Color(hexadecimal: "#7cafc2")
    let palette = Palette(given, for: .dark)
    let same: [(Role, Role)] = [
      (.background, .base00), (.surface, .base01), (.selection, .base02), (.separator, .base02), (.text, .base05),
      (.secondaryText, .base04), (.disabledText, .base03), (.primary, .base0D), (.secondary, .base0E),
      (.error, .base08),
      (.warning, .base0A), (.success, .base0B), (.info, .base0C), (.cursor, .base05), (.base10, .base00),
      (.base11, .base00), (.base12, .base08), (.base13, .base0A), (.base14, .base0B), (.base15, .base0C),
      (.base16, .base0D), (.base17, .base0E),
    ]
    for (role, slot) in same { #expect(palette[role] == palette[slot], "\(role) is \(slot)") }
    let terminal: [Role] = [
      .base00, .base08, .base0B, .base0A, .base0D, .base0E, .base0C, .base05, .base03, .base12, .base14, .base13,
      .base16,
      .base17, .base15, .base07,
    ]
    #expect(Role.ansi.map { palette[$0] } == terminal.map { palette[$0] })
  }

  @Test("Slots that are not given take the semantic roles' colours")
  func semantic() throws {
    let pumpkin = try #require(Color(hexadecimal: "#733105"))
    let palette = Palette([.primary: pumpkin, .surface: gray(20)], for: .dark)
    #expect(palette[.primary] == pumpkin)
    #expect(palette[.base01] == gray(20))
    // Too dark to be read on black: the link is a lighter one.
    #expect(palette[.link] != pumpkin)
    #expect(palette[.link].contrast(with: palette[.background]) >= 4.5)
    #expect(palette[.base0D] == palette[.link])
  }

  @Test("Of a terminal's colours alone, the semantic roles and the slots are made")
  func terminal() {
    let colors = ["#1d1f21", "#cc342b", "#198844", "#fba922", "#3971ed", "#a36ac7", "#50b0c5", "#c5c8c6"]
    var given: [Role: Color] = [.background: gray(20), .text: gray(200), .cursor: gray(230)]
    for (role, color) in zip(Role.ansi, colors) { given[role] = Color(color) }
    given[.ansi9] = gray(99)
    let palette = Palette(given, for: .dark)
    let same: [(Role, Role)] = [
      (.primary, .ansi4), (.secondary, .ansi5), (.warning, .ansi3), (.base08, .ansi1), (.base0D, .ansi4),
      (.base12, .ansi9), (.base14, .ansi2), (.ansi10, .ansi2), (.ansi15, .base07), (.cursorText, .background),
    ]
    for (role, other) in same { #expect(palette[role] == palette[other], "\(role.rawValue) is \(other.rawValue)") }
    // Too dark to be read: the sign is a lighter one, the slot and the terminal's stay.
    #expect(palette[.error] != palette[.ansi1])
    #expect(palette[.error].contrast(with: palette[.background]) >= 4.5)
  }

  @Test("A role that is newer has the colour that is given for it, and else can be read")
  func newer() {
    let role = Role(rawValue: "sidebar")
    #expect(Role(name: "sidebar") == nil && Role(name: "tint") == .primary)
    #expect(Palette([:], for: .dark)[role] == .white)
    let palette = Palette([role: gray(70)], for: .dark)
    #expect(palette[role] == gray(70).rounded)
    #expect(palette.all.map(\.role) == Role.all + [role])
    let half = Palette([:], for: .dark).interpolated(to: palette, fraction: 1)
    #expect(half[role] == gray(70).rounded)
    #expect(palette.interpolated(to: Palette([:], for: .dark), fraction: 0.5)[role] == gray(70).rounded)
  }

  @Test("What another role is derived from says so in words")
  func words() {
    #expect(
      Role.background.rules.map(\.description) == [
        "base00 if given", "white on the light side, black on the dark side",
      ])
    #expect(Role.selection.rules.last?.description == "30% of the way from background to primary")
    #expect(
      Role.primaryText.rules.map(\.description) == [
        "text if it is readable on primary; else black or white, whichever is easier to read on primary"
      ])
  }

  @Test("A fade of palettes begins at one and ends at the other")
  func fade() {
    let (light, dark) = (Palette([:], for: .light), Palette([:], for: .dark))
    #expect(light.interpolated(to: dark, fraction: 0) == light)
    #expect(light.interpolated(to: dark, fraction: 1) == dark)
    let middle = light.interpolated(to: dark, fraction: 0.5)
    #expect(abs(OKLab(middle[.background]).lightness - 0.5) < 0.001)
  }

  private func gray(_ value: Int) -> Color {
    let part = Double(value) / 255
    return Color(red: part, green: part, blue: part) ?? .black
  }
}
