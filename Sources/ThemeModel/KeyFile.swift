public import ThemedText

/// A key file: groups in brackets, and in them `key=value`.
///
/// Pure, and the one reader of such files: of the configuration, of themes, and of what other packages install. It takes,
/// refuses and yields what GLib does without flags, which the tests compare it with; but a blank at a line's end is no
/// part of a value, and a translation (`key[de]=…`) is passed over whatever the user's language is.
///
/// Time and memory grow with the length of the text, whatever stands in it.
public struct KeyFile: Sendable {
  /// A line that is none of a key file.
  public struct Fault: Sendable {
    /// The line, from 1.
    public let line: Int
    /// What is wrong with it, fit for a terminal.
    public let text: String
  }

  /// Why a text is no key file.
  public struct Faults: Error, Sendable, CustomStringConvertible {
    /// The first line that is wrong.
    public let first: Fault
    /// How many lines are wrong.
    public let count: Int

    /// Where the first one is and what is wrong with it, and how many more there are.
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

  /// A key with its value; of one that stands twice, the last.
  private struct Entry {
    let place: Place
    /// Whether the key is UTF-8.
    let isText: Bool
    /// Where in the text the value stands.
    var value: Range<Int>
    var line: Int
  }

  /// The lines that are wrong.
  public private(set) var faults: [Fault] = []

  private let source: [UInt8]
  private var faultCount = 0
  /// The groups, in order, none twice; where each stands, of one that stands twice the last.
  private var names: [Text] = []
  private var lines: [Int] = []
  /// Every key with its value, in order, none twice in its group.
  private var entries: [Entry] = []
  /// Which of them each is.
  private var groupIndices: [Text: Int] = [:]
  private var indices: [Place: Int] = [:]

  /// Reads a text as far as it is right; ``faults`` has every line that is not.
  public init(_ text: [UInt8]) {
    self.init(text, faultsAtMost: .max)
  }

  /// Reads a text that is right; throws where a line is not.
  public init(strict text: [UInt8]) throws(Faults) {
    // No more than one is told: a text may have half a million.
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

  /// Takes a line that may belong to `group`; what is wrong with it.
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

// MARK: What stands there

extension KeyFile {
  /// Every key, with its group, in order.
  public var keys: [(group: Text, key: Text)] { entries.map { (names[$0.place.group], $0.place.key) } }

  /// What stands behind a key as it is written, escapes and all; nil where the key does not stand there.
  public func value(_ group: Text, _ key: Text) -> Text? {
    entry(group, key).map { Text(decoding: source[$0.value]) }
  }

  /// Every group with its keys and their values, escapes resolved; a value that is no text is empty.
  public var groups: [ThemeFile.Group] {
    var groups = names.map { ThemeFile.Group($0, []) }
    for entry in entries {
      groups[entry.place.group].entries.append(ThemeFile.Entry(entry.place.key, text(of: entry) ?? ""))
    }
    return groups
  }

  /// The keys and values that are no text.
  public var problems: [ThemeFile.Problem] {
    entries.filter { text(of: $0) == nil }.map { entry in
      ThemeFile.Problem(
        group: names[entry.place.group], key: entry.place.key,
        value: entry.isText ? Text(decoding: source[entry.value]) : nil,
        expected: "text in UTF-8, with no escapes but \\s, \\n, \\t, \\r and \\\\")
    }
  }

  /// The line of what a problem is about; nil where it is about no single line.
  public func line(of problem: ThemeFile.Problem) -> Int? {
    guard let group = problem.group else { return nil }
    guard let key = problem.key else { return groupIndices[group].map { lines[$0] } }
    return entry(group, key)?.line
  }

  private func entry(_ group: Text, _ key: Text) -> Entry? {
    groupIndices[group].flatMap { indices[Place(group: $0, key: key)] }.map { entries[$0] }
  }

  /// What stands behind a key, escapes resolved; nil where it is no text.
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
  /// Reads the theme `name` from its file; throws every value that is no text, else every problem that it has.
  public init(name: Text, _ file: KeyFile) throws(Problems) {
    let problems = file.problems
    guard problems.isEmpty else { throw Problems(problems) }
    try self.init(name: name, groups: file.groups)
  }
}
