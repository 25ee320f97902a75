public import ThemedText

/// Names of settings of the user's, in which `*` stands for anything.
///
/// A pattern with a blank in it is compared with the whole line, any other with the setting's name and section.
public struct SettingPattern: Sendable, Hashable {
  /// The pattern as the app file writes it.
  public let written: Text

  /// The pattern that an app file writes like this.
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
  /// Its name, with its section before it: `colors.primary.background`.
  public let name: Text
  /// The whole line, without the blanks around it.
  fileprivate let text: Text
}

extension SetupBlock {
  /// The user's first setting that overrides the line in this file; nil if none is known.
  public func winner(in file: [UInt8]) -> UserSetting? {
    let lines = FileLines(file).all
    let statements = Statements(file, lines, form, comment: setup.comment).all
    // What would make way for the line stands beside it.
    if isMarked(in: file), let first = replacedLines(in: file).first {
      return statements.first { $0.lines.contains(first.number - 1) }?.setting(in: lines)
    }
    guard let from = setup.hiddenWhere == .anywhere ? -1 : ownLines(statements, lines).last else { return nil }
    return rivals(statements, lines).first { $0.line - 1 > from }
  }

  /// The user's settings that the line will override once it is added, because it comes after them.
  public func losers(in file: [UInt8]) -> [UserSetting] {
    guard setup.hiddenWhere == .after, setup.place != .start else { return [] }
    let lines = FileLines(file).all
    let statements = Statements(file, lines, form, comment: setup.comment).all
    return rivals(statements, lines)
  }

  /// The user's settings that conflict with the line.
  private func rivals(_ statements: [Statements.Statement], _ lines: [FileLines.Line]) -> [UserSetting] {
    guard !setup.hiddenBy.isEmpty else { return [] }
    let own = Set(ownLines(statements, lines))
    return statements.filter { !$0.isTable && !own.contains($0.lines.lowerBound) }.map { $0.setting(in: lines) }
      .filter { setting in setup.hiddenBy.contains { $0.matches(setting) } }
  }

  /// The indices of our lines: in a block, or written by the user in the same way.
  private func ownLines(_ statements: [Statements.Statement], _ lines: [FileLines.Line]) -> [Int] {
    // A header that the line brings along may be one of the user's, too.
    let texts = [setup.line, setup.otherLine].compactMap(\.self).flatMap { $0.split("\n", omittingEmpty: true) }
      .filter { !($0.hasPrefix("[") && $0.hasSuffix("]")) }
    return statements.map(\.lines.lowerBound).enumerated()
      .filter { statements[$0.offset].isOurs || texts.contains(lines[$0.element].text) }.map(\.element)
  }
}

extension Statements.Statement {
  fileprivate func setting(in all: [FileLines.Line]) -> UserSetting {
    let text = all[lines.lowerBound].text
    return UserSetting(line: lines.lowerBound + 1, name: settingName(text), text: text)
  }

  /// Its name; for a command that sets an option, the name of the option.
  private func settingName(_ text: Text) -> Text {
    let words = text.split(" ", omittingEmpty: true)
    if let first = words.first, ["set", "set-option", "setw", "set-window-option"].contains(first) {
      return words.dropFirst().first { !$0.hasPrefix("-") } ?? name
    }
    // An INI file has the settings of its main section before any other, too.
    return name.dropping(prefix: "main.") ?? name
  }
}
