import ThemedModel
import ThemedSystem
import ThemedVarlink

/// A way to write names and values in a file, for which there is one reader and one writer.
enum SchemeSyntax: Sendable, Hashable {
  /// JSON, with comments and a comma before a closing bracket.
  case json
  case yaml
  case toml
  /// Lines of `name = value` in `[groups]`, without quotes.
  case settings
  /// Lines of a name and a value, as in kitty's settings.
  case words
  /// The resources of X: lines of `class*name: value`.
  case xresources
  /// An XML property list of Apple's.
  case propertyList
  /// The tables of a file of Lua that have only texts.
  case lua

  /// How a message names it.
  var title: String {
    switch self {
    case .json: "JSON"
    case .yaml: "YAML"
    case .toml: "TOML"
    case .settings: "lines of 'name = value'"
    case .words: "lines of a name and a value"
    case .xresources: "X resources"
    case .propertyList: "XML"
    case .lua: "Lua"
    }
  }

  /// The syntax that a text is written in, by its first lines that tell it.
  init(of text: ArraySlice<UInt8>) {
    var guess: SchemeSyntax?
    for line in text.split(separator: UInt8(ascii: "\n")).lazy {
      let line = line.trimming { " \t\r".utf8.contains($0) }
      switch SyntaxLine(line) {
      case .tells(let syntax):
        self = syntax
        return
      // A value in quotes or brackets occurs in some settings too, but a value without them does not occur in TOML.
      case .suggests(let syntax): guess = guess == .toml ? guess : syntax
      case .nothing: break
      }
    }
    self = guess ?? .words
  }

  func members(of bytes: [UInt8]) throws(SchemeFile.Problem) -> [SchemeFile.Member] {
    switch self {
    case .yaml: return try SchemeFile(yaml: bytes).members
    case .toml: return try SchemeFile(toml: bytes).members
    case .propertyList: return try PropertyListReader.members(of: bytes)
    case .json:
      let text = try Array(SchemeFile.text(of: bytes))
      do { return [SchemeFile.Member(name: "", value: SchemeFile.Value(try JSON(settings: text)))].unwrapped } catch {
        let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
        throw SchemeFile.Problem(line: line, text: "invalid JSON: \(error.reason)")
      }
    case .settings, .words, .xresources:
      var reader = LineReader(syntax: self)
      return reader.members(of: try SchemeFile.text(of: bytes))
    case .lua: return LuaReader.members(of: try SchemeFile.text(of: bytes))
    }
  }
}

/// The syntax that a line tells or suggests.
private enum SyntaxLine {
  case tells(SchemeSyntax)
  case suggests(SchemeSyntax)
  case nothing

  init(_ line: ArraySlice<UInt8>) {
    let separators = " \t=:{[".utf8
    let name = line.prefix { !separators.contains($0) }
    let rest = line.dropFirst(name.count).drop { " \t".utf8.contains($0) }
    let isX = name.contains { "*.".utf8.contains($0) }
    switch (line.first, rest.first) {
    case (nil, _), (UInt8(ascii: "!"), _), (UInt8(ascii: ";"), _), (UInt8(ascii: "%"), _): self = .nothing
    case (UInt8(ascii: "#"), _): self = line.starts(with: "#define ".utf8) ? .tells(.xresources) : .nothing
    case (UInt8(ascii: "<"), _): self = .tells(.propertyList)
    case (UInt8(ascii: "/"), _): self = .tells(.json)
    case (UInt8(ascii: "{"), _):
      let inner = rest.dropFirst().first { !" \t".utf8.contains($0) }
      // A list in TOML may have a table on each line.
      self = inner.map { "\"}/".utf8.contains($0) } ?? true ? .tells(.json) : .suggests(.yaml)
    case (UInt8(ascii: "["), _):
      let inner = rest.drop { "[ \t".utf8.contains($0) }.first
      self = inner.map { !"{\"]/".utf8.contains($0) } ?? false ? .suggests(.settings) : .tells(.json)
    // A comment of Lua, or the start of a document in YAML.
    case (UInt8(ascii: "-"), _): self = line.starts(with: "--".utf8) ? .nothing : .tells(.yaml)
    case _ where name.starts(with: "M.".utf8) || name.elementsEqual("local".utf8): self = .tells(.lua)
    case (_, UInt8(ascii: "=")): self = Self.assigning(rest.dropFirst().trimming { " \t".utf8.contains($0) })
    case (_, UInt8(ascii: ":")): self = .tells(isX ? .xresources : .yaml)
    case (_, nil): self = .nothing
    default: self = name.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") } ? .tells(.words) : .nothing
    }
  }

  private static func assigning(_ value: ArraySlice<UInt8>) -> SyntaxLine {
    let word = Text(decoding: value.prefix { !" \t".utf8.contains($0) })
    let isColor = Color(hexadecimal: word) != nil && word.utf8.contains { !(0x30...0x39).contains($0) }
    switch value.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let inner = Text(decoding: word.utf8.trimming { "\"'".utf8.contains($0) })
      return Color(hexadecimal: inner) == nil && !inner.hasPrefix("0x") ? .suggests(.toml) : .tells(.toml)
    case UInt8(ascii: "["), UInt8(ascii: "{"): return .suggests(.toml)
    default: return isColor || word.holds("=#") || word.holds(",") ? .tells(.settings) : .suggests(.settings)
    }
  }
}

extension [SchemeFile.Member] {
  /// The members of the only one of these, if it has members.
  fileprivate var unwrapped: [SchemeFile.Member] {
    if count == 1, case .members(let members) = self[0].value { members } else { self }
  }
}

extension SchemeFile.Value {
  fileprivate init(_ json: JSON) {
    switch json {
    case .string(let text): self = .text(text)
    case .array(let values): self = .list(values.map { SchemeFile.Value($0) })
    case .object(let object):
      self = .members(object.members.map { SchemeFile.Member(name: $0.name, value: SchemeFile.Value($0.value)) })
    case .null, .bool, .integer, .number: self = .other
    }
  }
}
