import Glibc
import Testing
import ThemedSystem
import ThemedModel
import ThemedTestSupport

@testable import ThemeSetup

/// The themes that are made from pictures.
@Suite struct PictureTests {
  private typealias Pixels = (width: Int, height: Int, bytes: [UInt8])

  private func cells(_ pixels: Pixels, channels: Int = 3, rowLength: Int? = nil) -> [Color] {
    unsafe pixels.bytes.withUnsafeBufferPointer {
      unsafe Raster(
        bytes: $0, width: pixels.width, height: pixels.height, channels: channels,
        rowLength: rowLength ?? pixels.width * channels
      ).cells
    }
  }

  /// A picture of areas, gradients and noise in random colours, at any size.
  private func random(_ generator: inout SeededGenerator) -> (Int) -> Pixels {
    func color() -> [Double] {
      let isGrey = Int.random(in: 0..<6, using: &generator) == 0
      let (first, light) = (Double.random(in: 0...1, using: &generator), Double.random(in: 0...1, using: &generator))
      return isGrey ? [first, first, first] : [first, Double.random(in: 0...1, using: &generator), light]
    }
    let areas = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      (
        x: Double.random(in: 0...1, using: &generator), y: Double.random(in: 0...1, using: &generator),
        radius: Double.random(in: 0.05...0.8, using: &generator), color: color()
      )
    }
    let (from, to) = (color(), color())
    let noise = Int.random(in: 0...1, using: &generator) == 0 ? Double.random(in: 0...1, using: &generator) : 0
    let seed = generator.next()
    return { side in
      var bytes: [UInt8] = []
      for row in 0..<side {
        for column in 0..<side {
          let (x, y) = ((Double(column) + 0.5) / Double(side), (Double(row) + 0.5) / Double(side))
          var mixed = zip(from, to).map { $0 + ($1 - $0) * (x + y) / 2 }
          for area in areas where hypot(x - area.x, y - area.y) < area.radius { mixed = area.color }
          var grain = SeededGenerator(seed: seed &+ UInt64(row * side + column))
          bytes += mixed.map { UInt8(max(0, min(255, ($0 + noise * .random(in: -0.5...0.5, using: &grain)) * 255))) }
        }
      }
      return (side, side, bytes)
    }
  }

  private func palettes(_ cells: [Color]) -> [Palette] {
    let hues = PictureHues(cells)
    return ColorScheme.allCases.map { Palette(Side(of: hues, for: $0).colors, for: $0) }
  }

  @Test func `text is readable on both sides of the theme, whatever the picture shows`() {
    var generator = SeededGenerator()
    for number in 0..<200 {
      let picture = random(&generator)
      for palette in palettes(cells(picture(48))) {
        #expect(palette.contrast(of: .text, on: .background).ratio >= 7, "\(number), \(generator)")
        for role in Role.ansi.dropFirst() + Contrast.slots + [.disabledText, .primary, .secondary] {
          #expect(palette.contrast(of: role, on: .background).isReadable, "\(role) of \(number), \(generator)")
        }
        let unreadable = palette.contrasts.filter { !$0.isReadable }
        #expect(unreadable.isEmpty && !palette.likenesses.contains(where: \.isAlike), "\(number), \(generator)")
      }
    }
  }

  @Test func `red stays red and green stays green, whatever the picture shows`() {
    var generator = SeededGenerator()
    for number in 0..<200 {
      for palette in palettes(cells(random(&generator)(24))) {
        for (role, hue) in [
          (Role.ansi1, 25.0), (.ansi2, 145), (.ansi3, 90), (.ansi4, 255), (.ansi5, 325), (.ansi6, 200),
        ] {
          let color = OKLab(palette[role])
          #expect(abs(turn(from: hue, to: color.degrees)) < 25, "\(role) of \(number), \(generator)")
          #expect(color.chroma > 0.05, "\(role) of \(number), \(generator)")
        }
      }
    }
  }

  @Test func `the same picture at half its size makes a theme that looks the same`() {
    // Two hues that stand out equally may change places, so these are always the same pictures.
    var generator = SeededGenerator(seed: 1)
    for number in 0..<8 {
      let large = random(&generator)(256)
      let small = Pixels(
        128, 128,
        (0..<128 * 128).flatMap { place -> [UInt8] in
          (0..<3).map { part in
            let corners = [0, 1, 256, 257].map { (place / 128 * 2 * 256 + place % 128 * 2 + $0) * 3 + part }
            let light = corners.map { Color.light(Double(large.bytes[$0]) / 255) }.reduce(0, +) / 4
            return UInt8(Color(linear: (light, light, light)).components8.red)
          }
        })
      for (one, other) in zip(palettes(cells(large)), palettes(cells(small))) {
        for role in Role.all {
          let distance = OKLab(one[role]).distance(to: OKLab(other[role]))
          #expect(distance < 0.04, "\(role) of \(number), \(generator)")
        }
      }
    }
  }

  @Test func `the accent is the colour that stands out, and the second one differs from it`() throws {
    let grey = [Color](repeating: try #require(Color("#808080")), count: 90)
    let red = [Color](repeating: try #require(Color("#d02020")), count: 6)
    let blue = [Color](repeating: try #require(Color("#305080")), count: 20)
    let hues = PictureHues(grey + red + blue)
    let accent = try #require(hues.accent)
    #expect(abs(turn(from: OKLab(red[0]).degrees, to: accent.degrees)) < 2)
    let second = try #require(hues.second)
    #expect(abs(turn(from: OKLab(blue[0]).degrees, to: second.degrees)) < 2)
    #expect(PictureHues(grey).accent == nil)
    #expect(PictureHues([]).accent == nil)
  }

  @Test func `of two halves the accent is always the same`() throws {
    let halves = try ["#d9480f", "#1c7ed6"].map { [Color](repeating: try #require(Color($0)), count: 50) }
    let one = try #require(PictureHues(halves[0] + halves[1]).accent)
    let other = try #require(PictureHues(halves[1] + halves[0]).accent)
    #expect(abs(turn(from: one.degrees, to: other.degrees)) < 0.001)
  }

  @Test func `a theme of a grey picture has grey accents`() {
    for palette in palettes((0...255).map { Color(linear: (Double($0) / 255, Double($0) / 255, Double($0) / 255)) }) {
      for role in [Role.background, .surface, .text, .primary, .secondary, .selection] {
        #expect(OKLab(palette[role]).chroma < 0.01, "\(role)")
      }
    }
  }

  @Test func `a side that is made again keeps its other images and values`() {
    let old = Side(
      assets: ["wallpaper": "/old.png", "logo": "/logo.svg"], values: ["follow-wallpaper": "yes", "bat": "Nord"])
    let new = Side(assets: ["wallpaper": "/new.png"])
    let both = Side(assets: ["wallpaper": "/new.png", "logo": "/logo.svg"], values: ["bat": "Nord"])
    #expect(new.keepingValues(of: old) == both)
    #expect(new.keepingValues(of: nil) == new)
  }

  @Test func `pixels are mixed as light, and transparent ones do not count`() {
    // 256 columns become 128.
    let stripes = Pixels(256, 1, (0..<256).flatMap { [UInt8](repeating: $0 % 2 == 0 ? 0 : 255, count: 3) })
    #expect(Set(cells(stripes)) == [Color(linear: (0.5, 0.5, 0.5))])
    let half = Pixels(2, 1, [255, 0, 0, 255, 0, 255, 0, 10])
    #expect(cells(half, channels: 4).map(\.hexadecimal) == ["#ff0000"])
    #expect(cells(Pixels(1, 1, [1, 2, 3, 0]), channels: 4) == [])
    // Rows may be longer than their pixels.
    let padded = Pixels(1, 2, [255, 0, 0, 9, 0, 0, 255])
    #expect(cells(padded, rowLength: 4).map(\.hexadecimal) == ["#ff0000", "#0000ff"])
    #expect(cells(Pixels(10_000, 1, [UInt8](repeating: 7, count: 30_000))).count == 128)
  }
}
