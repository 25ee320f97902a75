import ArgumentParser
import Glibc
import ThemedModel
import ThemedSystem

struct ColorOption: ParsableArguments {
  enum When: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  @Option(
    help: ArgumentHelp("When to print colours; auto means in a terminal, unless NO_COLOR is set.", valueName: "when")
  )
  var color = When.auto

  var style: Style { Style(ofOutput: color) }
}

extension Style {
  init(ofOutput when: ColorOption.When = .auto) {
    self.init(when, isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
  }
}

struct Style: Hashable {
  enum Depth: Hashable {
    case none
    /// Eight, and eight bright ones.
    case sixteen
    case indexed
    case direct
  }

  /// Whether a person reads the output: a person gets a table, a program gets tabs.
  var isForPeople: Bool
  /// Whether important words can be bold, which is not a colour.
  var isEmphatic: Bool
  var depth: Depth
  var isUTF8 = true

  var hasColor: Bool { depth != .none }

  init(_ when: ColorOption.When, isTerminal: Bool, environment: (String) -> String?) {
    isForPeople = isTerminal || when == .always
    guard isForPeople else {
      // Most callers are programs, for which the terminal makes no difference.
      (isEmphatic, depth) = (false, .none)
      return
    }
    let depth = Depth(ofTerminal: environment)
    isUTF8 = Self.isUTF8(environment)
    switch when {
    case .always: (isEmphatic, self.depth) = (true, depth == .none ? .sixteen : depth)
    case .auto where isTerminal && environment("NO_COLOR") == nil:
      (isEmphatic, self.depth) = (depth != .none, depth)
    case .auto: (isEmphatic, self.depth) = (depth != .none, .none)
    case .never: (isEmphatic, self.depth) = (false, .none)
    }
  }

  /// Whether the first locale variable that is set names UTF-8.
  private static func isUTF8(_ environment: (String) -> String?) -> Bool {
    // A loop, because chains of sequences make the program look up types at run time.
    for variable in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let locale = environment(variable).map({ Text($0) }), !locale.isEmpty else { continue }
      let name = locale.lowercasedASCII.split("@")[0]
      return name.hasSuffix(".utf-8") || name.hasSuffix(".utf8")
    }
    return false
  }

  init(depth: Depth) {
    (isForPeople, isEmphatic, self.depth) = (true, true, depth)
  }

  func bold(_ text: String) -> String { isEmphatic ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  func swatch(_ color: Color) -> String { hasColor ? " " + patch("    ", on: color) : "" }

  func patch(_ text: String, _ color: Color? = nil, on ground: Color) -> String {
    guard hasColor else { return text }
    let behind = code(ground, isGround: true)
    var codes = [behind]
    if let color {
      var front = code(color, isGround: false)
      // With few colours, both may be the same.
      if code(color, isGround: true) == behind { front = code(ground.contrasting, isGround: false) }
      codes.insert(front, at: 0)
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }

  private func code(_ color: Color, isGround: Bool) -> String {
    switch depth {
    case .none: return ""
    case .direct:
      let (red, green, blue) = color.components8
      return "\(isGround ? 48 : 38);2;\(red);\(green);\(blue)"
    case .indexed: return "\(isGround ? 48 : 38);5;\(color.nearestOf256)"
    case .sixteen:
      let number = color.nearestOf16
      return "\((number < 8 ? 30 : 82) + number + (isGround ? 10 : 0))"
    }
  }
}

extension Style.Depth {
  init(ofTerminal environment: (String) -> String?) {
    let name = Text(environment("TERM") ?? "dumb")
    let colors = Text(environment("COLORTERM") ?? "")
    // These names alone mean that all colours work; ssh passes on only the name.
    let direct: [Text] = ["-direct", "-kitty", "-ghostty", "alacritty", "foot", "wezterm"]
    switch name {
    case "dumb": self = .none
    case _ where colors == "truecolor" || colors == "24bit" || direct.contains(where: name.hasSuffix): self = .direct
    case _ where name.hasSuffix("256color"): self = .indexed
    default: self = .sixteen
    }
  }
}

/// The colours of terminals that have only a few.
private enum TerminalPalette {
  /// The sixteen colours as xterm has them by default.
  static let usual = [
    "000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5", "7f7f7f", "ff0000", "00ff00",
    "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff",
  ].map { OKLab(Color(hexadecimal: Text($0)) ?? .black) }

  /// The colours from 16 to 255, which users do not change: a cube, and greys.
  static let fixed: [OKLab] = {
    let steps = [0, 95, 135, 175, 215, 255]
    let cube = steps.flatMap { red in steps.flatMap { green in steps.map { (red, green, $0) } } }
    let greys = (0..<24).map { (8 + 10 * $0, 8 + 10 * $0, 8 + 10 * $0) }
    return (cube + greys).map { red, green, blue in
      OKLab(Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255) ?? .black)
    }
  }()
}

extension Color {
  /// The number of the most similar of the 256 colours, without the first sixteen, which users change.
  var nearestOf256: Int {
    let own = OKLab(self)
    return 16
      + (TerminalPalette.fixed.indices.min {
        own.distance(to: TerminalPalette.fixed[$0]) < own.distance(to: TerminalPalette.fixed[$1])
      } ?? 0)
  }

  /// The number of the one of the sixteen colours that is closest in meaning.
  ///
  /// All sixteen are grey or glaring: by distance alone, a dull colour would become grey, and every colour of a quiet
  /// theme the same. So a colour with a visible hue keeps the nearest hue.
  var nearestOf16: Int {
    let own = OKLab(self)
    return TerminalPalette.usual.indices.filter { TerminalPalette.usual[$0].hasHue == own.hasHue }
      .min { own.difference(to: TerminalPalette.usual[$0]) < own.difference(to: TerminalPalette.usual[$1]) } ?? 0
  }
}

extension OKLab {
  private var chroma: Double { (greenRed * greenRed + blueYellow * blueYellow).squareRoot() }

  /// Whether people would name its hue; a colour that is nearly black or white needs more chroma for that.
  fileprivate var hasHue: Bool { chroma >= 0.04 + 0.15 * max(0, abs(lightness - 0.6) - 0.15) }

  /// The distance to another colour in lightness, and if both have a hue, in hue, whatever their chroma.
  fileprivate func difference(to other: OKLab) -> Double {
    let light = toe - other.toe
    guard hasHue, other.hasHue else { return light * light }
    let red = greenRed / chroma - other.greenRed / other.chroma
    let yellow = blueYellow / chroma - other.blueYellow / other.chroma
    return light * light + 0.4 * (red * red + yellow * yellow)
  }

  /// The lightness relative to white (Ottosson's L_r of 2021): half of it looks half as light.
  private var toe: Double {
    let (low, bend) = (0.206, 0.03)
    let rest = (1 + low) / (1 + bend) * lightness
    return 0.5 * (rest - low + ((rest - low) * (rest - low) + 4 * bend * rest).squareRoot())
  }
}
