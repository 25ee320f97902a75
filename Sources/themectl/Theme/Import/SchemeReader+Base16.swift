import ThemeModel
import ThemedSystem

extension SchemeReader {
  /// Reads base16 or base24, as the tinted-theming project specifies them: the older flat form, or the form with a
  /// palette.
  mutating func readBase16(_ members: [SchemeFile.Member]) {
    // With a palette, colours outside of it mean nothing.
    let hasPalette = members.contains { $0.name == "palette" }
    for member in members {
      switch member.name {
      case "name", "scheme": made.title = made.title ?? text(member)
      case "author": made.author = text(member)
      case "system": _ = word(member, of: ["base16", "base24"])
      case "variant": readVariant(member)
      case "slug", "description": break
      case "palette": readSlots(member)
      default:
        if !hasPalette, let slot = Role(slot: member.name) { read(member, as: slot) } else { passOver(member) }
      }
    }
    let refused = Set(faults.compactMap { fault in Role(slot: Text(fault.text).split(" ", maxSplits: 1)[0]) })
    require(Role.base16Slots.filter { made.colors[$0] == nil && !refused.contains($0) }.map(\.rawValue))
  }

  private mutating func readSlots(_ palette: SchemeFile.Member) {
    guard case .members(let members) = palette.value else {
      return refuse(palette, "palette must have the colours base00 to base0F")
    }
    for member in members {
      if let slot = Role(slot: member.name) { read(member, as: slot) } else { passOver(member) }
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
