package import ThemeModel
internal import ThemedText

/// What a colour of a palette is for, by its name in theme files and on the wire.
///
/// The slots are those of base16 and base24 (tinted-theming), the sixteen of a terminal are called by their numbers;
/// the others say what a program draws with them. Where a theme does not give a role, its colour is derived of the
/// others.
///
/// An open set: a program may name one that is newer than this library, and is shown what the daemon says of it.
public struct ThemeRole: RawRepresentable, Sendable, Hashable {
  /// Its name.
  public let rawValue: ThemeText

  /// The role of this name.
  public init(rawValue: ThemeText) { self.rawValue = rawValue }

  package init(_ inner: Role) { rawValue = ThemeText(inner.rawValue) }

  package var inner: Role { Role(rawValue: rawValue.inner) }

  /// Those that this version knows, in order.
  public static let all = Role.all.map(ThemeRole.init)
  /// The slots of base16, in order.
  public static let base16Slots = Role.base16Slots.map(ThemeRole.init)
  /// The slots of base24, in order; the first sixteen are those of base16.
  public static let base24Slots = Role.base24Slots.map(ThemeRole.init)
  /// The sixteen colours of a terminal, by their numbers.
  public static let ansi = Role.ansi.map(ThemeRole.init)
}

extension ThemeRole: CustomStringConvertible {
  /// Its name.
  public var description: String { rawValue.string }
}

extension ThemeRole: Codable {
  /// Reads its name.
  public init(from decoder: any Decoder) throws { self.init(rawValue: try ThemeText(from: decoder)) }

  /// Writes its name.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

// MARK: What is drawn

extension ThemeRole {
  /// What everything stands on.
  public static let background = ThemeRole(rawValue: "background")
  /// What lies on the background: bars, cards, menus.
  public static let surface = ThemeRole(rawValue: "surface")
  /// Text.
  public static let text = ThemeRole(rawValue: "text")
  /// Text that matters less.
  public static let secondaryText = ThemeRole(rawValue: "secondary-text")
  /// Text of what cannot be used now, hints, comments; too faint to count on its being read.
  public static let disabledText = ThemeRole(rawValue: "disabled-text")
  /// Lines between things.
  public static let separator = ThemeRole(rawValue: "separator")
  /// The colour that a theme is known by: buttons, switches, the active tab; also called tint.
  public static let primary = ThemeRole(rawValue: "primary")
  /// Text on the primary colour.
  public static let primaryText = ThemeRole(rawValue: "primary-text")
  /// A second colour beside the primary one.
  public static let secondary = ThemeRole(rawValue: "secondary")
  /// Links.
  public static let link = ThemeRole(rawValue: "link")
  /// Behind what is selected.
  public static let selection = ThemeRole(rawValue: "selection")
  /// Text that is selected.
  public static let selectionText = ThemeRole(rawValue: "selection-text")
  /// The text cursor.
  public static let cursor = ThemeRole(rawValue: "cursor")
  /// Text below the text cursor, where that is a block.
  public static let cursorText = ThemeRole(rawValue: "cursor-text")
  /// What went wrong.
  public static let error = ThemeRole(rawValue: "error")
  /// What may go wrong.
  public static let warning = ThemeRole(rawValue: "warning")
  /// What went well.
  public static let success = ThemeRole(rawValue: "success")
  /// What is good to know.
  public static let info = ThemeRole(rawValue: "info")
}

// MARK: Slots

extension ThemeRole {
  /// Slot 00: the background.
  public static let base00 = ThemeRole(rawValue: "base00")
  /// Slot 01: a background that is a little lighter (in a light theme, darker), such as a status bar's.
  public static let base01 = ThemeRole(rawValue: "base01")
  /// Slot 02: behind a selection.
  public static let base02 = ThemeRole(rawValue: "base02")
  /// Slot 03: comments, and what is hardly seen.
  public static let base03 = ThemeRole(rawValue: "base03")
  /// Slot 04: text of status bars.
  public static let base04 = ThemeRole(rawValue: "base04")
  /// Slot 05: text.
  public static let base05 = ThemeRole(rawValue: "base05")
  /// Slot 06: text with more contrast.
  public static let base06 = ThemeRole(rawValue: "base06")
  /// Slot 07: text with the most contrast.
  public static let base07 = ThemeRole(rawValue: "base07")
  /// Slot 08: red.
  public static let base08 = ThemeRole(rawValue: "base08")
  /// Slot 09: orange.
  public static let base09 = ThemeRole(rawValue: "base09")
  /// Slot 0A: yellow.
  public static let base0A = ThemeRole(rawValue: "base0A")
  /// Slot 0B: green.
  public static let base0B = ThemeRole(rawValue: "base0B")
  /// Slot 0C: cyan.
  public static let base0C = ThemeRole(rawValue: "base0C")
  /// Slot 0D: blue.
  public static let base0D = ThemeRole(rawValue: "base0D")
  /// Slot 0E: purple.
  public static let base0E = ThemeRole(rawValue: "base0E")
  /// Slot 0F: brown.
  public static let base0F = ThemeRole(rawValue: "base0F")
  /// Slot 10 of base24: a darker background.
  public static let base10 = ThemeRole(rawValue: "base10")
  /// Slot 11 of base24: the darkest background.
  public static let base11 = ThemeRole(rawValue: "base11")
  /// Slot 12 of base24: bright red.
  public static let base12 = ThemeRole(rawValue: "base12")
  /// Slot 13 of base24: bright yellow.
  public static let base13 = ThemeRole(rawValue: "base13")
  /// Slot 14 of base24: bright green.
  public static let base14 = ThemeRole(rawValue: "base14")
  /// Slot 15 of base24: bright cyan.
  public static let base15 = ThemeRole(rawValue: "base15")
  /// Slot 16 of base24: bright blue.
  public static let base16 = ThemeRole(rawValue: "base16")
  /// Slot 17 of base24: bright purple.
  public static let base17 = ThemeRole(rawValue: "base17")
}

// MARK: A terminal's colours

extension ThemeRole {
  /// A terminal's colour 0: black, which in many themes is the background.
  public static let ansi0 = ThemeRole(rawValue: "ansi0")
  /// A terminal's colour 1: red.
  public static let ansi1 = ThemeRole(rawValue: "ansi1")
  /// A terminal's colour 2: green.
  public static let ansi2 = ThemeRole(rawValue: "ansi2")
  /// A terminal's colour 3: yellow.
  public static let ansi3 = ThemeRole(rawValue: "ansi3")
  /// A terminal's colour 4: blue.
  public static let ansi4 = ThemeRole(rawValue: "ansi4")
  /// A terminal's colour 5: magenta.
  public static let ansi5 = ThemeRole(rawValue: "ansi5")
  /// A terminal's colour 6: cyan.
  public static let ansi6 = ThemeRole(rawValue: "ansi6")
  /// A terminal's colour 7: white, which in many themes is the text.
  public static let ansi7 = ThemeRole(rawValue: "ansi7")
  /// A terminal's colour 8: bright black, of which comments are made.
  public static let ansi8 = ThemeRole(rawValue: "ansi8")
  /// A terminal's colour 9: bright red.
  public static let ansi9 = ThemeRole(rawValue: "ansi9")
  /// A terminal's colour 10: bright green.
  public static let ansi10 = ThemeRole(rawValue: "ansi10")
  /// A terminal's colour 11: bright yellow.
  public static let ansi11 = ThemeRole(rawValue: "ansi11")
  /// A terminal's colour 12: bright blue.
  public static let ansi12 = ThemeRole(rawValue: "ansi12")
  /// A terminal's colour 13: bright magenta.
  public static let ansi13 = ThemeRole(rawValue: "ansi13")
  /// A terminal's colour 14: bright cyan.
  public static let ansi14 = ThemeRole(rawValue: "ansi14")
  /// A terminal's colour 15: bright white.
  public static let ansi15 = ThemeRole(rawValue: "ansi15")
}
