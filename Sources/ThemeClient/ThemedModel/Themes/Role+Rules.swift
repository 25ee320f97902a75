internal import ThemedSystem

extension Role {
  /// A way to get the colour of a role that a theme does not give.
  public enum Rule: Sendable, Hashable {
    /// The colour of another role, if the theme gives that one.
    case given(Role)
    /// The colour of a slot, if the theme gives it, made readable: it is moved towards black or white until its
    /// contrast with a role's colour is 4.5 to 1.
    ///
    /// It is also made readable on a second role's colour, if the theme gives that. Colour schemes are made for other
    /// programs, and their colours are often too faint for text. The slot itself does not change.
    case readableSlot(Role, on: Role, and: Role?)
    /// The colour of a slot, if the theme gives it and it has no more contrast with the background than another role's
    /// colour.
    case fainterSlot(Role, than: Role)
    /// The colour of another role, given or derived.
    case same(Role)
    /// White on the light side, black on the dark side.
    case ground
    /// Black or white, whichever has more contrast with a role's colour.
    case contrasting(Role)
    /// A role's colour, moved towards black or white until it is readable on another's (4.5 to 1).
    case readable(Role, on: Role)
    /// This colour, moved towards black or white until it is readable on a role's.
    case hue(Color, on: Role)
    /// The colour at this percentage of the way from one role's colour to another's, in OKLab.
    case mix(Role, Role, percent: Int)
    /// A role's colour if it is readable on another's, or else black or white.
    case text(Role, on: Role)
  }

  /// How to derive the colour if a theme does not give it: by the first rule that results in a colour.
  ///
  /// The last rule always does.
  ///
  /// This is the only table of these rules, also for the manual page themed.theme(5). A semantic role first uses its
  /// slot or the terminal's colour, if the theme gives one of them. A slot uses the terminal's colour if it is given,
  /// or else its semantic role. A terminal's colour uses a slot. A role that this version does not know uses text.
  public var rules: [Rule] {
    switch self {
    case .background: [.given(.base00), .ground]
    case .surface: [.given(.base01), .mix(.background, .text, percent: 6)]
    case .text: [.readableSlot(.base05, on: .background, and: .base01), .contrasting(.background)]
    case .secondaryText:
      [.readableSlot(.base04, on: .background, and: .base01), .mix(.background, .text, percent: 70)]
    case .disabledText:
      [
        .fainterSlot(.base03, than: .secondaryText), .fainterSlot(.ansi8, than: .secondaryText),
        .mix(.background, .secondaryText, percent: 64),
      ]
    case .separator: [.given(.base02), .mix(.background, .text, percent: 16)]
    case .primary: [.given(.base0D), .given(.link), .given(.ansi4), .hue(Hue.blue, on: .background)]
    case .primaryText: [.text(.text, on: .primary)]
    case .secondary: [.given(.base0E), .given(.ansi5), .hue(Hue.purple, on: .background)]
    case .link: [.readable(.primary, on: .background)]
    case .selection: [.given(.base02), .mix(.background, .primary, percent: 30)]
    case .selectionText: [.text(.text, on: .selection)]
    case .cursor: [.same(.text)]
    case .cursorText: [.text(.background, on: .cursor)]
    case .error: Self.sign(.base08, .ansi1, Hue.red)
    case .warning: Self.sign(.base0A, .ansi3, Hue.yellow)
    case .success: Self.sign(.base0B, .ansi2, Hue.green)
    case .info: Self.sign(.base0C, .ansi6, Hue.cyan)
    default: slotRules
    }
  }

  /// The rules of a sign: its slot, then a terminal's colour, then a hue.
  private static func sign(_ slot: Role, _ color: Role, _ hue: Color) -> [Rule] {
    [
      .readableSlot(slot, on: .background, and: nil), .readableSlot(color, on: .background, and: nil),
      .hue(hue, on: .background),
    ]
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
    case .base08: [.given(.ansi1), .same(.error)]
    case .base09: [.mix(.error, .warning, percent: 50)]
    case .base0A: [.given(.ansi3), .same(.warning)]
    case .base0B: [.given(.ansi2), .same(.success)]
    case .base0C: [.given(.ansi6), .same(.info)]
    case .base0D: [.given(.ansi4), .same(.link)]
    case .base0E: [.given(.ansi5), .readable(.secondary, on: .background)]
    case .base0F: [.mix(.base09, .background, percent: 25)]
    case .base10, .base11: [.same(.base00)]
    case .base12: [.given(.ansi9), .same(.base08)]
    case .base13: [.given(.ansi11), .same(.base0A)]
    case .base14: [.given(.ansi10), .same(.base0B)]
    case .base15: [.given(.ansi14), .same(.base0C)]
    case .base16: [.given(.ansi12), .same(.base0D)]
    case .base17: [.given(.ansi13), .same(.base0E)]
    default: ansiRules
    }
  }

  private var ansiRules: [Rule] {
    switch self {
    case .ansi0: [.same(.base00)]
    case .ansi1: [.same(.base08)]
    case .ansi2: [.same(.base0B)]
    case .ansi3: [.same(.base0A)]
    case .ansi4: [.same(.base0D)]
    case .ansi5: [.same(.base0E)]
    case .ansi6: [.same(.base0C)]
    case .ansi7: [.same(.base05)]
    case .ansi8: [.same(.base03)]
    case .ansi9: [.same(.base12)]
    case .ansi10: [.same(.base14)]
    case .ansi11: [.same(.base13)]
    case .ansi12: [.same(.base16)]
    case .ansi13: [.same(.base17)]
    case .ansi14: [.same(.base15)]
    case .ansi15: [.same(.base07)]
    // The colour of a newer role is readable, whatever the role is for.
    default: [.same(.text)]
    }
  }
}

/// The hues to start from if a theme gives no colour.
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
  /// The rule in the words of themed.theme(5).
  public var description: String {
    switch self {
    case .given(let role): "\(role.rawValue) if given"
    case .readableSlot(let slot, let ground, nil): "\(slot.rawValue) if given, made readable on \(ground.rawValue)"
    case .readableSlot(let slot, let ground, let second?):
      "\(slot.rawValue) if given, made readable on \(ground.rawValue) (and on \(second.rawValue) if given)"
    case .fainterSlot(let slot, let role):
      "\(slot.rawValue) if given, unless it is easier to read than \(role.rawValue)"
    case .same(let role): "\(role.rawValue)"
    case .ground: "white on the light side, black on the dark side"
    case .contrasting(let role): "black or white, whichever is easier to read on \(role.rawValue)"
    case .readable(let role, let ground): "\(role.rawValue), made readable on \(ground.rawValue)"
    case .hue(let color, let ground): "\(color.hexadecimal), made readable on \(ground.rawValue)"
    case .mix(let from, let to, let percent): "\(percent)% of the way from \(from.rawValue) to \(to.rawValue)"
    case .text(let text, let ground):
      "\(text.rawValue) if it is readable on \(ground.rawValue); else \(Self.contrasting(ground))"
    }
  }
}
