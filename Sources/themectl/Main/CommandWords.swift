import ArgumentParser
import ThemedModel
import ThemedSystem

/// The words of a command line as a person typed them, before they are parsed.
///
/// ArgumentParser takes the words before a command's name as the default command's, and its messages are about a
/// command that the user did not name.
enum CommandWords {
  static let valued: [Text] = [
    "--app", "--at", "--color", "--file", "--for", "--format", "--from", "--name", "--picture",
    "--remote-command", "--remote-socket", "--schedule", "--socket", "--template", "--title", "--until",
  ]
  static let flags: [Text] = [
    "--all", "--all-apps", "--dark", "--details", "--follow-wallpaper", "--force", "--help", "--json", "--light",
    "--once", "--print", "--reset", "--undo", "--verbose", "--yes", "-h",
  ]

  /// The words, with options before a command's name moved after it, where the parser of that command looks for them.
  static func withOptionsLast(_ words: [Text], for command: any ParsableCommand.Type = Themectl.self) -> [Text] {
    let options = leadingOptions(of: words)
    guard let name = words.dropFirst(options.count).first, let subcommand = command.subcommand(name) else {
      return words
    }
    return [name] + withOptionsLast(options + words.dropFirst(options.count + 1), for: subcommand)
  }

  /// The words with `set theme` instead of `theme set`, and `unset theme` instead of `theme unset`.
  ///
  /// People type both: the one after `theme list`, the other after `set dark`.
  static func withFieldLast(_ words: [Text]) -> [Text] {
    guard words.count > 1, words[0] == "theme", ["set", "unset"].contains(words[1]) else { return words }
    return [words[1], words[0]] + words.dropFirst(2)
  }

  /// The words with a negative time or latitude joined to its option, since the parser would take it for an option and
  /// report a missing value.
  static func joiningNegativeValues(_ words: [Text]) -> [Text] {
    var joined: [Text] = []
    for word in words {
      let isNegative = word.dropping(prefix: "-")?.utf8.first.map(\.isDigit) ?? false
      if isNegative, let option = joined.last, ["--at", "--for", "--until"].contains(option) {
        joined[joined.count - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// A wrong word, and the command whose usage helps.
  struct Mistake {
    let message: String
    let command: any ParsableCommand.Type
  }

  /// The mistake in a word that should be a command's name but is not, with a suggestion; nil if there is no such word.
  static func mistake(
    in words: [Text], of command: any ParsableCommand.Type = Themectl.self, below path: [Text] = []
  ) -> Mistake? {
    let options = leadingOptions(of: words)
    let rest = Array(words.dropFirst(options.count))
    if command.configuration.subcommands.isEmpty {
      let message = misspeltOption(in: words, of: command) ?? misspeltField(in: words, of: command)
      return message.map { Mistake(message: $0, command: command) }
    }
    guard let word = rest.first, !word.hasPrefix("-") else { return nil }
    if let subcommand = command.subcommand(word) {
      return mistake(in: Array(rest.dropFirst()), of: subcommand, below: path + [word])
    }
    // ArgumentParser adds 'help'.
    if path.isEmpty, word == "help" { return mistake(inHelpWords: Array(rest.dropFirst()), of: command) }
    let lines = meanings(of: rest, of: command, below: path)
    let call: Text = (["themectl"] + path).joined(separator: " ")
    guard !lines.isEmpty else {
      return Mistake(message: "unknown command '\(word)'; '\(call) --help' lists the commands", command: command)
    }
    let meant = lines.map { "'\(($0 + options).map(asTyped).joined(separator: " "))'" }.alternatives
    return Mistake(
      message: "unknown command '\(word)'; did you mean \(meant)?",
      command: lines.count == 1 ? self.command(in: Array(lines[0].dropFirst())) : command)
  }

  /// The command that the words name, as far as they do.
  static func command(
    in words: [Text], below command: any ParsableCommand.Type = Themectl.self
  ) -> any ParsableCommand.Type {
    let rest = words.dropFirst(leadingOptions(of: words).count)
    guard let word = rest.first, let subcommand = command.subcommand(word) else { return command }
    return self.command(in: Array(rest.dropFirst()), below: subcommand)
  }

  private static func mistake(inHelpWords words: [Text], of command: any ParsableCommand.Type) -> Mistake? {
    guard let word = words.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty else { return nil }
    guard let subcommand = command.subcommand(word) else {
      return Mistake(message: "unknown command '\(word)'; 'themectl --help' lists the commands", command: Themectl.self)
    }
    return mistake(inHelpWords: Array(words.dropFirst()), of: subcommand)
  }

  /// The command lines that a user may have meant.
  private static func meanings(
    of words: [Text], of command: any ParsableCommand.Type, below path: [Text]
  ) -> [[Text]] {
    let lines = OtherWords.lines(for: words, below: path)
    guard lines.isEmpty, let word = words.first else { return lines }
    let call = ["themectl"] + path
    var meanings = command.subcommandNames.map { (word: $0, call: call + [$0]) }
    if path.isEmpty {
      meanings += SetField.firstWords.map { ($0, call + ["set", $0]) }
      meanings += ThemeCommand.subcommandNames.map { ($0, call + ["theme", $0]) }
    }
    let others = path.isEmpty ? OtherWords.firstWords : []
    guard let nearest = nearest(to: word, among: meanings.map(\.word) + others) else { return [] }
    guard let meaning = meanings.first(where: { $0.word == nearest }) else {
      return OtherWords.lines(for: [nearest] + words.dropFirst(), below: path)
    }
    return [meaning.call + words.dropFirst()]
  }

  /// The message about an unknown option that is similar to one of this command's: a command that takes words would
  /// take the option's value as a word and complain about that.
  private static func misspeltOption(in words: [Text], of command: any ParsableCommand.Type) -> String? {
    var isValue = false
    for word in words {
      let name = word.split("=", maxSplits: 1).first ?? ""
      defer { isValue = !isValue && valued.contains(word) }
      if word == "--" { return nil }
      guard !isValue, word.hasPrefix("--"), !(valued + flags).contains(name) else { continue }
      if name == "--side" { return "unknown option '--side'; use '--light' or '--dark'" }
      if name == "--until-changed" { return "unknown option '--until-changed'; did you mean '--until changed'?" }
      // All options begin with `--`, which must not count as similarity.
      if let meant = nearest(to: name.dropping(prefix: "--") ?? name, among: options(of: command)) {
        return "unknown option '\(name)'; did you mean '--\(meant)'?"
      }
    }
    return nil
  }

  /// The message about a word that should be a field of the state, for the commands that print fields.
  private static func misspeltField(in words: [Text], of command: any ParsableCommand.Type) -> String? {
    guard command == Get.self || command == Monitor.self else { return nil }
    for (place, word) in words.enumerated() where !word.hasPrefix("-") && StateField(argument: word.string) == nil {
      guard place == 0 || !valued.contains(words[place - 1]) else { continue }
      let known = StateField.Word.allCases.map { Text($0.rawValue) } + Role.all.map { "palette.\($0.rawValue)" }
      let meant = known.first { $0 == "palette.\(word)" } ?? nearest(to: word, among: known)
      return "unknown field '\(word)'; "
        + (meant.map { "did you mean '\($0)'?" } ?? "'themectl \(command.name) --help' lists the fields")
    }
    return nil
  }

  /// The options that a command has, without `--`.
  ///
  /// Only the command's help lists them, and making it is slow, so call this only after a mistake.
  private static func options(of command: any ParsableCommand.Type) -> [Text] {
    let separators = Set(" ,=[]<>()|\n".utf8)
    let words = Themectl.helpMessage(for: command).utf8.split(whereSeparator: separators.contains)
    let help = Set(words.map { Text(decoding: $0) })
    return (valued + flags).filter(help.contains).compactMap { $0.dropping(prefix: "--") }
  }

  private static func asTyped(_ word: Text) -> String {
    word.dropping(prefix: "--")?.isCandidate == true ? word.string : word.asWord
  }

  private static func leadingOptions(of words: [Text]) -> [Text] {
    var end = 0
    while end < words.count {
      let word = words[end]
      if flags.contains(word) || (word.contains("=") && valued.contains(word.split("=")[0])) {
        end += 1
      } else if valued.contains(word) {
        end += 2
      } else {
        break
      }
    }
    return Array(words.prefix(end))
  }
}

extension [String] {
  /// These as alternatives, for a message.
  var alternatives: String {
    guard count > 1, let last else { return joined() }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}

extension ParsableCommand {
  /// The command's name.
  ///
  /// Every command names itself, because deriving a name from the type takes the parser a third of a command's whole
  /// time.
  static var name: Text {
    guard let name = configuration.commandName else { preconditionFailure("a command has no name") }
    return Text(name)
  }

  fileprivate static var subcommandNames: [Text] { configuration.subcommands.map { $0.name } }

  fileprivate static func subcommand(_ name: Text) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.name == name }
  }
}

/// The one of `candidates` that a word was probably meant to be: it begins with the word, or differs by one or two
/// typing errors, such as two swapped letters; nil if none is so near.
func nearest(to word: Text, among candidates: [Text]) -> Text? {
  guard word.count <= 64 else { return nil }
  let limit = word.count < 3 ? 0 : word.count < 6 ? 1 : 2
  let distances = candidates.map { candidate in
    let distance = distance(word, candidate)
    return (candidate, word.count > 2 && candidate.hasPrefix(word) ? min(1, distance) : distance)
  }
  return distances.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
}

/// The words that the user may have meant by `word`, at most three: those that begin with it in any case, or else
/// similar ones.
func words(near word: Text, among words: [Text]) -> [Text] {
  let word = word.lowercasedASCII
  guard !word.isEmpty, word.count <= 64 else { return [] }
  let begun = words.filter { $0.lowercasedASCII.hasPrefix(word) }
  guard begun.isEmpty else { return Array(begun.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(3)) }
  let most = max(1, word.count / 4)
  let near = words.filter { $0.count <= 64 }.map { (distance: distance(word, $0.lowercasedASCII), word: $0) }
  return near.filter { $0.distance <= most }.sorted { $0 < $1 }.prefix(3).map(\.word)
}

/// The number of bytes to insert, remove, replace or swap with the next to get from one to the other.
func distance(_ one: Text, _ other: Text) -> Int {
  let (one, other) = (Array(one.utf8), Array(other.utf8))
  var (last, row) = ([Int](), Array(0...other.count))
  for (index, byte) in one.enumerated() {
    var next = [index + 1]
    for (place, otherByte) in other.enumerated() {
      var least = min(row[place] + (byte == otherByte ? 0 : 1), row[place + 1] + 1, next[place] + 1)
      if index > 0, place > 0, byte == other[place - 1], one[index - 1] == otherByte {
        least = min(least, last[place - 1] + 1)
      }
      next.append(least)
    }
    (last, row) = (row, next)
  }
  return row[other.count]
}
