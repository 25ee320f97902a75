import ThemedText
import ThemeClient

/// A scheme of base16 or base24, as the tinted-theming project specifies them: the older flat form, or that with a
/// palette.
struct Scheme: Hashable {
  /// Everything that is wrong with a scheme, in one line.
  struct Faults: Error, Hashable, CustomStringConvertible {
    let list: [YAMLFile.Problem]

    /// A person mends one after the other, and a broken file may have dozens.
    var description: String {
      let told = list.prefix(3).map(\.description).joined(separator: "; ")
      return list.count > 3 ? "\(told); and \(list.count - 3) more" : told
    }
  }

  /// What people call it; nil where the file does not say.
  private(set) var title: Text?
  /// Who made it.
  private(set) var author: Text?
  /// What it is for: as the file says, else by whether its text is lighter than its background.
  private(set) var variant = ColorScheme.dark
  /// The slots.
  private(set) var colors: [Role: Color] = [:]
  /// What means nothing in it.
  private(set) var passedOver: [YAMLFile.Problem] = []

  private var faults: [YAMLFile.Problem] = []
  private var saidVariant: ColorScheme?

  /// Reads a scheme; throws everything that is wrong.
  init(_ file: YAMLFile) throws(Faults) {
    // With a palette, colours outside of it mean nothing.
    let hasPalette = file.members.contains { $0.name == "palette" }
    for member in file.members { read(member, hasPalette: hasPalette) }
    requireSlots()
    guard faults.isEmpty else { throw Faults(list: faults) }
    variant = saidVariant ?? Palette(colors, for: .dark).looksLike
  }

  private mutating func read(_ member: YAMLFile.Member, hasPalette: Bool) {
    switch member.name {
    case "name", "scheme": title = title ?? text(member)
    case "author": author = text(member)
    case "system": _ = word(member, of: ["base16", "base24"])
    case "variant": saidVariant = word(member, of: ["light", "dark"]).flatMap { ColorScheme(word: Text($0)) }
    case "slug", "description": break
    case "palette": readPalette(member)
    default:
      if !hasPalette, let slot = Role(slot: member.name) { readColor(member, slot) } else { passOver(member) }
    }
  }

  private mutating func readPalette(_ palette: YAMLFile.Member) {
    guard case .members(let members) = palette.value else {
      return refuse(palette, "palette should hold the colours base00 to base0F")
    }
    for member in members {
      if let slot = Role(slot: member.name) { readColor(member, slot) } else { passOver(member) }
    }
  }

  private mutating func readColor(_ member: YAMLFile.Member, _ slot: Role) {
    guard case .text(let text) = member.value, !text.isEmpty else {
      // What stands behind # without quotes is a comment.
      return refuse(member, "\(member.name) is empty; a colour such as '#3584e4' needs its quotes")
    }
    guard let color = Color(hexadecimal: text) else {
      return refuse(member, "\(member.name) is '\(text.shown(atMost: 40))', and should be a colour such as '3584e4'")
    }
    guard colors[slot] == nil else { return refuse(member, "\(slot.rawValue) is given twice") }
    colors[slot] = color
  }

  private mutating func requireSlots() {
    let refused = Set(faults.compactMap { fault in Role(slot: Text(fault.text).split(" ", maxSplits: 1)[0]) })
    let missing = Role.base16Slots.filter { colors[$0] == nil && !refused.contains($0) }
    guard !missing.isEmpty else { return }
    let named = missing.prefix(3).map(\.rawValue).joined(by: ", ")
    let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    faults.append(YAMLFile.Problem(text: "\(named)\(more) \(missing.count == 1 ? "is" : "are") missing"))
  }

  // MARK: Words

  private mutating func text(_ member: YAMLFile.Member) -> Text? {
    guard case .text(let text) = member.value else {
      refuse(member, "\(member.name) should be text")
      return nil
    }
    let line = text.asOneLine
    guard line.count <= 255 else {
      refuse(member, "\(member.name) should be at most 255 bytes long")
      return nil
    }
    return line.isEmpty ? nil : line
  }

  private mutating func word(_ member: YAMLFile.Member, of words: [String]) -> String? {
    guard case .text(let text) = member.value, let word = words.first(where: text.isWord) else {
      var said = ""
      if case .text(let text) = member.value { said = " is '\(text.shown(atMost: 40))', and" }
      refuse(member, "\(member.name)\(said) should be \(words.joined(separator: " or "))")
      return nil
    }
    return word
  }

  private mutating func refuse(_ member: YAMLFile.Member, _ text: String) {
    faults.append(YAMLFile.Problem(line: member.line, text: text))
  }

  private mutating func passOver(_ member: YAMLFile.Member) {
    let text = "'\(member.name.shown(atMost: 40))' means nothing in a scheme, and is passed over"
    passedOver.append(YAMLFile.Problem(line: member.line, text: text))
  }
}

extension Role {
  /// The slot of this name, whose last digit may stand in upper or lower case.
  fileprivate init?(slot name: Text) {
    guard name.count == 6, name.hasPrefix("base"), name.utf8.allSatisfy({ $0 < 0x80 }),
      let role = Role(name: Text("base" + name.string.dropFirst(4).uppercased())), role.isSlot
    else { return nil }
    self = role
  }
}

extension Text {
  /// Whether it is this ASCII word, in upper or lower case.
  fileprivate func isWord(_ word: String) -> Bool {
    count == word.utf8.count && Text(string.lowercased()) == Text(word)
  }

  /// In one line, with single spaces: a title has no controls.
  fileprivate var asOneLine: Text {
    var line = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return Text(String(line)).split(" ", omittingEmpty: true).joined(by: " ")
  }
}

extension Palette {
  /// Light where the background gives more light than the text.
  fileprivate var looksLike: ColorScheme {
    self[.base00].relativeLuminance > self[.base05].relativeLuminance ? .light : .dark
  }
}
