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

  /// Black or white, whichever has more contrast with this colour.
  ///
  /// Its contrast is at least 4.58, so that text is always readable.
  public var contrasting: Color {
    contrast(with: .black) >= contrast(with: .white) ? .black : .white
  }

  /// The nearest colour towards black or white that is readable on `background`; this colour, if it is readable.
  ///
  /// It moves through OKLab in 64 steps.
  ///
  /// - Parameters:
  ///   - background: The colour behind the text.
  ///   - surface: A second colour behind the text. If no colour on the way is readable on both, only the background
  ///     counts.
  ///   - ratio: The contrast to reach. On some backgrounds, no colour reaches more than 4.58.
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

/// The contrast between text of one role and a background of another.
public struct Contrast: Sendable, Hashable {
  /// The contrast that text needs: level AA of WCAG 2.2 (success criterion 1.4.3).
  public static let minimum = 4.5

  /// The role of the text.
  public let text: Role
  /// The role of the background.
  public let ground: Role
  /// The contrast ratio, from 1 to 21.
  public let ratio: Double

  /// Whether the ratio is at least ``minimum``.
  public var isReadable: Bool { ratio >= Self.minimum }

  /// Which text is shown on which background.
  public static let pairs: [(text: Role, ground: Role)] = [
    (.text, .background), (.text, .surface), (.secondaryText, .background), (.secondaryText, .surface),
    (.primaryText, .primary), (.selectionText, .selection), (.cursorText, .cursor), (.link, .background),
    (.error, .background), (.warning, .background), (.success, .background), (.info, .background),
  ]
}

extension Contrast {
  /// The slots that programs use for text on `base00`.
  public static let slots: [Role] = [.base08, .base09, .base0A, .base0B, .base0C, .base0D, .base0E, .base0F]
}

/// How far apart the colours of two roles look, if people must be able to tell them apart.
public struct Likeness: Sendable, Hashable {
  /// The role that should stand out.
  public let role: Role
  /// The role that it should stand out from.
  public let other: Role
  /// How far apart the colours look, from 0 to about 100: a hundred times the distance in OKLab.
  public let distance: Double
  /// How far apart the colours should look.
  public let minimum: Double

  /// Whether the two colours look too similar to tell apart at a glance.
  public var isAlike: Bool { distance < minimum }

  /// The roles that must differ: signs from text and from each other, and the selection from the background, where a
  /// large area needs less distance.
  public static let pairs: [(role: Role, other: Role, minimum: Double)] = [
    (.error, .text, 10), (.error, .success, 10), (.selection, .background, 4),
  ]
}

extension Palette {
  /// How far apart the colours look, in the order of ``Likeness/pairs``.
  public var likenesses: [Likeness] {
    Likeness.pairs.map {
      let distance = OKLab(self[$0.role]).distance(to: OKLab(self[$0.other]))
      return Likeness(role: $0.role, other: $0.other, distance: distance * 100, minimum: $0.minimum)
    }
  }

  /// The contrast of all text with its backgrounds, in the order of ``Contrast/pairs``.
  public var contrasts: [Contrast] { Contrast.pairs.map { contrast(of: $0.text, on: $0.ground) } }

  /// The contrast of one role's colour with another's.
  public func contrast(of text: Role, on ground: Role) -> Contrast {
    Contrast(text: text, ground: ground, ratio: self[text].contrast(with: self[ground]))
  }
}
