import Glibc
import ThemeModel
import ThemedSystem

/// The colours of terminals that have only a few.
private enum TerminalPalette {
  /// The sixteen colours as xterm has them by default.
  static let usual = [
    "000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5", "7f7f7f", "ff0000", "00ff00",
    "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff",
  ].map { OKLab(Color(hexadecimal: Text($0)) ?? .black) }

  /// The colours from 16 to 255, which users do not change: a cube, and greys.
  static let fixed: [OKLab] = {
    let steps = [0, 95, 135, 175, 215, 255]
    let cube = steps.flatMap { red in steps.flatMap { green in steps.map { (red, green, $0) } } }
    let greys = (0..<24).map { (8 + 10 * $0, 8 + 10 * $0, 8 + 10 * $0) }
    return (cube + greys).map { red, green, blue in
      OKLab(Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255) ?? .black)
    }
  }()
}

extension Color {
  /// The number of the most similar of the 256 colours, without the first sixteen, which users change.
  var nearestOf256: Int {
    let own = OKLab(self)
    return 16
      + (TerminalPalette.fixed.indices.min {
        own.distance(to: TerminalPalette.fixed[$0]) < own.distance(to: TerminalPalette.fixed[$1])
      } ?? 0)
  }

  /// The number of the one of the sixteen colours that is closest in meaning.
  ///
  /// All sixteen are grey or glaring: by distance alone, a dull colour would become grey, and every colour of a quiet
  /// theme the same. So a colour with a visible hue keeps the nearest hue.
  var nearestOf16: Int {
    let own = OKLab(self)
    return TerminalPalette.usual.indices.filter { TerminalPalette.usual[$0].hasHue == own.hasHue }
      .min { own.difference(to: TerminalPalette.usual[$0]) < own.difference(to: TerminalPalette.usual[$1]) } ?? 0
  }
}

extension OKLab {
  private var chroma: Double { (greenRed * greenRed + blueYellow * blueYellow).squareRoot() }

  /// Whether people would name its hue; a colour that is nearly black or white needs more chroma for that.
  fileprivate var hasHue: Bool {
    chroma >= 0.04 + 0.15 * max(0, abs(lightness - 0.6) - 0.15)
  }

  /// The distance to another colour in lightness, and if both have a hue, in hue, whatever their chroma.
  fileprivate func difference(to other: OKLab) -> Double {
    let light = toe - other.toe
    guard hasHue, other.hasHue else { return light * light }
    let red = greenRed / chroma - other.greenRed / other.chroma
    let yellow = blueYellow / chroma - other.blueYellow / other.chroma
    return light * light + 0.4 * (red * red + yellow * yellow)
  }

  /// The lightness relative to white (Ottosson's L_r of 2021): half of it looks half as light.
  private var toe: Double {
    let (low, bend) = (0.206, 0.03)
    let rest = (1 + low) / (1 + bend) * lightness
    return 0.5 * (rest - low + ((rest - low) * (rest - low) + 4 * bend * rest).squareRoot())
  }
}
