package import ThemeModel

/// An sRGB colour, each component from 0 to 1.
public struct ThemeColor: Sendable, Hashable {
  package let inner: Color

  package init(_ inner: Color) { self.inner = inner }

  /// Creates a colour; nil if a component is not a number from 0 to 1.
  public init?(red: Double, green: Double, blue: Double) {
    guard let color = Color(red: red, green: green, blue: blue) else { return nil }
    inner = color
  }

  /// Reads `#rrggbb` or `#rgb`, in upper or lower case, with or without `#`; nil for any other text.
  ///
  /// ```swift
  /// let red = ThemeColor("#ff0000")
  /// ```
  public init?(_ hexadecimal: String) {
    guard let color = Color(hexadecimal) else { return nil }
    inner = color
  }

  /// `#ffffff`.
  public static let white = ThemeColor(Color.white)
  /// `#000000`.
  public static let black = ThemeColor(Color.black)

  /// Red, 0 to 1.
  public var red: Double { inner.red }
  /// Green, 0 to 1.
  public var green: Double { inner.green }
  /// Blue, 0 to 1.
  public var blue: Double { inner.blue }

  /// The colour as `#rrggbb`, in lower case; each component is rounded to eight bits.
  public var hexadecimal: String { inner.hexadecimal }

  /// The components as whole numbers from 0 to 255.
  public var components8: (red: Int, green: Int, blue: Int) { inner.components8 }

  /// The colour at `fraction` of the way to `other`: 0 gives this colour, and 1 gives the other colour.
  ///
  /// Colours are interpolated in OKLab, so that the change looks even.
  public func interpolated(to other: ThemeColor, fraction: Double) -> ThemeColor {
    ThemeColor(inner.interpolated(to: other.inner, fraction: fraction))
  }
}

extension ThemeColor {
  /// How bright the colour is, from 0 (black) to 1 (white): the relative luminance of WCAG 2.2.
  public var relativeLuminance: Double { inner.relativeLuminance }

  /// The contrast ratio of WCAG 2.2 between the two colours, from 1 (no contrast) to 21 (black and white).
  ///
  /// The order of the two colours does not matter.
  public func contrast(with other: ThemeColor) -> Double { inner.contrast(with: other.inner) }

  /// Black or white, whichever has more contrast with this colour: a colour for readable text on this colour.
  public var contrasting: ThemeColor { ThemeColor(inner.contrasting) }

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
  public func readable(on background: ThemeColor, ratio: Double = 4.5) -> ThemeColor {
    ThemeColor(inner.readable(on: background.inner, ratio: ratio))
  }
}

extension ThemeColor: CustomStringConvertible {
  /// The colour as in ``hexadecimal``.
  public var description: String { hexadecimal }
}

extension ThemeColor: Codable {
  /// Decodes a string in the form that ``init(_:)`` accepts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let color = Color(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a colour must have the form '#rrggbb'")
    }
    inner = color
  }

  /// Encodes the colour as the string ``hexadecimal``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }
}
