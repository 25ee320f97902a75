package import ThemedModel
package import ThemedSystem

/// A key of `themed.conf`.
package struct ConfigKey: Hashable {
  package let group: Text
  package let name: Text

  package init(group: Text, name: Text) {
    (self.group, self.name) = (group, name)
  }

  /// The lines that give it this value, for a person to write.
  package func lines(_ value: Text) -> [String] { ["  [\(group)]", "  \(name)=\(value)"] }
}

/// The text of `themed.conf`, in which single keys are set or removed and everything else stays: pure.
package struct ConfigEdit: Equatable {
  /// The lines, each with its line ending.
  private var lines: [[UInt8]]

  /// Throws if a line is invalid, since the daemon would not read the edited file either.
  package init(_ text: [UInt8]) throws(KeyFile.Faults) {
    _ = try KeyFile(strict: text)
    lines = text.lines
  }

  package var bytes: [UInt8] { Array(lines.joined()) }

  /// The value in force: if the file has the key several times, the last one.
  package func value(_ key: ConfigKey) -> Text? {
    places(of: key).last.flatMap { entry($0)?.value }.map { Text(decoding: $0) }
  }

  /// Sets a key: where it is, below a comment that has it, or below the last key of its group.
  package mutating func set(_ key: ConfigKey, to value: Text) throws(Refusal) {
    if let place = places(of: key).last, let old = entry(place)?.value {
      lines[place].replaceSubrange(old.indices, with: value.utf8)
    } else {
      add(key, value)
    }
    let isRead = try? KeyFile(strict: bytes).value(key.group, key.name) == value
    guard isRead == true else {
      throw Refusal("'\(value.shown())' cannot be the value of \(key.name): use one line, without blanks around it")
    }
  }

  /// Removes a key from everywhere in the file, and its group if nothing else is in it.
  package mutating func remove(_ key: ConfigKey) {
    let places = places(of: key)
    guard !places.isEmpty else { return }
    for place in places.reversed() { lines.remove(at: place) }
    for header in headers(of: key.group).reversed() { removeGroup(ifEmptyAt: header) }
  }

  /// A file with these earlier values, or an earlier content that had them, if nothing else has changed since; nil stands
  /// for a missing key or file.
  static func restoring(
    _ earlier: [(key: ConfigKey, value: Text?)], in file: [UInt8], from before: [UInt8]?
  ) throws -> [UInt8]? {
    var edit = try ConfigEdit(file)
    var old = try ConfigEdit(before ?? [])
    let hadThem = earlier.allSatisfy { old.value($0.key) == $0.value }
    for (key, _) in earlier { if let value = edit.value(key) { try old.set(key, to: value) } }
    if hadThem, old == edit { return before }
    for (key, value) in earlier where edit.value(key) != nil {
      if let value { try edit.set(key, to: value) } else { edit.remove(key) }
    }
    return edit.bytes.isEmpty && before == nil ? nil : edit.bytes
  }

  private mutating func add(_ key: ConfigKey, _ value: Text) {
    let ending = lines.first.map(\.lineEnding).flatMap { $0.isEmpty ? nil : $0 } ?? Array("\n".utf8)
    let line = Array("\(key.name)=\(value)".utf8) + ending
    var place = lines.count
    var new = [line]
    if let comment = comments(of: key).last {
      place = comment + 1
    } else if let header = headers(of: key.group).last {
      place = 1 + (rest(of: header).last { entry($0) != nil } ?? header)
    } else {
      let isApart = lines.last.map(\.isBlank) ?? true
      new = (isApart ? [] : [ending]) + [Array("[\(key.group)]".utf8) + ending, line]
    }
    if place > 0, lines[place - 1].lineEnding.isEmpty { lines[place - 1] += ending }
    lines.insert(contentsOf: new, at: place)
  }

  private mutating func removeGroup(ifEmptyAt header: Int) {
    let rest = rest(of: header)
    guard rest.allSatisfy({ lines[$0].isBlank }) else { return }
    lines.removeSubrange(header..<rest.endIndex)
    // The blank line that set the group apart.
    if header > 0, header == lines.count, lines[header - 1].isBlank { lines.removeLast() }
  }

  // MARK: Places

  private func entry(_ place: Int) -> (key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    if case .entry(let key, let value) = KeyFileLine(lines[place][...]) { (key, value) } else { nil }
  }

  private func headers(of group: Text) -> [Int] {
    lines.indices.filter {
      if case .group(let name) = KeyFileLine(lines[$0][...]) { name.elementsEqual(group.utf8) } else { false }
    }
  }

  /// The lines of the group that begins here, after its header.
  private func rest(of header: Int) -> Range<Int> {
    let end = lines[(header + 1)...].firstIndex { if case .group = KeyFileLine($0[...]) { true } else { false } }
    return header + 1..<(end ?? lines.count)
  }

  private func places(of key: ConfigKey) -> [Int] {
    headers(of: key.group).flatMap { rest(of: $0) }.filter { entry($0)?.key.elementsEqual(key.name.utf8) == true }
  }

  /// The comments in the group that would be this key without their `#`.
  private func comments(of key: ConfigKey) -> [Int] {
    headers(of: key.group).flatMap { rest(of: $0) }.filter { place in
      let line = lines[place].trimming(\.isBlank)
      guard line.first == UInt8(ascii: "#"), case .entry(let name, _) = KeyFileLine(line.dropFirst()) else {
        return false
      }
      return name.elementsEqual(key.name.utf8)
    }
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension [UInt8] {
  /// The lines, each with its line ending.
  var lines: [[UInt8]] {
    var lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { $0 + [0x0A] as [UInt8] }
    lines[lines.count - 1].removeLast()
    if lines.last == [] { lines.removeLast() }
    return lines
  }

  var lineEnding: [UInt8] {
    if suffix(2).elementsEqual([0x0D, 0x0A]) { return [0x0D, 0x0A] }
    return last == 0x0A ? [0x0A] : []
  }

  fileprivate var isBlank: Bool { allSatisfy(\.isBlank) }
}
