internal import Appearance

extension ThemeFile {
  /// The text of a theme's file: what a reader of key files reads as the groups of this theme.
  public static func text(of theme: Theme) -> String {
    groups(of: theme).map { group in
      "[\(group.name)]\n" + group.entries.map { "\($0.key)=\(escaped($0.value))\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The groups of a theme's file, light before dark: the inverse of ``init(name:groups:)``.
  public static func groups(of theme: Theme) -> [Group] {
    var head = [Entry("title", theme.title)]
    if let author = theme.author { head.append(Entry("author", author)) }
    return [Group("theme", head)]
      + ColorScheme.allCases.flatMap { scheme in theme[scheme].map { groups(of: $0, scheme) } ?? [] }
  }

  private static func groups(of side: Side, _ scheme: ColorScheme) -> [Group] {
    let colors = Role.allCases.compactMap { role in
      side.colors[role].map { Entry(role.rawValue, $0.hexadecimal) }
    }
    func named(_ part: String, _ values: [String: String]) -> [Group] {
      let entries = values.sorted { $0.key < $1.key }.map { Entry($0.key, $0.value) }
      return entries.isEmpty ? [] : [Group("\(scheme.rawValue).\(part)", entries)]
    }
    // Without a palette, too, the group says that there is this side.
    return [Group("\(scheme.rawValue).palette", colors)] + named("assets", side.assets) + named("values", side.values)
  }

  /// A value as the Desktop Entry Specification escapes a string, which GLib reads back.
  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case " " where text.isEmpty || text.hasSuffix("\\s"): text += "\\s"
      default: text.unicodeScalars.append(scalar)
      }
    }
    // White space at the end is no part of a value.
    guard text.hasSuffix(" ") else { return text }
    let kept = text.trimmingLastSpaces
    return kept + String(repeating: "\\s", count: text.count - kept.count)
  }
}

extension String {
  fileprivate var trimmingLastSpaces: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
