public import ThemedText

extension App {
  /// A line that a file of the user's needs: the group `[setup]` or `[setup NAME]`.
  public struct Setup: Sendable, Hashable {
    /// What stands behind `setup`; empty where nothing does.
    public var name: Text
    /// The places where the program looks for that file, in its order.
    public var files: [AppPath]
    /// The place for a new file if none of them exists; nil means the first.
    public var newFile: AppPath?
    /// Whether the program takes the first place whose directory exists, even without the file.
    public var goesByDirectory: Bool
    /// The line, or some of them.
    public var line: Text
    /// What does as well where it stands, such as the line that files had before; nil where nothing does.
    public var otherLine: Text?
    /// Lines for files whose name ends so, in another language.
    public var dialects: [Dialect]
    /// What a new file needs before the line, so that the program keeps its defaults.
    public var beginning: Text?
    /// The user's keys and tables that the line cannot stand beside, such as `theme` or `colors.primary`: they are made
    /// comments when the line is written, and come back with it.
    public var conflicts: [Text]
    /// How a comment of that file begins.
    public var comment: CommentStyle
    /// Where it belongs.
    public var place: Place
    /// Whether a file that is not there stays so: with this line alone in it, the program would not be what it was.
    public var needsFile: Bool
    /// The login shell that the line is for; nil for any.
    public var shell: Shell?
    /// Files of the user's that the program no longer reads once the line is there.
    public var hides: [AppPath]
    /// Files of the user's that the program no longer reads once there is a new file for the line.
    public var newFileHides: [AppPath] = []
    /// The user's own settings that win over the line.
    public var hiddenBy: [SettingPattern]
    /// Where those settings win.
    public var hiddenWhere: HidingPlace
    /// The settings by which that file includes others, whose settings count where they are included.
    public var includes: [Text] = []
    /// The versions of the program that it is for.
    public var versions: VersionRange

    /// A line of a file.
    public init(
      name: Text = "", files: [AppPath], newFile: AppPath? = nil, goesByDirectory: Bool = false, line: Text,
      otherLine: Text? = nil, dialects: [Dialect] = [], beginning: Text? = nil, conflicts: [Text] = [],
      comment: CommentStyle = .hash, place: Place = .end, needsFile: Bool = false, shell: Shell? = nil,
      hides: [AppPath] = [], hiddenBy: [SettingPattern] = [], hiddenWhere: HidingPlace = .after,
      versions: VersionRange = .all
    ) {
      self.name = name
      self.files = files
      self.newFile = newFile
      self.goesByDirectory = goesByDirectory
      self.line = line
      self.otherLine = otherLine
      self.dialects = dialects
      self.beginning = beginning
      self.conflicts = conflicts
      self.comment = comment
      self.place = place
      self.needsFile = needsFile
      self.shell = shell
      self.hides = hides
      self.hiddenBy = hiddenBy
      self.hiddenWhere = hiddenWhere
      self.versions = versions
    }

    /// A line of a file that has one place.
    public init(
      name: Text = "", file: AppPath, line: Text, otherLine: Text? = nil, conflicts: [Text] = [],
      comment: CommentStyle = .hash, place: Place = .end, needsFile: Bool = false
    ) {
      self.init(
        name: name, files: [file], line: line, otherLine: otherLine, conflicts: conflicts, comment: comment,
        place: place, needsFile: needsFile)
    }

    /// Where in a file a line belongs.
    public enum Place: String, Sendable, Hashable, CaseIterable {
      /// Before everything else.
      case start
      /// Behind everything else.
      case end
      /// Before the first section, behind the settings that belong to none.
      case beforeSections = "before-sections"
    }

    /// Where a setting of the user's wins over the line.
    public enum HidingPlace: String, Sendable, Hashable, CaseIterable {
      /// Below the line: the last one wins.
      case after
      /// Anywhere in the file.
      case anywhere
    }

    /// The line as another language has it, for files whose name ends in `.SUFFIX`.
    public struct Dialect: Sendable, Hashable {
      /// What the file's name ends in, without the dot.
      public var suffix: Text
      /// The line.
      public var line: Text
      /// How a comment begins.
      public var comment: CommentStyle

      /// A line in another language.
      public init(suffix: Text, line: Text, comment: CommentStyle) {
        self.suffix = suffix
        self.line = line
        self.comment = comment
      }
    }
  }

  /// The login shells that app files know the files of.
  public enum Shell: String, Sendable, Hashable, CaseIterable {
    /// bash
    case bash
    /// zsh
    case zsh
    /// fish
    case fish
  }
}

extension App.Setup {
  /// The places where the program looks for the file, absolute; if the environment names one, only that.
  public func places(in directories: AppPath.Directories) -> [Text] {
    if let named = files.first(where: { $0.isNamedOutright(in: directories) }) {
      return [named.resolved(in: directories)].compactMap(\.self)
    }
    // By two names, it may be one place.
    var seen: Set<Text> = []
    return files.compactMap { $0.resolved(in: directories) }.filter { seen.insert($0).inserted }
  }

  /// The place of the file that the program reads now, or would read if it were made; nil if no place is known.
  ///
  /// A new file never outranks one that exists: it is only made where none does.
  public func place(in directories: AppPath.Directories, exists: (Text) -> Bool) -> Text? {
    let places = places(in: directories)
    /// Directories in which every program has files tell nothing of this one.
    let shared = [directories.home, directories.configuration, directories.home.map { "\($0)/.config" }]
    func hasDirectory(_ place: Text) -> Bool {
      guard let directory = place.splitAtLast("/")?.before, !shared.contains(directory) else { return false }
      return exists(directory)
    }
    if let used = places.first(where: { exists($0) || goesByDirectory && hasDirectory($0) }) { return used }
    return places.first(where: hasDirectory)
      ?? newFile.flatMap { $0.resolved(in: directories) }.flatMap { places.contains($0) ? $0 : nil } ?? places.first
  }

  /// The line for a file at this place, as its language has it; a new file may need more.
  public func adapted(to place: Text, isNew: Bool) -> App.Setup {
    var setup = self
    if let path = AppPath(place) { setup.files = [path] }
    if let dialect = dialects.first(where: { place.hasSuffix(".\($0.suffix)") }) {
      (setup.line, setup.comment, setup.otherLine) = (dialect.line, dialect.comment, nil)
    } else if isNew, let beginning {
      setup.otherLine = otherLine ?? line
      setup.line = "\(beginning)\n\(line)"
    }
    return setup
  }
}
