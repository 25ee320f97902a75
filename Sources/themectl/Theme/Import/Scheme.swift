import ThemeModel
import ThemedSystem

/// A scheme of another project, for one side, in any of the formats that can be imported.
struct Scheme: Hashable {
  /// All mistakes in a scheme, in one line.
  struct Faults: Error, Hashable, CustomStringConvertible {
    let list: [SchemeFile.Problem]

    var description: String { told.map(\.description).joined(separator: "; ") }

    /// All of them as one.
    fileprivate var problem: SchemeFile.Problem { SchemeFile.Problem(text: description, parts: told) }

    /// The first mistakes: a person fixes one after the other, and a broken file may have dozens.
    private var told: [SchemeFile.Problem] {
      let more = list.count - 3
      guard more > 0 else { return list }
      let verb = more == 1 ? "mistake is" : "mistakes are"
      return Array(list.prefix(3)) + [SchemeFile.Problem(text: "\(more) more \(verb) not shown: correct these first")]
    }
  }

  /// Its display title; nil if the file does not give one.
  var title: Text?
  /// Its author.
  var author: Text?
  /// Its name without the variant, shared with the scheme for the other side; nil if the file does not give one.
  var family: Text?
  /// Its side: as the file says, or by whether its text is lighter than its background.
  var variant = ColorScheme.dark
  /// The colours that it gives.
  var colors: [Role: Color] = [:]
  /// The members that are unknown, and ignored.
  var passedOver: [SchemeFile.Problem] = []

  /// Reads a scheme from these members; throws all mistakes.
  init(_ file: SchemeFile) throws(Faults) {
    var reader = SchemeReader()
    switch file.members {
    case let members where members.contains(where: \.isOfAlacritty): reader.readAlacritty(members)
    case let members where members.contains(where: \.isOfTinted8): reader.readTinted8(members)
    default: reader.readBase16(file.members)
    }
    self = try reader.scheme()
  }

  /// Reads a scheme in this format; throws all mistakes, in one line.
  init(_ bytes: [UInt8], as notation: SchemeNotation) throws(SchemeFile.Problem) {
    let scheme: Result<Scheme, Faults>
    switch notation {
    case .yaml: scheme = Self.read(try SchemeFile(yaml: bytes))
    case .toml:
      // Nobody else writes schemes in it.
      let members = try SchemeFile(toml: bytes).members
      scheme = Self.read { $0.readAlacritty(members) }
    case .kitty:
      let text = try SchemeFile.text(of: bytes)
      scheme = Self.read { $0.readKitty(text) }
    }
    self = try scheme.mapError { $0.problem }.get()
  }

  private static func read(_ file: SchemeFile) -> Result<Scheme, Faults> {
    Result { () throws(Faults) in try Scheme(file) }
  }

  private static func read(_ body: (inout SchemeReader) -> Void) -> Result<Scheme, Faults> {
    var reader = SchemeReader()
    body(&reader)
    return Result { () throws(Faults) in try reader.scheme() }
  }

  /// An empty scheme.
  init() {}
}

/// The format of a scheme.
enum SchemeNotation {
  case yaml
  case toml
  /// Lines of a name and a value.
  case kitty

  /// The format that the file's name tells, or else its first line.
  init(of bytes: [UInt8], path: Text) {
    let endings: [(Text, SchemeNotation)] = [(".yaml", .yaml), (".yml", .yaml), (".toml", .toml), (".conf", .kitty)]
    let name = path.lowercasedASCII
    self = endings.first { name.hasSuffix($0.0) }?.1 ?? SchemeNotation(of: bytes)
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
