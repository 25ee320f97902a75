internal import Glibc
public import ThemedSystem

/// An sRGB colour, each component from 0 to 1.
public struct Color: Sendable, Hashable {
  /// Red, 0 to 1.
  public let red: Double
  /// Green, 0 to 1.
  public let green: Double
  /// Blue, 0 to 1.
  public let blue: Double

  // The portal sends a component out of range if no colour is set.
  /// Creates a colour; nil if a component is not a number from 0 to 1.
  public init?(red: Double, green: Double, blue: Double) {
    guard (0...1).contains(red), (0...1).contains(green), (0...1).contains(blue) else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#ffffff`.
  public static let white = Color(clamping: (1, 1, 1))
  /// `#000000`.
  public static let black = Color(clamping: (0, 0, 0))

  /// The colour with each component limited to 0 to 1; NaN becomes 0.
  private init(clamping components: (red: Double, green: Double, blue: Double)) {
    func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
    red = clamped(components.red)
    green = clamped(components.green)
    blue = clamped(components.blue)
  }
}

// MARK: As text

extension Color {
  /// Reads `#rrggbb` or `#rgb`, in upper or lower case, with or without `#`; nil for any other text.
  ///
  /// ```swift
  /// let red = Color("#ff0000")
  /// ```
  public init?(_ hexadecimal: String) { self.init(hexadecimal: Text(hexadecimal)) }

  /// Reads foreign text like ``init(_:)``.
  public init?(hexadecimal text: Text) {
    guard text.count <= 7 else { return nil }
    var digits = Array(text.utf8)
    if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    guard digits.count == 6, digits.allSatisfy(\.isHexadecimalDigit),
      let value = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    self.init(red8: value >> 16, green8: value >> 8 & 0xFF, blue8: value & 0xFF)
  }

  /// The colour as `#rrggbb`, in lower case; each component is rounded to eight bits.
  public var hexadecimal: String {
    let (red, green, blue) = components8
    return "#" + [red, green, blue].map { $0.hexadecimal(2) }.joined()
  }

  /// The components as whole numbers from 0 to 255.
  public var components8: (red: Int, green: Int, blue: Int) {
    (Int((red * 255).rounded()), Int((green * 255).rounded()), Int((blue * 255).rounded()))
  }

  /// The colour with each component rounded to eight bits, as in ``hexadecimal``.
  public var rounded: Color {
    let (red, green, blue) = components8
    return Color(red8: red, green8: green, blue8: blue) ?? self
  }

  private init?(red8 red: Int, green8 green: Int, blue8 blue: Int) {
    self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
  }
}

extension Color: CustomStringConvertible {
  /// The colour as in ``hexadecimal``.
  public var description: String { hexadecimal }
}

// MARK: Readable text

extension Color {
  /// How bright the colour is, from 0 (black) to 1 (white): the relative luminance of WCAG 2.2.
  public var relativeLuminance: Double {
    let (red, green, blue) = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  /// The contrast ratio of WCAG 2.2 between the two colours, from 1 (no contrast) to 21 (black and white).
  ///
  /// The order of the two colours does not matter.
  public func contrast(with other: Color) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  // The contrast is at least 4.58.
  /// Black or white, whichever has more contrast with this colour: a colour for readable text on this colour.
  public var contrasting: Color { contrast(with: .black) >= contrast(with: .white) ? .black : .white }

  /// Makes this colour readable as text on `background`, and changes it as little as possible.
  ///
  /// If this colour is readable, you get this colour. Otherwise you get the first readable colour on the way to black
  /// or white, whichever has more contrast with `background`. If no colour on the way is readable, you get that black
  /// or white.
  ///
  /// - Parameters:
  ///   - background: The colour behind the text.
  ///   - ratio: The contrast from which a colour counts as readable. On some backgrounds, no colour reaches more than
  ///     4.58.
  public func readable(on background: Color, ratio: Double = 4.5) -> Color {
    readable(on: background, and: nil, ratio: ratio)
  }

  /// Makes this colour readable on `surface`, too; if no colour is readable on both, only `background` counts.
  ///
  /// It moves through OKLab in 64 steps.
  public func readable(
    on background: Color, and surface: Color?, ratio: Double = Contrast.minimum
  ) -> Color {
    let end = background.contrasting
    var onBackground: Color?
    for step in 0...64 {
      let color = interpolated(to: end, fraction: Double(step) / 64).rounded
      guard color.contrast(with: background) >= ratio else { continue }
      guard let surface, color.contrast(with: surface) < ratio else { return color }
      onBackground = onBackground ?? color
    }
    return onBackground ?? end
  }
}

// MARK: OKLab

extension Color {
  // A finished fade of a terminal shows exactly the colour at its end.
  /// The colour at `fraction` of the way to `other`: 0 gives this colour, and 1 gives the other colour.
  ///
  /// Colours are interpolated in OKLab, so that the change looks even.
  public func interpolated(to other: Color, fraction: Double) -> Color {
    guard fraction > 0 else { return self }
    guard fraction < 1 else { return other }
    return OKLab(self).interpolated(to: OKLab(other), fraction: fraction).color
  }

  /// The linear components, by the transfer function of sRGB (IEC 61966-2-1).
  fileprivate var linear: (red: Double, green: Double, blue: Double) {
    (Self.light(red), Self.light(green), Self.light(blue))
  }

  /// The light of a component, from 0 to 1.
  public static func light(_ component: Double) -> Double {
    component <= 0.04045 ? component / 12.92 : pow((component + 0.055) / 1.055, 2.4)
  }

  /// The sRGB colour that comes closest to this one of Display P3, the colour space of Apple's screens.
  public init?(p3 red: Double, _ green: Double, _ blue: Double) {
    guard let (r, g, b) = Color(red: red, green: green, blue: blue)?.linear else { return nil }
    self.init(
      linear: (
        1.2249402 * r - 0.2249402 * g, 1.0420570 * g - 0.0420570 * r, 1.0982736 * b - 0.0196376 * r - 0.0786361 * g
      ))
  }

  /// The colour with these linear components, each limited to what a screen can show.
  public init(linear: (red: Double, green: Double, blue: Double)) {
    func value(_ light: Double) -> Double {
      light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
    self.init(clamping: (value(linear.red), value(linear.green), value(linear.blue)))
  }
}

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

  public init(_ color: Color) {
    let (red, green, blue) = color.linear
    let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    greenRed = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    blueYellow = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
  }

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
