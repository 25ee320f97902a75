/// A colour for every role, for light or for dark.
///
/// The theme gives some of the colours. The others are derived from these.
public struct Palette: Sendable, Hashable {
  /// The colours of the known roles, in their order.
  private let colors: [Color]
  /// The given colours of roles that this version does not know.
  private let others: [Role: Color]

  // Total: each role has a colour by its rules, whatever is given. All colours are rounded to eight bits a component;
  // given colours do not change otherwise.
  /// Creates a palette with these colours for this scheme; the colours of all other roles are derived.
  public init(_ given: [Role: Color] = [:], for scheme: ColorScheme) {
    var derivation = Derivation(given: given, scheme: scheme)
    colors = Role.all.map { derivation.color($0) }
    others = given.filter { $0.key.index == nil }.mapValues(\.rounded)
  }

  /// The colour of a role.
  ///
  /// If this version does not know the role and the theme does not give its colour, you get the colour of
  /// ``Role/text``.
  public subscript(role: Role) -> Color { color(role) ?? color(.text) ?? .black }

  private func color(_ role: Role) -> Color? { role.index.map { colors[$0] } ?? others[role] }

  /// Every role with its colour: first the roles in ``Role/all``, then the other roles that are given, by name.
  public var all: [(role: Role, color: Color)] {
    zip(Role.all, colors).map { ($0, $1) }
      + others.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }

  /// The palette at `fraction` of the way to `other`: 0 gives this palette, and 1 gives the other palette.
  ///
  /// Colours are interpolated in OKLab, so that the change looks even.
  public func interpolated(to other: Palette, fraction: Double) -> Palette {
    Palette(
      colors: zip(colors, other.colors).map { $0.interpolated(to: $1, fraction: fraction) },
      others: others.merging(other.others) { $0.interpolated(to: $1, fraction: fraction) })
  }

  private init(colors: [Color], others: [Role: Color]) {
    self.colors = colors
    self.others = others
  }
}

/// Derives one palette, and computes each colour once.
private struct Derivation {
  let given: [Role: Color]
  let scheme: ColorScheme
  var made: [Role: Color] = [:]

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
      // The second background may be derived from this very role if the theme does not give it.
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
