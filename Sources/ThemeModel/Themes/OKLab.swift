internal import Glibc

/// A colour in OKLab (Björn Ottosson, 2020), in which equal distances look about equally large.
public struct OKLab: Sendable, Hashable {
  /// How light the colour looks: 0 is black, 1 is white.
  public var lightness: Double
  /// From green (negative) to red (positive).
  public var greenRed: Double
  /// From blue (negative) to yellow (positive).
  public var blueYellow: Double

  /// The colour with these coordinates; a screen may not be able to show it.
  public init(lightness: Double, greenRed: Double, blueYellow: Double) {
    self.lightness = lightness
    self.greenRed = greenRed
    self.blueYellow = blueYellow
  }

  /// The coordinates of an sRGB colour.
  public init(_ color: Color) {
    let (red, green, blue) = color.linear
    let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    greenRed = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    blueYellow = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
  }

  /// The sRGB colour.
  ///
  /// If a screen cannot show it, this is the most intense colour (OKLCh chroma) of the same lightness and hue that a
  /// screen can show.
  public var color: Color {
    // The conversion to OKLab and back changes the last digits of a screen's colours.
    if isShown(within: 1e-6) { return Color(linear: light) }
    guard lightness > 0 else { return .black }
    guard lightness < 1 else { return .white }
    var (shown, hidden) = (0.0, 1.0)
    for _ in 0..<24 {
      let middle = (shown + hidden) / 2
      if withChroma(middle).isShown(within: 0) { shown = middle } else { hidden = middle }
    }
    return Color(linear: withChroma(shown).light)
  }

  /// The colour with this fraction of its chroma.
  private func withChroma(_ part: Double) -> OKLab {
    OKLab(lightness: lightness, greenRed: greenRed * part, blueYellow: blueYellow * part)
  }

  /// Whether a screen can show each component, within `tolerance`.
  private func isShown(within tolerance: Double) -> Bool {
    let (red, green, blue) = light
    return [red, green, blue].allSatisfy { (-tolerance...1 + tolerance).contains($0) }
  }

  /// The linear components of sRGB, which may be outside of 0 to 1.
  private var light: (red: Double, green: Double, blue: Double) {
    let l = lightness + 0.3963377774 * greenRed + 0.2158037573 * blueYellow
    let m = lightness - 0.1055613458 * greenRed - 0.0638541728 * blueYellow
    let s = lightness - 0.0894841775 * greenRed - 1.2914855480 * blueYellow
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return (
      4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
      -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
      -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3
    )
  }

  /// The distance to another colour: 1 from black to white.
  public func distance(to other: OKLab) -> Double {
    let steps = [lightness - other.lightness, greenRed - other.greenRed, blueYellow - other.blueYellow]
    return steps.map { $0 * $0 }.reduce(0, +).squareRoot()
  }

  /// The point at `fraction` of the straight line to `other`: 0 is this one, 1 is the other.
  public func interpolated(to other: OKLab, fraction: Double) -> OKLab {
    func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * fraction }
    return OKLab(
      lightness: between(lightness, other.lightness), greenRed: between(greenRed, other.greenRed),
      blueYellow: between(blueYellow, other.blueYellow))
  }
}

extension Color {
  /// The colour at `fraction` of the way to `other`, interpolated in OKLab so that the change looks even.
  ///
  /// 0 or less is exactly this colour, and 1 or more exactly the other: a finished fade shows exactly the target.
  public func interpolated(to other: Color, fraction: Double) -> Color {
    guard fraction > 0 else { return self }
    guard fraction < 1 else { return other }
    return OKLab(self).interpolated(to: OKLab(other), fraction: fraction).color
  }
}

extension Color {
  /// The linear components, by the transfer function of sRGB (IEC 61966-2-1).
  var linear: (red: Double, green: Double, blue: Double) {
    func light(_ value: Double) -> Double {
      value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return (light(red), light(green), light(blue))
  }

  /// The colour with these linear components, each limited to what a screen can show.
  fileprivate init(linear: (red: Double, green: Double, blue: Double)) {
    func value(_ light: Double) -> Double {
      light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
    self.init(clamping: (value(linear.red), value(linear.green), value(linear.blue)))
  }
}
