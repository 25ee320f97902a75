package import ThemedSystem

extension App {
  /// A line that one of the user's files needs: the group `[setup]` or `[setup NAME]`.
  package struct Setup: Sendable, Hashable {
    /// The name after `setup`; empty if there is none.
    package var name: Text = ""
    /// The places where the program looks for that file, in its order.
    package var files: [AppPath]
    /// The place for a new file if none of them exists; nil means the first.
    package var newFile: AppPath?
    /// Whether the program reads the files at all places, the first place last, so that the line can be in any of them.
    package var readsAll = false
    /// Whether the program follows without the line, too, so that a file that cannot be changed is left alone.
    package var isOptional = false
    /// Whether the program takes the first place whose directory exists, even without the file.
    package var goesByDirectory = false
    /// The line, or some of them; with ``template``, a comment that is there until `themed-apply` has written.
    package var line: Text
    /// The template whose lines `themed-apply` keeps in the user's file, because the program has only this file; nil if
    /// the line stays the same.
    package var template: Text?
    /// An equivalent line, such as the one that earlier versions added; nil if there is none.
    package var otherLine: Text?
    /// Lines in other languages, by the end of the file's name.
    package var dialects: [Dialect] = []
    /// The text before the line in a new file, so that the program keeps its defaults.
    package var beginning: Text?
    /// The user's keys and tables that conflict with the line, such as `theme` or `colors.primary`, which become comments
    /// until the app is disabled; `*.text-color` is that key in any section.
    package var conflicts: [Text] = []
    package var comment = CommentStyle.hash
    package var place = Place.end
    /// The name of the blocks in braces for ``Place/blockEnd``, such as `bar`.
    package var block: Text = ""
    /// Lines because of which such a block is left alone.
    package var blockExcept: [SettingPattern] = []
    /// Whether a file is only created if it can include the system's, because a file with this line alone would take the
    /// program's defaults away.
    package var needsFile = false
    /// The system's files, of which the program reads the first that exists if the user has none.
    package var systemFiles: [AppPath] = []
    /// The line with which a new file includes the system's, `{system}`; nil if a new file does not include it.
    package var systemLine: Text?
    /// Whether a new file begins as a copy of the system's, because a setting of an included file cannot be overridden.
    package var copiesSystemFile = false
    /// The interpreter that a new file names in its first line, which makes it executable; nil for a file that is not run.
    package var interpreter: Text?
    /// The variable without which the line is not needed; nil if it always is.
    package var variable: Text?
    /// The login shell that the line is for; nil for any.
    package var shell: Shell?
    /// Files of the user's that the program stops reading because of the line.
    package var hides: [AppPath] = []
    /// Files of the user's that the program stops reading because of a new file for the line.
    package var newFileHides: [AppPath] = []
    /// Other apps whose programs may read a new file instead of the system's.
    package var newFileReaders: [Text] = []
    /// The user's own settings that override the line.
    package var hiddenBy: [SettingPattern] = []
    package var hiddenWhere = HidingPlace.after
    /// The settings by which that file includes others, whose settings count where they are included.
    package var includes: [Text] = []
    package var versions = VersionRange.all
    /// The installed files that start the program's plugin once the app is enabled; the program reads those below its own
    /// prefix, and then needs no line.
    package var plugins: [AppPath] = []
    /// Paths of which each, if it exists, keeps the program from reading those files.
    package var pluginsHiddenBy: [AppPath] = []

    package enum Place: String, Sendable, Hashable, CaseIterable {
      case start
      case end
      /// Before the first section, after the settings that belong to no section.
      case beforeSections = "before-sections"
      /// Before the last line of each block with the name ``block``.
      case blockEnd = "block-end"
    }

    /// The place at which a setting of the user's overrides the line.
    package enum HidingPlace: String, Sendable, Hashable, CaseIterable {
      /// Below the line: the last one wins.
      case after
      case anywhere
    }

    package struct Dialect: Sendable, Hashable {
      /// The end of the file's name, without the dot.
      package var suffix: Text
      package var line: Text
      package var comment: CommentStyle
    }
  }

  package enum Shell: String, Sendable, Hashable, CaseIterable {
    case bash, zsh, fish
  }
}

extension App.Setup {
  /// The places where the program looks for the file, absolute; if the environment names one, only that.
  package func places(in directories: AppPath.Directories) -> [Text] {
    // Two names may lead to the same place.
    var seen: Set<Text> = []
    return files.looked(in: directories).compactMap { $0.resolved(in: directories) }
      .filter { seen.insert($0).inserted }
  }

  /// The place of the file that the program reads now, or would read if the file existed; nil if no place is known.
  ///
  /// A new file is only created if none exists, so it never outranks an existing one.
  package func place(in directories: AppPath.Directories, exists: (Text) -> Bool) -> Text? {
    let places = places(in: directories)
    /// Directories for the files of all programs, which say nothing about this one.
    let shared = [directories.home, directories.configuration, directories.home.map { "\($0)/.config" }]
    func hasDirectory(_ place: Text) -> Bool {
      guard let directory = place.splitAtLast("/")?.before, !shared.contains(directory) else { return false }
      return exists(directory)
    }
    if let used = places.first(where: { exists($0) || goesByDirectory && hasDirectory($0) }) { return used }
    let new = newFile?.resolved(in: directories).flatMap { places.contains($0) ? $0 : nil }
    // A place behind the usual one may be another program's.
    let usual = new.flatMap(places.firstIndex).map { places[...$0] } ?? places[...]
    return usual.first(where: hasDirectory) ?? new ?? places.first
  }

  /// The installed file that starts the program's plugin without a line of the user's; nil if the program reads none.
  ///
  /// - Parameter program: the path of the program, without links.
  package func plugin(
    of program: Text?, in directories: AppPath.Directories, exists: (Text) -> Bool
  ) -> Text? {
    guard !pluginsHiddenBy.flatMap({ $0.allResolved(in: directories) }).contains(where: exists) else { return nil }
    let prefix = program?.splitAtLast("/")?.before.splitAtLast("/")?.before ?? ""
    let places: [Text] = prefix == "/usr" ? ["/usr/", "/etc/"] : prefix.isEmpty ? [] : ["\(prefix)/"]
    let read = plugins.filter { path in !path.written.hasPrefix("/") || places.contains { path.written.hasPrefix($0) } }
    return read.flatMap { $0.allResolved(in: directories) }.first(where: exists)
  }

  /// The system's file that the program reads as long as the user has none; nil if there is none.
  package func systemFile(in directories: AppPath.Directories, exists: (Text) -> Bool) -> Text? {
    systemFiles.flatMap { $0.allResolved(in: directories) }.first(where: exists)
  }

  /// The setup for a file at this place, in that file's language; a new file may need more lines.
  ///
  /// - Parameter system: The system's file that a new file would replace.
  package func adapted(to place: Text, isNew: Bool, system: Text? = nil) -> App.Setup {
    var setup = self
    let included = system.flatMap { system in
      systemLine.map { Placeholders.filling($0) { $0 == "system" ? system : nil } }
    }
    if let path = AppPath(place) { setup.files = [path] }
    if let dialect = dialects.first(where: { place.hasSuffix(".\($0.suffix)") }) {
      (setup.line, setup.comment, setup.otherLine) = (dialect.line, dialect.comment, nil)
    } else if isNew, let beginning = included ?? beginning {
      setup.otherLine = otherLine ?? line
      setup.line = "\(beginning)\n\(line)"
    }
    return setup
  }
}
