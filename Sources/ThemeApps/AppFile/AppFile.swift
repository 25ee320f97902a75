internal import ThemedModel
package import ThemedSystem

/// An error or a warning about an app file, a template or a theme's file.
package struct Remark: Sendable, Hashable {
  /// The line, from 1; nil if the remark is not about a single line.
  package let line: Int?
  package let isError: Bool
  /// The text, in one line that is safe for a terminal.
  package let text: String

  package init(line: Int? = nil, isError: Bool = true, _ text: String) {
    (self.line, self.isError, self.text) = (line, isError, text)
  }
}

/// An app's file, `NAME.app`: the vocabulary of themed.app(5).
///
/// Pure: it interprets a ``KeyFile``.
package struct AppFile: Sendable {
  /// The longest file that is read, in bytes.
  package static let maximumSize = 64 << 10
  /// The most keys of a group, and the most groups of a file.
  static let maximumKeys = 256

  /// The app; nil if the file has errors.
  package let app: App?
  package let remarks: [Remark]

  /// - Parameter home: The home directory, for lines that have to name it.
  package init(name: Text, _ bytes: [UInt8], home: Text? = nil) {
    let file = KeyFile(bytes)
    var reader = AppReader(name: name, home: home)
    var problems = file.problems
    if !App.isValidName(name) {
      problems.append(ThemeFile.Problem(value: name, expected: "an app's name, \(Theme.nameExpectation)"))
    }
    let groups = file.groups
    if bytes.count > Self.maximumSize {
      problems.append(ThemeFile.Problem(expected: "\(Self.maximumSize >> 10) KiB at most"))
    } else if groups.count > Self.maximumKeys || groups.contains(where: { $0.entries.count > Self.maximumKeys }) {
      problems.append(ThemeFile.Problem(expected: "\(Self.maximumKeys) groups, and as many keys of each, at most"))
    } else {
      // A value that is not text has a remark already, and needs no second one.
      reader.read(problems.isEmpty ? groups : groups.without(problems))
    }
    problems += problems.isEmpty ? reader.problems : reader.problems.filter { $0.key != nil }
    var remarks = file.faults.map { Remark(line: $0.line, $0.text) }
    remarks += problems.map { Remark(line: file.line(of: $0), "\($0)") }
    remarks += reader.unknown.map {
      Remark(line: file.line(of: $0), isError: false, "\($0); it is ignored")
    }
    self.remarks = remarks.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    app = remarks.contains(where: \.isError) ? nil : reader.app
  }
}

extension App {
  package static func isValidName(_ name: Text) -> Bool { Theme.isValidName(name) }

  /// The app's name for this file name; nil if the file is not an app file.
  package static func name(ofFile file: Text) -> Text? {
    file.dropping(suffix: suffix).flatMap { isValidName($0) ? $0 : nil }
  }

  /// The templates that the app names, each once, in order.
  package var templates: [Text] {
    var seen: Set<Text> = []
    return (writes.map(\.template) + setups.compactMap(\.template) + commandTemplates)
      .filter { seen.insert($0).inserted }
  }

  private var commandTemplates: [Text] {
    reloads.compactMap { reload in
      if case .ipc(_, .template(let name)) = reload.action { name } else { nil }
    }
  }

  /// Remarks about a template of the app: variables without a value on one or both sides, and text from the theme that
  /// could end a string in the program's language.
  package func remarks(on template: Template, named name: Text) -> [Remark] {
    let writes = writes.filter { $0.template == name && $0.escape == .none }
    // Comments are not sent.
    let told = commandTemplates.contains(name) ? foreignTexts(in: template, .hash, areSent: true) : []
    let written = told.isEmpty ? writes.flatMap { foreignTexts(in: template, $0.comment) } : []
    return (unknown(in: template) + told + written).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Remarks about text from the theme outside of comments.
  private func foreignTexts(
    in template: Template, _ comment: CommentStyle?, areSent: Bool = false
  ) -> [Remark] {
    let lines = FileLines(template.source).all
    return template.mentions.compactMap { mention in
      guard AppVariables.foreignTexts.contains(mention.name) else { return nil }
      // Text from the theme may contain the end mark of a comment.
      let isComment = comment.map { $0.end == nil && lines[mention.line - 1].text.hasPrefix($0.start) } ?? false
      let text =
        "'\(mention.name)' is text from the theme: use it only in a comment that runs to the end of the line"
        + (areSent ? ", which is not sent" : ", or set escape=html in the app file")
      return isComment ? nil : Remark(line: mention.line, isError: areSent, text)
    }
  }

  private func unknown(in template: Template) -> [Remark] {
    // A theme may give the value.
    let known = AppVariables.names.union([".", "value"])
    return template.mentions.compactMap { mention in
      guard !known.contains(mention.name), ColorForm.parse(mention.name) == nil else { return nil }
      let missing = ColorScheme.allCases.filter { values[$0]?[mention.name] == nil }
      let name = mention.name.shown(atMost: 80)
      guard missing.count == 1 else {
        return missing.isEmpty
          ? nil : Remark(line: mention.line, isError: false, "unknown variable '\(name)' is empty")
      }
      let text = "'\(name)' has no value in [\(missing[0].rawValue)] and is empty there"
      return Remark(line: mention.line, isError: false, text)
    }
  }
}

extension [ThemeFile.Group] {
  fileprivate func without(_ problems: [ThemeFile.Problem]) -> [ThemeFile.Group] {
    map { group in
      ThemeFile.Group(
        group.name,
        group.entries.filter { entry in !problems.contains { $0.group == group.name && $0.key == entry.key } })
    }
  }
}
