import ThemeModel
import ThemedSystem

extension SchemeReader {
  /// Reads base16 or base24, as the tinted-theming project specifies them: the older flat form, or the form with a
  /// palette.
  mutating func readBase16(_ members: [SchemeFile.Member]) {
    // If there is a palette, colours outside of it do not count.
    let hasPalette = members.contains { $0.name == "palette" }
    for member in members {
      switch member.name {
      case "name", "scheme": result.title = result.title ?? text(member)
      case "author": result.author = text(member)
      case "system": _ = word(member, of: ["base16", "base24"])
      case "variant": readVariant(member)
      case "slug", "description": break
      case "palette": readSlots(member)
      default:
        if !hasPalette, let slot = Role(slot: member.name) { read(member, as: slot) } else { ignore(member) }
      }
    }
    let refused = Set(faults.compactMap { fault in Role(slot: Text(fault.text).split(" ", maxSplits: 1)[0]) })
    require(Role.base16Slots.filter { result.colors[$0] == nil && !refused.contains($0) }.map(\.rawValue))
  }

  private mutating func readSlots(_ palette: SchemeFile.Member) {
    guard case .members(let members) = palette.value else {
      return refuse(palette, "palette must have the colours base00 to base0F")
    }
    for member in members {
      if let slot = Role(slot: member.name) { read(member, as: slot) } else { ignore(member) }
    }
  }
}

extension Role {
  /// The slot of this name, whose last digit may be in upper or lower case.
  fileprivate init?(slot name: Text) {
    guard name.count == 6, name.hasPrefix("base"), name.utf8.allSatisfy({ $0 < 0x80 }),
      let role = Role(name: Text("base" + name.string.dropFirst(4).uppercased())), role.isSlot
    else { return nil }
    self = role
  }
}

extension SchemeReader {
  /// Reads tinted8 of the tinted-theming project: the eight colours of a terminal by name, their bright ones, and
  /// colours by their use.
  mutating func readTinted8(_ members: [SchemeFile.Member]) {
    var palette: [Text: SchemeFile.Member] = [:]
    var uses: [Text: SchemeFile.Member] = [:]
    for member in members {
      switch member.name {
      case "scheme": readHead(member)
      case "variant": readVariant(member)
      case "palette": palette = leaves(of: member, joinedBy: "-")
      case "ui", "syntax": uses.merge(leaves(of: member, joinedBy: ".", below: member.name)) { first, _ in first }
      default: ignore(member)
      }
    }
    require(Tinted8.terminal.filter { palette[$0] == nil })
    if !members.contains(where: { $0.name == "variant" }) { require(["variant"]) }
    for (role, names) in Tinted8.palette { read(role, names, palette) }
    for (role, names) in Tinted8.uses { read(role, names, uses) }
    // The specification derives missing colours from these.
    let isLight = statedVariant == .light
    for (role, instead) in [
      (Role.background, isLight ? Role.ansi7 : .ansi0), (.text, isLight ? .ansi0 : .ansi7), (.primary, .ansi6),
    ]
    where result.colors[role] == nil { result.colors[role] = result.colors[instead] }
  }

  private mutating func readHead(_ head: SchemeFile.Member) {
    guard case .members(let members) = head.value else { return refuse(head, "scheme must have a system and a name") }
    var names: [Text: Text] = [:]
    for member in members {
      switch member.name {
      case "system": _ = word(member, of: ["tinted8"])
      case "author": result.author = text(member)
      case "name", "family", "style", "slug": names[member.name] = text(member)
      case "theme-author", "description", "supports": break
      default: ignore(member)
      }
    }
    result.family = names["family"]
    let whole = ["family", "style"].compactMap { names[$0] }
    result.title = names["name"] ?? (names["family"] == nil ? names["slug"] : whole.joined(separator: " "))
  }

  /// Reads a role's colour from the first of these names that exists.
  private mutating func read(_ role: Role, _ names: [Text], _ members: [Text: SchemeFile.Member]) {
    if let member = names.lazy.compactMap({ members[$0] }).first { read(member, as: role) }
  }

  /// The members that contain no others, by their names and those of the members around them.
  private func leaves(
    of member: SchemeFile.Member, joinedBy separator: String, below path: Text = ""
  ) -> [Text: SchemeFile.Member] {
    guard case .members(let members) = member.value else { return [path: member] }
    var leaves: [Text: SchemeFile.Member] = [:]
    for member in members {
      let name = path.isEmpty ? member.name : "\(path)\(separator)\(member.name)"
      leaves.merge(self.leaves(of: member, joinedBy: separator, below: name)) { first, _ in first }
    }
    return leaves
  }
}

extension SchemeFile.Member {
  var isOfTinted8: Bool {
    if case .members = value { name == "scheme" } else { false }
  }
}

private enum Tinted8 {
  static let terminal: [Text] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  static let palette: [(Role, [Text])] =
    zip(Role.ansi, terminal).map { ($0, [$1, "\($1)-normal"]) }
    + zip(Role.ansi.dropFirst(8), terminal).map { ($0, ["\($1)-bright"]) }
    + [(.base09, ["orange", "orange-normal"]), (.base0F, ["brown", "brown-normal"])]

  static let uses: [(Role, [Text])] = [
    (.background, ["ui.global.background.normal", "ui.background.normal"]),
    (.surface, ["ui.global.background.dark", "ui.background.dark"]),
    (.text, ["ui.global.foreground.normal", "ui.foreground.normal"]),
    (.secondaryText, ["ui.global.foreground.dark", "ui.foreground.dark"]),
    (.separator, ["ui.border", "ui.border.normal"]),
    (.primary, ["ui.accent", "ui.accent.normal"]),
    (.link, ["ui.link", "ui.link.normal", "ui.link.normal.foreground"]),
    (.selection, ["ui.selection.background"]), (.selectionText, ["ui.selection.foreground"]),
    (.cursor, ["ui.cursor.normal", "ui.cursor.normal.background"]), (.cursorText, ["ui.cursor.normal.foreground"]),
    (.error, ["ui.status.error"]), (.warning, ["ui.status.warning"]), (.success, ["ui.status.success"]),
    (.info, ["ui.status.info"]), (.base03, ["syntax.comment"]),
  ]
}

// Reads colours from the settings of terminals, and ignores other settings without a note.

extension SchemeReader {
  /// Reads the settings of Alacritty, in TOML or in the YAML of its older versions.
  mutating func readAlacritty(_ members: [SchemeFile.Member]) {
    let general = members.filter { $0.name == "general" }.flatMap(\.members)
    for member in members + general where member.name == "import" {
      if case .list(let files) = member.value { included += files }
    }
    guard members.contains(where: { $0.name == "colors" }) else {
      return faults.append(SchemeFile.Problem(text: "[colors.primary] of Alacritty is missing\(includeHint)"))
    }
    for group in members.filter({ $0.name == "colors" }).flatMap(\.members) {
      for member in group.members {
        guard let role = Alacritty.role(group.name, member.name) else { continue }
        // The cell's own colours, which are not colours of a theme.
        if case .text("CellForeground") = member.value { continue }
        if case .text("CellBackground") = member.value { continue }
        read(member, as: role)
      }
    }
    requireBackgroundAndText("colors.primary.background", "colors.primary.foreground")
  }

  /// Reads kitty's settings: a name and a value on each line, of which the last valid one counts.
  mutating func readKitty(_ text: ArraySlice<UInt8>) {
    var refused: [Role: SchemeFile.Problem] = [:]
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let words = line.split(maxSplits: 1) { " \t\r".utf8.contains($0) }
      guard let first = words.first else { continue }
      let value = words.dropFirst().first.map { Text(decoding: $0) } ?? ""
      let member = SchemeFile.Member(name: Text(decoding: first), line: index + 1, value: .text(value))
      guard let role = Kitty.roles[member.name] else {
        readKitty(member, value)
        continue
      }
      do throws(SchemeFile.Problem) { try readKitty(member, value, as: role) } catch { refused[role] = error }
    }
    for (role, problem) in refused.sorted(by: { ($0.value.line ?? 0) < ($1.value.line ?? 0) }) {
      // All other colours are derived from these two, so they are required.
      if Kitty.isRequired(role), result.colors[role] == nil {
        faults.append(problem)
      } else {
        let text = "\(problem.text); ignoring the line"
        result.ignored.append(SchemeFile.Problem(line: problem.line, text: text))
      }
    }
    requireBackgroundAndText("background", "foreground")
  }

  private mutating func readKitty(_ member: SchemeFile.Member, _ value: Text) {
    switch member.name {
    case "##": readKittyHead(member, value)
    case "include", "globinclude", "envinclude", "geninclude":
      let text = "not reading the file that '\(member.name)' names"
      result.ignored.append(SchemeFile.Problem(line: member.line, text: text))
      included.append(value.asOneLine)
    default: break
    }
  }

  /// Reads the colour of a role, which replaces that of an earlier line.
  ///
  /// kitty ignores a line that it does not understand, and so do we.
  private mutating func readKitty(
    _ member: SchemeFile.Member, _ value: Text, as role: Role
  ) throws(SchemeFile.Problem) {
    let bare = Text(decoding: value.utf8.trimming { " \t\r".utf8.contains($0) })
    // The cell's own colours, which are not colours of a theme.
    if Kitty.words[role] == bare.lowercasedASCII {
      result.colors[role] = nil
    } else if let color = Color(xSpecification: bare.lowercasedASCII) {
      result.colors[role] = color.rounded
    } else {
      result.colors[role] = try Self.color(of: .init(name: member.name, line: member.line, value: .text(bare)))
    }
  }

  /// Reads a comment in which kitty's collection of themes describes a theme.
  private mutating func readKittyHead(_ member: SchemeFile.Member, _ value: Text) {
    let parts = value.split(":", maxSplits: 1)
    guard parts.count == 2 else { return }
    let said = SchemeFile.Member(name: parts[0], line: member.line, value: .text(parts[1]))
    switch parts[0] {
    case "name": result.title = text(said)
    case "author": result.author = text(said)
    default: break
    }
  }

  private mutating func requireBackgroundAndText(_ background: Text, _ text: Text) {
    let names = [(Role.background, background), (.text, text)]
    // A colour with a mistake is not missing.
    let refused = Set(faults.map { Text($0.text).split(" ", maxSplits: 1)[0] })
    let missing = names.filter { role, name in
      result.colors[role] == nil && !refused.contains(name.splitAtLast(".")?.behind ?? name)
    }
    require(missing.map(\.1))
  }
}

extension SchemeFile.Member {
  /// Whether only Alacritty's settings have such a member.
  var isOfAlacritty: Bool {
    if case .list = value, name == "import" { true } else { name == "colors" }
  }

  fileprivate var members: [SchemeFile.Member] {
    if case .members(let members) = value { members } else { [] }
  }
}

private enum Alacritty {
  static func role(_ group: Text, _ name: Text) -> Role? {
    switch (group, name) {
    case ("primary", "background"): .background
    case ("primary", "foreground"): .text
    case ("cursor", "cursor"): .cursor
    case ("cursor", "text"): .cursorText
    case ("selection", "background"): .selection
    case ("selection", "text"): .selectionText
    case ("normal", _): Tinted8.terminal.firstIndex(of: name).map { Role.ansi[$0] }
    case ("bright", _): Tinted8.terminal.firstIndex(of: name).map { Role.ansi[$0 + 8] }
    default: nil
    }
  }
}

private enum Kitty {
  static let roles: [Text: Role] = {
    var roles: [Text: Role] = [
      "background": .background, "foreground": .text, "cursor": .cursor, "cursor_text_color": .cursorText,
      "selection_background": .selection, "selection_foreground": .selectionText, "url_color": .link,
    ]
    for (index, role) in Role.ansi.enumerated() { roles["color\(index)"] = role }
    return roles
  }()

  /// The words that kitty 0.26 accepts instead of a colour, by role; a test showed that it accepts none for other
  /// roles.
  static let words: [Role: Text] = [
    .cursor: "none", .cursorText: "background", .selection: "none", .selectionText: "none",
  ]

  static func isRequired(_ role: Role) -> Bool { role == .background || role == .text }
}
