/// A file of a base16 or base24 scheme, made at random over what the specification allows, or broken; and what it says.
public struct GeneratedScheme: Sendable {
  /// The file.
  public private(set) var text: String
  /// What should be read of it.
  public let meaning: Meaning
  /// What is broken in it; nil where nothing is.
  public private(set) var fault: Fault?

  /// What a scheme says.
  public struct Meaning: Sendable, Hashable {
    /// What people call it; nil where the file does not say.
    public var name: String?
    /// Who made it.
    public var author: String?
    /// `light` or `dark`: as it says, or as it looks.
    public var variant: String
    /// The slots, by name, as `#rrggbb` in lower case.
    public var colors: [String: String]

    /// What is said by these parts.
    public init(name: String? = nil, author: String? = nil, variant: String, colors: [String: String]) {
      self.name = name
      self.author = author
      self.variant = variant
      self.colors = colors
    }
  }

  /// A way to break a file.
  public enum Fault: String, Sendable, CaseIterable {
    /// A slot of base16 is not there.
    case missingSlot
    /// A colour is a word.
    case noColor
    /// A colour has a digit too many.
    case longColor
    /// A colour behind # without quotes: a comment.
    case comment
    /// A slot stands there twice.
    case twice
    /// A quote does not end.
    case openQuote
    /// A line begins with a tab.
    case tab
    /// The variant is neither light nor dark.
    case variant
    /// Another system's.
    case system
    /// A list.
    case list
    /// Nothing.
    case empty
    /// The palette is a text.
    case textPalette
    /// The name is a list.
    case listName
    /// Bytes that are no text, longer than any scheme.
    case long
  }

  private static let slots16 = (0..<16).map(slotName)
  private static let slots24 = (0..<24).map(slotName)

  private static func slotName(_ number: Int) -> String {
    "base" + (number < 16 ? "0" : "") + String(number, radix: 16).uppercased()
  }

  /// Makes a scheme; with a fault, one that is broken so.
  public init(_ random: inout SeededGenerator, fault: Fault? = nil) {
    self.fault = fault
    var meaning = Meaning(variant: Bool.random(using: &random) ? "light" : "dark", colors: [:])
    let isNew = Bool.random(using: &random) || fault == .textPalette || fault == .system
    let is24 = Int.random(in: 0..<3, using: &random) == 0
    for slot in is24 ? Self.slots24 : Self.slots16 { meaning.colors[slot] = Self.color(&random) }
    // What a file does not say is told by these two.
    let (bright, deep) = (Self.color(in: 0xC0...0xFF, &random), Self.color(in: 0...0x40, &random))
    meaning.colors["base00"] = meaning.variant == "light" ? bright : deep
    meaning.colors["base05"] = meaning.variant == "light" ? deep : bright
    let names = ["3024", "Ünï ☃", "It's: \"so\" #1", "Gruvbox Material", "null", "yes", "1e3", "a\\b"]
    if Int.random(in: 0..<8, using: &random) > 0 { meaning.name = names.randomElement(using: &random) }
    if Bool.random(using: &random) { meaning.author = "Somebody <some.body@example.org>, & others" }
    self.meaning = meaning

    var lines: [String] = []
    func add(_ name: String, _ value: String) { lines.append("\(name): \(value)") }
    if Bool.random(using: &random) { lines.append("# a comment") }
    if Bool.random(using: &random) { lines.append("---") }
    if isNew {
      if fault == .system { add("system", "base17") } else { add("system", is24 ? "\"base24\"" : "base16") }
    }
    if fault == .listName { add("name", "[a, b]") }
    if let name = meaning.name, fault != .listName { add(isNew ? "name" : "scheme", Self.quoted(name, &random)) }
    if let author = meaning.author { add("author", Self.quoted(author, &random)) }
    if isNew, Bool.random(using: &random) { add("slug", "some-slug") }
    if Bool.random(using: &random) { add("description", "'a description'") }
    if fault == .variant {
      add("variant", "dim")
    } else if isNew, Int.random(in: 0..<3, using: &random) > 0 {
      add("variant", "\"\(meaning.variant)\"")
    }
    if Int.random(in: 0..<4, using: &random) == 0 { add("inspiration", "{of: [many, things]}") }
    let indent = isNew ? String(repeating: " ", count: Int.random(in: 1...4, using: &random)) : ""
    if isNew { lines.append(fault == .textPalette ? "palette: none" : "palette:") }
    var colors = (is24 ? Self.slots24 : Self.slots16).map { ($0, meaning.colors[$0] ?? "") }
    if Bool.random(using: &random) { colors.shuffle(using: &random) }
    let victim = Int.random(in: 0..<16, using: &random)
    for (slot, color) in fault == .textPalette ? [] : colors {
      let isVictim = slot == Self.slots16[victim]
      lines += Self.lines(slot, color, isVictim ? fault : nil, &random).map { indent + $0 }
    }
    if fault == .tab { lines.append("palette:\n\tbase00: 'ffffff'") }
    let end = Int.random(in: 0..<4, using: &random) == 0 ? "\r\n" : "\n"
    text = lines.joined(separator: end) + end
    switch fault {
    case .list: text = "- a\n- b\n"
    case .empty: text = "# nothing\n"
    case .long: text += "# " + String(repeating: "x", count: 1_100_000)
    default: break
    }
  }

  private static func lines(
    _ slot: String, _ color: String, _ fault: Fault?, _ random: inout SeededGenerator
  ) -> [String] {
    switch fault {
    case .missingSlot: []
    case .noColor: ["\(slot): reddish"]
    case .longColor: ["\(slot): '\(color)0'"]
    case .comment: ["\(slot): \(color)"]
    case .twice: ["\(slot): '\(color)'", "\(slot): '\(color)'"]
    case .openQuote: ["\(slot): \"\(color)"]
    default: ["\(slot): \(written(color, &random))" + (Bool.random(using: &random) ? "  # what it is for" : "")]
    }
  }

  /// A colour as a file may write it.
  private static func written(_ color: String, _ random: inout SeededGenerator) -> String {
    var text = Bool.random(using: &random) ? color : color.uppercased()
    switch Int.random(in: 0..<5, using: &random) {
    case 0: text = "'\(text)'"
    case 1: text = "\"\(text)\""
    case 2: text = "\"\(text.dropFirst())\""
    case 3: text = "'\(text.dropFirst())'"
    // Bare, it may look like a number.
    default: text = String(text.dropFirst())
    }
    return text
  }

  private static func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
    let double = text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    let single = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789 ".unicodeScalars.contains($0)
    }
    let forms = ["\"\(double)\"", "'\(single)'"] + (isPlain ? [text] : [])
    return forms.randomElement(using: &random) ?? text
  }

  private static func color(in range: ClosedRange<Int> = 0...255, _ random: inout SeededGenerator) -> String {
    // Some are all digits, or look like numbers in other ways.
    if range == 0...255,
      let odd = ["#000000", "#012345", "#1e1000", "#123e45", "#0o1777"].randomElement(using: &random),
      odd.dropFirst().allSatisfy(\.isHexDigit), Int.random(in: 0..<6, using: &random) == 0
    {
      return odd
    }
    return "#"
      + (0..<3).map { _ in
        let value = Int.random(in: range, using: &random)
        return (value < 16 ? "0" : "") + String(value, radix: 16)
      }.joined()
  }
}
