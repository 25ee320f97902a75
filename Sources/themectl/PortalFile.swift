internal import ThemeInterface
internal import ThemedText

/// A `portals.conf`, line by line, in which our backend is named before others, and what was there can be had back byte
/// for byte.
///
/// Pure. What is put in stands behind a comment that says what stood there before; everything else stays as it is.
enum PortalFile {
  /// What the portal looks for.
  static let key = PortalChainFacts.interface
  /// How the first line of a file begins that is ours as a whole.
  static let created: Text = "# themectl portal enable made this file"

  private static let replaced: Text = "# Before themectl portal enable: "
  private static let added: Text = "# Added by themectl portal enable:"
  private static let addedToEnd: Text = "# Added by themectl portal enable, behind a line without an end:"
  private static let opened: Text = "# Added by themectl portal enable, with its group:"
  private static let unended: Text = "# Added by themectl portal enable, with its group, behind a line without an end:"

  /// The text with these backends named; nil where it names them as we did already.
  static func enabled(_ text: [UInt8], _ backends: [Text]) -> [UInt8]? {
    let before = disabled(text) ?? text
    var lines = before.lines
    let entry = bytes("\(key)=\(backends.map(\.string).joined(separator: ";"));")
    if let group = lines.firstIndex(where: \.isPreferred) {
      if let line = lines.lastPreference(key) {
        let ending = lines[line].ending
        let comment = bytes(replaced) + lines[line].dropLast(ending.count)
        lines.replaceSubrange(line...line, with: [comment + newline, entry + ending])
      } else {
        let isEnded = !lines[group].ending.isEmpty
        if !isEnded { lines[group] += newline }
        lines.insert(contentsOf: [bytes(isEnded ? added : addedToEnd) + newline, entry + newline], at: group + 1)
      }
    } else {
      let isEnded = lines.last.map { !$0.ending.isEmpty } ?? true
      if !isEnded { lines[lines.count - 1] += newline }
      lines += [bytes(isEnded ? opened : unended) + newline, bytes("[preferred]") + newline, entry + newline]
    }
    let after = Array(lines.joined())
    return after == text ? nil : after
  }

  /// The text as it was before; nil where nothing of ours is in it.
  static func disabled(_ text: [UInt8]) -> [UInt8]? {
    var lines = text.lines
    var found = false
    var index = 0
    while index < lines.count {
      let line = Text(decoding: lines[index])
      let next = index + 1 < lines.count ? lines[index + 1] : []
      if line.hasPrefix(replaced), next.isKey(key) {
        let old = Array(lines[index].dropFirst(replaced.count).dropLast(lines[index].ending.count))
        lines.replaceSubrange(index...index + 1, with: [old + next.ending])
      } else if line.hasPrefix(added) || line.hasPrefix(addedToEnd), next.isKey(key) {
        lines.removeSubrange(index...index + 1)
        if line.hasPrefix(addedToEnd) { lines.takeLastEnd(before: index) }
      } else if line.hasPrefix(opened) || line.hasPrefix(unended), next.isPreferred, index + 2 < lines.count,
        lines[index + 2].isKey(key)
      {
        // What the user has written below belongs to the group.
        let isUsed = lines[(index + 3)...].prefix { !$0.isGroup }.contains { !$0.isBlankOrComment }
        lines.replaceSubrange(index...index + 2, with: isUsed ? [next] : [])
        if line.hasPrefix(unended) { lines.takeLastEnd(before: index) }
      } else {
        index += 1
        continue
      }
      found = true
    }
    return found ? Array(lines.joined()) : nil
  }

  private static let newline: [UInt8] = [UInt8(ascii: "\n")]
  private static func bytes(_ text: Text) -> [UInt8] { Array(text.utf8) }
}

extension [UInt8] {
  /// The lines, each with what ends it.
  fileprivate var lines: [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? endIndex
      lines.append(Array(self[start..<end]))
      start = end
    }
    return lines
  }

  fileprivate var ending: [UInt8] {
    if suffix(2).elementsEqual([13, 10]) { return [13, 10] }
    return last == 10 ? [10] : []
  }

  private var trimmed: ArraySlice<UInt8> { trimming { $0 == 32 || (9...13).contains($0) } }

  fileprivate var isBlankOrComment: Bool { trimmed.first.map { $0 == UInt8(ascii: "#") } ?? true }
  fileprivate var isGroup: Bool { trimmed.first == UInt8(ascii: "[") }
  fileprivate var isPreferred: Bool { trimmed.elementsEqual("[preferred]".utf8) }

  fileprivate func isKey(_ key: Text) -> Bool {
    guard let equals = firstIndex(of: UInt8(ascii: "=")) else { return false }
    return Array(self[..<equals]).trimmed.elementsEqual(key.utf8)
  }
}

extension [[UInt8]] {
  /// Takes from the line before the end that it was given, where no other line stands below by now.
  fileprivate mutating func takeLastEnd(before index: Int) {
    if index > 0, index == count { self[index - 1].removeLast() }
  }

  /// Where this key stands: of several lines with it the last counts, in whichever of several groups of one name.
  fileprivate func lastPreference(_ key: Text) -> Int? {
    var (isWithin, found) = (false, Int?.none)
    for (index, line) in enumerated() {
      if line.isGroup { isWithin = line.isPreferred }
      if isWithin, line.isKey(key) { found = index }
    }
    return found
  }
}
