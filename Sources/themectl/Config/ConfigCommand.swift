import ArgumentParser
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem
import ThemedVarlink

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print or change the configuration, which is in themed.conf.",
    discussion: """
      A setting has a group and a key: 'schedule.mode' is mode= under [schedule]. If only one group has the key, the key \
      alone is enough. 'themectl config' lists all settings, and themed.conf(5) describes them.

      For example:
        themectl config                        all settings, as a file
        themectl config get schedule.mode
        themectl config set transition 300     a fade of 300 milliseconds
        themectl config unset transition       the default again
      """,
    subcommands: [ShowConfig.self, GetConfig.self, SetConfig.self, UnsetConfig.self],
    defaultSubcommand: ShowConfig.self)
}

struct ShowConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the configuration in force, as a configuration file.",
    discussion: """
      The first line has the path of the file. A setting after a '#' is not in the file: it has its default value, or was \
      given on themed's command line.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let configuration = try daemon.call { (theme) throws(CallError) in try theme.call(.configuration) }
    try say(format.json ? configuration.json : configuration.file)
    for key in configuration.unknown { complain("note: this version does not know \(printable(key)) and ignores it") }
    guard let problem = configuration.problem else { return }
    complain("\(problem); themed keeps the earlier configuration until you correct the file")
    throw ExitCode.failure
  }
}

struct ConfigKeys: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The settings, such as schedule.mode.", valueName: "keys"),
    completion: .custom { _, _, _ in ConfigKey.candidates })
  var words: [String]
}

struct GetConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the values of settings.",
    discussion: """
      Prints the values on one line, with tabs in between. If a setting has no value, the command prints a hyphen ('-') \
      and exits with 1. If themed is not running, the values are those of the file. If themed \
      keeps earlier values because the file has a mistake, the exit status is 1, too.
      """)

  @OptionGroup var keys: ConfigKeys
  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let (known, problem) = try daemon.known
    let keys = try keys.words.map { try known.key($0, for: "get") }
    try say(keys.line(of: known, as: format))
    if let problem {
      complain("\(problem); themed keeps the earlier configuration until you correct the file")
      throw ExitCode.failure
    }
    guard keys.allSatisfy({ known.value(of: $0)?.isEmpty == false }) else { throw ExitCode.failure }
  }
}

struct SetConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change settings, and print their new values.",
    usage: "themectl config set <key> <value> [<key> <value> ...]",
    discussion: """
      Writes the settings into themed.conf, where everything else stays as it is, and waits until themed uses them. A \
      value that themed would not accept is not written. Some settings need each other, such as latitude and longitude: \
      give both at once.

      For example:
        themectl config set appearance.dark-theme outrun
        themectl config set latitude 52.52 longitude 13.40
      """)

  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("Each setting, and its value after it.", valueName: "key value"),
    completion: .custom { words, index, _ in ConfigKey.candidates(after: Array(words.prefix(max(0, index)))) })
  var words: [String] = []

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws {
    guard words.isEmpty || !words.count.isMultiple(of: 2) else { return }
    let parts = words.last.map { Text($0).split("=", maxSplits: 1) } ?? []
    let example = parts.count == 2 ? "\(parts[0].asWord) \(parts[1].asWord)" : "schedule.mode sun"
    throw ValidationError("give a value after each key; try: themectl config set \(example)")
  }

  func run() throws {
    let known = [ThemeConfiguration.Setting].defaults
    try daemon.configure(
      stride(from: 0, to: words.count, by: 2).map { place in
        (key: try known.key(words[place], for: "set"), value: Text(words[place + 1]))
      }, as: format)
  }
}

struct UnsetConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove settings from themed.conf, and print the defaults that apply now.")

  @OptionGroup var keys: ConfigKeys
  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    // The file may have groups that no default has, such as those of 'app use'.
    let defaults = [ThemeConfiguration.Setting].defaults
    let others = (try? daemon.known.settings) ?? []
    let known = defaults + others.filter { setting in !defaults.contains { $0.name == setting.name } }
    try daemon.configure(keys.words.map { (key: try known.key($0, for: "unset"), value: nil) }, as: format)
  }
}

extension Daemon {
  /// Every setting with the value in force, or without a daemon with that of the file; and the mistake because of which
  /// the daemon does not use the file.
  fileprivate var known: (settings: [ThemeConfiguration.Setting], problem: String?) {
    get throws {
      do throws(CallError) {
        var theme = try ThemeConnection(socket: socket, timeout: .toRead)
        let configuration = try theme.call(.configuration)
        return (configuration.settings, configuration.problem)
      } catch {
        guard error.code == .noDaemon else { throw Refusal(error, at: socket) }
      }
      let path = try ConfigChange.usualPath()
      do throws(Configuration.Problem) {
        return (try Configuration.load(from: path).settings, nil)
      } catch { throw Refusal("\(error)") }
    }
  }

  /// Changes settings, and prints their new values.
  fileprivate func configure(_ settings: [ConfigUpdate.Setting], as format: Format) throws {
    let update = try ConfigUpdate(settings, self)
    let isUsed = try update.perform()
    try say(settings.map(\.key).line(of: update.settings, as: format))
    if !isUsed { complain("note: themed is not running, and uses \(update.place) once it starts") }
  }
}

extension [ThemeConfiguration.Setting] {
  static var defaults: Self { (try? Configuration(parsing: [], origin: "").settings) ?? [] }

  var keys: [ConfigKey] { compactMap { ConfigKey(wireName: $0.name) } }

  func value(of key: ConfigKey) -> Text? { first { $0.name == key.wireName }?.value }

  /// The setting that a word means: a group and a key, or a key that only one group has.
  fileprivate func key(_ word: String, for command: String) throws -> ConfigKey {
    let word = Text(word)
    let found = keys.filter { $0.word == word || $0.name == word }
    if found.count == 1 { return found[0] }
    let names = found.isEmpty ? keys.filter { $0.group == word } : found
    guard names.isEmpty else {
      throw ValidationError(
        "'\(word)' is \(found.isEmpty ? "a group" : "a key of several groups"); use "
          + names.map(\.word.string).alternatives)
    }
    let near = nearest(to: word, among: keys.map(\.word)) ?? nearest(to: word, among: keys.map(\.name))
    throw ValidationError(
      "unknown setting '\(word)'; "
        + (near.map { "did you mean 'themectl config \(command) \($0)'?" } ?? "'themectl config' lists the settings"))
  }
}

extension [ConfigKey] {
  /// The values of these keys, as `get` prints fields.
  fileprivate func line(of settings: [ThemeConfiguration.Setting], as format: Format) -> String {
    let values = map { settings.value(of: $0) ?? "" }
    guard format.json else { return values.map { $0.isEmpty ? "-" : printable($0) }.joined(separator: "\t") }
    var object = JSON.Object()
    for (key, value) in zip(self, values) { object[key.word] = value.isEmpty ? .null : .string(value) }
    return JSON.object(object).text
  }
}

extension ConfigKey {
  /// A key of themed.conf by its name in the daemon's configuration; nil for an option of the command line.
  init?(wireName: Text) {
    let parts = wireName.split(" ", maxSplits: 1)
    guard let end = wireName.splitAtLast("]"), end.before.hasPrefix("["), parts.count == 2 else { return nil }
    self.init(group: end.before.dropping(prefix: "[") ?? "", name: end.behind.dropping(prefix: " ") ?? "")
  }

  /// The name of the setting on the command line.
  var word: Text { "\(group).\(name)" }

  fileprivate static var candidates: [String] {
    [ThemeConfiguration.Setting].defaults.keys.map(\.word.string).filter { Text($0).isCandidate }
  }

  /// The words to offer after those of `config set`: a setting, or its values.
  fileprivate static func candidates(after words: [String]) -> [String] {
    let words = words.map { Text($0) }
    let typed = words.indices.filter { place in
      place > (words.firstIndex(of: "set") ?? -1) && !words[place].hasPrefix("--")
        && (place == 0 || words[place - 1] != "--socket")
    }
    guard typed.count % 2 == 1, let last = typed.last.map({ words[$0] }) else { return candidates }
    let defaults = try? Configuration(parsing: [], origin: "")
    let keys = defaults?.settings.keys.filter { $0.word == last || $0.name == last } ?? []
    guard keys.count == 1, let key = keys.first else { return [] }
    if key.name.hasSuffix("-theme") { return InstalledThemes.candidates(after: words.map(\.string)) }
    return defaults?.choices[key.wireName] ?? []
  }
}

extension ThemeConfiguration {
  /// The configuration in force as a file; values that do not come from a file are comments.
  var file: String {
    let place = path.map { printable($0) } ?? "no configuration file, since neither XDG_CONFIG_HOME nor HOME is set"
    var lines = [
      "# \(place)",
      "# Settings after a '#' are not in that file: they have their defaults, or were given on themed's command line.",
      "# themed.conf(5) describes each setting.",
    ]
    var group: Text?
    for setting in settings {
      // A setting is '[group] key'; everything else, such as a value from the command line, is a comment.
      guard let (name, key) = setting.name.splitAtLast(" ") else {
        lines += ["", "# " + printable("\(setting.name)=\(setting.value) (\(setting.origin))")]
        continue
      }
      if name != group { lines += ["", printable(name)] }
      group = name
      let isDefault = setting.origin == "default"
      lines.append((isDefault ? "#" : "") + printable("\(key)=\(setting.value)"))
    }
    return lines.joined(separator: "\n")
  }
}
