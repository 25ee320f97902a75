internal import ThemedSystem

extension ThemeFile {
  /// The text of a theme's file, from which ``KeyFile`` reads the groups of this theme.
  public static func text(of theme: Theme) -> String {
    text(of: groups(of: theme))
  }

  /// The text of a key file with these groups.
  ///
  /// Values are escaped; names and keys are written as they are.
  public static func text(of groups: [Group]) -> String {
    groups.map { group in
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
    let colors = Role.all.compactMap { role in
      side.colors[role].map { Entry(role.rawValue, Text($0.hexadecimal)) }
    }
    func named(_ part: String, _ values: [Text: Text]) -> [Group] {
      let entries = values.sorted { $0.key < $1.key }.map { Entry($0.key, $0.value) }
      return entries.isEmpty ? [] : [Group("\(scheme.rawValue).\(part)", entries)]
    }
    // Without colours, the empty group still says that the theme has this side.
    return [Group("\(scheme.rawValue).palette", colors)] + named("assets", side.assets) + named("values", side.values)
  }

  /// A value with the escapes of the Desktop Entry Specification, which GLib reads back.
  private static func escaped(_ value: Text) -> Text {
    let bytes = Array(value.utf8)
    // White space at either end would not be part of the value.
    let start = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.endIndex
    let end = (bytes.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1
    var escaped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\\"): escaped += "\\\\".utf8
      case UInt8(ascii: "\n"): escaped += "\\n".utf8
      case UInt8(ascii: "\r"): escaped += "\\r".utf8
      case UInt8(ascii: "\t"): escaped += "\\t".utf8
      case UInt8(ascii: " ") where index < start || index >= end: escaped += "\\s".utf8
      default: escaped.append(byte)
      }
    }
    return Text(decoding: escaped)
  }
}
