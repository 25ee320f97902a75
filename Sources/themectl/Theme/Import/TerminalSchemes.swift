import ThemeModel
import ThemedSystem

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
  private static let names: [Text] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  static func role(_ group: Text, _ name: Text) -> Role? {
    switch (group, name) {
    case ("primary", "background"): .background
    case ("primary", "foreground"): .text
    case ("cursor", "cursor"): .cursor
    case ("cursor", "text"): .cursorText
    case ("selection", "background"): .selection
    case ("selection", "text"): .selectionText
    case ("normal", _): names.firstIndex(of: name).map { Role.ansi[$0] }
    case ("bright", _): names.firstIndex(of: name).map { Role.ansi[$0 + 8] }
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
