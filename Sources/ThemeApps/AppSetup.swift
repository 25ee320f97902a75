public import ThemedText

extension App {
  /// A line that a file of the user's needs: the group `[setup]` or `[setup NAME]`.
  public struct Setup: Sendable, Hashable {
    /// What stands behind `setup`; empty where nothing does.
    public var name: Text
    /// The user's file.
    public var file: AppPath
    /// Those that the program reads where that one is not there: a new one may hide what they say.
    public var alternatives: [AppPath]
    /// The line, or some of them.
    public var line: Text
    /// What does as well where it stands, such as the line that files had before; nil where nothing does.
    public var otherLine: Text?
    /// The user's keys and tables that the line cannot stand beside, such as `theme` or `colors.primary`: they are made
    /// comments when the line is written, and come back with it.
    public var conflicts: [Text]
    /// How a comment of that file begins.
    public var comment: CommentStyle
    /// Where it belongs.
    public var place: Place
    /// Whether a file that is not there stays so: with this line alone in it, the program would not be what it was.
    public var needsFile: Bool
    /// The versions of the program that it is for.
    public var versions: VersionRange

    /// A line of a file.
    public init(
      name: Text = "", file: AppPath, alternatives: [AppPath] = [], line: Text, otherLine: Text? = nil,
      conflicts: [Text] = [], comment: CommentStyle = .hash, place: Place = .end, needsFile: Bool = false,
      versions: VersionRange = .all
    ) {
      self.name = name
      self.file = file
      self.alternatives = alternatives
      self.line = line
      self.otherLine = otherLine
      self.conflicts = conflicts
      self.comment = comment
      self.place = place
      self.needsFile = needsFile
      self.versions = versions
    }

    /// Where in a file a line belongs.
    public enum Place: String, Sendable, Hashable, CaseIterable {
      /// Before everything else.
      case start
      /// Behind everything else.
      case end
    }
  }
}
