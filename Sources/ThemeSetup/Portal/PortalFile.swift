import ThemedInterface
package import ThemedSystem

/// Edits a `portals.conf` so that it names our backend before others, and restores the old content byte for byte.
///
/// Pure. A comment before each added line says what was there before; everything else stays as it is.
package enum PortalFile {
  package static let key = PortalChainFacts.interface
  static let created: Text = "# themectl portal enable made this file"

  private static let replaced: Text = "# Before themectl portal enable: "
  private static let added: Text = "# Added by themectl portal enable:"
  private static let addedToEnd: Text = "# Added by themectl portal enable, behind a line without an end:"
  private static let opened: Text = "# Added by themectl portal enable, with its group:"
  private static let unended: Text = "# Added by themectl portal enable, with its group, behind a line without an end:"

  /// The text with these backends named; nil if it names them already.
  package static func enabled(_ text: [UInt8], _ backends: [Text]) -> [UInt8]? {
    let before = disabled(text) ?? text
    var lines = before.lines
    let entry = bytes("\(key)=\(backends.map(\.string).joined(separator: ";"));")
    if let group = lines.firstIndex(where: \.isPreferred) {
      if let line = lines.lastPreference(key) {
        let ending = lines[line].lineEnding
        let comment = bytes(replaced) + lines[line].dropLast(ending.count)
        lines.replaceSubrange(line...line, with: [comment + newline, entry + ending])
      } else {
        let isEnded = !lines[group].lineEnding.isEmpty
        if !isEnded { lines[group] += newline }
        lines.insert(contentsOf: [bytes(isEnded ? added : addedToEnd) + newline, entry + newline], at: group + 1)
      }
    } else {
      let isEnded = lines.last.map { !$0.lineEnding.isEmpty } ?? true
      if !isEnded { lines[lines.count - 1] += newline }
      lines += [bytes(isEnded ? opened : unended) + newline, bytes("[preferred]") + newline, entry + newline]
    }
    let after = Array(lines.joined())
    return after == text ? nil : after
  }

  /// The text as it was before; nil if it has nothing of ours.
  package static func disabled(_ text: [UInt8]) -> [UInt8]? {
    var lines = text.lines
    var found = false
    var index = 0
    while index < lines.count {
      let line = Text(decoding: lines[index])
      let next = index + 1 < lines.count ? lines[index + 1] : []
      if line.hasPrefix(replaced), next.isKey(key) {
        let old = Array(lines[index].dropFirst(replaced.count).dropLast(lines[index].lineEnding.count))
        lines.replaceSubrange(index...index + 1, with: [old + next.lineEnding])
      } else if line.hasPrefix(added) || line.hasPrefix(addedToEnd), next.isKey(key) {
        lines.removeSubrange(index...index + 1)
        if line.hasPrefix(addedToEnd) { lines.takeLastEnd(before: index) }
      } else if line.hasPrefix(opened) || line.hasPrefix(unended), next.isPreferred, index + 2 < lines.count,
        lines[index + 2].isKey(key)
      {
        // Lines that the user wrote below belong to the group.
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
  private var trimmed: ArraySlice<UInt8> { trimming(\.isBlank) }

  fileprivate var isBlankOrComment: Bool { trimmed.first.map { $0 == UInt8(ascii: "#") } ?? true }
  fileprivate var isGroup: Bool { trimmed.first == UInt8(ascii: "[") }
  fileprivate var isPreferred: Bool { trimmed.elementsEqual("[preferred]".utf8) }

  fileprivate func isKey(_ key: Text) -> Bool {
    guard let equals = firstIndex(of: UInt8(ascii: "=")) else { return false }
    return Array(self[..<equals]).trimmed.elementsEqual(key.utf8)
  }
}

extension [[UInt8]] {
  /// Removes the line end that was added to the line before, unless another line follows by now.
  fileprivate mutating func takeLastEnd(before index: Int) {
    if index > 0, index == count { self[index - 1].removeLast() }
  }

  /// The line of this key: if several lines have it, the last one counts, in any of several groups of one name.
  fileprivate func lastPreference(_ key: Text) -> Int? {
    var (isWithin, found) = (false, Int?.none)
    for (index, line) in enumerated() {
      if line.isGroup { isWithin = line.isPreferred }
      if isWithin, line.isKey(key) { found = index }
    }
    return found
  }
}
