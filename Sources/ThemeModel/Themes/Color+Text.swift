public import ThemedSystem

extension Color {
  /// Reads `#rrggbb` or `#rgb`, in upper or lower case, with or without `#`; nil for any other text.
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

  /// Reads `#rrggbb` or `#rgb` like ``init(hexadecimal:)``; nil for any other text.
  ///
  /// ```swift
  /// let red = Color("#ff0000")
  /// ```
  public init?(_ hexadecimal: String) {
    self.init(hexadecimal: Text(hexadecimal))
  }

  /// The colour as `#rrggbb`, in lower case, each component rounded to eight bits.
  public var hexadecimal: String {
    let (red, green, blue) = components8
    return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The components rounded to eight bits, each from 0 to 255.
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

extension Color {
  /// `#ffffff`.
  public static let white = Color(clamping: (1, 1, 1))
  /// `#000000`.
  public static let black = Color(clamping: (0, 0, 0))

  /// The colour with each component limited to 0 to 1; NaN becomes 0.
  init(clamping components: (red: Double, green: Double, blue: Double)) {
    func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
    guard
      let color = Color(
        red: clamped(components.red), green: clamped(components.green), blue: clamped(components.blue))
    else { preconditionFailure("0 to 1 is what a component may be") }
    self = color
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
