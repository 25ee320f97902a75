import Testing
import ThemedModel

/// What is derived from schemes that others made for other purposes.
@Suite struct PublicSchemeTests {
  @Test("Text in every role can be read on its grounds, where any colour can", arguments: PublicScheme.all)
  func readable(_ scheme: PublicScheme) {
    let palette = Palette(scheme.colors, for: scheme.side)
    let end = palette[.background].contrasting
    for contrast in palette.contrasts where !contrast.isReadable {
      // On a surface that is no shade of the background nothing may be readable that is so on both.
      let isHopeless = contrast.ground == .surface && end.contrast(with: palette[.surface]) < Contrast.minimum
      #expect(isHopeless, "\(contrast.text.rawValue) on \(contrast.ground.rawValue): \(contrast.ratio)")
    }
  }

  @Test("Text that matters less is not fainter than what can hardly be seen", arguments: PublicScheme.all)
  func order(_ scheme: PublicScheme) {
    let palette = Palette(scheme.colors, for: scheme.side)
    let (secondary, disabled) = (palette[.secondaryText], palette[.disabledText])
    #expect(secondary.contrast(with: palette[.background]) >= disabled.contrast(with: palette[.background]))
  }

  @Test("The slots stay as they are, for who draws with them", arguments: PublicScheme.all)
  func slots(_ scheme: PublicScheme) {
    #expect(scheme.colors.count == 16)
    let palette = Palette(scheme.colors, for: scheme.side)
    for (slot, color) in scheme.colors { #expect(palette[slot] == color, "\(slot.rawValue)") }
  }

  @Test("What can be read as it is stays as it is", arguments: PublicScheme.all)
  func kept(_ scheme: PublicScheme) throws {
    let palette = Palette(scheme.colors, for: scheme.side)
    let (background, surface) = (palette[.background], palette[.surface])
    for (role, slot) in [(Role.error, Role.base08), (.warning, .base0A), (.success, .base0B), (.info, .base0C)] {
      let color = try #require(scheme.colors[slot])
      if color.contrast(with: background) >= Contrast.minimum { #expect(palette[role] == color) }
    }
    for (role, slot) in [(Role.text, Role.base05), (.secondaryText, .base04)] {
      let color = try #require(scheme.colors[slot])
      let isReadable = [background, surface].allSatisfy { color.contrast(with: $0) >= Contrast.minimum }
      if isReadable { #expect(palette[role] == color) }
    }
  }
}
