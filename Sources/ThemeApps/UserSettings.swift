public import ThemedText

/// Names of settings of the user's, in which `*` stands for anything.
///
/// One with a blank in it is compared with the whole line, any other with the setting's name, its section before it.
public struct SettingPattern: Sendable, Hashable {
  /// As the app file writes it.
  public let written: Text

  /// What an app file writes so.
  public init(_ written: Text) { self.written = written }

  fileprivate func matches(_ setting: UserSetting) -> Bool {
    Self.matches(Array(written.utf8)[...], Array((written.contains(" ") ? setting.text : setting.name).utf8)[...])
  }

  /// Goes back to the last `*` only, so that no pattern takes longer than the text times the pattern.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var (next, at) = (pattern.startIndex, text.startIndex)
    var last: (pattern: Int, text: Int)?
    while at < text.endIndex {
      if next < pattern.endIndex, pattern[next] == UInt8(ascii: "*") {
        last = (next, at)
        next += 1
      } else if next < pattern.endIndex, pattern[next] == text[at] {
        (next, at) = (next + 1, at + 1)
      } else if let back = last {
        last = (back.pattern, back.text + 1)
        (next, at) = (back.pattern + 1, back.text + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// A setting in a file of the user's.
public struct UserSetting: Sendable, Hashable {
  /// Its line, from 1.
  public let line: Int
  /// What it is called, with its section before it: `colors.primary.background`.
  public let name: Text
  /// The whole line, without the blanks around it.
  fileprivate let text: Text

  /// Every setting of a file in the manner of TOML, of INI, or of a name and its value in one line.
  ///
  /// What this takes for a setting need not be one; patterns ask for names that only settings have.
  fileprivate static func all(in lines: [FileLines.Line], _ comment: CommentStyle) -> [UserSetting] {
    var section: Text = ""
    return lines.enumerated().compactMap { index, line in
      let text = line.text
      guard !text.isEmpty, !text.hasPrefix(comment.start), !text.hasPrefix("#") else { return nil }
      if let header = Self.section(text) {
        section = header
        return nil
      }
      let name = Self.name(text)
      guard !name.isEmpty else { return nil }
      return UserSetting(line: index + 1, name: section.isEmpty ? name : "\(section).\(name)", text: text)
    }
  }

  /// The section that a line begins; nil where it begins none.
  private static func section(_ line: Text) -> Text? {
    guard let rest = line.dropping(prefix: "["), let end = Array(rest.utf8).firstIndex(of: UInt8(ascii: "]")) else {
      return nil
    }
    let name = rest.utf8.prefix(end).filter { !" \t\"'[".utf8.contains($0) }
    // An INI file has the settings of its main section before any other, too.
    return Text(decoding: name) == "main" ? "" : Text(decoding: name)
  }

  /// What a line gives a value: what stands before `=`, `:` or a blank; of a command that sets an option, its option.
  private static func name(_ line: Text) -> Text {
    var words = line.split(" ", omittingEmpty: true)
    if let first = words.first, ["set", "set-option", "setw", "set-window-option"].contains(first) {
      words = Array(words.dropFirst().drop { $0.hasPrefix("-") })
      return words.first ?? ""
    }
    let name = line.utf8.prefix { !"=: \t".utf8.contains($0) }.filter { !"\"'".utf8.contains($0) }
    return Text(decoding: name)
  }
}

extension SetupBlock {
  /// The first setting of the user's that wins over the line in this file; nil where none does, as far as is known.
  public func winner(in file: [UInt8]) -> UserSetting? {
    guard !setup.hiddenBy.isEmpty else { return nil }
    let lines = FileLines(file).all
    let own = ownLines(in: lines)
    let from = setup.hiddenWhere == .after ? own.last.map { $0 + 1 } : 0
    guard let from else { return nil }
    return UserSetting.all(in: lines, setup.comment).first { setting in
      setting.line > from && !own.contains(setting.line - 1)
        && setup.hiddenBy.contains { $0.matches(setting) }
    }
  }

  /// The indices of the lines that are ours: in our block, or written by the user as we would.
  private func ownLines(in lines: [FileLines.Line]) -> [Int] {
    let texts = [setup.line, setup.otherLine].compactMap(\.self).flatMap { $0.split("\n", omittingEmpty: true) }
    var isOwn = false
    return lines.indices.filter { index in
      if let mark = BlockMark(lines[index].text), mark.subject == subject {
        isOwn = mark.isBegin
        return true
      }
      return isOwn || texts.contains(lines[index].text)
    }
  }
}
