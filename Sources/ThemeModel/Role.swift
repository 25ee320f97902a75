public import ThemedText

/// What a colour of a palette is for, by its name in theme files and on the wire.
///
/// The slots are those of base16 and base24 (tinted-theming); the others say what a program draws with them. Where a
/// theme does not give a role, ``rules`` say what it is.
public enum Role: String, Sendable, Hashable, CaseIterable {
  /// What everything stands on.
  case background
  /// What lies on the background: bars, cards, menus.
  case surface
  /// Text.
  case text
  /// Text that matters less.
  case secondaryText = "secondary-text"
  /// Text of what cannot be used now, hints, comments; too faint to count on its being read.
  case disabledText = "disabled-text"
  /// Lines between things.
  case separator
  /// The colour that a theme is known by: buttons, switches, the active tab. Also called tint.
  case primary
  /// Text on the primary colour.
  case primaryText = "primary-text"
  /// A second colour beside the primary one.
  case secondary
  /// Links.
  case link
  /// Behind what is selected.
  case selection
  /// Text that is selected.
  case selectionText = "selection-text"
  /// The text cursor.
  case cursor
  /// What went wrong.
  case error
  /// What may go wrong.
  case warning
  /// What went well.
  case success
  /// What is good to know.
  case info

  /// Slot 00: the background.
  case base00
  /// Slot 01: a background that is a little lighter (in a light theme, darker), such as a status bar's.
  case base01
  /// Slot 02: behind a selection.
  case base02
  /// Slot 03: comments, and what is hardly seen.
  case base03
  /// Slot 04: text of status bars.
  case base04
  /// Slot 05: text.
  case base05
  /// Slot 06: text with more contrast.
  case base06
  /// Slot 07: text with the most contrast.
  case base07
  /// Slot 08: red.
  case base08
  /// Slot 09: orange.
  case base09
  /// Slot 0A: yellow.
  case base0A
  /// Slot 0B: green.
  case base0B
  /// Slot 0C: cyan.
  case base0C
  /// Slot 0D: blue.
  case base0D
  /// Slot 0E: purple.
  case base0E
  /// Slot 0F: brown.
  case base0F
  /// Slot 10 of base24: a darker background.
  case base10
  /// Slot 11 of base24: the darkest background.
  case base11
  /// Slot 12 of base24: bright red.
  case base12
  /// Slot 13 of base24: bright yellow.
  case base13
  /// Slot 14 of base24: bright green.
  case base14
  /// Slot 15 of base24: bright cyan.
  case base15
  /// Slot 16 of base24: bright blue.
  case base16
  /// Slot 17 of base24: bright purple.
  case base17

  /// The same as ``primary``.
  public static var tint: Role { .primary }

  /// The roles that say what is drawn.
  public static let semantic = allCases.filter { !$0.isSlot }
  /// The slots of base24, in order; the first sixteen are those of base16.
  public static let base24Slots = allCases.filter(\.isSlot)
  /// The slots of base16, in order.
  public static let base16Slots = Array(base24Slots.prefix(16))

  /// Whether it is a slot of base16 or base24.
  public var isSlot: Bool { rawValue.utf8.starts(with: "base".utf8) }

  /// The role of this name in a theme file; `tint` is another name of `primary`.
  public init?(name: Text) {
    if name == "tint" { self = .primary } else { self.init(word: name) }
  }
}
