/// A colour of a theme, each part from 0 to 1.
package struct Color: Sendable, Hashable {
  package let red: Double
  package let green: Double
  package let blue: Double
  /// The colour as a style has it, `#rrggbb`.
  let css: String

  /// Reads `#rrggbb`.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 7, digits[0] == UInt8(ascii: "#"), let number = Int(text.dropFirst(), radix: 16) else {
      return nil
    }
    (red, green, blue) = (Double(number >> 16) / 255, Double(number >> 8 & 255) / 255, Double(number & 255) / 255)
    css = text
  }
}

/// The colours by which the window draws one side of a theme.
package struct Swatch: Sendable, Hashable {
  package let background: Color
  package let text: Color
  package let patches: [Color]
}

/// The colours of a side as libadwaita names them, in which the window shows itself while the user points at the side.
package struct Preview: Sendable, Hashable {
  package let side: Side
  package let style: String
}

extension Theme {
  /// The title, or the name without one.
  package var label: String { title ?? name }

  /// The colours of a side; nil if the theme does not have this side.
  package func swatch(_ side: Side) -> Swatch? {
    let colors = side == .light ? light : dark
    guard let colors, let background = colors["background"].flatMap(Color.init),
      let text = colors["text"].flatMap(Color.init)
    else { return nil }
    let patches = ["primary", "secondary", "error", "warning", "success", "info"].compactMap {
      colors[$0].flatMap(Color.init)
    }
    return Swatch(background: background, text: text, patches: patches)
  }

  /// The preview of a side; nil if the theme does not have this side.
  package func preview(_ side: Side) -> Preview? {
    guard let swatch = swatch(side) else { return nil }
    let (background, text) = (swatch.background.css, swatch.text.css)
    var colors = [
      "card_bg_color": "mix(\(background), \(text), 0.08)", "card_fg_color": text, "accent_fg_color": background,
    ]
    for part in ["window", "view", "headerbar", "popover"] {
      (colors["\(part)_bg_color"], colors["\(part)_fg_color"]) = (background, text)
    }
    for name in ["accent_color", "accent_bg_color"] { colors[name] = swatch.patches.first?.css ?? text }
    return Preview(
      side: side, style: colors.sorted { $0.key < $1.key }.map { "@define-color \($0.key) \($0.value);" }.joined())
  }

  /// The words of a side for a reader who does not see the colours.
  package func words(_ side: Side) -> String {
    switch (side, chosen.contains(side)) {
    case (.light, false): tr("{theme}, light side", ["theme": label])
    case (.dark, false): tr("{theme}, dark side", ["theme": label])
    case (.light, true): tr("{theme}, light side, chosen", ["theme": label])
    case (.dark, true): tr("{theme}, dark side, chosen", ["theme": label])
    }
  }

  /// All that a card shows of a theme that is not chosen.
  package var colors: [String] {
    [name, label]
      + [light, dark].map { side in side?.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined() ?? "" }
  }

  /// The arguments that choose a side of the theme.
  package func command(_ side: Side) -> [String] { ["set", "theme", name, "--\(side.rawValue)"] }

  /// The arguments that choose all sides of the theme.
  package var command: [String] { ["set", "theme", name] }
}

extension App {
  /// The group of the page in which a program is listed.
  package enum Group: String, Sendable, Hashable, CaseIterable { case troubled, available, following }

  package var label: String { title ?? name }

  /// The group of the program; nil if it is not installed.
  package var group: Group? {
    if state == "not-installed" { return nil }
    if words.hasPrefix("does not follow") { return .troubled }
    return words.hasPrefix("can be enabled") ? .available : .following
  }

  /// Whether `app enable` or `app disable` is possible.
  package var hasSwitch: Bool { enabled || words.contains("'themectl app enable") }

  /// The version, whether and how the program follows, and the text that it needs.
  package var subtitle: String {
    let seen = [version.map { tr("Version {version}", ["version": $0]) }, remarks, needs]
    return seen.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The words of `themectl`, without the command to type if there is a switch instead.
  private var remarks: String {
    guard group == .available, hasSwitch, let end = words.lastIndex(of: "'") else { return sentence(words) }
    let rest = words[words.index(after: end)...].drop { $0 == "," || $0 == " " }
    if rest.hasPrefix("but ") { return sentence(rest.dropFirst("but ".count)) }
    return rest.hasPrefix("without ") ? sentence("can be enabled \(rest)") : sentence(rest)
  }

  /// The text that the user has to write or type, without the words around it.
  package var toWrite: String? {
    if let needs { return needs }
    if let advice = applied?.advice { return advice }
    guard !hasSwitch || group == .troubled else { return nil }
    let parts = words.split(separator: "'", omittingEmptySubsequences: false)
    return parts.dropFirst().first { $0.hasPrefix("themectl ") || $0.hasPrefix("systemctl ") }.map(String.init)
  }
}

extension Finding {
  package enum Kind: String, Sendable, Hashable, CaseIterable { case problem, hint, fine }

  /// The reason, the cure and the commands, each on lines of its own.
  package var text: String {
    ([why, fix].compactMap { $0.map { sentence($0) } } + (commands ?? [])).joined(separator: "\n")
  }

  package var kind: Kind { why != nil ? .problem : fix != nil || commands != nil ? .hint : .fine }
}

extension Outcome {
  /// The lines that a person has to read: what was refused or is left to do.
  package var text: String { (notes.isEmpty ? lines : notes).joined(separator: "\n") }

  /// All lines of a plan, whose notes say what to know before.
  package var plan: String { (lines + notes).joined(separator: "\n") }

  /// Whether a plan changes nothing.
  package var isNeedless: Bool { notes.isEmpty && lines.allSatisfy { $0.hasSuffix(" is already enabled") } }
}

extension Outcome {
  /// The names of the themes that were made, which begin their lines.
  package var importedNames: String {
    lines.compactMap { $0.split(separator: "\t").first.map(String.init) }.joined(separator: ", ")
  }
}

extension Desktop {
  /// Whether the desktop turns, in words.
  package var words: String {
    switch state {
    case "off": tr("Panel, windows, browsers and wallpaper")
    case "in-step": tr("The desktop is in step.")
    case "turning": tr("The desktop is turning.")
    case "leaving": tr("Restoring the desktop's own settings")
    default: reason ?? tr("The desktop's setting is unavailable")
    }
  }
}

/// Words as a sentence begins, unless they begin with the name of a program of ours.
package func sentence(_ words: some StringProtocol) -> String {
  words.hasPrefix("theme") ? String(words) : words.prefix(1).uppercased() + words.dropFirst()
}

/// The words for an error of `themectl`, which names itself first, without the usage for people who type.
package func message(ofErrors text: String) -> String {
  text.split(separator: "\n").prefix { !$0.hasPrefix("Usage: ") }.map { line in
    let start = ["themectl: ", "Error: "].first { line.hasPrefix($0) } ?? ""
    return String(line.dropFirst(start.count))
  }
  .joined(separator: "\n")
}
