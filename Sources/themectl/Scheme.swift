import ThemeModel
import ThemeResolution
import ThemedText

/// A scheme of others, for one side: what its file says, whatever kind of file that is.
struct Scheme: Hashable {
  /// Everything that is wrong with a scheme, in one line.
  struct Faults: Error, Hashable, CustomStringConvertible {
    let list: [SchemeFile.Problem]

    /// A person mends one after the other, and a broken file may have dozens.
    var description: String {
      let told = list.prefix(3).map(\.description).joined(separator: "; ")
      return list.count > 3 ? "\(told); further mistakes: \(list.count - 3)" : told
    }

    /// All of them as one, with the lines that it names.
    fileprivate var problem: SchemeFile.Problem {
      var lines: [Int] = []
      for line in list.prefix(3).compactMap(\.line) where !lines.contains(line) { lines.append(line) }
      return SchemeFile.Problem(text: description, lines: lines)
    }
  }

  /// What people call it; nil where the file does not say.
  var title: Text?
  /// Who made it.
  var author: Text?
  /// What it is called with its kin, such as those for the other side; nil where the file does not say.
  var family: Text?
  /// What it is for: as the file says, else by whether its text is lighter than its background.
  var variant = ColorScheme.dark
  /// The colours that it gives.
  var colors: [Role: Color] = [:]
  /// What means nothing in it.
  var passedOver: [SchemeFile.Problem] = []

  /// Reads a scheme of these members; throws everything that is wrong.
  init(_ file: SchemeFile) throws(Faults) {
    var reader = SchemeReader()
    switch file.members {
    case let members where members.contains(where: \.isOfAlacritty): reader.readAlacritty(members)
    case let members where members.contains(where: \.isOfTinted8): reader.readTinted8(members)
    default: reader.readBase16(file.members)
    }
    self = try reader.scheme()
  }

  /// Reads a scheme that is written so; throws everything that is wrong, in one line.
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

  /// A scheme that gives nothing yet.
  init() {}
}

/// In what a scheme is written.
enum SchemeNotation {
  case yaml
  case toml
  /// Lines of a name and a value.
  case kitty

  /// What the file's name says, else what its first line looks like.
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
