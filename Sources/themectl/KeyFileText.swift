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
  private var current: Int?

  private struct Place: Hashable {
    let group: String
    let key: String?
  }

  /// Reads a text.
  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      var line = rest[..<(end ?? rest.endIndex)]
      rest = end.map { rest[($0 + 1)...] } ?? []
      if end != nil, line.last == UInt8(ascii: "\r") { line = line.dropLast() }
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
        number, "it is '\(text(line))', and should be a group in brackets, key=value, or a comment behind #")
    }
    let key = line[..<equals].droppingLast(while: \.isSpace)
    guard isKey(key), let name = String(validating: key, as: UTF8.self) else {
      return refuse(number, "'\(text(key))' is no key")
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
      return refuse(number, "'\(text(bytes))' is no group")
    }
    let name = String(decoding: bytes, as: UTF8.self)
    current = groups.firstIndex { $0.name == name } ?? groups.endIndex
    if current == groups.endIndex { groups.append(ThemeFile.Group(name, [])) }
    lines[Place(group: name, key: nil)] = number
  }

  // MARK: Keys

  private func isKey(_ key: ArraySlice<UInt8>) -> Bool {
    let name = key.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    guard let last = name.last, last != UInt8(ascii: " ") else { return false }
    let locale = key[name.endIndex...]
    return locale.isEmpty || isLocale(String(decoding: locale, as: UTF8.self))
  }

  private func isLocale(_ text: String) -> Bool {
    text.hasPrefix("[") && text.hasSuffix("]")
      && text.dropFirst().dropLast().unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.@".unicodeScalars.contains($0)
      }
  }

  private mutating func add(_ key: String, _ value: ArraySlice<UInt8>, to group: Int, _ number: Int) {
    // A translation, which no theme has.
    guard !key.hasSuffix("]") || key.hasSuffix("[]") else { return }
    if group == 0, key == "Encoding", String(decoding: value, as: UTF8.self).lowercased() != "utf-8" {
      return refuse(number, "the encoding should be UTF-8")
    }
    let name = groups[group].name
    lines[Place(group: name, key: key)] = number
    let entry: ThemeFile.Entry
    if let text = unescaped(value) {
      entry = ThemeFile.Entry(key, text)
    } else {
      refuse(number, "\(key) should be text in UTF-8, with no escapes but \\s, \\n, \\t, \\r and \\\\")
      entry = ThemeFile.Entry(key, "")
    }
    if let index = groups[group].entries.firstIndex(where: { $0.key == key }) {
      groups[group].entries[index] = entry
    } else {
      groups[group].entries.append(entry)
    }
  }

  private func unescaped(_ value: ArraySlice<UInt8>) -> String? {
    guard let text = String(validating: value, as: UTF8.self) else { return nil }
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.next() {
      case "s": result.append(" ")
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "\\": result.append("\\")
      default: return nil
      }
    }
    return String(result)
  }

  // MARK: Faults

  private mutating func refuse(_ line: Int, _ text: String) {
    faults.append(Fault(line: line, text: text))
  }

  /// For a message, which stays a short line.
  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text = printable(String(decoding: bytes, as: UTF8.self))
    return text.count <= 80 ? text : text.prefix(80) + "…"
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
