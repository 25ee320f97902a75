public import ThemedSystem

/// The use of a colour in a palette, such as ``background`` or ``text``.
///
/// Theme files and the interface use the same names. There are three groups of roles:
///
/// - The names of the first group say what to draw with the colour, such as ``background``.
/// - The second group has the slots of base16 and base24, the schemes of tinted-theming, such as ``base00``.
/// - The third group has the sixteen colours of a terminal, such as ``ansi0``.
///
/// If a theme does not give a colour for a role, the colour is derived from those of other roles.
///
/// A role that is newer than this version has the colour that the daemon sends for it.
public struct Role: RawRepresentable, Sendable, Hashable {
  /// The name of the role.
  public let rawValue: Text

  /// Creates the role of this name.
  public init(rawValue: Text) { self.rawValue = rawValue }

  /// The roles that this version knows, in order.
  public static let all: [Role] =
    [
      .background, .surface, .text, .secondaryText, .disabledText, .separator, .primary, .primaryText, .secondary,
      .link, .selection, .selectionText, .cursor, .cursorText, .error, .warning, .success, .info,
    ] + base24Slots + ansi
  /// The slots of base16, in order.
  public static let base16Slots: [Role] = [
    .base00, .base01, .base02, .base03, .base04, .base05, .base06, .base07, .base08, .base09, .base0A, .base0B, .base0C,
    .base0D, .base0E, .base0F,
  ]
  /// The slots of base24, in order; the first sixteen are those of base16.
  public static let base24Slots: [Role] =
    base16Slots + [.base10, .base11, .base12, .base13, .base14, .base15, .base16, .base17]
  // They are those of ECMA-48, and aixterm's bright ones.
  /// The sixteen colours of a terminal, by their numbers.
  public static let ansi: [Role] = [
    .ansi0, .ansi1, .ansi2, .ansi3, .ansi4, .ansi5, .ansi6, .ansi7, .ansi8, .ansi9, .ansi10, .ansi11, .ansi12, .ansi13,
    .ansi14, .ansi15,
  ]
}

extension Role {
  public var isSlot: Bool { Self.base24Slots.contains(self) }

  /// The role with this name in a theme file; `tint` is another name for `primary`.
  ///
  /// Nil if this version does not know it.
  public init?(name: Text) {
    let role = name == "tint" ? .primary : Role(rawValue: name)
    guard role.index != nil else { return nil }
    self = role
  }

  /// The role's index in ``all``; nil if this version does not know it.
  var index: Int? { Self.indices[self] }
  private static let indices = Dictionary(uniqueKeysWithValues: zip(all, all.indices))
}

extension Role: CustomStringConvertible {
  /// The name of the role.
  public var description: String { rawValue.string }
}

// MARK: What is drawn

extension Role {
  /// The main background.
  public static let background = Role(rawValue: "background")
  /// Surfaces on the background: bars, cards, menus.
  public static let surface = Role(rawValue: "surface")
  /// Text.
  public static let text = Role(rawValue: "text")
  /// Less important text.
  public static let secondaryText = Role(rawValue: "secondary-text")
  /// Text of disabled controls, hints and comments; it may be too faint to read.
  public static let disabledText = Role(rawValue: "disabled-text")
  /// Lines that separate things.
  public static let separator = Role(rawValue: "separator")
  /// The main accent colour of the theme: buttons, switches, the active tab.
  ///
  /// Some toolkits call this colour the tint.
  public static let primary = Role(rawValue: "primary")
  /// Text on the primary colour.
  public static let primaryText = Role(rawValue: "primary-text")
  /// A second accent colour, beside the primary colour.
  public static let secondary = Role(rawValue: "secondary")
  /// Links.
  public static let link = Role(rawValue: "link")
  /// The background of the selection.
  public static let selection = Role(rawValue: "selection")
  /// Selected text.
  public static let selectionText = Role(rawValue: "selection-text")
  /// The text cursor.
  public static let cursor = Role(rawValue: "cursor")
  /// The text under a block cursor.
  public static let cursorText = Role(rawValue: "cursor-text")
  /// Errors.
  public static let error = Role(rawValue: "error")
  /// Warnings.
  public static let warning = Role(rawValue: "warning")
  /// Success.
  public static let success = Role(rawValue: "success")
  /// Information.
  public static let info = Role(rawValue: "info")
}

// MARK: Slots

extension Role {
  /// Slot 00: the background.
  public static let base00 = Role(rawValue: "base00")
  /// Slot 01: a slightly lighter background (darker in a light theme), such as for a status bar.
  public static let base01 = Role(rawValue: "base01")
  /// Slot 02: the background of the selection.
  public static let base02 = Role(rawValue: "base02")
  /// Slot 03: comments and other faint text.
  public static let base03 = Role(rawValue: "base03")
  /// Slot 04: text of status bars.
  public static let base04 = Role(rawValue: "base04")
  /// Slot 05: text.
  public static let base05 = Role(rawValue: "base05")
  /// Slot 06: text with more contrast.
  public static let base06 = Role(rawValue: "base06")
  /// Slot 07: text with the most contrast.
  public static let base07 = Role(rawValue: "base07")
  /// Slot 08: red.
  public static let base08 = Role(rawValue: "base08")
  /// Slot 09: orange.
  public static let base09 = Role(rawValue: "base09")
  /// Slot 0A: yellow.
  public static let base0A = Role(rawValue: "base0A")
  /// Slot 0B: green.
  public static let base0B = Role(rawValue: "base0B")
  /// Slot 0C: cyan.
  public static let base0C = Role(rawValue: "base0C")
  /// Slot 0D: blue.
  public static let base0D = Role(rawValue: "base0D")
  /// Slot 0E: purple.
  public static let base0E = Role(rawValue: "base0E")
  /// Slot 0F: brown.
  public static let base0F = Role(rawValue: "base0F")
  /// Slot 10 of base24: a darker background.
  public static let base10 = Role(rawValue: "base10")
  /// Slot 11 of base24: the darkest background.
  public static let base11 = Role(rawValue: "base11")
  /// Slot 12 of base24: bright red.
  public static let base12 = Role(rawValue: "base12")
  /// Slot 13 of base24: bright yellow.
  public static let base13 = Role(rawValue: "base13")
  /// Slot 14 of base24: bright green.
  public static let base14 = Role(rawValue: "base14")
  /// Slot 15 of base24: bright cyan.
  public static let base15 = Role(rawValue: "base15")
  /// Slot 16 of base24: bright blue.
  public static let base16 = Role(rawValue: "base16")
  /// Slot 17 of base24: bright purple.
  public static let base17 = Role(rawValue: "base17")
}

// MARK: A terminal's colours

extension Role {
  /// A terminal's colour 0: black, which is the background in many themes.
  public static let ansi0 = Role(rawValue: "ansi0")
  /// A terminal's colour 1: red.
  public static let ansi1 = Role(rawValue: "ansi1")
  /// A terminal's colour 2: green.
  public static let ansi2 = Role(rawValue: "ansi2")
  /// A terminal's colour 3: yellow.
  public static let ansi3 = Role(rawValue: "ansi3")
  /// A terminal's colour 4: blue.
  public static let ansi4 = Role(rawValue: "ansi4")
  /// A terminal's colour 5: magenta.
  public static let ansi5 = Role(rawValue: "ansi5")
  /// A terminal's colour 6: cyan.
  public static let ansi6 = Role(rawValue: "ansi6")
  /// A terminal's colour 7: white, which is the text colour in many themes.
  public static let ansi7 = Role(rawValue: "ansi7")
  /// A terminal's colour 8: bright black, often used for comments.
  public static let ansi8 = Role(rawValue: "ansi8")
  /// A terminal's colour 9: bright red.
  public static let ansi9 = Role(rawValue: "ansi9")
  /// A terminal's colour 10: bright green.
  public static let ansi10 = Role(rawValue: "ansi10")
  /// A terminal's colour 11: bright yellow.
  public static let ansi11 = Role(rawValue: "ansi11")
  /// A terminal's colour 12: bright blue.
  public static let ansi12 = Role(rawValue: "ansi12")
  /// A terminal's colour 13: bright magenta.
  public static let ansi13 = Role(rawValue: "ansi13")
  /// A terminal's colour 14: bright cyan.
  public static let ansi14 = Role(rawValue: "ansi14")
  /// A terminal's colour 15: bright white.
  public static let ansi15 = Role(rawValue: "ansi15")
}
