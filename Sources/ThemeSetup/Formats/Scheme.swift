package import ThemedModel
package import ThemedSystem

/// A scheme of another project, for one side, in any of the formats that can be imported.
package struct Scheme: Hashable {
  package var title: Text?
  package var author: Text?
  /// Its name without the variant, shared with the scheme for the other side; nil if the file does not give one.
  package var family: Text?
  /// Its side: as the file says, or by whether its text is lighter than its background.
  package var variant = ColorScheme.dark
  package var colors: [Role: Color] = [:]
  package var ignored: [SchemeFile.Problem] = []

  /// The schemes of a file, in any format.
  package static func all(in bytes: [UInt8]) throws(SchemeFile.Problem) -> [Scheme] {
    let syntax = SchemeSyntax(of: try SchemeFile.text(of: bytes))
    let file: [SchemeFile.Member]
    do throws(SchemeFile.Problem) { file = try syntax.members(of: bytes) } catch {
      var error = error
      error.kind = .unreadable
      throw error
    }
    return try all(of: file, in: syntax)
  }

  static func all(of file: [SchemeFile.Member], in syntax: SchemeSyntax) throws(SchemeFile.Problem) -> [Scheme] {
    // A file may have a list of schemes, with names of its own around them.
    let listed = file.filter { ["", "schemes", "themes"].contains($0.name) }.flatMap { member -> [SchemeFile.Value] in
      if case .list(let values) = member.value { values } else { [] }
    }
    let around = outerNames.compactMap { name in
      file.last { $0.name == name && $0.value.text != nil }.map {
        SchemeFile.Member(name: "../\(name)", line: $0.line, value: $0.value)
      }
    }
    let files = listed.compactMap { if case .members(let members) = $0 { members } else { nil } }
    if files.isEmpty { return try SchemeReader.schemes(of: file, in: syntax) }
    var (schemes, faults): ([Scheme], [SchemeFile.Problem]) = ([], [])
    for file in files.prefix(maximumCount) {
      do throws(SchemeFile.Problem) { schemes += try SchemeReader.schemes(of: file + around, in: syntax) } catch {
        // A list may have other things too, such as the themes of a window.
        if error.kind != .otherFormat { faults += error.parts.isEmpty ? [error] : error.parts }
      }
    }
    // A list of something else says nothing about the file around it.
    if schemes.isEmpty, faults.isEmpty { return try SchemeReader.schemes(of: file, in: syntax) }
    guard !schemes.isEmpty else { throw faults.count == 1 ? faults[0] : SchemeFile.Problem(faults) }
    schemes[0].ignored += faults
    if files.count > maximumCount {
      let text = "the file lists \(files.count) schemes; reading only the first \(maximumCount)"
      schemes[0].ignored.append(SchemeFile.Problem(text: text))
    }
    return schemes
  }

  /// More schemes than any file needs: the longest list that is known, Gogh's, has about 400.
  static let maximumCount = 2048

  /// The names around a list of schemes that some format reads.
  private static let outerNames: Set<Text> = {
    let paths = SchemeFormat.all.flatMap { [$0.titles, $0.authors, $0.variants, $0.families].joined() }
    return Set(paths.compactMap { $0.dropping(prefix: "../") })
  }()

  init() {}
}

/// Makes a scheme of one side from the texts of a file, and continues after a mistake, so that all mistakes are
/// reported at once.
struct SchemeReader {
  let format: SchemeFormat
  let texts: SchemeTexts
  private var result = Scheme()
  private var statedVariant: ColorScheme?
  private var faults: [SchemeFile.Problem] = []

  /// The schemes for the sides of a file, in the format that has the most of its colours.
  static func schemes(of file: [SchemeFile.Member], in syntax: SchemeSyntax) throws(SchemeFile.Problem) -> [Scheme] {
    var best: (count: Int, format: SchemeFormat, texts: SchemeTexts, sides: [SchemeFormat.Side])?
    var partial: [SchemeFormat.Side] = []
    var included: SchemeReader?
    for format in SchemeFormat.all where format.syntaxes.contains(syntax) {
      let texts = SchemeTexts(file, separator: format.separator)
      if !format.includes.allSatisfy({ texts[$0].isEmpty && texts["\($0)/0"].isEmpty }) {
        included = included ?? SchemeReader(format: format, texts: texts)
      }
      for sides in format.sides {
        let given = sides.filter { side in side.colors.contains { texts.has($0.paths, format) } }
        // Both sides may share a colour, such as foot's cursor, that makes no side.
        let whole = given.filter { texts.lacked(of: $0, format).isEmpty }
        let named = whole.isEmpty ? given : whole
        let count = named.flatMap(\.colors).count { texts.has($0.paths, format) } * 2 + (texts.says(format) ? 1 : 0)
        // A few names that many formats share do not make a format.
        let isEnough = format.isBase || count >= min(format.required.count, sides.flatMap(\.colors).count)
        if isEnough, count > max(best?.count ?? 0, 1) {
          best = (count, format, texts, named)
          let some = 1..<format.required.count
          partial = whole.isEmpty ? [] : given.filter { some.contains(texts.lacked(of: $0, format).count) }
        }
      }
    }
    guard let best else {
      if let included {
        var missing = included.missing([.background, .text], of: included.format.sides[0][0])
        missing.kind = .otherFormat
        throw missing
      }
      let formats = SchemeFormat.all.map { Text($0.title) }.joined(separator: ", ")
      throw SchemeFile.Problem(
        text: "no colours found in this file, which looks like \(syntax.title); themectl imports \(formats)",
        kind: .otherFormat)
    }
    var schemes: [Scheme] = []
    for side in best.sides {
      var reader = SchemeReader(format: best.format, texts: best.texts)
      let scheme = try reader.scheme(of: side)
      // Some programs write the same colours for both sides.
      if !schemes.contains(where: { $0.colors == scheme.colors }) { schemes.append(scheme) }
    }
    for side in partial {
      let reader = SchemeReader(format: best.format, texts: best.texts)
      let missing = reader.missing(best.texts.lacked(of: side, best.format), of: side)
      schemes[0].ignored.append(.init(text: "\(missing.text); ignoring the \(side.scheme?.rawValue ?? "other") side"))
    }
    return schemes
  }

  private init(format: SchemeFormat, texts: SchemeTexts) { (self.format, self.texts) = (format, texts) }

  private mutating func scheme(of side: SchemeFormat.Side) throws(SchemeFile.Problem) -> Scheme {
    result.title = text(format.titles)
    result.author = text(format.authors)
    result.family = text(format.families)
    if result.title == nil, let family = result.family {
      result.title = text(["scheme.style"]).map { "\(family) \($0)" } ?? family
    }
    for mark in format.marks { _ = word(mark.path, of: format.isBase ? ["base16", "base24"] : mark.words) }
    readVariant()
    var problems: [Role: [SchemeFile.Problem]] = [:]
    for (role, paths) in side.colors { problems[role] = read(role, paths) }
    if format.word == "tinted8" { deriveTinted8() }
    note(problems, of: side)
    noteUnknown(side)
    let absent = format.required.filter { result.colors[$0] == nil && problems[$0]?.isEmpty ?? true }
    if !absent.isEmpty { faults.append(missing(absent, of: side)) }
    guard faults.isEmpty else { throw faults.count == 1 ? faults[0] : SchemeFile.Problem(faults) }
    let derived = derivedVariant
    result.variant = side.scheme ?? statedVariant ?? derived
    // Editors do not look at what a theme says of itself, so that some say the wrong thing.
    if side.scheme == nil, !format.isBase, result.variant != derived {
      let words =
        "the file says \(result.variant.rawValue), but its colours are \(derived.rawValue): importing them as such"
      result.ignored.append(SchemeFile.Problem(text: words))
      result.variant = derived
    }
    keepText()
    return result
  }

  /// Light if the background is lighter than the text, and dark otherwise.
  private var derivedVariant: ColorScheme {
    let palette = Palette(result.colors, for: .dark)
    let text = result.colors[.text] ?? palette[.base05]
    return palette[.background].relativeLuminance > text.relativeLuminance ? .light : .dark
  }

  /// Gives the text of a scheme the colour of base05, if it would otherwise be moved away from it.
  private mutating func keepText() {
    guard let text = result.colors[.base05], Palette(result.colors, for: result.variant)[.text] != text else { return }
    result.colors[.text] = result.colors[.text] ?? text
  }

  // MARK: Colours

  /// Reads a colour from the first of these paths that has one; returns what is wrong with the others.
  private mutating func read(_ role: Role, _ paths: [Text]) -> [SchemeFile.Problem] {
    var problems: [SchemeFile.Problem] = []
    for path in paths {
      let known = problems.count
      // Of several lines for one colour, the last valid one counts.
      for member in texts.members(at: path, format) {
        if role.mayFollowCell, case .text(let text) = member.value, Self.cellWords.contains(text.lowercasedASCII) {
          result.colors[role] = nil
          continue
        }
        do throws(SchemeFile.Problem) { result.colors[role] = try color(of: member, at: path) } catch {
          problems.append(error)
        }
      }
      if result.colors[role] != nil || problems.count > known { break }
    }
    return problems
  }

  /// The words instead of a colour of the cursor or the selection, for the colours of the cell below it.
  private static let cellWords: Set<Text> = [
    "none", "background", "cellforeground", "cellbackground", "cell-foreground", "cell-background",
  ]

  /// The colour that a member gives; throws why it is not a colour.
  private func color(of member: SchemeFile.Member, at path: Text) throws(SchemeFile.Problem) -> Color {
    func problem(_ text: String) -> SchemeFile.Problem {
      SchemeFile.Problem(line: member.line, text: "\(member.name.shown(atMost: 40)) is \(text)")
    }
    if format.notation == .components {
      guard let color = components(at: path) else { throw problem("not a colour with three components from 0 to 1") }
      return color
    }
    guard case .text(let text) = member.value, !text.isEmpty else {
      // Text after an unquoted # is a comment.
      let hint = format.syntaxes.contains(.yaml) ? " (in YAML, # begins a comment unless quoted)" : ""
      throw problem("empty, but should be a colour such as '#3584e4'\(hint)")
    }
    let known = Color(hexadecimal: text.dropping(prefix: "0x") ?? text) ?? Color(xSpecification: text.lowercasedASCII)
    guard let color = known ?? decimal(text) ?? translucent(text) else {
      throw problem("'\(text.shown(atMost: 40))', but should be a colour such as '#3584e4'")
    }
    return color.rounded
  }

  private func components(at path: Text) -> Color? {
    let values = ["Red", "Green", "Blue"].compactMap { texts["\(path)/\($0) Component"].last?.value.text?.string }
      .compactMap(Double.init).map { min(max($0, 0), 1) }
    guard values.count == 3 else { return nil }
    if texts["\(path)/Color Space"].last?.value.text == "P3" {
      return Color(p3: values[0], values[1], values[2])?.rounded
    }
    return Color(red: values[0], green: values[1], blue: values[2])?.rounded
  }

  /// A colour such as `53,132,228`.
  private func decimal(_ text: Text) -> Color? {
    let parts = text.split(",").compactMap { Int($0.string).map { Double($0) / 255 } }
    guard format.notation == .decimal, parts.count == 3 else { return nil }
    return Color(red: parts[0], green: parts[1], blue: parts[2])
  }

  /// A colour such as `#3584e480`, as it looks on the background.
  private func translucent(_ text: Text) -> Color? {
    guard format.syntaxes == [.json], let digits = text.dropping(prefix: "#").map({ Array($0.utf8) }) else {
      return nil
    }
    let width = digits.count / 4
    // Int accepts a sign before digits.
    guard width * 4 == digits.count, 1...2 ~= width, digits.allSatisfy({ $0.isLetterOrDigit }),
      let color = Color(hexadecimal: Text(decoding: digits.dropLast(width))),
      let alpha = Int(String(decoding: digits.suffix(width), as: UTF8.self), radix: 16)
    else { return nil }
    let share = Double(alpha) / (width == 1 ? 15 : 255)
    let ground = result.colors[.background] ?? color
    return Color(
      red: color.red * share + ground.red * (1 - share), green: color.green * share + ground.green * (1 - share),
      blue: color.blue * share + ground.blue * (1 - share))
  }

  // MARK: Words

  /// The first of these texts in one line, with single spaces, because a title must not have control characters.
  private mutating func text(_ paths: [Text]) -> Text? {
    for path in paths {
      guard let member = texts.last(at: path) else { continue }
      guard case .text(let text) = member.value else {
        faults.append(SchemeFile.Problem(line: member.line, text: "\(member.name) should be text"))
        continue
      }
      let line = text.asOneLine
      if line.count > 255 {
        faults.append(SchemeFile.Problem(line: member.line, text: "\(member.name) should be at most 255 bytes long"))
      } else if !line.isEmpty {
        return line
      }
    }
    return nil
  }

  private mutating func word(_ path: Text, of words: [String]) -> String? {
    guard let member = texts.last(at: path) else { return nil }
    guard let word = words.first(where: { member.value.text?.lowercasedASCII == Text($0) }) else {
      let said = member.value.text.map { " is '\($0.shown(atMost: 40))', but" } ?? ""
      let text = "\(member.name)\(said) should be \(words.joined(separator: " or "))"
      faults.append(SchemeFile.Problem(line: member.line, text: text))
      return nil
    }
    return word
  }

  private mutating func readVariant() {
    for path in format.variants {
      if format.known == nil {
        // Other programs have more words, such as 'hc-black'.
        statedVariant = texts.last(at: path)?.value.text.flatMap { ColorScheme(word: $0.lowercasedASCII) }
      } else {
        statedVariant = word(path, of: ["light", "dark"]).flatMap { ColorScheme(word: Text($0)) }
        if format.word == "tinted8", texts.last(at: path) == nil {
          faults.append(SchemeFile.Problem(text: "variant is missing"))
        }
      }
    }
  }

  // MARK: Mistakes

  /// Reports the colours that are wrong: as a mistake if the scheme needs the colour, and otherwise as a note.
  private mutating func note(_ problems: [Role: [SchemeFile.Problem]], of side: SchemeFormat.Side) {
    let lines = side.colors.flatMap { color in (problems[color.role] ?? []).map { (color.role, $0) } }
    for (role, problem) in lines.sorted(by: { ($0.1.line ?? 0) < ($1.1.line ?? 0) }) {
      if format.required.contains(role), result.colors[role] == nil {
        faults.append(problem)
      } else {
        result.ignored.append(.init(line: problem.line, text: "\(problem.text); ignoring it"))
      }
    }
  }

  private mutating func noteUnknown(_ side: SchemeFormat.Side) {
    for path in format.includes {
      let files = texts["\(path)/1"].isEmpty ? "file" : "files"
      for member in texts[path] + texts["\(path)/0"] {
        let text = "not reading the \(files) that '\(member.name)' names"
        result.ignored.append(.init(line: member.line, text: text))
      }
    }
    guard let known = format.known else { return }
    let read = Set(side.colors.flatMap(\.paths))
    for path in texts.roots
    where !known.contains(path) && !(format.isBase && (path == "palette" || read.contains(path))) {
      noteUnknown(path)
    }
    for path in texts.paths where format.isBase && path.hasPrefix("palette/") && !read.contains(path) {
      if path.splitAtLast("/").flatMap({ Role(name: $0.behind) })?.isSlot != true { noteUnknown(path) }
    }
  }

  private mutating func noteUnknown(_ path: Text) {
    let name = path.splitAtLast("/")?.behind ?? path
    result.ignored.append(
      .init(line: texts.line(of: path), text: "ignoring the unknown member '\(name.shown(atMost: 40))'"))
  }

  private func missing(_ roles: [Role], of side: SchemeFormat.Side) -> SchemeFile.Problem {
    let paths = side.colors.filter { roles.contains($0.role) }.map { $0.paths[0] }
    let names = paths.map { path in
      let name = format.isBase ? path.splitAtLast("/")?.behind ?? path : path
      return Text((name.split("/").joined(separator: ".") as Text).shown(atMost: 40))
    }
    let verb = names.count == 1 ? "is" : "are"
    return SchemeFile.Problem(text: "\(names.few) \(verb) missing from these \(format.title) colours\(includeHint)")
  }

  /// The files that may have the missing colours, as the end of a sentence.
  private var includeHint: String {
    let members = format.includes.flatMap { path in texts[path] + (0..<9).flatMap { texts["\(path)/\($0)"] } }
    let files = members.compactMap { $0.value.text.map { Text($0.asOneLine.shown(atMost: 40)) } }
    guard !files.isEmpty else { return "" }
    return files.count == 1
      ? "; this file includes \(files.few): if the colours are there, import \(files.few) instead"
      : "; this file includes \(files.few): import the file that has the colours instead"
  }

  // MARK: tinted8

  /// Derives the colours that a scheme of tinted8 does not give, as its specification says.
  private mutating func deriveTinted8() {
    let isLight = statedVariant == .light
    for (role, instead) in [
      (Role.background, isLight ? Role.ansi7 : .ansi0), (.text, isLight ? .ansi0 : .ansi7), (.primary, .ansi6),
    ] where result.colors[role] == nil { result.colors[role] = result.colors[instead] }
    for (bright, normal) in zip(Role.ansi.dropFirst(8), Role.ansi) where result.colors[bright] == nil {
      result.colors[bright] = result.colors[normal].map { HSL($0).bright.color }
    }
    guard let yellow = result.colors[.ansi3].map(HSL.init) else { return }
    result.colors[.base09] = result.colors[.base09] ?? yellow.orange.color
    result.colors[.base0F] = result.colors[.base0F] ?? yellow.brown.color
  }
}

/// A colour by its hue, saturation and lightness, with the formulas of tinted8's specification for builders (0.1.0).
private struct HSL {
  /// From 0 to 360.
  var hue = 0.0
  var saturation = 0.0
  var lightness: Double

  init(_ color: Color) {
    let (red, green, blue) = (color.red, color.green, color.blue)
    let (low, high) = (min(red, green, blue), max(red, green, blue))
    let range = high - low
    lightness = (low + high) / 2
    guard range > 0 else { return }
    saturation = range / (1 - abs(2 * lightness - 1))
    switch high {
    case red: hue = 60 * ((green - blue) / range)
    case green: hue = 60 * ((blue - red) / range + 2)
    default: hue = 60 * ((red - green) / range + 4)
    }
    if hue < 0 { hue += 360 }
  }

  var bright: HSL { adjusted(saturation: saturation * (lightness < 0.5 ? 1.08 : lightness < 0.8 ? 1 : 0.9), by: 0.12) }
  var brown: HSL { adjusted(saturation: saturation - 0.15, by: -0.3) }

  var orange: HSL {
    var orange = self
    orange.hue = hue < 10 ? hue + 350 : hue - 10
    return orange
  }

  private func adjusted(saturation: Double, by change: Double) -> HSL {
    var adjusted = self
    adjusted.saturation = min(max(saturation, 0), 1)
    adjusted.lightness = min(max(lightness + change, 0), 1)
    return adjusted
  }

  var color: Color {
    let chroma = (1 - abs(2 * lightness - 1)) * saturation
    let parts = [0.0, 240, 120].map { shift -> Double in
      let place = (hue + shift).truncatingRemainder(dividingBy: 360) / 60
      let share = min(max(abs(place - 3) - 1, 0), 1)
      return min(max(lightness + chroma * (share - 0.5), 0), 1)
    }
    return Color(red: parts[0], green: parts[1], blue: parts[2])?.rounded ?? .black
  }
}

extension SchemeFormat {
  var isBase: Bool { self.word == "base16" || self.word == "base24" }
}

extension Role {
  /// Whether a terminal may draw it in the colours of the cell.
  fileprivate var mayFollowCell: Bool { [.cursor, .cursorText, .selection, .selectionText].contains(self) }
}

extension SchemeTexts {
  fileprivate func members(at path: Text, _ format: SchemeFormat) -> [SchemeFile.Member] {
    guard format.notation == .components else { return self[path] }
    return self["\(path)/Red Component"].isEmpty ? [] : [SchemeFile.Member(name: path, value: .other)]
  }

  fileprivate func has(_ paths: [Text], _ format: SchemeFormat) -> Bool {
    paths.contains { !members(at: $0, format).isEmpty }
  }

  /// The roles that the format requires and that this side does not have.
  fileprivate func lacked(of side: SchemeFormat.Side, _ format: SchemeFormat) -> [Role] {
    side.colors.filter { format.required.contains($0.role) && !has($0.paths, format) }.map(\.role)
  }

  /// Whether the file says that it is of this format.
  fileprivate func says(_ format: SchemeFormat) -> Bool {
    format.marks.contains { mark in
      self[mark.path].contains { member in mark.words.contains { member.value.text == Text($0) } }
    }
  }
}

extension Text {
  var asOneLine: Text {
    var line = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return Text(String(line)).split(" ", omittingEmpty: true).joined(separator: " ")
  }
}
