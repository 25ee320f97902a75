import Glibc
package import ThemedModel

/// The colours of a picture as themes are made from them: how light and how colourful it is, and its hues.
///
/// Pure, and continuous: a picture that looks almost the same has almost the same numbers.
package struct PictureHues: Sendable {
  /// A hue of the picture, as many of its colours share it.
  package struct Hue: Sendable, Hashable {
    /// In OKLCH, from 0 to 360.
    package let degrees: Double
    /// How colourful these colours are: their mean chroma in OKLCH.
    package let chroma: Double
  }

  /// The mean lightness, from 0 to 1.
  let lightness: Double
  /// How colourful the picture is as a whole: the root of its mean squared chroma.
  let chroma: Double
  /// The mean of the dark colours.
  let shade: OKLab
  /// The mean of the light colours.
  let highlight: OKLab
  /// The hue that stands out most; nil if the picture is grey.
  package let accent: Hue?
  /// The hue that stands out most of those that differ much from the accent.
  package let second: Hue?
  /// How much each hue stands out, by whole degrees; their sum is 1, or 0 in a grey picture.
  private let strengths: [Double]

  /// The largest chroma that nobody sees as a colour.
  private static let grey = 0.012
  /// How far colours may be from a hue, in degrees, to count as the same.
  private static let width = 15.0

  package init(_ colors: [Color]) {
    var points = colors.map { Point($0) }
    let mean = Self.mean(points) { _ in 1 }
    for index in points.indices { points[index].strength *= 0.05 + points[index].lab.distance(to: mean) }
    let count = Double(max(points.count, 1))
    lightness = mean.lightness
    chroma = (points.map { $0.chroma * $0.chroma }.reduce(0, +) / count).squareRoot()
    shade = Self.mean(points) { (1 - $0.lightness) * (1 - $0.lightness) }
    highlight = Self.mean(points) { $0.lightness * $0.lightness }

    var bins = [Double](repeating: 0, count: 360)
    for point in points { bins[Int(point.degrees) % 360] += point.strength }
    let total = bins.reduce(0, +)
    strengths = total > 0 ? bins.map { $0 / total } : bins
    // A hue stands out as much as all that look like it.
    let kernel = (-45...45).map { offset in exp(-Double(offset * offset) / (2 * Self.width * Self.width)) }
    let smooth = bins.indices.map { center in
      kernel.indices.reduce(0.0) { $0 + kernel[$1] * bins[(center + $1 + 315) % 360] }
    }
    func strongest(where isMeant: (Int) -> Bool) -> Int? {
      let meant = smooth.indices.filter { smooth[$0] > 0 && isMeant($0) }
      // Of two equal halves, it is always the same.
      guard let most = meant.map({ smooth[$0] }).max() else { return nil }
      let peaks = meant.filter { smooth[$0] >= 0.95 * most }
      let first =
        peaks.first.map { start in peaks.filter { abs(turn(from: Double(start), to: Double($0))) < 30 } } ?? []
      return first.max { smooth[$0] < smooth[$1] }
    }
    func hue(near center: Int) -> Hue {
      let near = points.filter { abs(turn(from: Double(center), to: $0.degrees)) <= 2 * Self.width }
      let strength = near.map(\.strength).reduce(0, +)
      let shift = near.map { turn(from: Double(center), to: $0.degrees) * $0.strength }.reduce(0, +)
      let chroma = near.map { $0.chroma * $0.strength }.reduce(0, +)
      guard strength > 0 else { return Hue(degrees: Double(center), chroma: 0) }
      return Hue(degrees: turned(Double(center) + shift / strength), chroma: chroma / strength)
    }
    let strongestHue = strongest { _ in true }
    accent = strongestHue.map(hue)
    second = strongestHue.flatMap { accent in
      strongest { abs(turn(from: Double(accent), to: Double($0))) >= 50 }
        .flatMap { smooth[$0] >= 0.08 * smooth[accent] ? hue(near: $0) : nil }
    }
  }

  /// A hue, drawn towards the hues of the picture that are near it, by `most` degrees at most.
  func drawn(_ degrees: Double, most: Double) -> Double {
    var (pull, weight) = (0.0, 0.0)
    for (hue, strength) in strengths.enumerated() where strength > 0 {
      let distance = turn(from: degrees, to: Double(hue) + 0.5)
      let nearness = exp(-distance * distance / (2 * 35 * 35))
      pull += strength * nearness * distance
      weight += strength * nearness
    }
    // A hue that is hardly in the picture draws little.
    return turned(degrees + max(-most, min(most, pull / (weight + 0.02))))
  }

  private static func mean(_ points: [Point], _ weight: (OKLab) -> Double) -> OKLab {
    var (sum, a, b, l) = (0.0, 0.0, 0.0, 0.0)
    for point in points {
      let part = weight(point.lab) + 1e-6
      sum += part
      l += part * point.lab.lightness
      a += part * point.lab.greenRed
      b += part * point.lab.blueYellow
    }
    guard sum > 0 else { return OKLab(lightness: 0, greenRed: 0, blueYellow: 0) }
    return OKLab(lightness: l / sum, greenRed: a / sum, blueYellow: b / sum)
  }

  private struct Point {
    let lab: OKLab
    let chroma: Double
    let degrees: Double
    /// How much it stands out: intense colours more than many pale ones, and rare ones more than those all around.
    var strength: Double

    init(_ color: Color) {
      lab = OKLab(color)
      chroma = lab.chroma
      degrees = lab.degrees
      let excess = max(chroma - PictureHues.grey, 0)
      strength = excess * excess
    }
  }
}

/// The shorter way from one hue to another, from -180 to 180 degrees.
func turn(from: Double, to: Double) -> Double {
  let way = (to - from).truncatingRemainder(dividingBy: 360)
  return way > 180 ? way - 360 : way < -180 ? way + 360 : way
}

private func turned(_ degrees: Double) -> Double {
  let rest = degrees.truncatingRemainder(dividingBy: 360)
  return rest < 0 ? rest + 360 : rest
}

extension OKLab {
  /// The chroma of OKLCH: 0 for grey.
  var chroma: Double { (greenRed * greenRed + blueYellow * blueYellow).squareRoot() }
  /// The hue of OKLCH, from 0 to 360.
  var degrees: Double { turned(atan2(blueYellow, greenRed) * 180 / .pi) }

  init(lightness: Double, chroma: Double, degrees: Double) {
    let angle = degrees * .pi / 180
    self.init(lightness: lightness, greenRed: chroma * cos(angle), blueYellow: chroma * sin(angle))
  }
}
