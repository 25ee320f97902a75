import Glibc
package import ThemeApps
package import ThemedSystem

/// An app file with its templates, and every remark about them.
package struct AppExamination {
  package let name: Text
  package let path: String
  /// The content of the file; nil if the file has errors.
  package private(set) var app: App?
  package private(set) var remarks: [(path: String, remark: Remark)] = []

  package var errors: [String] { remarks.filter(\.remark.isError).map { $0.remark.shown(in: $0.path) } }

  package init(_ name: Text, path: String, in places: AppPlaces) {
    self.name = name
    self.path = path
    guard let bytes = read(path, maximum: AppFile.maximumSize) else { return }
    let file = AppFile(name: name, bytes, home: AppPlaces.directories.home)
    app = file.app
    remarks += file.remarks.map { (path, $0) }
    for template in file.app?.templates ?? [] { examine(template, places) }
  }

  private mutating func examine(_ name: Text, _ places: AppPlaces) {
    guard let app, let path = places.path(ofTemplate: name, for: path) else {
      let text = "no template '\(name)' in \(places.path.templateDirectories.joined(separator: " or in "))"
      return remarks.append((self.path, Remark(text)))
    }
    guard let bytes = read(path, maximum: Template.maximumSize) else { return }
    do throws(Template.Problem) {
      let template = try Template(parsing: bytes)
      remarks += app.remarks(on: template, named: name).map { (path, $0) }
    } catch { remarks.append((path, Remark(line: error.line, error.text))) }
  }

  /// How to enable an app whose program prints no version.
  var remedyForNoVersion: String {
    let isOwn = BaseDirectory.configuration.map { Text(path).hasPrefix("\($0)/") } ?? false
    return "run that command to see why, or write version-command=echo VERSION into "
      + (isOwn ? Text(path).belowHome.string : "a copy of \(path) in ~/.config/themed/apps")
  }

  private mutating func read(_ path: String, maximum: Int) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path, maximum: maximum)
    } catch {
      let reason =
        error.code == EFBIG
        ? "it is longer than \(maximum >> 10) KiB" : "cannot read it: \(SystemError.text(error.code))"
      remarks.append((path, Remark(reason)))
      return nil
    }
  }
}

extension App {
  package var installedProgram: String? { installedProgramName.flatMap(programInPath) }

  var installedProgramName: Text? {
    programs.first { name in programInPath(name).map { !isAnother($0, as: name) } == true }
  }

  /// Whether a path leads to another app's program: for example, Debian's alternative for Vim may be Neovim.
  private func isAnother(_ path: String, as name: Text) -> Bool {
    guard let program = Self.pathWithoutLinks(path)?.splitAtLast("/")?.behind else { return false }
    return program != name && AppPlaces().examination(of: program)?.app?.programs.contains(program) == true
  }

  private static func pathWithoutLinks(_ path: String) -> Text? {
    guard let target = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(target) }
    return Text(unsafe String(cString: target))
  }

  /// The installed file that makes the line of a setup unnecessary; nil if the line is needed.
  package func plugin(insteadOf setup: Setup) -> Text? {
    guard !setup.plugins.isEmpty else { return nil }
    // A link to another program, such as one that starts what is in a container, says nothing about directories.
    let program = installedProgram.flatMap { path in
      Self.pathWithoutLinks(path).flatMap { $0.isProgram(named: Text(path)) ? $0 : nil }
    }
    return setup.plugin(of: program, in: AppPlaces.directories) { FileIdentity(of: $0.string) != nil }
  }

  /// The setups of this version whose line is needed.
  func linesNeeded(by version: Version?) -> [Setup] {
    setups(for: version).filter { setup in
      plugin(insteadOf: setup) == nil && leftFile(setup) == nil
        && setup.variable.map { environment($0.string)?.isEmpty == false } ?? true
    }
  }

  /// The file that is left without its optional line, because it cannot be changed.
  func leftFile(_ setup: Setup) -> LockedFile? {
    guard setup.isOptional, let file = try? UserFile(setup, of: name), !file.isSetUp else { return nil }
    return file.path.flatMap { LockedFile($0) }
  }

  /// Whether the program is installed; true if the app file names no program.
  package var isInstalled: Bool { programs.isEmpty || installedProgram != nil }

  package var installedVersion: Version? { [self].installedVersions[name] }

  /// That the program prints no version, in words.
  var noVersionWords: String {
    "\(versionCommand.map { $0.contains(" ") ? $0.asWord : $0.string }.joined(separator: " ")) prints no version"
  }

  var enablingDependsOnVersion: Bool {
    (writes.map(\.versions) + setups.map(\.versions)).contains { !$0.isAll }
  }
}

extension [App] {
  /// The versions of the installed programs, by the apps' names.
  ///
  /// All programs are asked at the same time; a program that does not print its version within five seconds has none.
  ///
  /// They run in a scratch home, so that they leave nothing in the user's. A program that needs the user's files for this,
  /// such as one that a version manager starts, is asked again with the real home, but not by root in another user's home.
  var installedVersions: [Text: Version] {
    let asked = filter { !$0.versionCommand.isEmpty }
    var versions: [Text: Version] = [:]
    func ask(_ apps: [App], _ variables: [Text: Text]) {
      let told = Program.runAll(apps.map { $0.versionCommand.map(\.string) }, atMost: 5, variables: variables)
      for (app, run) in zip(apps, told) {
        versions[app.name] = run.flatMap { Version(toldBy: $0.lines.joined(separator: "\n")) }
      }
    }
    guard !asked.isEmpty else { return [:] }
    // A command that is stopped now would leave the directory.
    try? StopSignals.held {
      try withTemporaryDirectory { home in
        ask(asked, Dictionary(uniqueKeysWithValues: (["HOME"] + Self.directories).map { ($0, Text(home)) }))
      }
    }
    let silent = asked.filter { versions[$0.name] == nil }
    if !silent.isEmpty, ForeignHome.found == nil { ask(silent, [:]) }
    return versions
  }

  private static var directories: [Text] {
    ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"]
  }
}

extension Text {
  /// Whether this path names a build of the program at another path, as `/usr/bin/vim.basic` is Vim.
  func isProgram(named other: Text) -> Bool {
    (splitAtLast("/")?.behind ?? self).hasPrefix(other.splitAtLast("/")?.behind ?? other)
  }
}
