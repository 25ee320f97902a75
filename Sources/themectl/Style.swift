import ArgumentParser
import ThemedText
import Glibc
import ThemeClient
import ThemedUnix

/// Whether to print in colours.
struct ColorOption: ParsableArguments {
  enum When: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
  }

  @Option(
    help: ArgumentHelp("In colours: always, never, or in a terminal (auto), unless NO_COLOR is set.", valueName: "when")
  )
  var color = When.auto

  /// How to print on standard output.
  var style: Style { Style(ofOutput: color) }
}

extension Style {
  /// How to print on standard output.
  init(ofOutput when: ColorOption.When = .auto) {
    self.init(when, isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
  }
}

/// How to print for people.
struct Style: Hashable {
  /// How many colours a terminal has.
  enum Depth: Hashable {
    case none
    /// Eight, and eight bright ones.
    case sixteen
    /// 256, those of xterm.
    case indexed
    /// All.
    case direct
  }

  /// Whether people read it: then it is a table, where programs get tabs.
  var isForPeople: Bool
  /// Whether what is important can be in bold letters, which are no colour.
  var isEmphatic: Bool
  /// How many colours there are.
  var depth: Depth

  /// Whether there are any.
  var hasColor: Bool { depth != .none }

  /// What can be shown where the environment says this of the terminal.
  init(_ when: ColorOption.When, isTerminal: Bool, environment: (String) -> String?) {
    let depth = Depth(ofTerminal: environment)
    isForPeople = isTerminal || when == .always
    switch when {
    case .always: (isEmphatic, self.depth) = (true, depth == .none ? .sixteen : depth)
    case .auto where isTerminal && environment("NO_COLOR") == nil:
      (isEmphatic, self.depth) = (depth != .none, depth)
    case .auto: (isEmphatic, self.depth) = (isTerminal && depth != .none, .none)
    case .never: (isEmphatic, self.depth) = (false, .none)
    }
  }

  /// Of a terminal that shows colours.
  init(depth: Depth) {
    (isForPeople, isEmphatic, self.depth) = (true, true, depth)
  }

  func bold(_ text: String) -> String { isEmphatic ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// A patch of a colour, where the terminal can show one.
  func swatch(_ color: Color) -> String { hasColor ? " " + patch("    ", on: color) : "" }

  /// A text in a colour on another.
  func patch(_ text: String, _ color: Color? = nil, on ground: Color) -> String {
    guard hasColor else { return text }
    let behind = code(ground, isGround: true)
    var codes = [behind]
    if let color {
      var front = code(color, isGround: false)
      // Of few colours both may be the same.
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
    case .indexed: return "\(isGround ? 48 : 38);5;\(color.nearest(of: TerminalPalette.fixed) + 16)"
    case .sixteen:
      let number = color.nearest(of: TerminalPalette.usual)
      return "\((number < 8 ? 30 : 82) + number + (isGround ? 10 : 0))"
    }
  }
}

extension Style.Depth {
  /// What the terminal has, as its variables say.
  init(ofTerminal environment: (String) -> String?) {
    let name = Text(environment("TERM") ?? "dumb")
    let colors = Text(environment("COLORTERM") ?? "")
    // Those that have all colours and say so by their names alone, over ssh too.
    let direct: [Text] = ["-direct", "-kitty", "-ghostty", "alacritty", "foot", "wezterm"]
    switch name {
    case "dumb": self = .none
    case _ where colors == "truecolor" || colors == "24bit" || direct.contains(where: name.hasSuffix): self = .direct
    case _ where name.hasSuffix("256color"): self = .indexed
    default: self = .sixteen
    }
  }
}

/// The colours of terminals that have few.
private enum TerminalPalette {
  /// The sixteen, as xterm has them where nobody has changed them.
  static let usual = [
    "000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5", "7f7f7f", "ff0000", "00ff00",
    "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff",
  ].map { OKLab(Color(hexadecimal: Text($0)) ?? .black) }

  /// Those from 16 to 255, which nobody changes: a cube, and greys.
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
  /// The number of the colour that looks most like this one.
  fileprivate func nearest(of colors: [OKLab]) -> Int {
    let own = OKLab(self)
    func distance(_ other: OKLab) -> Double {
      let (light, red, blue) = (
        own.lightness - other.lightness, own.greenRed - other.greenRed, own.blueYellow - other.blueYellow
      )
      return light * light + red * red + blue * blue
    }
    return colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0
  }
}
