import Foundation
import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// Colours as text, their contrast, and the way from one to another.
@Suite struct ColorTests {
  @Test("A colour is read from what people type first, and prints as that")
  func typed() throws {
    let red = try #require(Color("#ff0000"))
    #expect(red == Color(red: 1, green: 0, blue: 0))
    #expect("\(red)" == "#ff0000")
    #expect(Color("f00") == red)
    #expect(Color("red") == nil)
    #expect(Color(String(repeating: "f", count: 1000)) == nil)
  }

  @Test(
    "A colour is six or three hexadecimal digits, in upper or lower case, with or without #",
    arguments: [
      ("#3584e4", "#3584e4"), ("3584E4", "#3584e4"), ("#FFF", "#ffffff"), ("0a1", "#00aa11"), ("#000000", "#000000"),
    ])
  func reading(_ text: String, _ expected: String) {
    #expect(Color(hexadecimal: Text(text))?.hexadecimal == expected)
  }

  @Test(
    "Anything else is no colour",
    arguments: ["", "#", "red", "#12345", "#1234567", "##123456", "#12345g", "+12345", " #123456", "#１２３４５６", "é1234"])
  func refusing(_ text: String) {
    #expect(Color(hexadecimal: Text(text)) == nil)
  }

  @Test("Every eight-bit value survives being written and read")
  func everyByte() {
    for value in 0...255 {
      let digits = (value < 16 ? "0" : "") + String(value, radix: 16)
      #expect(Color(hexadecimal: "#\(digits)00\(digits)")?.hexadecimal == "#\(digits)00\(digits)")
    }
  }

  /// The ratios are those that WebAIM's and the W3C's checkers print.
  @Test(
    "The contrast ratio is that of WCAG 2, and the same in both directions",
    arguments: [
      ("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#767676", "#ffffff", 4.54),
      ("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0), ("#0000ff", "#ffffff", 8.59),
      ("#007aff", "#ffffff", 4.02),
    ])
  func contrast(_ one: String, _ two: String, _ expected: Double) throws {
    let (one, two) = try (#require(Color(hexadecimal: Text(one))), #require(Color(hexadecimal: Text(two))))
    #expect(abs(one.contrast(with: two) - expected) < 0.005)
    #expect(one.contrast(with: two) == two.contrast(with: one))
  }

  @Test("Black or white can be read on every colour, and a colour made readable can be")
  func readable() {
    for ground in Self.samples {
      #expect(ground.contrasting.contrast(with: ground) > 4.58)
      for color in Self.samples {
        #expect(color.readable(on: ground).contrast(with: ground) >= 4.5)
        if color.contrast(with: ground) >= 4.5 { #expect(color.readable(on: ground) == color) }
      }
    }
  }

  /// The values are those of the definition's own table.
  @Test(
    "OKLab is what its definition says",
    arguments: [
      ("#ffffff", 1.0, 0.0, 0.0), ("#000000", 0.0, 0.0, 0.0), ("#ff0000", 0.628, 0.225, 0.126),
      ("#00ff00", 0.866, -0.234, 0.179), ("#0000ff", 0.452, -0.032, -0.312),
    ])
  func oklab(_ text: String, _ lightness: Double, _ greenRed: Double, _ blueYellow: Double) throws {
    let point = OKLab(try #require(Color(hexadecimal: Text(text))))
    #expect(abs(point.lightness - lightness) < 0.001)
    #expect(abs(point.greenRed - greenRed) < 0.001)
    #expect(abs(point.blueYellow - blueYellow) < 0.001)
  }

  @Test("A colour survives the way to OKLab and back")
  func roundTrip() {
    for color in Self.samples { #expect(OKLab(color).color.hexadecimal == color.hexadecimal) }
  }

  @Test("A colour that no screen shows keeps its lightness and hue, and as much of its chroma as can be shown")
  func gamut() {
    var random = SeededGenerator(seed: 3)
    func part() -> Double { Double.random(in: -0.45...0.45, using: &random) }
    for _ in 0..<5000 {
      let wanted = OKLab(
        lightness: Double.random(in: 0.02...0.98, using: &random), greenRed: part(), blueYellow: part())
      let color = wanted.color
      let shown = OKLab(color)
      #expect(abs(shown.lightness - wanted.lightness) < 0.001)
      let (chroma, most) = (hypot(shown.greenRed, shown.blueYellow), hypot(wanted.greenRed, wanted.blueYellow))
      #expect(chroma <= most + 0.001)
      // Of grey there is no hue.
      let turn = atan2(shown.blueYellow, shown.greenRed) - atan2(wanted.blueYellow, wanted.greenRed)
      #expect(chroma < 0.01 || abs(sin(turn / 2)) < 0.005, "\(wanted)")
      let parts = [color.red, color.green, color.blue]
      let isAtTheEdge = parts.contains { $0 < 0.01 || $0 > 0.99 }
      #expect(isAtTheEdge || abs(chroma - most) < 0.001, "\(wanted) is \(color), and could be more colourful")
    }
  }

  @Test("A point that is none has a colour, and beyond white and black there is nothing")
  func noPoint() {
    #expect(OKLab(lightness: 1.5, greenRed: 0.1, blueYellow: 0).color == .white)
    #expect(OKLab(lightness: -1, greenRed: 0.1, blueYellow: 0).color == .black)
    for value in [Double.nan, .infinity, -.infinity] {
      _ = OKLab(lightness: value, greenRed: 0, blueYellow: 0).color
      _ = OKLab(lightness: 0.5, greenRed: value, blueYellow: 0).color
    }
  }

  @Test("A fade begins and ends exactly, and grows evenly lighter between")
  func fade() {
    let (black, white) = (Color.black, Color.white)
    #expect(black.interpolated(to: white, fraction: 0) == black)
    #expect(black.interpolated(to: white, fraction: 1) == white)
    #expect(black.interpolated(to: white, fraction: -3) == black)
    #expect(black.interpolated(to: white, fraction: .nan) == black)
    for percent in stride(from: 10, to: 100, by: 10) {
      let color = black.interpolated(to: white, fraction: Double(percent) / 100)
      #expect(abs(OKLab(color).lightness - Double(percent) / 100) < 0.001)
    }
  }

  /// The corners of the cube, its middle, and steps between.
  static let samples: [Color] = stride(from: 0, through: 255, by: 51).flatMap { red in
    stride(from: 0, through: 255, by: 51).flatMap { green in
      stride(from: 0, through: 255, by: 51).compactMap { blue in
        Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
      }
    }
  }
}
