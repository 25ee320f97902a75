package import ThemedModel
import ThemedSystem

extension Side {
  /// The contrast that text has with the background of a side from a picture: level AAA of WCAG 2.2.
  package static let pictureTextContrast = 7.0

  /// A side with the colours of a picture.
  ///
  /// Every colour for text is as light or dark as its contrast with the background and with the surface demands: 7:1
  /// for text, 4.5:1 for everything else.
  package init(of picture: PictureHues, for scheme: ColorScheme) {
    let maker = PictureSide(picture: picture, isDark: scheme == .dark)
    self.init(colors: maker.colors)
  }

  /// This side from a picture, with the images and values of its older version that do not come from a picture.
  package func keepingValues(of old: Side?) -> Side {
    guard let old else { return self }
    var side = self
    for (name, path) in old.assets where name != "wallpaper" { side.assets[name] = path }
    for (name, value) in old.values where name != "follow-wallpaper" { side.values[name] = value }
    return side
  }
}

/// Makes the colours of one side from a picture.
private struct PictureSide {
  let picture: PictureHues
  let isDark: Bool
  /// The hue of everything that is nearly grey.
  private let tone: OKLab
  private let background: Color
  private let surface: Color

  init(picture: PictureHues, isDark: Bool) {
    (self.picture, self.isDark) = (picture, isDark)
    tone = isDark ? picture.shade : picture.highlight
    let chroma = isDark ? min(tone.chroma * 0.6, 0.035) : min(tone.chroma * 0.35, 0.015)
    let lightness = isDark ? 0.16 + 0.06 * picture.lightness : 0.95 + 0.03 * picture.lightness
    let step = isDark ? 0.045 : -0.03
    background = OKLab(lightness: lightness, chroma: chroma, degrees: tone.degrees).color.rounded
    surface = OKLab(lightness: lightness + step, chroma: chroma * 1.2, degrees: tone.degrees).color.rounded
  }

  /// A colour of the terminal: its name, its number, its hue in OKLCH, how far a picture may draw it, and how much
  /// lighter than the others it looks best.
  ///
  /// Red and green stay what they are, because programs show good and bad with them.
  private static let hues: [(role: Role, bright: Role, degrees: Double, most: Double, lightness: Double)] = [
    (.ansi1, .ansi9, 25, 10, -0.03), (.ansi2, .ansi10, 145, 18, 0.03), (.ansi3, .ansi11, 90, 14, 0.06),
    (.ansi4, .ansi12, 255, 20, -0.01), (.ansi5, .ansi13, 325, 20, 0), (.ansi6, .ansi14, 200, 18, 0.03),
  ]

  var colors: [Role: Color] {
    let accent = picture.accent ?? PictureHues.Hue(degrees: tone.degrees, chroma: 0)
    let second = picture.second ?? PictureHues.Hue(degrees: accent.degrees + 50, chroma: accent.chroma * 0.8)
    let primary = readable(isDark ? 0.74 : 0.5, lively(accent), accent.degrees)
    let ground = OKLab(background).lightness
    var colors: [Role: Color] = [
      .background: background, .surface: surface, .primary: primary, .cursor: primary,
      .text: neutral(isDark ? 0.92 : 0.27, ratio: Side.pictureTextContrast),
      .secondaryText: neutral(isDark ? 0.77 : 0.43), .disabledText: neutral(isDark ? 0.64 : 0.54),
      .secondary: readable(isDark ? 0.74 : 0.5, lively(second), second.degrees),
      .selection: OKLab(
        lightness: ground + (isDark ? 0.14 : -0.1), chroma: min(lively(accent), isDark ? 0.07 : 0.05),
        degrees: accent.degrees
      ).color.rounded,
    ]
    let chroma = min(0.095 + 0.55 * picture.chroma, 0.165)
    for hue in Self.hues {
      let degrees = picture.drawn(hue.degrees, most: hue.most)
      let lightness = (isDark ? 0.72 : 0.51) + hue.lightness
      colors[hue.role] = readable(lightness, chroma, degrees)
      colors[hue.bright] = readable(lightness + (isDark ? 0.09 : -0.06), chroma * 1.1, degrees)
    }
    let orange = picture.drawn(55, most: 10)
    colors[.base09] = readable(isDark ? 0.74 : 0.51, chroma, orange)
    colors[.base0F] = readable(isDark ? 0.66 : 0.45, chroma * 0.6, orange)
    return colors
  }

  /// The chroma for an accent: at least so much that it is seen as one, unless the picture is grey.
  private func lively(_ hue: PictureHues.Hue) -> Double { min(hue.chroma * 1.2, 0.19) }

  private func neutral(_ lightness: Double, ratio: Double = Contrast.minimum) -> Color {
    readable(lightness, min(tone.chroma * 0.4, 0.018), tone.degrees, ratio: ratio)
  }

  /// The colour of this hue whose lightness is nearest to `lightness`, and which has the contrast with the background
  /// and the surface; it is as intense as `chroma`, or as a screen can show.
  private func readable(
    _ lightness: Double, _ chroma: Double, _ degrees: Double, ratio: Double = Contrast.minimum
  ) -> Color {
    func color(_ lightness: Double) -> Color {
      OKLab(lightness: lightness, chroma: chroma, degrees: degrees).color.rounded
    }
    func isReadable(_ color: Color) -> Bool {
      color.contrast(with: background) >= ratio && color.contrast(with: surface) >= ratio
    }
    if isReadable(color(lightness)) { return color(lightness) }
    // White or black always has the contrast with these backgrounds.
    var (hidden, shown) = (lightness, isDark ? 1.0 : 0.0)
    for _ in 0..<16 {
      let middle = (hidden + shown) / 2
      if isReadable(color(middle)) { shown = middle } else { hidden = middle }
    }
    return color(shown)
  }
}
