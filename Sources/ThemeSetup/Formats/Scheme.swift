package import ThemeModel
package import ThemedSystem

/// A scheme of another project, for one side, in any of the formats that can be imported.
package struct Scheme: Hashable {
  package var title: Text?
  package var author: Text?
  /// Its name without the variant, shared with the scheme for the other side; nil if the file does not give one.
  package var family: Text?
  /// Its side: as the file says, or by whether its text is lighter than its background.
  var variant = ColorScheme.dark
  package var colors: [Role: Color] = [:]
  package var ignored: [SchemeFile.Problem] = []

  package init(_ bytes: [UInt8], as notation: SchemeFormat) throws(SchemeFile.Problem) {
    var reader = SchemeReader()
    switch notation {
    case .yaml: reader.read(try SchemeFile(yaml: bytes))
    // Only Alacritty's schemes are in TOML.
    case .toml: reader.readAlacritty(try SchemeFile(toml: bytes).members)
    case .kitty: reader.readKitty(try SchemeFile.text(of: bytes))
    }
    self = try reader.scheme()
  }

  init() {}
}

package enum SchemeFormat {
  case yaml
  case toml
  /// Lines of a name and a value.
  case kitty

  /// The format that the file's name tells, or else its first line.
  package init(of bytes: [UInt8], path: Text) {
    let endings: [(Text, SchemeFormat)] = [(".yaml", .yaml), (".yml", .yaml), (".toml", .toml), (".conf", .kitty)]
    let name = path.lowercasedASCII
    self = endings.first { name.hasSuffix($0.0) }?.1 ?? SchemeFormat(of: bytes)
  }

  private init(of bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let lines = text.split(separator: UInt8(ascii: "\n")).lazy.map { $0.split { " \t\r".utf8.contains($0) } }
    let words = lines.first { $0.first?.first.map { $0 != UInt8(ascii: "#") } ?? false } ?? []
    guard let first = words.first, let start = first.first, let end = first.last, words.count > 1 || start == 0x5B
    else {
      self = .yaml
      return
    }
    let second = words.dropFirst().first?.first
    if start == UInt8(ascii: "[") || first.contains(UInt8(ascii: "=")) || second == UInt8(ascii: "=") {
      self = .toml
    } else if end == UInt8(ascii: ":") || second == UInt8(ascii: ":") || "{-%\"'?&!".utf8.contains(start) {
      self = .yaml
    } else {
      self = .kitty
    }
  }
}

/// Makes a scheme from a file, and continues after a mistake, so that all mistakes are reported at once.
struct SchemeReader {
  var result = Scheme()
  var statedVariant: ColorScheme?
  var faults: [SchemeFile.Problem] = []
  /// The other files that this one includes, which are not read.
  var included: [Text] = []

  mutating func read(_ file: SchemeFile) {
    switch file.members {
    case let members where members.contains(where: \.isOfAlacritty): readAlacritty(members)
    case let members where members.contains(where: \.isOfTinted8): readTinted8(members)
    default: readBase16(file.members)
    }
  }

  func scheme() throws(SchemeFile.Problem) -> Scheme {
    guard faults.isEmpty else { throw SchemeFile.Problem(faults) }
    var scheme = result
    scheme.variant = statedVariant ?? derivedVariant
    return scheme
  }

  /// Light if the background is lighter than the text, and dark otherwise.
  private var derivedVariant: ColorScheme {
    let palette = Palette(result.colors, for: .dark)
    let text = result.colors[.text] ?? palette[.base05]
    return palette[.background].relativeLuminance > text.relativeLuminance ? .light : .dark
  }

  // MARK: Words

  /// A member's text in one line, with single spaces, because a title must not have control characters.
  mutating func text(_ member: SchemeFile.Member) -> Text? {
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

  mutating func word(_ member: SchemeFile.Member, of words: [String]) -> String? {
    guard case .text(let text) = member.value, let word = words.first(where: text.isWord) else {
      var said = ""
      if case .text(let text) = member.value { said = " is '\(text.shown(atMost: 40))', but" }
      refuse(member, "\(member.name)\(said) should be \(words.joined(separator: " or "))")
      return nil
    }
    return word
  }

  mutating func readVariant(_ member: SchemeFile.Member) {
    statedVariant = word(member, of: ["light", "dark"]).flatMap { ColorScheme(word: Text($0)) }
  }

  /// Reads a role's colour; a file may give it only once.
  mutating func read(_ member: SchemeFile.Member, as role: Role) {
    guard let color = color(member) else { return }
    guard result.colors[role] == nil else { return refuse(member, "\(role.rawValue) is given twice") }
    result.colors[role] = color
  }

  mutating func color(_ member: SchemeFile.Member) -> Color? {
    do throws(SchemeFile.Problem) { return try Self.color(of: member) } catch {
      faults.append(error)
      return nil
    }
  }

  /// The colour that a member gives; throws why it is not a colour.
  static func color(of member: SchemeFile.Member) throws(SchemeFile.Problem) -> Color {
    func problem(_ text: String) -> SchemeFile.Problem {
      SchemeFile.Problem(line: member.line, text: "\(member.name.shown(atMost: 40)) is \(text)")
    }
    guard case .text(let text) = member.value, !text.isEmpty else {
      // Text after an unquoted # is a comment.
      throw problem("empty, but should be a colour such as '#3584e4' (in YAML, # begins a comment unless quoted)")
    }
    guard let color = Color(hexadecimal: text.dropping(prefix: "0x") ?? text) else {
      throw problem("'\(text.shown(atMost: 40))', but should be a colour such as '#3584e4'")
    }
    return color
  }

  mutating func require(_ missing: [Text]) {
    guard !missing.isEmpty else { return }
    let verb = missing.count == 1 ? "is" : "are"
    faults.append(SchemeFile.Problem(text: "\(listed(missing)) \(verb) missing\(includeHint)"))
  }

  /// The files that may have the missing colours, as the end of a sentence.
  var includeHint: String {
    guard !included.isEmpty else { return "" }
    let files = listed(included)
    return included.count == 1
      ? "; this file includes \(files): if the colours are there, import \(files) instead"
      : "; this file includes \(files): import the file that has the colours instead"
  }

  private func listed(_ names: [Text]) -> String { names.map { Text($0.shown(atMost: 40)) }.few }

  mutating func refuse(_ member: SchemeFile.Member, _ text: String) {
    faults.append(SchemeFile.Problem(line: member.line, text: text))
  }

  mutating func ignore(_ member: SchemeFile.Member) {
    let text = "ignoring the unknown member '\(member.name.shown(atMost: 40))'"
    result.ignored.append(SchemeFile.Problem(line: member.line, text: text))
  }
}

extension Text {
  fileprivate func isWord(_ word: String) -> Bool {
    count == word.utf8.count && Text(string.lowercased()) == Text(word)
  }

  var asOneLine: Text {
    var line = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return Text(String(line)).split(" ", omittingEmpty: true).joined(separator: " ")
  }
}
