import ArgumentParser
import ThemeClientCore
import ThemeInterface
import ThemedSystem

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the configuration in force, as a configuration file.",
    discussion: """
      The first line has the path of the file. A setting after a '#' is not in the file: it has its default value, or was \
      given on themed's command line.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let configuration = try daemon.call { (theme) throws(ThemeClientError) in try theme.call(.configuration) }
    try say(format.json ? configuration.json : configuration.file)
    for key in configuration.unknown { complain("note: this version does not know \(printable(key)) and ignores it") }
    guard let problem = configuration.problem else { return }
    complain("\(problem); themed keeps the earlier configuration until you correct the file")
    throw ExitCode.failure
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
