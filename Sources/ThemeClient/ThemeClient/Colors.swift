internal import ThemedModel
internal import ThemedSystem

/// The scheme to show: light or dark.
///
/// Later versions will not add cases.
public enum ThemeScheme: String, Sendable, Hashable, CaseIterable {
  /// Dark text on a light background.
  case light
  /// Light text on a dark background.
  case dark

  /// The other scheme.
  public var opposite: ThemeScheme { self == .light ? .dark : .light }

  init(_ inner: ColorScheme) { self = inner == .light ? .light : .dark }

  var inner: ColorScheme { self == .light ? .light : .dark }
}

/// An sRGB colour, each component from 0 to 1.
public struct ThemeColor: Sendable, Hashable, CustomStringConvertible {
  let inner: Color

  init(_ inner: Color) { self.inner = inner }

  /// Creates a colour; nil if a component is not a number from 0 to 1.
  public init?(red: Double, green: Double, blue: Double) {
    guard let inner = Color(red: red, green: green, blue: blue) else { return nil }
    self.inner = inner
  }

  /// Reads `#rrggbb` or `#rgb`, in upper or lower case, with or without `#`; nil for any other text.
  public init?(_ hexadecimal: String) {
    guard let inner = Color(hexadecimal) else { return nil }
    self.inner = inner
  }

  /// Red, 0 to 1.
  public var red: Double { inner.red }
  /// Green, 0 to 1.
  public var green: Double { inner.green }
  /// Blue, 0 to 1.
  public var blue: Double { inner.blue }
  /// The components, each rounded to eight bits.
  public var rgb8: (red: UInt8, green: UInt8, blue: UInt8) {
    let (red, green, blue) = inner.components8
    return (UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue))
  }
  /// The colour as `#rrggbb`, in lower case; each component is rounded to eight bits.
  public var description: String { inner.hexadecimal }

  /// The contrast ratio of WCAG 2.2 between the two colours, from 1 (no contrast) to 21 (black and white).
  ///
  /// The order of the two colours does not matter.
  public func contrast(with other: ThemeColor) -> Double { inner.contrast(with: other.inner) }

  /// The colour at `fraction` of the way to `other`: 0 gives this colour, and 1 gives the other colour.
  ///
  /// Colours are interpolated in OKLab, so that a fade looks even.
  public func interpolated(to other: ThemeColor, fraction: Double) -> ThemeColor {
    ThemeColor(inner.interpolated(to: other.inner, fraction: fraction))
  }

  /// Black or white, whichever has more contrast with this colour: a colour for readable text on this colour.
  public var contrasting: ThemeColor { ThemeColor(inner.contrasting) }

  /// Makes this colour readable as text on `background`, and changes it as little as possible.
  ///
  /// If this colour is readable, you get this colour. Otherwise you get the first readable colour on the way to black
  /// or white, whichever has more contrast with `background`. If no colour on the way is readable, you get that black
  /// or white.
  ///
  /// - Parameters:
  ///   - background: The colour behind the text.
  ///   - ratio: The contrast from which a colour counts as readable. On some backgrounds, no colour reaches more than
  ///     4.58.
  public func readable(on background: ThemeColor, ratio: Double = 4.5) -> ThemeColor {
    ThemeColor(inner.readable(on: background.inner, ratio: ratio))
  }
}

/// The use of a colour in a palette, such as ``background`` or ``text``.
///
/// Theme files and the interface use the same names. There are three groups of roles:
///
/// - The properties of this type name the first group. They say what to draw with the colour, such as ``background``.
/// - ``base24`` has the slots of base16 and base24, the schemes of tinted-theming, such as `base00`.
/// - ``ansi`` has the sixteen colours of a terminal, such as `ansi0`.
///
/// If a theme does not give a colour for a role, the colour is derived from those of other roles.
///
/// Later versions may add roles. Your program can use a role that is newer than this library: it gets the colour that
/// the daemon has for that role.
public struct ThemeRole: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name of the role, as in theme files, such as `secondary-text`.
  public let rawValue: String

  /// Creates the role of this name; any name is accepted, because later versions may have it.
  public init(rawValue: String) { self.rawValue = rawValue }

  init(_ inner: Role) { rawValue = inner.rawValue.string }

  var inner: Role { Role(rawValue: Text(rawValue)) }

  /// The name of the role.
  public var description: String { rawValue }

  /// The main background.
  public static let background = ThemeRole(.background)
  /// Surfaces on the background: bars, cards, menus.
  public static let surface = ThemeRole(.surface)
  /// Text.
  public static let text = ThemeRole(.text)
  /// Less important text.
  public static let secondaryText = ThemeRole(.secondaryText)
  /// Text of disabled controls, hints and comments; it may be too faint to read.
  public static let disabledText = ThemeRole(.disabledText)
  /// Lines that separate things.
  public static let separator = ThemeRole(.separator)
  /// The main accent colour of the theme: buttons, switches, the active tab.
  ///
  /// Some toolkits call this colour the tint.
  public static let primary = ThemeRole(.primary)
  /// Text on the primary colour.
  public static let primaryText = ThemeRole(.primaryText)
  /// A second accent colour, beside the primary colour.
  public static let secondary = ThemeRole(.secondary)
  /// Links.
  public static let link = ThemeRole(.link)
  /// The background of the selection.
  public static let selection = ThemeRole(.selection)
  /// Selected text.
  public static let selectionText = ThemeRole(.selectionText)
  /// The text cursor.
  public static let cursor = ThemeRole(.cursor)
  /// The text under a block cursor.
  public static let cursorText = ThemeRole(.cursorText)
  /// Errors.
  public static let error = ThemeRole(.error)
  /// Warnings.
  public static let warning = ThemeRole(.warning)
  /// Success.
  public static let success = ThemeRole(.success)
  /// Information.
  public static let info = ThemeRole(.info)

  /// The slots of base24, in order, from `base00` to `base17`; the first sixteen are those of base16.
  public static let base24 = Role.base24Slots.map { ThemeRole($0) }
  /// The sixteen colours of a terminal, by their numbers: `ansi0` to `ansi15`.
  public static let ansi = Role.ansi.map { ThemeRole($0) }
  /// The roles that this version knows, in order.
  public static let all = Role.all.map { ThemeRole($0) }
}

/// A colour for every role, for light or for dark.
///
/// The theme gives some of the colours. The others are derived from these.
public struct ThemePalette: Sendable, Hashable {
  let inner: Palette

  init(_ inner: Palette) { self.inner = inner }

  /// Creates a palette with these colours for this scheme; the colours of all other roles are derived.
  public init(_ given: [ThemeRole: ThemeColor] = [:], for scheme: ThemeScheme) {
    inner = Palette(
      Dictionary(given.map { ($0.key.inner, $0.value.inner) }) { first, _ in first }, for: scheme.inner)
  }

  /// The colour of a role.
  ///
  /// If this version does not know the role and the theme does not give its colour, you get the colour of
  /// ``ThemeRole/text``.
  public subscript(role: ThemeRole) -> ThemeColor { ThemeColor(inner[role.inner]) }

  /// Every role with its colour, each role once: first the roles in ``ThemeRole/all``, then the other roles that are
  /// given, by name.
  public var all: [(role: ThemeRole, color: ThemeColor)] {
    var seen: Set<ThemeRole> = []
    return inner.all.compactMap { role, color in
      seen.insert(ThemeRole(role)).inserted ? (ThemeRole(role), ThemeColor(color)) : nil
    }
  }
}

extension Dictionary<ThemeRole, ThemeColor> {
  /// The colours by role.
  ///
  /// Names come from outside. Two that differ in their bytes can be one `String`; then the first one counts.
  init(_ inner: [Role: Color]) {
    self.init(
      inner.sorted { $0.key.rawValue < $1.key.rawValue }.map { (ThemeRole($0.key), ThemeColor($0.value)) }
    ) { first, _ in first }
  }
}

/// The strings by name, as the model has them.
func texts(_ strings: [String: String]) -> [Text: Text] {
  Dictionary(uniqueKeysWithValues: strings.map { (Text($0.key), Text($0.value)) })
}

extension Dictionary<String, String> {
  /// The strings by name; of two names that are one `String`, the first one counts.
  init(_ inner: [Text: Text]) {
    self.init(inner.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value.string) }) { first, _ in first }
  }
}
