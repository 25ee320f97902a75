public import ThemeResolution

/// A colour for every role: those that a side of a theme gives, and the others derived from them.
public struct Palette: Sendable, Hashable {
  private let colors: [Color]

  /// The palette of a side that gives these colours.
  ///
  /// Total: whatever is given, each role has a colour, by its ``Role/rules``. Given colours stay as they are, rounded to
  /// eight bits a component, as all others are.
  public init(_ given: [Role: Color], for scheme: ColorScheme) {
    var derivation = Derivation(given: given, scheme: scheme)
    colors = Role.allCases.map { derivation.color($0) }
  }

  /// The colour of a role.
  public subscript(role: Role) -> Color { colors[role.index] }

  /// Every role with its colour, in the order of ``Role``.
  public var all: [(role: Role, color: Color)] { zip(Role.allCases, colors).map { ($0, $1) } }

  /// The sixteen colours of a terminal, in the order of their numbers (ECMA-48, and aixterm's bright ones).
  public var terminalColors: [Color] {
    let normal: [Role] = [.base00, .base08, .base0B, .base0A, .base0D, .base0E, .base0C, .base05]
    let bright: [Role] = [.base03, .base12, .base14, .base13, .base16, .base17, .base15, .base07]
    return (normal + bright).map { self[$0] }
  }

  /// The palette at `fraction` of the perceptually even way (OKLab) to `other`: 0 is this one, 1 the other.
  public func interpolated(to other: Palette, fraction: Double) -> Palette {
    Palette(colors: zip(colors, other.colors).map { $0.interpolated(to: $1, fraction: fraction) })
  }

  private init(colors: [Color]) {
    self.colors = colors
  }
}

extension Role {
  fileprivate var index: Int { Self.indices[self] ?? 0 }
  private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))
}

/// The derivation of one palette: each colour is made once.
private struct Derivation {
  let given: [Role: Color]
  let scheme: ColorScheme
  private var made: [Role: Color] = [:]

  init(given: [Role: Color], scheme: ColorScheme) {
    self.given = given
    self.scheme = scheme
  }

  mutating func color(_ role: Role) -> Color {
    if let known = made[role] { return known }
    let color = (given[role] ?? derived(role)).rounded
    made[role] = color
    return color
  }

  private mutating func derived(_ role: Role) -> Color {
    for rule in role.rules {
      if let color = apply(rule) { return color }
    }
    preconditionFailure("the last rule of every role always has a colour")
  }

  private mutating func apply(_ rule: Role.Rule) -> Color? {
    switch rule {
    case .given(let role): given[role]
    case .readableSlot(let slot, let ground, let second):
      // The second ground may be derived from this very role, where the theme does not give it.
      given[slot].map { $0.readable(on: color(ground), and: second.flatMap { given[$0] }) }
    case .fainterSlot(let slot, let role):
      given[slot].flatMap { slot in
        let background = color(.background)
        return slot.contrast(with: background) <= color(role).contrast(with: background) ? slot : nil
      }
    case .same(let role): color(role)
    case .ground: scheme == .light ? .white : .black
    case .contrasting(let ground): color(ground).contrasting
    case .readable(let role, let ground): color(role).readable(on: color(ground))
    case .hue(let hue, let ground): hue.readable(on: color(ground))
    case .mix(let from, let to, let percent):
      color(from).interpolated(to: color(to), fraction: Double(percent) / 100)
    case .text(let text, let ground):
      color(text).contrast(with: color(ground)) >= Contrast.minimum ? color(text) : color(ground).contrasting
    }
  }
}
