public import ThemedSystem

/// A key file: groups in brackets that contain `key=value` lines.
///
/// Pure. It is the only reader of such files: of the configuration, of themes, and of files that other packages
/// install. It accepts and rejects the same text as GLib without flags, with the same result; the tests compare the
/// two. There are two differences: white space at the end of a line is not part of a value, and translations
/// (`key[de]=…`) are skipped in every locale.
///
/// Time and memory grow with the length of the text, whatever the text contains.
public struct KeyFile: Sendable {
  /// A line that is not valid in a key file.
  public struct Fault: Sendable {
    /// The number of the line, from 1.
    public let line: Int
    /// The problem with the line, safe for a terminal.
    public let text: String
  }

  /// Why a text is not a valid key file.
  public struct Faults: Error, Sendable, CustomStringConvertible {
    public let first: Fault
    public let count: Int

    /// The place and the mistake of the first invalid line, and how many more there are.
    public var description: String {
      let more = count - 1
      let rest = more == 0 ? "" : "; \(more) more \(more == 1 ? "line is" : "lines are") wrong"
      return "line \(first.line): \(first.text)\(rest)"
    }
  }

  /// A key of a group.
  private struct Place: Hashable {
    let group: Int
    let key: Text
  }

  /// A key with its value; if the key appears twice, with the last value.
  private struct Entry {
    let place: Place
    /// Whether the key is UTF-8.
    let isText: Bool
    /// The place of the value in the text.
    var value: Range<Int>
    var line: Int
  }

  public private(set) var faults: [Fault] = []

  private let source: [UInt8]
  private var faultCount = 0
  /// The distinct names of the groups, in order; a group that appears twice is at its last place.
  private var names: [Text] = []
  private var lines: [Int] = []
  /// Every key with its value, in order; each key appears once in its group.
  private var entries: [Entry] = []
  /// The index of each group in `names`.
  private var groupIndices: [Text: Int] = [:]
  private var indices: [Place: Int] = [:]

  /// Reads the valid lines of a text; ``faults`` has the others.
  public init(_ text: [UInt8]) {
    self.init(text, faultsAtMost: .max)
  }

  /// Reads a text; throws if a line is invalid.
  public init(strict text: [UInt8]) throws(Faults) {
    // Reports only one, because a text may have half a million invalid lines.
    self.init(text, faultsAtMost: 1)
    if let first = faults.first { throw Faults(first: first, count: faultCount) }
  }

  private init(_ text: [UInt8], faultsAtMost maximum: Int) {
    source = text
    var group: Int?
    var number = 0
    var rest = text[...]
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let mistake = add(KeyFileLine(rest[..<(end ?? rest.endIndex)]), number, &group)
      rest = end.map { rest[($0 + 1)...] } ?? []
      guard let mistake else { continue }
      faultCount += 1
      if faults.count < maximum { faults.append(Fault(line: number, text: mistake.text)) }
    }
  }

  /// Adds a line, which may belong to `group`; returns what is wrong with it.
  private mutating func add(_ line: KeyFileLine, _ number: Int, _ group: inout Int?) -> KeyFileLine.Mistake? {
    switch line {
    case .nothing: return nil
    case .mistake(let mistake): return mistake
    case .group(let name):
      group = open(name, number)
      return nil
    case .entry(let key, let value):
      guard let group else { return .early }
      guard group != 0 || !key.elementsEqual("Encoding".utf8) || value.isNameOfUTF8 else { return .encoding }
      if !key.isTranslation { add(key, value, to: group, number) }
      return nil
    }
  }

  private mutating func open(_ bytes: ArraySlice<UInt8>, _ number: Int) -> Int {
    let name = Text(decoding: bytes)
    if let index = groupIndices[name] {
      lines[index] = number
      return index
    }
    groupIndices[name] = names.count
    names.append(name)
    lines.append(number)
    return names.count - 1
  }

  private mutating func add(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, to group: Int, _ number: Int) {
    let text = Text(validating: key)
    let place = Place(group: group, key: text ?? Text(decoding: key))
    if let index = indices[place] {
      (entries[index].value, entries[index].line) = (value.indices, number)
    } else {
      indices[place] = entries.count
      entries.append(Entry(place: place, isText: text != nil, value: value.indices, line: number))
    }
  }
}

// MARK: Content

extension KeyFile {
  /// Every key, with its group, in order.
  public var keys: [(group: Text, key: Text)] { entries.map { (names[$0.place.group], $0.place.key) } }

  /// The value of a key as written, with its escapes; nil if the file does not have the key.
  public func value(_ group: Text, _ key: Text) -> Text? {
    entry(group, key).map { Text(decoding: source[$0.value]) }
  }

  /// Every group with its keys and values.
  ///
  /// Escapes are resolved; a value that is not valid text is empty.
  public var groups: [ThemeFile.Group] {
    var groups = names.map { ThemeFile.Group($0, []) }
    for entry in entries {
      groups[entry.place.group].entries.append(ThemeFile.Entry(entry.place.key, text(of: entry) ?? ""))
    }
    return groups
  }

  /// The keys and values that are not valid text.
  public var problems: [ThemeFile.Problem] {
    entries.filter { text(of: $0) == nil }.map { entry in
      ThemeFile.Problem(
        group: names[entry.place.group], key: entry.place.key,
        value: entry.isText ? Text(decoding: source[entry.value]) : nil,
        expected: "UTF-8 text with no escapes except \\s, \\n, \\t, \\r and \\\\")
    }
  }

  /// The line that a problem is about; nil if it is not about a single line.
  public func line(of problem: ThemeFile.Problem) -> Int? {
    guard let group = problem.group else { return nil }
    guard let key = problem.key else { return groupIndices[group].map { lines[$0] } }
    return entry(group, key)?.line
  }

  private func entry(_ group: Text, _ key: Text) -> Entry? {
    groupIndices[group].flatMap { indices[Place(group: $0, key: key)] }.map { entries[$0] }
  }

  /// The value of a key with its escapes resolved; nil if it is not valid text.
  private func text(of entry: Entry) -> Text? {
    guard entry.isText else { return nil }
    var result: [UInt8] = []
    var bytes = source[entry.value].makeIterator()
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
}

extension ThemeFile {
  /// Reads the theme `name` from its file.
  ///
  /// Throws every value that is not valid text, or if there is none, every problem of the theme.
  public init(name: Text, _ file: KeyFile) throws(Problems) {
    let problems = file.problems
    guard problems.isEmpty else { throw Problems(problems) }
    try self.init(name: name, groups: file.groups)
  }
}
