public import ThemeResolution

extension Color {
  /// How much light the colour gives, from 0 (black) to 1 (white): the relative luminance of WCAG 2.2.
  public var relativeLuminance: Double {
    let (red, green, blue) = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  /// The contrast ratio of WCAG 2.2, from 1 (none) to 21 (black and white); the same in both directions.
  public func contrast(with other: Color) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Black or white, whichever contrasts more: 4.58 at least, so that text in it can always be read.
  public var contrasting: Color {
    contrast(with: .black) >= contrast(with: .white) ? .black : .white
  }

  /// The nearest colour on the way to black or white that can be read on `background`: this one, where it can be.
  ///
  /// The way is that of OKLab, in 64 steps.
  ///
  /// - Parameters:
  ///   - surface: What lies on the background. Where no colour on the way can be read on both, the background counts.
  ///   - ratio: The contrast that it takes; more than 4.58 cannot be had on every background.
  public func readable(on background: Color, and surface: Color? = nil, ratio: Double = Contrast.minimum) -> Color {
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

/// Text of one role on a ground of another, and whether it can be read there.
public struct Contrast: Sendable, Hashable {
  /// What text needs on its ground: level AA of WCAG 2.2 (success criterion 1.4.3).
  public static let minimum = 4.5

  /// The role of the text.
  public let text: Role
  /// The role of what lies behind it.
  public let ground: Role
  /// The contrast ratio, from 1 to 21.
  public let ratio: Double

  /// Whether the ratio is at least ``minimum``.
  public var isReadable: Bool { ratio >= Self.minimum }

  /// Which text stands on which ground.
  public static let pairs: [(text: Role, ground: Role)] = [
    (.text, .background), (.text, .surface), (.secondaryText, .background), (.secondaryText, .surface),
    (.primaryText, .primary), (.selectionText, .selection), (.cursorText, .cursor), (.link, .background),
    (.error, .background), (.warning, .background), (.success, .background), (.info, .background),
  ]
}

extension Contrast {
  /// The slots that programs colour text with, on `base00`.
  public static let slots: [Role] = [.base08, .base09, .base0A, .base0B, .base0C, .base0D, .base0E, .base0F]
}

/// Two roles that say different things and may look alike.
public struct Likeness: Sendable, Hashable {
  /// The role that is to stand out.
  public let role: Role
  /// What it is to be told from.
  public let other: Role
  /// How far apart they look, from 0 to some 100: a hundred times the distance in OKLab.
  public let distance: Double
  /// How far apart they should look.
  public let minimum: Double

  /// Whether one cannot be told from the other at a glance.
  public var isAlike: Bool { distance < minimum }

  /// What is to be told from what: signs from text and from each other, and what is selected from what is not, where a
  /// large area needs less.
  public static let pairs: [(role: Role, other: Role, minimum: Double)] = [
    (.error, .text, 10), (.error, .success, 10), (.selection, .background, 4),
  ]
}

extension Palette {
  /// How far apart the roles are that are to be told from each other, in the order of ``Likeness/pairs``.
  public var likenesses: [Likeness] {
    Likeness.pairs.map {
      let distance = OKLab(self[$0.role]).distance(to: OKLab(self[$0.other]))
      return Likeness(role: $0.role, other: $0.other, distance: distance * 100, minimum: $0.minimum)
    }
  }

  /// The contrast of every text with its grounds, in the order of ``Contrast/pairs``.
  public var contrasts: [Contrast] { Contrast.pairs.map { contrast(of: $0.text, on: $0.ground) } }

  /// The contrast of one role's colour with another's.
  public func contrast(of text: Role, on ground: Role) -> Contrast {
    Contrast(text: text, ground: ground, ratio: self[text].contrast(with: self[ground]))
  }
}
