/// The contrast between text of one role and a background of another.
public struct Contrast: Sendable, Hashable {
  /// The contrast that text needs: level AA of WCAG 2.2 (success criterion 1.4.3).
  public static let minimum = 4.5

  public let text: Role
  public let ground: Role
  public let ratio: Double

  public var isReadable: Bool { ratio >= Self.minimum }

  /// Which text is shown on which background.
  public static let pairs: [(text: Role, ground: Role)] = [
    (.text, .background), (.text, .surface), (.secondaryText, .background), (.secondaryText, .surface),
    (.primaryText, .primary), (.selectionText, .selection), (.cursorText, .cursor), (.link, .background),
    (.error, .background), (.warning, .background), (.success, .background), (.info, .background),
  ]

  /// The slots that programs use for text on `base00`.
  public static let slots: [Role] = [.base08, .base09, .base0A, .base0B, .base0C, .base0D, .base0E, .base0F]

  /// The colours of a terminal in which programs show text; black and white are often backgrounds.
  public static let terminal = Role.ansi.enumerated().filter { 1...6 ~= $0.offset % 8 }.map(\.element)
}

/// How far apart the colours of two roles look, if people must be able to tell them apart.
public struct Likeness: Sendable, Hashable {
  /// The role that should stand out.
  public let role: Role
  /// The role that it should stand out from.
  public let other: Role
  /// How far apart the colours look, from 0 to about 100: a hundred times the distance in OKLab.
  public let distance: Double
  public let minimum: Double

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

  public func contrast(of text: Role, on ground: Role) -> Contrast {
    Contrast(text: text, ground: ground, ratio: self[text].contrast(with: self[ground]))
  }
}
