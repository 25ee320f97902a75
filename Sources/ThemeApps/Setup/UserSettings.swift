package import ThemedSystem

/// A pattern for settings of the user's, in which `*` stands for any text.
///
/// A pattern that contains a blank or `=` is compared with the whole line, and with `NAME=VALUE`. Any other pattern is
/// compared with the setting's name, which includes its section. `\\*` is a literal star.
package struct SettingPattern: Sendable, Hashable {
  package let written: Text

  package init(_ written: Text) { self.written = written }

  fileprivate func matches(_ setting: UserSetting) -> Bool {
    guard written.contains(" ") || written.contains("=") else { return matches(setting.name) }
    return matches(setting.text) || matches("\(setting.name)=\(setting.value)")
  }

  package var variable: Text { written.split("=", maxSplits: 1).first ?? written }

  /// Whether the pattern matches its variable with this value; an empty variable counts as not set.
  package func matches(variable value: Text?) -> Bool {
    guard let value, !value.isEmpty else { return false }
    return written.contains("=") ? matches("\(variable)=\(value)") : true
  }

  package func matches(_ text: Text) -> Bool { Self.matches(Array(written.utf8)[...], Array(text.utf8)[...]) }

  /// Backtracks to the last `*` only, so that the time is at most proportional to both lengths multiplied.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var (next, at) = (pattern.startIndex, text.startIndex)
    var last: (pattern: Int, text: Int)?
    while at < text.endIndex {
      if next < pattern.endIndex, pattern[next] == UInt8(ascii: "*") {
        last = (next, at)
        next += 1
      } else if next + 1 < pattern.endIndex, pattern[next] == UInt8(ascii: "\\"), pattern[next + 1] == text[at] {
        (next, at) = (next + 2, at + 1)
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
package struct UserSetting: Sendable, Hashable {
  /// The included file that contains it; nil if the user's file itself contains it.
  package var file: Text?
  package let line: Int
  /// Its name, which begins with its section: `colors.primary.background`.
  package let name: Text
  /// The whole line, without the blanks around it.
  fileprivate let text: Text
  /// Its value, without quotes around it.
  fileprivate let value: Text
}

package struct IncludedFile: Sendable {
  package let path: Text
  package let bytes: [UInt8]

  package init(path: Text, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

/// Reads the files that a path in a file refers to; the file is nil if it is the user's own.
package typealias IncludeReader = (_ written: Text, _ file: Text?) -> [IncludedFile]

extension [SettingPattern] {
  /// The settings in a file of the user's that one of these patterns matches.
  package func all(in file: [UInt8], at path: Text) -> [UserSetting] {
    let lines = FileLines(file).all
    let comment = path.hasSuffix(".lua") ? CommentStyle(start: "--") : .hash
    return Statements(file, lines, Statements.Form(of: path), comment: comment).all
      .filter { !$0.isTable && !$0.isOurs }.map { $0.setting(in: lines, file) }
      .filter { setting in contains { $0.matches(setting) } }
  }
}

extension SetupBlock {
  /// The maximum number of included files that are read.
  private static let maximumFiles = 64
  /// The maximum depth to which files may include each other.
  private static let maximumDepth = 8

  /// The user's settings that win over the line in this file.
  ///
  /// - Parameters:
  ///   - onceWritten: Whether to look at the file as it will be when the line has been written.
  ///   - read: Reads the files that this file includes.
  package func winners(
    in file: [UInt8], onceWritten: Bool = false, including read: IncludeReader = { _, _ in [] }
  ) -> [UserSetting] {
    let lines = FileLines(file).all
    let (own, isWhole) = (ownLines(lines), stands(in: file))
    let isThere = isWhole || !own.isEmpty && !onceWritten
    let replaced = isWhole ? [] : Set(replacedLines(in: file).map { $0.number - 1 })
    // A conflicting line that is there in spite of the block was added later, and wins.
    if isThere, !replaced.isEmpty, isMarked(in: file) {
      return Statements(file, lines, form, comment: setup.comment).all
        .filter { !$0.isTable && replaced.contains($0.lines.lowerBound) }.map { $0.setting(in: lines, file) }
    }
    let place: Int? =
      switch setup.place {
      case .start: -1
      case .beforeSections: (firstSection(of: file, lines) ?? lines.count) - 1
      case .end, .blockEnd: nil
      }
    guard let from = setup.hiddenWhere == .anywhere ? -1 : (isThere ? own.last : nil) ?? place else { return [] }
    return rivals(in: file, including: read)
      .filter { $0.index > from && (isThere || !replaced.contains($0.index)) }.map(\.setting)
  }

  /// The user's settings that the line will win over, because it will be below them.
  package func losers(in file: [UInt8], including read: IncludeReader = { _, _ in [] }) -> [UserSetting] {
    guard setup.hiddenWhere == .after, setup.place != .start else { return [] }
    // A command that runs a program stays.
    return rivals(in: file, including: read).map(\.setting).filter { !["run", "run-shell"].contains($0.name) }
  }

  /// The name of the setting in a line of the user's that becomes a comment; nil if the line sets nothing.
  package func name(ofReplaced line: ReplacedLine, in file: [UInt8]) -> Text? {
    Statements(file, FileLines(file).all, form, comment: setup.comment).all
      .last { $0.lines.contains(line.number - 1) }?.name
  }

  /// The user's settings for what the line sets, each with the index of the line in this file that sets or includes it.
  private func rivals(in file: [UInt8], including read: IncludeReader) -> [(index: Int, setting: UserSetting)] {
    guard !setup.hiddenBy.isEmpty else { return [] }
    var (found, count) = ([(index: Int, setting: UserSetting)](), 0)
    /// The colors that the user's style sheets define themselves.
    var names: Set<Text> = []
    func look(_ bytes: [UInt8], _ path: Text?, _ position: Int?, _ depth: Int) {
      let lines = FileLines(bytes).all
      let own = Set(ownLines(lines))
      for statement in Statements(bytes, lines, form, comment: setup.comment).all
      where !statement.isTable && !own.contains(statement.lines.lowerBound) {
        var setting = statement.setting(in: lines, bytes)
        setting.file = path
        let index = position ?? statement.lines.lowerBound
        if form == .style, let name = setting.name.dropping(prefix: "@define-color ") { names.insert(name) }
        if setup.includes.contains(setting.name) || setup.includes.contains(statement.path.last ?? "") {
          for written in setting.value.words where depth < Self.maximumDepth && !written.hasPrefix("-") {
            for included in read(written, path) where count < Self.maximumFiles {
              count += 1
              look(included.bytes, included.path, index, depth + 1)
            }
          }
        }
        guard setup.hiddenBy.contains(where: { $0.matches(setting) }) else { continue }
        // A rule that uses one of the theme's colors by name follows the theme.
        if form == .style, let color = setting.value.colorName, !names.contains(color) { continue }
        found.append((index, setting))
      }
    }
    look(file, nil, nil, 0)
    return found
  }

  /// The indices of our lines: those in a block, and those that the user has written the same way.
  private func ownLines(_ lines: [FileLines.Line]) -> [Int] {
    // The header of our line may also be the header of the user's own section.
    let texts = [setup.line, setup.otherLine].compactMap(\.self).flatMap { $0.split("\n", omittingEmpty: true) }
      .filter { !($0.hasPrefix("[") && $0.hasSuffix("]")) }
    let blocks = Statements.blocks(lines)
    return lines.indices.filter { index in
      blocks.contains { $0.contains(index) } || texts.contains(lines[index].text)
    }
  }
}

extension Statements.Statement {
  fileprivate func setting(in all: [FileLines.Line], _ file: [UInt8]) -> UserSetting {
    let text = all[lines.lowerBound].text
    return UserSetting(
      line: lines.lowerBound + 1, name: settingName(text), text: text, value: Text(decoding: file[value]))
  }

  /// Its name; for a command that sets an option or a variable, the name of that.
  private func settingName(_ text: Text) -> Text {
    let words = text.split(" ", omittingEmpty: true)
    if words.count > 1, words[0] == "export" { return words[1].split("=").first ?? name }
    if let first = words.first, ["set", "set-option", "setw", "set-window-option"].contains(first) {
      return words.dropFirst().first { !$0.hasPrefix("-") } ?? name
    }
    // In an INI file, settings above the first header belong to the main section as well.
    return name.dropping(prefix: "main.") ?? name
  }
}

extension Text {
  fileprivate var words: [Text] {
    split(" ", omittingEmpty: true).prefix(16).map { word in
      for quote in ["\"", "'"] as [Text] {
        if let inner = word.dropping(prefix: quote)?.dropping(suffix: quote) { return inner }
      }
      return word
    }
  }

  /// The name of the first style-sheet color, `@name`, in this value; nil if it contains none.
  fileprivate var colorName: Text? {
    guard let sign = utf8.firstIndex(of: UInt8(ascii: "@")) else { return nil }
    let name = utf8[utf8.index(after: sign)...].prefix { $0.isLetterOrDigit || "_-".utf8.contains($0) }
    return name.isEmpty ? nil : Text(decoding: name)
  }
}
