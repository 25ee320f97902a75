package import ThemeApps
package import ThemedInterface
package import ThemedSystem
import ThemedVarlink

/// The variables that lead this shell and the services to different files or programs: pure.
///
/// `themectl` has the environment of a shell; `themed` and `themed-apply` have that of the user manager when they started.
/// If the two differ, one writes files that the other never reads.
package struct EnvironmentComparison: Sendable {
  package struct Difference: Equatable {
    package let name: Text
    package let words: String
    package let effect: String
    package var fix: String?
    package var commands: [String] = []
    /// Whether the variable decides which files are read and written, so that nothing enabled here would work.
    var decidesFiles = false

    package var line: String {
      let commands = commands.isEmpty ? nil : "type: \(commands.joined(separator: "; "))"
      return ([words, effect] + [fix, commands].compactMap(\.self)).joined(separator: "; ")
    }

    package var finding: Finding {
      Finding(EnvironmentComparison.finding, words, why: effect, fix: fix, type: commands)
    }
  }

  package let shell: [Text: Text]
  /// The environment that the user manager gives to a service that it starts now; nil if no manager is running.
  package let manager: [Text: Text]?
  /// The environment of `themed-apply`; nil if it is not running.
  package let service: [Text: Text]?
  var isSame: @Sendable (Text, Text) -> Bool = { $0 == $1 }
  var isProgram: @Sendable (Text) -> Bool = { _ in false }
  var isDirectory: @Sendable (Text) -> Bool = { _ in false }

  /// - Parameter apps: the apps whose own variables and programs count as well.
  func differences(about apps: [App]) -> [Difference] {
    let usual = apps.flatMap(\.writes).compactMap(\.file.sharedVariable) + apps.flatMap(\.variablesOfBlocks)
    return differences(programs: apps.flatMap(\.programsRun), variables: Dictionary(usual) { $1 })
  }

  func differences(programs: [Text] = [], variables: [Text: Text] = [:]) -> [Difference] {
    guard let theirs = service ?? manager else { return [] }
    let others = [dataDirectories(theirs), appFiles(theirs), socket(theirs), bus(theirs), path(for: programs)]
    let directories = Self.directories + variables.sorted { $0.key < $1.key }.map(Directory.init)
    return directories.compactMap { difference(of: $0, theirs) } + others.compactMap(\.self)
  }

  // MARK: Directories

  private struct Directory {
    let name: Text
    let usual: Text
  }

  private static let directories = [
    Directory(name: "HOME", usual: ""), Directory(name: "XDG_CONFIG_HOME", usual: "/.config"),
    Directory(name: "XDG_DATA_HOME", usual: "/.local/share"), Directory(name: "XDG_STATE_HOME", usual: "/.local/state"),
    Directory(name: "XDG_RUNTIME_DIR", usual: ""),
  ]

  private static func path(_ directory: Directory, in variables: [Text: Text]) -> Text? {
    // As in `BaseDirectory`, a relative path counts as not set.
    func absolute(_ name: Text) -> Text? {
      variables[name].flatMap { $0.hasPrefix("/") ? $0.withoutSlashAtEnd : nil }
    }
    if let path = absolute(directory.name) { return path }
    return directory.usual.isEmpty ? nil : absolute("HOME").map { "\($0)\(directory.usual)" }
  }

  private func difference(of directory: Directory, _ theirs: [Text: Text]) -> Difference? {
    guard let here = Self.path(directory, in: shell), let there = Self.path(directory, in: theirs), !isSame(here, there)
    else { return nil }
    let name = directory.name
    // A directory that follows HOME is covered by that finding.
    if name != "HOME", shell[name] == nil, theirs[name] == nil { return nil }
    let difference = Difference(
      name: name, words: "\(name) is \(here) in this shell, but \(there) for themed-apply",
      effect: "themed-apply does not use the same files as the programs of this shell",
      fix: "run themectl as the user who owns the services, without sudo or su", decidesFiles: true)
    if name == "HOME" || name == "XDG_RUNTIME_DIR" { return difference }
    return mended(difference, theirs, isNewer: manager.flatMap { Self.path(directory, in: $0) }, here)
  }

  /// The system's data directories with files of themed that only one side searches.
  private func dataDirectories(_ theirs: [Text: Text]) -> Difference? {
    func list(_ variables: [Text: Text]) -> [Text] {
      let text = variables["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
      return text.split(":", omittingEmpty: true).map(\.withoutSlashAtEnd)
    }
    let there = list(theirs)
    let missing = list(shell).first { here in
      isDirectory("\(here)/themed") && !there.contains { isSame($0, here) }
    }
    guard let missing else { return nil }
    return mended(
      Difference(
        name: "XDG_DATA_DIRS",
        words: "XDG_DATA_DIRS leads to \(missing)/themed in this shell, but not for themed-apply",
        effect: "the services do not find the app files and themes there", decidesFiles: true),
      theirs, isNewer: manager.map { list($0).contains(missing) ? missing : "" }, missing)
  }

  private func appFiles(_ theirs: [Text: Text]) -> Difference? {
    let name: Text = "THEMED_APPS"
    guard shell[name] ?? "" != theirs[name] ?? "" else { return nil }
    return mended(
      Difference(
        name: name, words: "THEMED_APPS differs between this shell and themed-apply",
        effect: "the two find different app files and templates", decidesFiles: true),
      theirs, isNewer: manager?[name], shell[name] ?? "")
  }

  private func socket(_ theirs: [Text: Text]) -> Difference? {
    let name: Text = "THEMED_SOCKET"
    let (here, there) = (shell[name] ?? "", theirs[name] ?? "")
    guard here != there, !(here.hasPrefix("/") && there.hasPrefix("/") && isSame(here, there)) else { return nil }
    let words = [here, there].map { $0.isEmpty ? "not set" : $0.string }
    return mended(
      Difference(
        name: name, words: "THEMED_SOCKET is \(words[0]) in this shell, but \(words[1]) for themed-apply",
        effect: "themectl and themed-apply use different daemons"),
      theirs, isNewer: manager?[name], here)
  }

  private func bus(_ theirs: [Text: Text]) -> Difference? {
    let name: Text = "DBUS_SESSION_BUS_ADDRESS"
    func address(_ variables: [Text: Text]) -> Text? {
      let usual = variables["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" as Text }
      // The GUID identifies the instance of the bus, and not its address.
      let address = variables[name].flatMap { $0.isEmpty ? nil : $0 } ?? usual
      return address?.split(",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
    }
    guard let here = address(shell), let there = address(theirs), here != there else { return nil }
    return mended(
      Difference(
        name: name, words: "the session bus is \(here) in this shell, but \(there) for themed-apply",
        effect: "themed-apply cannot reach the programs on the bus of this shell"),
      theirs, isNewer: manager.flatMap(address), here)
  }

  // MARK: Programs

  /// Programs that this shell finds and `themed-apply`, which uses the manager's PATH at that time, does not.
  private func path(for programs: [Text]) -> Difference? {
    func directory(_ program: Text, _ variables: [Text: Text]?) -> Text? {
      let path = variables?["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
      return path.split(":", omittingEmpty: true).first { isProgram("\($0)/\(program)") }
    }
    // A themed-apply that was started by hand uses its own PATH.
    let theirs = service.map { $0["SYSTEMD_EXEC_PID"] == nil ? $0 : manager ?? $0 } ?? manager
    let missing = programs.filter { !$0.contains("/") }.compactMap { program in
      directory(program, theirs) == nil ? directory(program, shell).map { (program, $0) } : nil
    }
    guard let (program, place) = missing.first else { return nil }
    let names = Set(missing.map(\.0)).sorted().map(\.string).joined(separator: ", ")
    return Difference(
      name: "PATH", words: "\(names) is in the PATH of this shell (\(place)), but not in the PATH of the user manager",
      effect: "themed-apply cannot run \(program)",
      fix: manager == nil ? "have your session set PATH before it starts themed-apply" : nil,
      commands: manager == nil ? [] : ["systemctl --user import-environment PATH"])
  }

  // MARK: Remedies

  package static let finding: Text = "other_environment"
  package static let restart = "systemctl --user restart themed.service themed-apply.service"

  /// The difference with its remedy; `isNewer` is the value that a service would get if it started now, `wanted` the one
  /// it should have.
  private func mended(
    _ difference: Difference, _ theirs: [Text: Text], isNewer: Text?, _ wanted: Text
  ) -> Difference {
    var difference = difference
    difference.fix = nil
    let name = difference.name
    if manager == nil {
      difference.fix = "start themed and themed-apply with the same \(name) as your shells"
    } else if service != nil, let isNewer, isNewer == wanted || isSame(isNewer, wanted) {
      // The manager has received the new value from a later login.
      difference.commands = [Self.restart]
    } else if let here = shell[name], !here.isEmpty {
      let line: Text = "\(name)=\(Self.environmentValue(here))"
      difference.fix = "for later logins, add this line to ~/.config/environment.d/themed.conf: \(line)"
      difference.commands = ["systemctl --user import-environment \(name)", Self.restart]
    } else if let there = theirs[name] {
      difference.fix = "set it where your shells start, such as in ~/.profile"
      difference.commands = ["export \(name)=\(there.asWord)"]
    }
    return difference
  }

  /// A value, quoted for environment.d(5).
  private static func environmentValue(_ value: Text) -> Text {
    let special = "\\\"$`".utf8
    guard value.utf8.contains(where: { special.contains($0) || " '#".utf8.contains($0) }) else { return value }
    let quoted = value.utf8.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return "\"\(Text(decoding: quoted))\""
  }

  static let current = EnvironmentComparison(
    shell: allVariables(), manager: managersVariables, service: ApplyStatus.process.flatMap(variables),
    isSame: isSameDirectory, isProgram: { isExecutableFile($0.string) },
    isDirectory: { !names(inDirectory: $0.string).isEmpty })

  private static func isSameDirectory(_ one: Text, _ other: Text) -> Bool {
    if one == other { return true }
    switch (FileIdentity(of: one.string), FileIdentity(of: other.string)) {
    case (let one?, let other?): return one == other
    case (nil, nil):
      // If neither directory exists yet, they are the same if they would be created in the same place.
      guard let (above, name) = one.splitAtLast("/"), let (otherAbove, otherName) = other.splitAtLast("/"),
        name == otherName, !above.isEmpty, !otherAbove.isEmpty
      else { return false }
      return isSameDirectory(above, otherAbove)
    default: return false
    }
  }

  static var willReadSameFiles: Bool {
    let next = EnvironmentComparison(
      shell: current.shell, manager: current.manager, service: nil, isSame: current.isSame)
    return current.manager != nil && !next.differences().contains(where: \.decidesFiles)
  }

  /// Refuses to enable anything that `themed-apply` would not find, or whose files it would write elsewhere.
  package static func requireSameFiles(for apps: [App] = []) throws(Refusal) {
    let differences = current.differences(about: apps).filter(\.decidesFiles)
    guard differences.isEmpty else { throw Refusal(reasons: differences.map(\.line)) }
  }

  /// Notes about the differences that matter to these apps.
  package static func notes(about apps: [App]) -> [String] {
    current.differences(about: apps).map { "note: \($0.line)" }
  }

  private static var managersVariables: [Text: Text]? {
    // In JSON, because the text form quotes some values for a shell.
    guard UserManager.isRunning, let run = UserManager.run(["show-environment", "--output=json"], atMost: 5),
      case .object(let object)? = try? JSON(parsing: Array(run.lines.joined(separator: "\n").utf8))
    else { return nil }
    let values = object.members.compactMap { member in
      if case .string(let value) = member.value { (member.name, value) } else { nil }
    }
    return Dictionary(values) { $1 }
  }

  /// The environment in which a process was started; nil if it has exited or belongs to another user.
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
