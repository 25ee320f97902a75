import ForeignText
import ThemeClient

/// A key file as GLib reads it without flags, which is how the daemon reads one; every line that is wrong is told.
///
/// The daemon gives up at the first such line.
struct KeyFileText {
  /// A line that is none of a key file.
  struct Fault: Hashable {
    /// The line, from 1.
    let line: Int
    /// What is wrong with it.
    let text: String
  }

  /// The groups, in order, none twice; in a group no key twice.
  private(set) var groups: [ThemeFile.Group] = []
  /// Every line that is wrong.
  private(set) var faults: [Fault] = []
  /// Where each group and key stands, of one that stands twice the last.
  private var lines: [Place: Int] = [:]
  /// Which of the groups, or of its group's entries, each is.
  private var indices: [Place: Int] = [:]
  private var current: (name: Text, index: Int)?

  private struct Place: Hashable {
    let group: Text
    let key: Text?
  }

  /// Reads a text.
  init(_ bytes: [UInt8]) {
    var rest = ThemeFile.withoutBlanksAtLineEnds(bytes)[...]
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let line = rest[..<(end ?? rest.endIndex)]
      rest = end.map { rest[($0 + 1)...] } ?? []
      if line.contains(0) {
        refuse(number, "it holds a NUL byte, and is no text")
      } else {
        read(line.drop(while: \.isSpace), number)
      }
    }
  }

  /// The line of what a problem is about; nil where it is about no single line.
  func line(of problem: ThemeFile.Problem) -> Int? {
    problem.group.flatMap { lines[Place(group: $0, key: problem.key)] }
  }

  private mutating func read(_ line: ArraySlice<UInt8>, _ number: Int) {
    guard let first = line.first, first != UInt8(ascii: "#") else { return }
    if let name = groupName(line) { return open(name, number) }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals != line.startIndex else {
      return refuse(
        number, "it is '\(quote(line))', and should be a group in brackets, key=value, or a comment behind #")
    }
    let key = line[..<equals].droppingLast(while: \.isSpace)
    guard let name = Text(validating: key), isKey(name) else {
      return refuse(number, "'\(quote(key))' is no key")
    }
    guard let current else { return refuse(number, "a group in brackets should stand before the first key") }
    add(name, line[(equals + 1)...].drop(while: \.isSpace), to: current, number)
  }

  // MARK: Groups

  /// What stands in the brackets of a line that is nothing else.
  private func groupName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")),
      line[(end + 1)...].allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    else { return nil }
    return line[(line.startIndex + 1)..<end]
  }

  private mutating func open(_ bytes: ArraySlice<UInt8>, _ number: Int) {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 != UInt8(ascii: "[") && $0 >= 0x20 && $0 != 0x7F }) else {
      return refuse(number, "'\(quote(bytes))' is no group")
    }
    let name = Text(decoding: bytes)
    let place = Place(group: name, key: nil)
    let index = indices[place] ?? groups.endIndex
    if index == groups.endIndex { groups.append(ThemeFile.Group(name, [])) }
    indices[place] = index
    lines[place] = number
    current = (name, index)
  }

  // MARK: Keys

  private func isKey(_ key: Text) -> Bool {
    let name = key.utf8.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    guard let last = name.last, last != UInt8(ascii: " ") else { return false }
    let locale = Text(decoding: key.utf8[name.endIndex...])
    return locale.isEmpty || isLocale(locale)
  }

  private func isLocale(_ text: Text) -> Bool {
    text.hasPrefix("[") && text.hasSuffix("]")
      && text.string.unicodeScalars.dropFirst().dropLast().allSatisfy(\.isOfLocale)
  }

  private mutating func add(
    _ key: Text, _ value: ArraySlice<UInt8>, to group: (name: Text, index: Int), _ number: Int
  ) {
    // A translation, which no theme has.
    guard !key.hasSuffix("]") || key.hasSuffix("[]") else { return }
    if group.index == 0, key == "Encoding", !isUTF8(value) {
      return refuse(number, "the encoding should be UTF-8")
    }
    let place = Place(group: group.name, key: key)
    lines[place] = number
    let text = unescaped(value)
    if text == nil {
      refuse(number, "\(quote(key)) should be text in UTF-8, with no escapes but \\s, \\n, \\t, \\r and \\\\")
    }
    let entry = ThemeFile.Entry(key, text ?? "")
    if let index = indices[place] {
      groups[group.index].entries[index] = entry
    } else {
      indices[place] = groups[group.index].entries.endIndex
      groups[group.index].entries.append(entry)
    }
  }

  private func isUTF8(_ encoding: ArraySlice<UInt8>) -> Bool {
    encoding.count == 5 && String(decoding: encoding, as: UTF8.self).lowercased() == "utf-8"
  }

  private func unescaped(_ value: ArraySlice<UInt8>) -> Text? {
    var result: [UInt8] = []
    var bytes = value.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "s"): result.append(UInt8(ascii: " "))
      case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
      default: return nil
      }
    }
    return Text(validating: result)
  }

  // MARK: Faults

  private mutating func refuse(_ line: Int, _ text: String) {
    faults.append(Fault(line: line, text: text))
  }

  /// For a message, which stays a short line.
  private func quote(_ bytes: ArraySlice<UInt8>) -> String { quote(Text(decoding: bytes)) }

  private func quote(_ text: Text) -> String { text.shown(atMost: 80) }
}

extension Unicode.Scalar {
  /// Whether it may stand in the name of a locale, as g_unichar_isalnum has it.
  fileprivate var isOfLocale: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    case .decimalNumber, .letterNumber, .otherNumber: true
    default: "-_.@".unicodeScalars.contains(self)
    }
  }
}

extension UInt8 {
  /// White space as g_ascii_isspace has it.
  fileprivate var isSpace: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: true
    default: false
    }
  }
}

extension ArraySlice {
  fileprivate func droppingLast(while isDropped: (Element) -> Bool) -> ArraySlice {
    var rest = self
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return rest
  }
}
