public import ThemeResolution
internal import ThemedText

extension Role {
  /// A way to get the colour of a role that a theme does not give.
  public enum Rule: Sendable, Hashable {
    /// The colour of another role, where the theme gives that one.
    case given(Role)
    /// The colour of a slot, where the theme gives that one, moved towards black or white until it can be read on a
    /// role's (4.5 to 1), and on the second one's where the theme gives that, too.
    ///
    /// A scheme's colours are made for other programs, and often too faint for text; the slot itself stays as it is.
    case readableSlot(Role, on: Role, and: Role?)
    /// The colour of a slot, where the theme gives that one and it has no more contrast with the background than another
    /// role's.
    case fainterSlot(Role, than: Role)
    /// The colour of another role, given or derived.
    case same(Role)
    /// White on the light side, black on the dark one.
    case ground
    /// Black or white, whichever contrasts more with a role's colour.
    case contrasting(Role)
    /// A role's colour, moved towards black or white until it can be read on another's (4.5 to 1).
    case readable(Role, on: Role)
    /// This colour, moved towards black or white until it can be read on a role's.
    case hue(Color, on: Role)
    /// So many percent of the way (OKLab) from one role's colour to another's.
    case mix(Role, Role, percent: Int)
    /// A role's colour where it can be read on another's, else black or white.
    case text(Role, on: Role)
  }

  /// How the colour is derived where a theme does not give it: by the first rule that has one, which the last always
  /// has.
  ///
  /// The one table of it, also of the manual page themed.theme(5). A semantic role asks first whether its slot is given;
  /// a slot takes the colour of its semantic role.
  public var rules: [Rule] {
    switch self {
    case .background: [.given(.base00), .ground]
    case .surface: [.given(.base01), .mix(.background, .text, percent: 6)]
    case .text: [.readableSlot(.base05, on: .background, and: .base01), .contrasting(.background)]
    case .secondaryText:
      [.readableSlot(.base04, on: .background, and: .base01), .mix(.background, .text, percent: 70)]
    case .disabledText:
      [.fainterSlot(.base03, than: .secondaryText), .mix(.background, .secondaryText, percent: 64)]
    case .separator: [.given(.base02), .mix(.background, .text, percent: 16)]
    case .primary: [.given(.base0D), .given(.link), .hue(Hue.blue, on: .background)]
    case .primaryText: [.text(.text, on: .primary)]
    case .secondary: [.given(.base0E), .hue(Hue.purple, on: .background)]
    case .link: [.readable(.primary, on: .background)]
    case .selection: [.given(.base02), .mix(.background, .primary, percent: 30)]
    case .selectionText: [.text(.text, on: .selection)]
    case .cursor: [.same(.text)]
    case .error: [.readableSlot(.base08, on: .background, and: nil), .hue(Hue.red, on: .background)]
    case .warning: [.readableSlot(.base0A, on: .background, and: nil), .hue(Hue.yellow, on: .background)]
    case .success: [.readableSlot(.base0B, on: .background, and: nil), .hue(Hue.green, on: .background)]
    case .info: [.readableSlot(.base0C, on: .background, and: nil), .hue(Hue.cyan, on: .background)]
    default: slotRules
    }
  }

  private var slotRules: [Rule] {
    switch self {
    case .base00: [.same(.background)]
    case .base01: [.same(.surface)]
    case .base02: [.same(.selection)]
    case .base03: [.same(.disabledText)]
    case .base04: [.same(.secondaryText)]
    case .base05: [.same(.text)]
    case .base06: [.mix(.text, .base07, percent: 50)]
    case .base07: [.contrasting(.background)]
    case .base08: [.same(.error)]
    case .base09: [.mix(.error, .warning, percent: 50)]
    case .base0A: [.same(.warning)]
    case .base0B: [.same(.success)]
    case .base0C: [.same(.info)]
    case .base0D: [.same(.link)]
    case .base0E: [.readable(.secondary, on: .background)]
    case .base0F: [.mix(.base09, .background, percent: 25)]
    case .base10, .base11: [.same(.base00)]
    case .base12: [.same(.base08)]
    case .base13: [.same(.base0A)]
    case .base14: [.same(.base0B)]
    case .base15: [.same(.base0C)]
    case .base16: [.same(.base0D)]
    case .base17: [.same(.base0E)]
    default: [.ground]
    }
  }
}

/// What a colour starts from that no theme gives.
private enum Hue {
  static let red = color("#e5484d")
  static let yellow = color("#c98a00")
  static let green = color("#30a46c")
  static let cyan = color("#0e9bb5")
  static let blue = color("#2f80ed")
  static let purple = color("#8e6cef")

  private static func color(_ text: Text) -> Color { Color(hexadecimal: text) ?? .black }
}

extension Role.Rule: CustomStringConvertible {
  /// The rule in words, as themed.theme(5) has it.
  public var description: String {
    switch self {
    case .given(let role): "\(role.rawValue) if given"
    case .readableSlot(let slot, let ground, nil): "\(slot.rawValue) if given, readable on \(ground.rawValue)"
    case .readableSlot(let slot, let ground, let second?):
      "\(slot.rawValue) if given, readable on \(ground.rawValue) and, if given, on \(second.rawValue)"
    case .fainterSlot(let slot, let role): "\(slot.rawValue) if given and no easier to read than \(role.rawValue)"
    case .same(let role): role.rawValue
    case .ground: "white or black, by the side"
    case .contrasting(let role): "black or white, by the contrast with \(role.rawValue)"
    case .readable(let role, let ground): "\(role.rawValue), readable on \(ground.rawValue)"
    case .hue(let color, let ground): "\(color.hexadecimal), readable on \(ground.rawValue)"
    case .mix(let from, let to, let percent): "\(percent)% from \(from.rawValue) to \(to.rawValue)"
    case .text(let text, let ground): "\(text.rawValue) if readable on \(ground.rawValue), else black or white"
    }
  }
}
