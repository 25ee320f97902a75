import ArgumentParser
import Glibc
import ThemeApps
import ThemeInterface
import ThemedText
import ThemedUnix
import ThemedVarlink

/// What decides paths and names differently for this shell and for the services: pure.
///
/// `themectl` has the environment of a shell, `themed` and `themed-apply` that of the user manager when they started. Where
/// the two differ, one writes what the other never reads.
struct EnvironmentComparison: Sendable {
  /// A variable that differs.
  struct Difference: Equatable {
    /// Its name.
    let name: Text
    /// What differs.
    let words: String
    /// What comes of it.
    let effect: String
    /// What to do, in words; nil where what to type says it all.
    var fix: String?
    /// What to type.
    var commands: [String] = []
    /// Whether it decides which files are read and written, so that nothing follows what is enabled here.
    var decidesFiles = false

    /// All of it in one line.
    var line: String {
      let commands = commands.isEmpty ? nil : "type: \(commands.joined(separator: "; "))"
      return ([words, effect] + [fix, commands].compactMap(\.self)).joined(separator: "; ")
    }

    /// The same as doctor tells it.
    var finding: Finding { Finding(EnvironmentComparison.finding, words, why: effect, fix: fix, type: commands) }
  }

  /// The variables of this shell.
  let shell: [Text: Text]
  /// What the user manager gives to a service that it starts now; nil where no manager runs.
  let manager: [Text: Text]?
  /// What `themed-apply` has, which runs; nil where it does not.
  let service: [Text: Text]?
  /// Whether two paths lead to the same directory.
  var isSame: @Sendable (Text, Text) -> Bool = { $0 == $1 }
  /// Whether there is an executable file at a path.
  var isProgram: @Sendable (Text) -> Bool = { _ in false }
  /// Whether there is a directory at a path.
  var isDirectory: @Sendable (Text) -> Bool = { _ in false }

  /// What differs; `programs` are those that `themed-apply` runs.
  func differences(programs: [Text] = []) -> [Difference] {
    guard let theirs = service ?? manager else { return [] }
    return Self.directories.compactMap { difference(of: $0, theirs) } + dataDirectories(theirs)
      + [appFiles(theirs), socket(theirs), bus(theirs)].compactMap(\.self) + paths(programs)
  }

  // MARK: Directories

  /// A directory of the user's, by the variable that names it.
  private struct Directory {
    let name: Text
    /// Where it is otherwise, below HOME.
    let usual: Text
  }

  private static let directories = [
    Directory(name: "HOME", usual: ""), Directory(name: "XDG_CONFIG_HOME", usual: "/.config"),
    Directory(name: "XDG_DATA_HOME", usual: "/.local/share"), Directory(name: "XDG_STATE_HOME", usual: "/.local/state"),
    Directory(name: "XDG_RUNTIME_DIR", usual: ""),
  ]

  private static func path(_ directory: Directory, in variables: [Text: Text]) -> Text? {
    // As `BaseDirectory` has it: what is relative counts as not set.
    func absolute(_ name: Text) -> Text? {
      variables[name].flatMap { $0.hasPrefix("/") ? $0.withoutSlashAtEnd : nil }
    }
    if let path = absolute(directory.name) { return path }
    return directory.usual.isEmpty ? nil : absolute("HOME").map { "\($0)\(directory.usual)" }
  }

  private func difference(of directory: Directory, _ theirs: [Text: Text]) -> Difference? {
    guard let here = Self.path(directory, in: shell), let there = Self.path(directory, in: theirs), !isSame(here, there)
    else { return nil }
    // One that follows HOME is told with it.
    if directory.name != "HOME", shell[directory.name] == nil, theirs[directory.name] == nil { return nil }
    let name = directory.name
    var difference = Difference(
      name: name, words: "\(name) is \(here) in this shell, but \(there) for themed-apply",
      effect: "themed-apply does not see what you enable in this shell",
      decidesFiles: true)
    if name == "HOME" || name == "XDG_RUNTIME_DIR" {
      difference.fix = "run themectl as the user who owns the services, without sudo or su"
    } else {
      remedy(
        &difference, isSet: shell[name], there: theirs[name], isNewer: manager.flatMap { Self.path(directory, in: $0) })
    }
    return difference
  }

  /// The directories of the system's data that have something of ours and are looked for on one side alone.
  private func dataDirectories(_ theirs: [Text: Text]) -> [Difference] {
    func list(_ variables: [Text: Text]) -> [Text] {
      let text = variables["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
      return text.split(":", omittingEmpty: true).map(\.withoutSlashAtEnd)
    }
    let there = list(theirs)
    let missing = list(shell).first { here in
      isDirectory("\(here)/themed") && !there.contains { isSame($0, here) }
    }
    guard let missing else { return [] }
    var difference = Difference(
      name: "XDG_DATA_DIRS",
      words: "XDG_DATA_DIRS leads to \(missing)/themed in this shell, but not for themed-apply",
      effect: "the services do not find the app files and themes there", decidesFiles: true)
    remedy(
      &difference, isSet: shell[difference.name], there: theirs[difference.name],
      isNewer: manager.map { list($0).contains(missing) ? missing : "" }, missing)
    return [difference]
  }

  private func appFiles(_ theirs: [Text: Text]) -> Difference? {
    guard shell["THEMED_APPS"] ?? "" != theirs["THEMED_APPS"] ?? "" else { return nil }
    var difference = Difference(
      name: "THEMED_APPS", words: "THEMED_APPS differs between this shell and themed-apply",
      effect: "the two find different app files and templates", decidesFiles: true)
    remedy(
      &difference, isSet: shell[difference.name], there: theirs[difference.name],
      isNewer: manager?[difference.name], shell[difference.name] ?? "")
    return difference
  }

  // MARK: Sockets

  private func socket(_ theirs: [Text: Text]) -> Difference? {
    let name: Text = "THEMED_SOCKET"
    let (here, there) = (shell[name] ?? "", theirs[name] ?? "")
    guard here != there, !(here.hasPrefix("/") && there.hasPrefix("/") && isSame(here, there)) else { return nil }
    let words = [here, there].map { $0.isEmpty ? "not set" : $0.string }
    var difference = Difference(
      name: name, words: "THEMED_SOCKET is \(words[0]) in this shell, but \(words[1]) for themed-apply",
      effect: "themectl and themed-apply use different daemons")
    remedy(&difference, isSet: shell[name], there: theirs[name], isNewer: manager?[name], here)
    return difference
  }

  private func bus(_ theirs: [Text: Text]) -> Difference? {
    let name: Text = "DBUS_SESSION_BUS_ADDRESS"
    func address(_ variables: [Text: Text]) -> Text? {
      let usual = variables["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" as Text }
      // The rest tells which instance it is, and not where.
      let address = variables[name].flatMap { $0.isEmpty ? nil : $0 } ?? usual
      return address?.split(",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
    }
    guard let here = address(shell), let there = address(theirs), here != there else { return nil }
    var difference = Difference(
      name: name, words: "the session bus is \(here) in this shell, but \(there) for themed-apply",
      effect: "themed-apply cannot reach the programs on the bus of this shell")
    remedy(&difference, isSet: shell[name], there: theirs[name], isNewer: manager.flatMap(address), here)
    return difference
  }

  // MARK: Programs

  /// Programs that this shell finds and `themed-apply` does not; it runs them with the PATH that the manager has then.
  private func paths(_ programs: [Text]) -> [Difference] {
    func directory(_ program: Text, _ variables: [Text: Text]?) -> Text? {
      let path = variables?["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
      return path.split(":", omittingEmpty: true).first { isProgram("\($0)/\(program)") }
    }
    // One that somebody started by hand runs them with its own.
    let theirs = service.map { $0["SYSTEMD_EXEC_PID"] == nil ? $0 : manager ?? $0 } ?? manager
    let missing = programs.filter { !$0.contains("/") }.compactMap { program in
      directory(program, theirs) == nil ? directory(program, shell).map { (program, $0) } : nil
    }
    guard let (program, place) = missing.first else { return [] }
    let names = Set(missing.map(\.0)).sorted().map(\.string).joined(separator: ", ")
    return [
      Difference(
        name: "PATH",
        words: "\(names) is in the PATH of this shell (\(place)), but not in the PATH of the user manager",
        effect: "themed-apply cannot run \(program)",
        fix: manager == nil ? "have your session set PATH before it starts themed-apply" : nil,
        commands: manager == nil ? [] : ["systemctl --user import-environment PATH"])
    ]
  }

  // MARK: Remedies

  /// What doctor calls a difference.
  static let finding: Text = "other_environment"
  static let restart = "systemctl --user restart themed.service themed-apply.service"

  /// What makes both sides the same; `isNewer` is what a service would have that starts now, and `wanted` what it should.
  private func remedy(
    _ difference: inout Difference, isSet here: Text?, there: Text?, isNewer: Text?, _ wanted: Text? = nil
  ) {
    let name = difference.name
    let directory = Self.directories.first { $0.name == name }
    let wanted = wanted ?? directory.flatMap { Self.path($0, in: shell) } ?? ""
    guard manager != nil else {
      difference.fix = "start themed and themed-apply with the same \(name) as your shells"
      return
    }
    if service != nil, let isNewer, isNewer == wanted || isSame(isNewer, wanted) {
      // The login has told the manager since.
      difference.commands = [Self.restart]
    } else if let here, !here.isEmpty {
      let line: Text = "\(name)=\(Self.environmentValue(here))"
      difference.fix = "for later logins, add this line to a file in ~/.config/environment.d: \(line)"
      difference.commands = ["systemctl --user import-environment \(name)", Self.restart]
    } else if let there {
      difference.fix = "set it where your shells start, such as in ~/.profile"
      difference.commands = ["export \(name)=\(there.asWord)"]
    }
  }

  /// A value as environment.d(5) reads it.
  private static func environmentValue(_ value: Text) -> Text {
    var quoted = "\"".unicodeScalars
    var isPlain = true
    for scalar in value.string.unicodeScalars {
      if scalar == "\\" || scalar == "\"" || scalar == "$" || scalar == "`" {
        quoted.append("\\")
        isPlain = false
      }
      if scalar == " " || scalar == "'" || scalar == "#" { isPlain = false }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return isPlain ? value : Text(String(quoted))
  }
}

extension EnvironmentComparison {
  /// The sides as they are now, looked at once.
  static let current = EnvironmentComparison(
    shell: allVariables(), manager: managersVariables, service: ApplyStatus.process.flatMap(variables),
    isSame: isSameDirectory, isProgram: { isExecutableFile($0.string) },
    isDirectory: { !names(inDirectory: $0.string).isEmpty })

  private static func isSameDirectory(_ one: Text, _ other: Text) -> Bool {
    if one == other { return true }
    switch (FileIdentity(of: one.string), FileIdentity(of: other.string)) {
    case (let one?, let other?): return one == other
    case (nil, nil):
      // Neither is there yet: they are the same where they would be made in the same place.
      guard let (above, name) = one.splitAtLast("/"), let (otherAbove, otherName) = other.splitAtLast("/"),
        name == otherName, !above.isEmpty, !otherAbove.isEmpty
      else { return false }
      return isSameDirectory(above, otherAbove)
    default: return false
    }
  }

  /// Whether a service that starts now would have the same files as this shell.
  static var willReadSameFiles: Bool {
    let next = EnvironmentComparison(
      shell: current.shell, manager: current.manager, service: nil, isSame: current.isSame)
    return current.manager != nil && !next.differences().contains(where: \.decidesFiles)
  }

  /// Ends the command where what it would write is not what the services read.
  static func requireSameFiles() throws {
    let differences = current.differences().filter(\.decidesFiles)
    guard !differences.isEmpty else { return }
    for difference in differences { complain(difference.line) }
    throw ExitCode.failed
  }

  /// Tells what differs for the apps that are enabled.
  static func warn(of apps: [App]) {
    for difference in current.differences(programs: apps.flatMap(\.programsRun)) {
      complain("note: \(difference.line)")
    }
  }

  private static var managersVariables: [Text: Text]? {
    // As JSON, since as text some values are quoted for a shell.
    guard UserManager.isThere, let run = UserManager.run(["show-environment", "--output=json"], atMost: 5),
      case .object(let object)? = try? JSON(parsing: Array(run.lines.joined(separator: "\n").utf8))
    else { return nil }
    let values = object.members.compactMap { member in
      if case .string(let value) = member.value { (member.name, value) } else { nil }
    }
    return Dictionary(values) { $1 }
  }

  /// What a process was started with; nil where it has ended, or is somebody else's.
  private static func variables(of process: Int32) -> [Text: Text]? {
    guard let bytes = try? readFile("/proc/\(process)/environ", maximum: 4 << 20), !bytes.isEmpty else { return nil }
    let values = bytes.split(separator: 0).compactMap { line in
      let parts = Text(decoding: line).split("=", maxSplits: 1)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    return Dictionary(values) { $1 }
  }
}

extension App {
  /// The programs that themed-apply runs for it, by the names that it looks for in PATH.
  var programsRun: [Text] {
    let commands = reloads.compactMap { reload -> Text? in
      switch reload.action {
      case .command(let words, _): words.first
      case .tmux: "tmux"
      default: nil
      }
    }
    return (commands + versionCommand.prefix(1)).filter { !$0.contains("{") }
  }
}
