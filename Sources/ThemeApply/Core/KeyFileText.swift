internal import ThemeApps
internal import ThemedSystem

/// The text of a program's settings, of which one value is read or replaced; everything else stays as it is: pure.
enum KeyFileText {
  /// The value; nil if it is not there.
  static func value(in bytes: [UInt8], _ file: App.SettingFile) -> Text? {
    guard let group = file.group else {
      // The first of several lines may be indented.
      return Text(decoding: bytes.dropLast(end(of: bytes).count))
    }
    let lines = lines(of: bytes)
    let entries = range(of: group, in: lines).map { lines[$0].compactMap(Self.entry) } ?? []
    if file.key == "*" {
      return entries.isEmpty ? nil : Text(entries.map { "\($0.key)=\($0.value)" }.joined(separator: ";"))
    }
    return entries.last { $0.key == file.key }?.value
  }

  /// The bytes with another value, or with nil without one.
  ///
  /// - Parameter old: The bytes of the file; nil if it does not exist.
  static func replacing(_ old: [UInt8]?, _ file: App.SettingFile, with value: Text?) -> [UInt8] {
    guard let group = file.group else {
      return value.map { Array($0.utf8) + (old.map { end(of: $0) } ?? [0x0A]) } ?? []
    }
    let bytes = old ?? []
    var lines = lines(of: bytes)
    let isWhole = file.key == "*"
    let new: [Text] = value.map { isWhole ? $0.split(";", omittingEmpty: true) : ["\(file.key)=\($0)"] } ?? []
    guard let range = range(of: group, in: lines) else {
      guard !new.isEmpty else { return bytes }
      let gap: [Text] = lines.last.map { $0.isEmpty ? [] : [""] } ?? []
      return self.bytes(lines + gap + ["[\(group)]"] + new)
    }
    let isMeant = { (line: Text) in entry(line).map { isWhole || $0.key == file.key } ?? false }
    // The new lines take the place of the old ones, or follow the last entry.
    let place =
      range.first { isMeant(lines[$0]) } ?? (range.last { entry(lines[$0]) != nil }.map { $0 + 1 } ?? range.lowerBound)
    let before = lines[range.lowerBound..<place].filter { !isMeant($0) }
    let after = lines[place..<range.upperBound].filter { !isMeant($0) }
    let kept = before + new + after
    if new.isEmpty, kept.allSatisfy({ trimmed($0).isEmpty }) {
      // Nothing is left but the header, which came with the first key.
      let start = range.lowerBound - 1
      let isApart = start > 0 && trimmed(lines[start - 1]).isEmpty
      lines.removeSubrange((isApart ? start - 1 : start)..<(range.upperBound - kept.count))
    } else {
      lines.replaceSubrange(range, with: kept)
    }
    return self.bytes(lines)
  }

  /// The white space at the end, which is not part of a value.
  private static func end(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[(bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0)...]
  }

  /// The lines of a group, without its header.
  private static func range(of group: Text, in lines: [Text]) -> Range<Int>? {
    let header: Text = "[\(group)]"
    guard let start = lines.firstIndex(where: { trimmed($0) == header }) else { return nil }
    let end = lines[(start + 1)...].firstIndex { trimmed($0).hasPrefix("[") } ?? lines.endIndex
    return start + 1..<end
  }

  private static func entry(_ line: Text) -> (key: Text, value: Text)? {
    let line = trimmed(line)
    guard !line.hasPrefix("#"), !line.hasPrefix(";") else { return nil }
    let parts = line.split("=", maxSplits: 1)
    return parts.count == 2 ? (trimmed(parts[0]), trimmed(parts[1])) : nil
  }

  private static func trimmed(_ text: Text) -> Text { Text(decoding: Array(text.utf8).trimming { $0 <= 0x20 }) }

  private static func lines(of bytes: [UInt8]) -> [Text] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Text(decoding: $0) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func bytes(_ lines: [Text]) -> [UInt8] { lines.flatMap { Array($0.utf8) + [0x0A] } }
}
