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

/// The roles that the names in a scheme of tinted8 stand for.
private enum Tinted8 {
  /// The names that every scheme has, in the order of a terminal's colours.
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
