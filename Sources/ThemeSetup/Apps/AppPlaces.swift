import Glibc
package import ThemeApps
package import ThemedSystem

package struct AppPlaces {
  /// Replaces the data directories, for tests and for builds that are not installed.
  package static let variable = "THEMED_APPS"

  package let path: AppSearchPath

  package init() {
    path = AppSearchPath(
      configuration: BaseDirectory.configuration.map { Text($0) }, data: BaseDirectory.data.map { Text($0) },
      override: environment(Self.variable).map { Text($0) })
  }

  package var names: [Text] {
    let files = path.appDirectories.flatMap { ThemedSystem.names(inDirectory: $0.string) }
    return Set(files.compactMap { App.name(ofFile: $0) }).sorted()
  }

  package var all: [AppExamination] { names.compactMap { examination(of: $0) } }

  package func examination(of name: Text) -> AppExamination? {
    let paths = path.paths(ofApp: name).map(\.string)
    return paths.first { FileIdentity(of: $0) != nil }.map { AppExamination(name, path: $0, in: self) }
  }

  /// The app that a word on the command line means: the path of an app file, or a name.
  package func examination(meantBy word: String) -> AppExamination? {
    let text = Text(word)
    guard text.contains("/") || text.hasSuffix(App.suffix) && FileIdentity(of: word) != nil else {
      return examination(of: text)
    }
    let file = text.split("/", omittingEmpty: true).last ?? text
    return AppExamination(App.name(ofFile: file) ?? file, path: word, in: self)
  }

  package func path(ofTemplate name: Text, for app: String) -> String? {
    path.paths(ofTemplate: name, forAppAt: Text(app)).map(\.string).first { FileIdentity(of: $0) != nil }
  }

  /// The directories with which paths in app files begin, and the variables by which programs find their files.
  package static let directories: AppPath.Directories = {
    func text(_ path: String?) -> Text? { path.map { Text($0) } }
    var directories = AppPath.Directories(
      home: text(BaseDirectory.home), configuration: text(BaseDirectory.configuration),
      data: text(BaseDirectory.data.first), state: text(BaseDirectory.state), runtime: text(BaseDirectory.runtime),
      systemConfiguration: Text(environment("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(":", omittingEmpty: true)
        .filter { $0.hasPrefix("/") }.map(\.withoutSlashAtEnd),
      systemData: BaseDirectory.data.dropFirst().map { Text($0).withoutSlashAtEnd })
    directories.variables = AppPath.variables(in: directories) { environment($0.string).map { Text($0) } }
    directories.variables["ZDOTDIR"] = directories.variables["ZDOTDIR"] ?? directoryThatZshSets
    return directories
  }()

  /// The value that ~/.zshenv gives to ZDOTDIR, exported or not; nil if it sets none, or zsh does not answer.
  private static var directoryThatZshSets: Text? {
    // zsh runs the file, and root must not run another user's file.
    guard let home = BaseDirectory.home, programInPath("zsh") != nil, ForeignHome.found == nil,
      let lines = try? readFile("\(home)/.zshenv", maximum: 64 << 10), lines[...].holds("ZDOTDIR".utf8),
      let told = Program.run(["zsh", "-c", "print -r -- $ZDOTDIR"], atMost: 2)?.lines.last, told.hasPrefix("/")
    else { return nil }
    return Text(told.string).withoutSlashAtEnd
  }

  /// The user's login shell: from SHELL, or else from the list of users.
  static let loginShell: Text = {
    if let shell = environment("SHELL") { return Text(shell).splitAtLast("/")?.behind ?? Text(shell) }
    guard let entry = unsafe getpwuid(geteuid()), let path = unsafe entry.pointee.pw_shell else { return "sh" }
    let shell = Text(unsafe String(cString: path))
    return shell.splitAtLast("/")?.behind ?? shell
  }()

  package static var candidates: [String] { AppPlaces().names.filter(\.isCandidate).map(\.string) }
}

package struct AppTarget {
  package enum Owner: Equatable {
    case nobody
    case themed
    /// The file is not ours, or its owner is unknown, for this reason.
    case other(String)
  }

  package let path: String
  package let owner: Owner
  package let file: String
  /// The line that marks the file as ours; nil if the format has no comments.
  package let mark: TargetMark?

  /// Looks at the file; nil if the directory with which its path begins is unknown.
  package init?(_ write: App.Write, of app: Text) {
    guard let path = write.file.resolved(in: AppPlaces.directories)?.string else { return nil }
    self.path = path
    file = (try? destination(of: path)) ?? path
    mark = write.comment.map { TargetMark(app: app, comment: $0) }
    do throws(SystemError) {
      let bytes = try readFile(path, maximum: Template.maximumResult * 2)
      let isOurs = mark?.begins(bytes) ?? Self.isWritten(bytes, at: file)
      let isAnothers = ThemeSetup.owner(of: file).map { $0 != geteuid() } ?? false
      owner =
        isAnothers
        ? .other("it belongs to another user")
        : isOurs ? .themed : .other("themed did not write it, or it was changed since")
    } catch { owner = error.code == ENOENT ? .nobody : .other("it cannot be read: \(SystemError.text(error.code))") }
  }

  package func remove() throws(SystemError) {
    FileWaits.begin(file)
    defer { FileWaits.end() }
    guard unsafe unlink(file) == 0 || errno == ENOENT else { throw SystemError("removing \(path)", errno) }
  }

  /// Whether a file is one that themed-apply has written, for whatever app.
  package static func isOurs(_ path: String) -> Bool {
    guard let bytes = try? readFile(path, maximum: Template.maximumResult * 2) else { return false }
    return bytes.prefix(80).holds("Written by themed-apply for '".utf8)
      || isWritten(bytes, at: (try? destination(of: path)) ?? path)
  }

  private static func isWritten(_ bytes: [UInt8], at path: String) -> Bool {
    guard let state = BaseDirectory.state else { return false }
    let list = WrittenFiles.path(state: Text(state)).string
    guard let lines = try? readFile(list, maximum: WrittenFiles.maximumSize) else { return false }
    return WrittenFiles(lines).contains(bytes, at: Text(path))
  }
}
