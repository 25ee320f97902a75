package import ThemedModel
package import ThemedSystem

/// The variables of a template: those of tinted-theming's builder specification 0.11, the same for every role of ours,
/// and the app's own names of its looks.
package struct AppVariables: Sendable, Hashable {
  package struct Shown: Sendable, Hashable {
    package var scheme: ColorScheme
    /// Whether contrast is to be higher.
    package var highContrast: Bool
    package var theme: Text
    package var title: Text
    package var author: Text?
    /// Its colours on the side of the scheme.
    package var palette: Palette
    /// Its values on that side, by the names of the programs.
    package var values: [Text: Text]

    package init(
      scheme: ColorScheme, highContrast: Bool = false, theme: Text, title: Text? = nil, author: Text? = nil,
      palette: Palette, values: [Text: Text] = [:]
    ) {
      self.scheme = scheme
      self.highContrast = highContrast
      self.theme = theme
      self.title = title ?? theme
      self.author = author
      self.palette = palette
      self.values = values
    }

    /// A side of a theme; nil if the theme does not have that side.
    package init?(_ theme: Theme, _ scheme: ColorScheme, highContrast: Bool = false) {
      guard let palette = theme.palette(for: scheme) else { return nil }
      self.init(
        scheme: scheme, highContrast: highContrast, theme: theme.name, title: theme.title, author: theme.author,
        palette: palette, values: theme[scheme]?.values ?? [:])
    }
  }

  private let texts: [Text: Text]
  private let palette: Palette
  private let system: PaletteSystem

  /// The variables of an app's templates while this state is shown.
  ///
  /// - Parameters:
  ///   - file: The file that an action is about, for its placeholder `{file}`.
  ///   - program: The installed one of the app's programs, for its placeholder `{program}`.
  package init(
    _ shown: Shown, for app: App, system: PaletteSystem = .base24, file: Text? = nil, program: Text? = nil
  ) {
    palette = shown.palette
    self.system = system
    let slug = shown.theme.slug
    var texts: [Text: Text] = [
      "scheme": Text(shown.scheme.rawValue), "theme": shown.theme, "contrast": shown.highContrast ? "high" : "normal",
      "is-\(shown.scheme.rawValue)": "true",
      "scheme-name": shown.title.asWords, "scheme-author": (shown.author ?? "").asWords, "scheme-description": "",
      "scheme-slug": slug, "scheme-slug-underscored": slug.replacing("-", with: "_"),
      "scheme-system": Text(system.rawValue), "scheme-variant": Text(shown.scheme.rawValue),
      "scheme-is-\(shown.scheme.rawValue)-variant": "true",
    ]
    texts["file"] = file
    texts.merge(app.values[shown.scheme] ?? [:]) { $1 }
    if let program { texts["program"] = program }
    // A theme may give its name in this program; the text is foreign, so it must be a plain name and not an option.
    if let value = shown.values[app.name], value.isPlainName { texts["value"] = value }
    self.texts = texts
  }

  /// The names that do not depend on what is shown and are not colours.
  static let names: Set<Text> = [
    "scheme", "theme", "contrast", "is-light", "is-dark", "scheme-name", "scheme-author", "scheme-description",
    "scheme-slug", "scheme-slug-underscored", "scheme-system", "scheme-variant", "scheme-is-light-variant",
    "scheme-is-dark-variant",
  ]

  /// The names whose values come from a stranger's theme; the arguments of a program never contain them.
  static let foreignTexts: Set<Text> = ["scheme-name", "scheme-author", "scheme-description"]

  package subscript(name: Text) -> Text? {
    if let text = texts[name] { return text }
    guard let (role, form) = ColorForm.parse(name), system == .base24 || !Self.base24Alone.contains(role) else {
      return nil
    }
    let (red, green, blue) = palette[role].components8
    return form.text(red, green, blue)
  }

  private static let base24Alone = Set(Role.base24Slots).subtracting(Role.base16Slots)

  /// A word of an app file with its placeholders `{name}` filled.
  package func filling(_ word: Text) -> Text { Placeholders.filling(word) { self[$0] } }
}

/// A way to write a colour, as the names of variables end.
struct ColorForm: Sendable {
  let suffix: Text
  let text: @Sendable (_ red: Int, _ green: Int, _ blue: Int) -> Text

  private static let all = [
    ColorForm(suffix: "-hex") { "\($0.hexadecimal(2))\($1.hexadecimal(2))\($2.hexadecimal(2))" },
    ColorForm(suffix: "-hex-bgr") { "\($2.hexadecimal(2))\($1.hexadecimal(2))\($0.hexadecimal(2))" },
    ColorForm(suffix: "-hex-r") { red, _, _ in Text(red.hexadecimal(2)) },
    ColorForm(suffix: "-hex-g") { _, green, _ in Text(green.hexadecimal(2)) },
    ColorForm(suffix: "-hex-b") { _, _, blue in Text(blue.hexadecimal(2)) },
    ColorForm(suffix: "-rgb-r") { red, _, _ in "\(red)" },
    ColorForm(suffix: "-rgb-g") { _, green, _ in "\(green)" },
    ColorForm(suffix: "-rgb-b") { _, _, blue in "\(blue)" },
    ColorForm(suffix: "-rgb16-r") { red, _, _ in "\(red * 257)" },
    ColorForm(suffix: "-rgb16-g") { _, green, _ in "\(green * 257)" },
    ColorForm(suffix: "-rgb16-b") { _, _, blue in "\(blue * 257)" },
    ColorForm(suffix: "-dec-r") { red, _, _ in share(red) },
    ColorForm(suffix: "-dec-g") { _, green, _ in share(green) },
    ColorForm(suffix: "-dec-b") { _, _, blue in share(blue) },
  ]

  /// The role and the form that a variable's name stands for.
  static func parse(_ name: Text) -> (role: Role, form: ColorForm)? {
    for form in all {
      if let role = name.dropping(suffix: form.suffix).flatMap({ Role(name: $0) }) { return (role, form) }
    }
    return nil
  }

  /// The share of 255 with eight decimals, as the specification's builder writes it.
  private static func share(_ value: Int) -> Text {
    let scaled = (value * 200_000_000 + 255) / 510
    let decimals = String(scaled % 100_000_000)
    return "\(scaled / 100_000_000).\(String(repeating: "0", count: 8 - decimals.utf8.count))\(decimals)"
  }
}

extension Text {
  /// The name as the builders write a slug: small letters, digits and dashes.
  var slug: Text {
    Text(
      decoding: utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): byte
        case UInt8(ascii: " "): UInt8(ascii: "-")
        default: nil
        }
      })
  }

  /// A stranger's words, made safe for a comment: they contain nothing that ends a line in any language.
  fileprivate var asWords: Text { Text(shown()) }
}

/// The words of a value of an app file, and the placeholders in them.
enum Placeholders {
  enum Piece: Equatable {
    case bytes(ArraySlice<UInt8>)
    case name(Text)
  }

  /// The parts of a word; a brace that begins no placeholder stays, and two braces are one.
  static func pieces(of word: Text) -> [Piece] {
    let bytes = Array(word.utf8)
    var pieces: [Piece] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "{") else {
        index += 1
        continue
      }
      if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "{") {
        pieces.append(.bytes(bytes[start...index]))
        index += 2
        start = index
        continue
      }
      let name = bytes[(index + 1)...].prefix { $0.isLetterOrDigit || "._+-".utf8.contains($0) }
      guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "}") else {
        index += 1
        continue
      }
      if start < index { pieces.append(.bytes(bytes[start..<index])) }
      pieces.append(.name(Text(decoding: name)))
      index = name.endIndex + 1
      start = index
    }
    if start < bytes.count { pieces.append(.bytes(bytes[start...])) }
    return pieces
  }

  static func names(in word: Text) -> [Text] {
    pieces(of: word).compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// A word with its placeholders filled; a placeholder without a value becomes empty.
  static func filling(_ word: Text, _ value: (Text) -> Text?) -> Text {
    Text(
      decoding: pieces(of: word).flatMap { piece in
        switch piece {
        case .bytes(let bytes): Array(bytes)
        case .name(let name): Array((value(name) ?? "").utf8)
        }
      })
  }

  /// The words of a value, separated by spaces, with quoted text kept together; nil if a quote is not closed.
  static func words(of value: Text) -> [Text]? {
    var words: [Text] = []
    var word: [UInt8]?
    var quote: UInt8?
    for byte in value.utf8 {
      if let open = quote {
        if byte == open { quote = nil } else { word?.append(byte) }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        word = word ?? []
      } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        if let word { words.append(Text(decoding: word)) }
        word = nil
      } else {
        word = word ?? []
        word?.append(byte)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(Text(decoding: word)) }
    return words
  }
}
