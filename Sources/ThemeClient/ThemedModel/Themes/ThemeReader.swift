internal import ThemedSystem

/// Reads a theme group by group, and continues after a problem, so that all problems are reported at once.
///
/// Groups for both sides and for a single side can be in any order; ``resolve()`` combines them.
struct ThemeReader {
  /// The contents of the groups of one side, or of the groups for both sides.
  private struct Sheet {
    /// The theme's names for colours; nil for a value that is not a colour.
    var named: [Text: Color?] = [:]
    var palette: [Role: Line] = [:]
    var assets: [Text: Text] = [:]
    var values: [Text: Text] = [:]
  }

  /// A key with its number in the file.
  private struct Line {
    let number: Int
    let group: Text
    let entry: ThemeFile.Entry
  }

  private(set) var theme: Theme
  private(set) var unknown: [ThemeFile.Problem] = []
  private var found: [(number: Int, problem: ThemeFile.Problem)] = []
  /// The contents of each side's groups; with the key nil, of the groups for both.
  private var sheets: [ColorScheme?: Sheet] = [:]
  private var number = 0

  init(name: Text) { theme = Theme(name: name) }

  /// The problems in the order of the file.
  var problems: [ThemeFile.Problem] { found.sorted { $0.number < $1.number }.map(\.problem) }

  mutating func read(_ group: ThemeFile.Group) {
    guard group.entries.count <= ThemeFile.maximumKeys else {
      let expected = "a group of \(ThemeFile.maximumKeys) keys at most"
      return found.append((number, ThemeFile.Problem(group: group.name, expected: expected)))
    }
    let lines = group.entries.map { entry in
      number += 1
      return Line(number: number, group: group.name, entry: entry)
    }
    guard group.name != "theme" else { return lines.forEach { readHead($0) } }
    let parts = group.name.split(".", maxSplits: 1)
    let scheme = ColorScheme(word: parts[0])
    guard parts.count == 2, scheme != nil || parts[0] == "both" else { return passOver(group.name) }
    var sheet = sheets[scheme] ?? Sheet()
    switch parts[1] {
    case "colors": for line in lines { readName(line, into: &sheet) }
    case "palette": for line in lines { readRole(line, into: &sheet) }
    case "assets": for line in lines { read(line, into: &sheet.assets, isAsset: true) }
    case "values": for line in lines { read(line, into: &sheet.values, isAsset: false) }
    default: return passOver(group.name)
    }
    sheets[scheme] = sheet
  }

  /// Makes each side from its own groups and those for both.
  mutating func resolve() {
    let both = sheets[nil] ?? Sheet()
    let schemes = ColorScheme.allCases.filter { sheets[$0] != nil }
    for scheme in schemes {
      let own = sheets[scheme] ?? Sheet()
      let lines = both.palette.merging(own.palette) { $1 }
      theme[scheme] = Side(
        colors: lines.compactMapValues { color($0, scheme) }, assets: both.assets.merging(own.assets) { $1 },
        values: both.values.merging(own.values) { $1 })
    }
    // A colour for both sides must be valid even if no side uses it.
    for (role, line) in both.palette where schemes.allSatisfy({ sheets[$0]?.palette[role] != nil }) {
      _ = color(line, schemes.first)
    }
  }

  /// The colour of a role on a side; it is given as a colour, or by a name that the side or both sides define.
  private mutating func color(_ line: Line, _ scheme: ColorScheme?) -> Color? {
    if let color = Color(hexadecimal: line.entry.value) { return color }
    let halves = scheme == nil ? [nil] : [scheme, nil]
    for half in halves {
      // A mistake in a named colour is reported where the name is defined.
      if let named = sheets[half]?.named[line.entry.value] { return named }
    }
    let groups = halves.filter { sheets[$0]?.named.isEmpty == false }.map { "[\($0?.rawValue ?? "both").colors]" }
    let names = groups.isEmpty ? "" : ", or a name from \(groups.joined(separator: " or "))"
    // A mistake in a key for both sides is reported once.
    if !found.contains(where: { $0.number == line.number }) { refuse(line, "a colour such as #3584e4\(names)") }
    return nil
  }

  // MARK: Groups

  private mutating func readHead(_ line: Line) {
    switch line.entry.key {
    case "title": theme.title = text(line) ?? theme.title
    case "author": theme.author = text(line)
    default: passOver(line.group, line.entry.key)
    }
  }

  private mutating func text(_ line: Line) -> Text? {
    let value = line.entry.value
    let hasControls = value.string.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !value.isEmpty, value.utf8.count <= 255, !hasControls else {
      refuse(line, "1 to 255 bytes of text without control characters")
      return nil
    }
    return value
  }

  private mutating func readName(_ line: Line, into sheet: inout Sheet) {
    let name = line.entry.key
    guard Side.isValidKey(name), Color(hexadecimal: name) == nil else {
      return refuseName(line, ", and not like a colour")
    }
    let color = Color(hexadecimal: line.entry.value)
    sheet.named[name] = .some(color)
    if color == nil { refuse(line, "a colour such as #3584e4") }
  }

  private mutating func readRole(_ line: Line, into sheet: inout Sheet) {
    guard let role = Role(name: line.entry.key) else { return passOver(line.group, line.entry.key) }
    if sheet.palette.updateValue(line, forKey: role) != nil {
      refuse(line, "left out, because tint and primary are the same role")
    }
  }

  private mutating func read(_ line: Line, into names: inout [Text: Text], isAsset: Bool) {
    let (key, value) = (line.entry.key, line.entry.value)
    guard Side.isValidKey(key) else { return refuseName(line) }
    if isAsset, value.isEmpty || value.utf8.contains(0) || value.utf8.count > 4095 {
      return refuse(line, "the path of a file")
    }
    names[key] = value
  }

  // MARK: Problems

  private mutating func refuse(_ line: Line, _ expected: String) {
    let (key, value) = (line.entry.key, line.entry.value)
    found.append((line.number, ThemeFile.Problem(group: line.group, key: key, value: value, expected: expected)))
  }

  private mutating func refuseName(_ line: Line, _ more: String = "") {
    let expected = "named with 1 to 64 ASCII letters, digits, '.', '_', '+' or '-'\(more)"
    found.append((line.number, ThemeFile.Problem(group: line.group, key: line.entry.key, expected: expected)))
  }

  private mutating func passOver(_ group: Text, _ key: Text? = nil) {
    let expected =
      key == nil
      ? "theme, or light., dark. or both. followed by colors, palette, assets or values"
      : group == "theme" ? "one of: title, author" : "the name of a role; themed.theme(5) lists them"
    unknown.append(ThemeFile.Problem(group: group, key: key, expected: expected))
  }
}
