internal import ThemedModel
internal import ThemedSystem

/// Reads the keys of one group; keys that nothing has read are unknown.
struct AppGroupReader {
  private var group: ThemeFile.Group
  private var taken: Set<Text> = []
  private(set) var problems: [ThemeFile.Problem] = []

  /// Reads a group of this kind; keys with an old name are problems, and are read under their new name nevertheless.
  init(_ group: ThemeFile.Group, kind: Text) {
    self.group = group
    for (index, entry) in group.entries.enumerated() {
      guard let name = Self.newName(of: entry.key, in: kind) else { continue }
      refuse(entry.key, "named \(name)=")
      taken.insert(entry.key)
      if !has(name) { self.group.entries[index].key = name }
    }
    guard kind == "setup", let instead = group.entries.first(where: { $0.key == "instead" }) else { return }
    refuse("instead", "part of files=, after the path of file=")
    taken.insert("instead")
    let first = group.entries.first { $0.key == "file" }.map { "\($0.value);" as Text } ?? ""
    if !has("files") { self.group.entries.append(ThemeFile.Entry("files", "\(first)\(instead.value)")) }
  }

  /// The new name of a key that had another one before the first release; nil for every other key.
  private static func newName(of key: Text, in kind: Text) -> Text? {
    switch (kind, key) {
    case ("app", "version"): "version-command"
    case ("app", "rest"): "debounce"
    case ("app", "not-on"): "except-desktops"
    case ("app", "unable"): "unsupported"
    case ("setup", "or"): "equivalent"
    case ("setup", "at"): "position"
    case ("setup", "unless"): "conflicts"
    case ("setup", "new"): "new-file-start"
    case ("setup", "new-hides"): "new-file-hides"
    case ("setup", "system"): "system-files"
    case ("setup", "needs-file"): "needs-system-file"
    case ("desktop", "on"), ("setting", "on"): "desktops"
    case (_, "for"): "versions"
    default: nil
    }
  }

  var unread: [ThemeFile.Problem] {
    group.entries.filter { !taken.contains($0.key) }.map {
      ThemeFile.Problem(
        group: group.name, key: $0.key, expected: "one of the keys that themed.app(5) lists for this group")
    }
  }

  func has(_ key: Text) -> Bool { group.entries.contains { $0.key == key } }

  /// Records what a key, or with nil the group, should be.
  mutating func refuse(_ key: Text?, _ expected: String) {
    let value = key.flatMap { key in group.entries.first { $0.key == key }?.value }
    problems.append(ThemeFile.Problem(group: group.name, key: key, value: value, expected: expected))
  }

  mutating func lack(_ key: String) { problems.append(ThemeFile.Problem(group: group.name, lacks: key)) }

  /// Marks keys as read, since there is a problem about them already.
  mutating func passOver(_ keys: [Text]) { taken.formUnion(keys) }

  /// Records a problem for each of these keys that is missing.
  mutating func require(_ keys: Text...) { for key in keys where !has(key) { lack("\(key)=…") } }

  // MARK: Settings of desktops

  /// Marks of the dark one of two names.
  mutating func darkMarks(_ key: Text) -> [Text]? {
    list(key, "ends of names, such as -dark") { mark in
      mark.count > 1 && mark.count <= 32 && mark.hasPrefix("-") && !mark.contains("/") && mark.split("-").count == 2
        ? mark : nil
    }
  }

  mutating func installedPaths(_ key: Text) -> [App.InstalledPath]? {
    list(key, "paths with {value}, such as $XDG_DATA_DIRS/themes/{value}") { App.InstalledPath($0) }
  }

  mutating func signals(_ key: Text) -> [App.BusSignal]? {
    list(key, "signals, such as '* /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify'") { text in
      App.BusSignal(words: text.split(" ", omittingEmpty: true))
    }
  }

  /// The file that holds a setting: `file` and `key`.
  mutating func settingFile() -> App.SettingFile? {
    let path = path("file")
    let key = value("key", "GROUP/KEY of a key file, or GROUP/* for the whole group") { text -> (Text, Text)? in
      guard let (group, name) = text.splitAtLast("/"), !group.isEmpty, !name.isEmpty, !text.hasControls,
        !group.contains("]"), !name.contains("=")
      else { return nil }
      return (group, name)
    }
    if has("key"), !has("file") { lack("file=…") }
    return path.map { App.SettingFile(path: $0, group: key?.0, key: key?.1 ?? "*") }
  }

  // MARK: Values

  private mutating func take(_ key: Text) -> Text? {
    taken.insert(key)
    return group.entries.first { $0.key == key }?.value
  }

  /// A value that `read` parses; if that gives nil, records what it should be.
  private mutating func value<Value>(_ key: Text, _ expected: String, _ read: (Text) -> Value?) -> Value? {
    guard let written = take(key) else { return nil }
    guard let value = read(written) else {
      refuse(key, expected)
      return nil
    }
    return value
  }

  mutating func text(_ key: Text, upTo maximum: Int, canHaveSeveralLines: Bool = false) -> Text? {
    value(key, "1 to \(maximum) bytes of text without control characters") { text in
      let isPlain = text.string.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control || canHaveSeveralLines && scalar == "\n"
      }
      let isBlank = text.utf8.allSatisfy { $0 <= 0x20 }
      return !isBlank && text.count <= maximum && isPlain ? text : nil
    }
  }

  /// Values with `;` between them, each of which `read` parses.
  private mutating func list<Value>(
    _ key: Text, _ expected: String, upTo maximum: Int = 16, _ read: (Text) -> Value?
  ) -> [Value]? {
    value(key, "\(expected), with ';' between them") { text in
      let parts = text.split(";", omittingEmpty: true)
      let values = parts.compactMap(read)
      return !values.isEmpty && values.count == parts.count && values.count <= maximum ? values : nil
    }
  }

  mutating func names(_ key: Text) -> [Text]? {
    list(key, "names of programs, without directories") { name in
      !name.contains("/") && name.count <= 255 && !name.utf8.contains { $0 <= 0x20 } ? name : nil
    }
  }

  /// Keys of a program's own file.
  mutating func keys(_ key: Text) -> [Text]? {
    list(key, "keys of that file, such as general.import or *.color") { key in
      let name = key.dropping(prefix: "*.") ?? key
      return name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) } ? key : nil
    }
  }

  /// Settings that include other files.
  mutating func includes(_ key: Text) -> [Text]? {
    list(key, "names of settings, such as include") { $0.contains(" ") ? nil : $0 }
  }

  mutating func path(_ key: Text, byVariables: Bool = false) -> AppPath? {
    value(key, AppPath.expectation) { AppPath($0, byVariables: byVariables) }
  }

  /// Paths of the user's own files.
  mutating func paths(_ key: Text) -> [AppPath]? {
    list(key, "paths of files as in file=") { AppPath($0, byVariables: true) }
  }

  /// Settings of a program's own file.
  mutating func patterns(_ key: Text) -> [SettingPattern]? {
    list(key, "names of settings, such as colors.primary.*", upTo: 64) { SettingPattern($0) }
  }

  /// The lines in other languages: `line.SUFFIX` and `comment.SUFFIX`.
  mutating func dialects() -> [App.Setup.Dialect] {
    group.entries.compactMap { $0.key.dropping(prefix: "line.") }.compactMap { suffix in
      let line = text("line.\(suffix)", upTo: 1024, canHaveSeveralLines: true)
      let comment = comment(orNone: false, key: "comment.\(suffix)")
      return line.flatMap { line in comment.map { App.Setup.Dialect(suffix: suffix, line: line, comment: $0) } }
    }
  }

  /// The name of a block in braces.
  mutating func blockName(_ key: Text) -> Text? {
    value(key, "the word before '{', such as bar") { name in
      !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || "_-".utf8.contains($0) } ? name : nil
    }
  }

  mutating func variable(_ key: Text) -> Text? {
    value(key, "the name of a variable, such as BAT_THEME") { name in
      !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") } ? name : nil
    }
  }

  /// The line that includes the system's file, `{system}`.
  mutating func systemLine() -> Text? {
    guard let line = text("system-line", upTo: 1024, canHaveSeveralLines: true) else { return nil }
    require("system-files")
    if Placeholders.names(in: line) != ["system"] {
      refuse("system-line", "a line with {system}, such as include {system}")
    }
    return line
  }

  /// Marks all other keys as read, after an error that makes them meaningless.
  mutating func passOverRest() { taken.formUnion(group.entries.map(\.key)) }

  mutating func template(_ key: Text) -> Text? {
    value(key, "the name of a template's file, without directories, such as kitty.mustache") { text in
      let isName = !text.isEmpty && text.count <= 255 && !text.hasPrefix(".")
      return isName && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") } ? text : nil
    }
  }

  mutating func word<Word: RawRepresentable & CaseIterable>(_ key: Text, _: Word.Type) -> Word?
  where Word.RawValue == String {
    value(key, "one of: \(Word.allCases.map(\.rawValue).joined(separator: ", "))") { Word(word: $0) }
  }

  mutating func number(_ key: Text, _ range: ClosedRange<Int>) -> Int? {
    value(key, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      text.decimal.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  mutating func timeout() -> Int { number("timeout", 1...60) ?? App.usualTimeout }

  mutating func flag(_ key: Text) -> Bool? {
    value(key, "yes or no") { text in text == "yes" ? true : text == "no" ? false : nil }
  }

  mutating func versions() -> VersionRange {
    value("versions", "comparisons with a version, such as '>=0.26 <0.40'") { VersionRange($0) } ?? .all
  }

  /// The style of comments, `#` by default; an inner nil for none.
  mutating func comment(orNone mayBeNone: Bool, key: Text = "comment") -> CommentStyle? {
    let words = CommentStyle.known.map(\.word.string) + (mayBeNone ? ["none"] : [])
    guard has(key) else { return .hash }
    let comment = value(key, "one of: \(words.joined(separator: "  "))") { text -> CommentStyle?? in
      if mayBeNone, text == "none" { return .some(nil) }
      return CommentStyle.known.first { $0.word == text }.map { .some($0.comment) }
    }
    return comment.flatMap(\.self)
  }

  /// The words of a command, which may have these placeholders.
  mutating func words(_ key: Text, placeholders: Set<Text>, mayNameColors: Bool = true) -> [Text]? {
    guard let written = take(key) else { return nil }
    guard let words = Placeholders.words(of: written), !written.utf8.contains(0) else {
      refuse(key, "a command with every quote closed (no shell runs it)")
      return nil
    }
    guard let first = words.first, !first.isEmpty, !first.hasPrefix("-"), words.count <= 64 else {
      refuse(key, "a command of 1 to 64 words that begins with a program's name")
      return nil
    }
    guard Placeholders.names(in: first).isEmpty || first == "{program}" && placeholders.contains("program") else {
      let expected = placeholders.contains("program") ? "a program's name or {program}" : "a program's name"
      refuse(key, "a command that begins with \(expected), and not with another {name}; write {{ for a brace")
      return nil
    }
    checkPlaceholders(key, words, placeholders, mayNameColors: mayNameColors)
    return words
  }

  /// A call on the session bus: `NAME PATH INTERFACE.METHOD TYPE:VALUE…`.
  mutating func call(_ key: Text, placeholders: Set<Text>) -> App.BusCall? {
    let call = value(key, "NAME PATH INTERFACE.METHOD, and arguments such as s:{value}; types are s, b, i and u") {
      App.BusCall(words: Placeholders.words(of: $0) ?? [])
    }
    if let call { checkPlaceholders(key, call.arguments.map(\.value), placeholders) }
    return call
  }

  mutating func message(_ key: Text, placeholders: Set<Text>) -> Text? {
    let message = text(key, upTo: 1024)
    if let message { checkPlaceholders(key, [message], placeholders) }
    return message
  }

  private mutating func checkPlaceholders(
    _ key: Text, _ words: [Text], _ known: Set<Text>, mayNameColors: Bool = true
  ) {
    func isKnown(_ name: Text) -> Bool { known.contains(name) || mayNameColors && ColorForm.parse(name) != nil }
    for name in words.flatMap(Placeholders.names) where !isKnown(name) {
      refuse(
        key,
        "without {\(name.shown(atMost: 80))}, which is neither a variable for programs nor a key of [light] or [dark]; write {{ for a brace"
      )
    }
  }
}

extension App.BusCall {
  init?(words: [Text]) {
    guard (3...19).contains(words.count), let (interface, member) = words[2].splitAtLast("."),
      words[0].isBusName, words[1].isBusPath, interface.isInterface, member.isMember
    else { return nil }
    var arguments: [Argument] = []
    for word in words[3...] {
      let parts = word.split(":", maxSplits: 1)
      guard parts.count == 2, let type = ArgumentType(word: parts[0]) else { return nil }
      arguments.append(Argument(type: type, value: parts[1]))
    }
    self.init(destination: words[0], path: words[1], interface: interface, member: member, arguments: arguments)
  }
}

extension App.BusSignal {
  /// The signals that these words describe: `SENDER PATH INTERFACE.MEMBER`, and maybe the argument; nil if they are
  /// invalid.
  init?(words: [Text]) {
    guard (3...4).contains(words.count), !words.contains(where: { $0.contains("'") || $0.hasControls }),
      let (interface, member) = words[2].splitAtLast("."), interface.isInterface, member.isMember,
      words[0] == "*" || words[0].isBusName && !words[0].hasSuffix("*"),
      words[1] == "*" || words[1].isBusPath && !words[1].hasSuffix("*")
    else { return nil }
    self.init(
      sender: words[0] == "*" ? nil : words[0], path: words[1] == "*" ? nil : words[1], interface: interface,
      member: member, argument: words.count == 4 ? words[3] : nil)
  }
}

extension Text {
  /// Whether there are at least so many parts between dots, and each is a valid name.
  private func areNames(_ isRight: (UInt8) -> Bool, atLeast: Int) -> Bool {
    let parts = split(".")
    return count <= 255 && parts.count >= atLeast
      && parts.allSatisfy { part in part.utf8.first.map { !$0.isDigit } == true && part.utf8.allSatisfy(isRight) }
  }

  fileprivate var isBusName: Bool {
    (dropping(suffix: "*") ?? self).areNames({ $0.isLetterOrDigit || "_-".utf8.contains($0) }, atLeast: 2)
  }

  fileprivate var isInterface: Bool { areNames({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }, atLeast: 2) }

  fileprivate var isMember: Bool { areNames({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }, atLeast: 1) }

  fileprivate var isBusPath: Bool {
    let path = dropping(suffix: "/*") ?? self
    guard hasPrefix("/"), count <= 255 else { return false }
    return path == "/" || path.isEmpty
      || path.split("/").dropFirst().allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
      }
  }
}
