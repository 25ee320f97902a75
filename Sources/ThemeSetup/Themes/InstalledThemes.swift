package import ThemedClientCore
package import ThemedInterface
package import ThemedModel
package import ThemedSystem

/// The places of themes: those that the daemon uses, or if no daemon answers, the directories of this user.
package struct InstalledThemes {
  /// The directories of this user, by the environment of this command.
  package let own: ThemeDirectories
  /// The files that the daemon finds, by the themes' names; nil if no daemon answers.
  package var listed: [Text: String]?
  /// Whether a daemon answers that does not give the paths of its themes.
  package var hidesPaths = false

  package static var ofUser: InstalledThemes { InstalledThemes(own: ThemeDirectories(data: BaseDirectory.data)) }

  /// The places of the daemon at `socket`, or at the usual one with nil; if it does not answer in time, this user's.
  package static func known(to socket: String?, within time: Duration = .seconds(2)) -> InstalledThemes {
    do throws(CallError) {
      var daemon = try ThemeConnection(socket: socket, timeout: time)
      return try ofUser.known(to: &daemon)
    } catch { return ofUser }
  }

  package func known(to daemon: inout ThemeConnection) throws(CallError) -> InstalledThemes {
    let list = try daemon.call(.themes)
    let themes = list.map { ($0.name, $0.path.string) }
    // The read-only socket does not give paths, so only this user's directories can be read.
    var isReader = false
    if themes.isEmpty {
      isReader = try daemon.unlessReadOnly { (daemon) throws(CallError) in try daemon.call(.overrides) } == nil
    }
    guard !isReader, !themes.contains(where: \.1.isEmpty) else {
      return InstalledThemes(own: own, hidesPaths: true)
    }
    // If one reply has no room for all themes, the others are probably in this user's directories.
    let others = list.omitted > 0 ? own.installed() : [:]
    let listed = Dictionary(themes) { first, _ in first }.merging(others) { listed, _ in listed }
    return InstalledThemes(own: own, listed: listed)
  }

  package struct Place: Hashable {
    package let name: Text
    /// The absolute path of its file.
    package let path: String
    /// The path as the user has typed it, if it was a path.
    package let typed: String?

    package init(name: Text, path: String, typed: String? = nil) {
      (self.name, self.path, self.typed) = (name, path, typed)
    }

    package var shown: String { typed ?? path }

    package var directory: Text { Text(ThemedSystem.directory(of: path)) }
  }

  /// Every theme, by name; of those with the same name, the one in force.
  package var all: [Place] {
    (listed ?? own.installed()).sorted { $0.key < $1.key }.map { Place(name: $0.key, path: $0.value) }
  }

  package func place(of name: Text) -> Place? {
    (listed.map { $0[name] } ?? own.path(of: name)).map { Place(name: name, path: $0) }
  }

  package func hasMistakes(_ name: Text) -> Bool {
    place(of: name).map { !ThemeExamination($0).errors.isEmpty } ?? false
  }

  /// The theme that a user means by a word: the path of a file, or a name.
  package func place(meantBy word: String) -> Place? {
    guard isPath(word) else { return place(of: Text(word)) }
    let file = Text(word).split("/", omittingEmpty: true).last ?? Text(word)
    // Absolute, because assets beside the file are read from other directories.
    return Place(name: ThemeDirectories.name(ofFile: file) ?? file, path: absolutePath(word), typed: word)
  }

  /// The path for a new theme of this name; nil if the user has no place for data.
  func newPath(of name: Text) -> String? { own.paths(of: name).first }

  /// The directories of this user that contain themes, but that the daemon does not search.
  var unsearchedDirectories: [Text] {
    guard let listed else { return [] }
    let seen = Set(listed.values.compactMap { FileIdentity(of: parent(of: $0)) })
    let places = own.installed().map { Place(name: $0.key, path: $0.value) }
    let unseen = Set(places.map(\.directory)).filter { directory in
      FileIdentity(of: directory.string).map { !seen.contains($0) } ?? false
    }
    // A dangling link is not a theme.
    return unseen.filter { directory in
      places.contains { $0.directory == directory && FileIdentity(of: $0.path) != nil }
    }.sorted()
  }

  /// Notes about files that are no themes because of their names.
  package var notesAboutNames: [String] {
    own.misnamed.map { "note: ignoring \($0): a theme's name must consist of \(Theme.nameExpectation)" }
  }

  package var notesAboutUnreadableDirectories: [String] {
    own.unreadable.map { directory, problem in "note: cannot list the themes in \(directory): \(problem)" }
  }

  package var notesAboutUnsearchedDirectories: [String] {
    unsearchedDirectories.map { directory in
      "note: themed does not look for themes in \(directory): its XDG_DATA_HOME or XDG_DATA_DIRS differs from this "
        + "shell's"
    }
  }

  package var findings: [Finding] {
    own.unreadable.map { directory, problem in
      Finding(
        "themes_unreadable", "cannot read the theme directory \(directory): \(problem)",
        why: "the themes in it are not listed", fix: "make it readable for you; its permissions are:",
        type: "ls -ld \(Text(directory).asWord)")
    }
  }
}

/// Whether the user's word for a theme is the path of a file.
///
/// A theme may have the same name as a file; then the word is its name.
package func isPath(_ word: String) -> Bool {
  Text(word).contains("/") || Text(word).hasSuffix(ThemeFile.suffix) && FileIdentity(of: word) != nil
}

extension InstalledThemes.Place {
  package func assetPath(_ text: Text) -> Text {
    Side.assetPath(text, directory: directory, home: BaseDirectory.home.map { Text($0) }) ?? text
  }
}
