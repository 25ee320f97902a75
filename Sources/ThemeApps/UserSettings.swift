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
}

extension SetupBlock {
  /// The first setting of the user's that wins over the line in this file; nil where none does, as far as is known.
  public func winner(in file: [UInt8]) -> UserSetting? {
    let lines = FileLines(file).all
    func setting(_ statement: Statements.Statement) -> UserSetting {
      let index = statement.lines.lowerBound
      return UserSetting(line: index + 1, name: statement.settingName(lines[index].text), text: lines[index].text)
    }
    let statements = Statements(file, lines, form, comment: setup.comment).all
    // What would make way for the line stands beside it.
    if isMarked(in: file), let first = replacedLines(in: file).first {
      return statements.first { $0.lines.contains(first.number - 1) }.map(setting)
    }
    guard !setup.hiddenBy.isEmpty else { return nil }
    let texts = [setup.line, setup.otherLine].compactMap(\.self).flatMap { $0.split("\n", omittingEmpty: true) }
    let own = statements.filter { $0.isOurs || texts.contains(lines[$0.lines.lowerBound].text) }
    guard let from = setup.hiddenWhere == .anywhere ? -1 : own.last?.lines.lowerBound else { return nil }
    return statements.lazy
      .filter { statement in !statement.isTable && statement.lines.lowerBound > from && !own.contains { $0.lines == statement.lines } }
      .map(setting).first { setting in setup.hiddenBy.contains { $0.matches(setting) } }
  }
}

extension Statements.Statement {
  /// What it is called; of a command that sets an option, the option is that.
  fileprivate func settingName(_ text: Text) -> Text {
    let words = text.split(" ", omittingEmpty: true)
    if let first = words.first, ["set", "set-option", "setw", "set-window-option"].contains(first) {
      return words.dropFirst().first { !$0.hasPrefix("-") } ?? name
    }
    // An INI file has the settings of its main section before any other, too.
    return name.dropping(prefix: "main.") ?? name
  }
}
