public import ThemeResolution
public import ThemedText

/// A program that cannot subscribe, and how it follows all the same: what its app file, `NAME.app`, says.
///
/// Pure: what is written and done by it is ``themed-apply``'s.
public struct App: Sendable, Hashable {
  /// What ends an app file's name.
  public static let suffix: Text = ".app"

  /// What it is enabled by, and the name of its file without `.app`; a theme may be called so, too.
  public var name: Text
  /// What people call the program.
  public var title: Text
  /// The programs, by name, of which one that is there means that it is installed.
  public var programs: [Text]
  /// A sentence for those who ask.
  public var note: Text?
  /// How the program follows without an app file's help, the best way first; none where it does not.
  public var ways: [Way]
  /// Whether who sets up everything at once is to enable it; what would change more than that program is asked for by
  /// name.
  public var isProposed: Bool
  /// Why the program does not follow at all, for people; nil if it does.
  public var inability: Text?
  /// Desktops, as `XDG_CURRENT_DESKTOP` names them, on which it changes nothing that anybody sees.
  public var foreignDesktops: [Text] = []
  /// The words of the command that tells the program's version; none where nothing depends on it.
  public var versionCommand: [Text]
  /// The versions of the program that all of this is for; it is for one that nobody tells, too.
  public var versions: VersionRange
  /// What the program itself calls its looks: variables of templates, by side.
  public var values: [ColorScheme: [Text: Text]]
  /// The files that are written.
  public var writes: [Write]
  /// How the program is told.
  public var reloads: [Reload]
  /// How long it is let be after that, in milliseconds: some lose, or end by, what they are told while they still read.
  public var rest = 0
  /// The terminal whose colours are set by sequences.
  public var terminal: Terminal?
  /// The lines that the user's own files need.
  public var setups: [Setup]
  /// What of the user's own wins over all of that, besides settings in those files.
  public var hidings: [Hiding] = []
  /// What is run when the app was disabled and all else is undone.
  public var undo: Undo?

  /// An app that does nothing yet.
  public init(name: Text) {
    self.name = name
    title = name
    programs = []
    ways = []
    isProposed = true
    versionCommand = []
    versions = .all
    values = [:]
    writes = []
    reloads = []
    setups = []
  }
}

extension App {
  /// A file that is written whole: the group `[write]` or `[write NAME]`.
  public struct Write: Sendable, Hashable {
    /// What stands behind `write`; empty where nothing does.
    public var name: Text
    /// The file name of the template.
    public var template: Text
    /// The file that is written.
    public var file: AppPath
    /// How the line begins that says whose file it is; nil where the format has no comments.
    public var comment: CommentStyle?
    /// What `{{ }}` escapes.
    public var escape: Template.Escape
    /// The palette that the template is for.
    public var system: PaletteSystem
    /// The versions of the program that it is for.
    public var versions: VersionRange

    /// A file that is made of a template.
    public init(
      name: Text = "", template: Text, file: AppPath, comment: CommentStyle? = .hash, escape: Template.Escape = .none,
      system: PaletteSystem = .base24, versions: VersionRange = .all
    ) {
      self.name = name
      self.template = template
      self.file = file
      self.comment = comment
      self.escape = escape
      self.system = system
      self.versions = versions
    }
  }

  /// How a program is told: the group `[reload]` or `[reload NAME]`.
  public struct Reload: Sendable, Hashable {
    /// What stands behind `reload`; empty where nothing does.
    public var name: Text
    /// What is done.
    public var action: Action
    /// The names of the program files of which one has to run; of a signal, those that get it.
    public var processes: [Text]
    /// The versions of the program that it is for.
    public var versions: VersionRange

    /// An action.
    public init(name: Text = "", action: Action, processes: [Text] = [], versions: VersionRange = .all) {
      self.name = name
      self.action = action
      self.processes = processes
      self.versions = versions
    }
  }

  /// What a program is told by.
  public enum Action: Sendable, Hashable {
    /// A signal.
    case signal(AppSignal)
    /// A command of these words, which may hold placeholders, and how many seconds it may take.
    case command([Text], timeout: Int)
    /// A call on the session bus.
    case call(BusCall)
    /// Another time of a file that the program watches.
    case touch(AppPath)
    /// A file that every tmux server of the user reads.
    case tmux(AppPath)
    /// A message to sway or i3.
    case ipc(WindowManager, IPCCommands)
  }

  /// A window manager of the i3 family.
  public enum WindowManager: String, Sendable, Hashable, CaseIterable {
    /// sway, found by `SWAYSOCK`.
    case sway
    /// i3, found by `I3SOCK`.
    case i3
  }

  /// What a window manager is told.
  public enum IPCCommands: Sendable, Hashable {
    /// The words of one command.
    case words(Text)
    /// The file name of a template, of which each line that is not empty is a command.
    case template(Text)
  }

  /// A call on the session bus.
  public struct BusCall: Sendable, Hashable {
    /// The name that is called; one that ends in `*` means every owner of a name that begins so.
    public var destination: Text
    /// The object; one that ends in `/*` means every child of the one above.
    public var path: Text
    /// The interface.
    public var interface: Text
    /// The method.
    public var member: Text
    /// The arguments.
    public var arguments: [Argument]

    /// A call.
    public init(destination: Text, path: Text, interface: Text, member: Text, arguments: [Argument] = []) {
      self.destination = destination
      self.path = path
      self.interface = interface
      self.member = member
      self.arguments = arguments
    }

    /// An argument: its value may hold placeholders, and is read after those are filled.
    public struct Argument: Sendable, Hashable {
      /// What it is on the bus.
      public var type: ArgumentType
      /// Its value as text.
      public var value: Text

      /// An argument.
      public init(type: ArgumentType, value: Text) {
        self.type = type
        self.value = value
      }
    }

    /// The types of arguments, by their letters on the bus.
    public enum ArgumentType: String, Sendable, Hashable, CaseIterable {
      /// A string.
      case string = "s"
      /// A boolean: `true` or `false`.
      case boolean = "b"
      /// A signed number of 32 bits.
      case int32 = "i"
      /// A number of 32 bits.
      case uint32 = "u"
    }
  }

  /// Files and variables of the user's that win over what is written: the group `[hidden]` or `[hidden NAME]`.
  public struct Hiding: Sendable, Hashable {
    /// What stands behind `hidden`; empty where nothing does.
    public var name: Text
    /// Files that win if they exist.
    public var files: [AppPath] = []
    /// The settings of which one has to stand in such a file for it to win; none if the file alone does.
    public var settings: [SettingPattern] = []
    /// Variables that win: `NAME`, or `NAME=VALUE` in which `*` stands for anything.
    public var variables: [SettingPattern] = []
    /// Variables without which nothing is seen, in the same form.
    public var needed: [SettingPattern] = []
    /// The versions of the program that it is for.
    public var versions: VersionRange = .all

    init(name: Text) { self.name = name }
  }

  /// A command that undoes what those of ``Reload`` have left behind: the group `[disable]`.
  public struct Undo: Sendable, Hashable {
    /// Its words, in which `{program}` may stand.
    public var words: [Text]
    /// How many seconds it may take.
    public var timeout: Int

    /// A command.
    public init(_ words: [Text], timeout: Int = App.usualTimeout) {
      self.words = words
      self.timeout = timeout
    }

    /// Its words for the program that is installed.
    public func words(program: Text) -> [Text] {
      words.map { Placeholders.filling($0) { $0 == "program" ? program : nil } }
    }
  }

  /// How many seconds a command may take where nothing is said.
  public static let usualTimeout = 5

  /// The terminals whose colours are set by sequences: the group `[terminal]`.
  public struct Terminal: Sendable, Hashable {
    /// The names of the program files that hold the terminals' masters.
    public var processes: [Text]
    /// What is set.
    public var sequences: Sequences
    /// The versions of the program that it is for.
    public var versions: VersionRange

    /// Terminals that these programs hold.
    public init(processes: [Text], sequences: Sequences = .all, versions: VersionRange = .all) {
      self.processes = processes
      self.sequences = sequences
      self.versions = versions
    }

    /// Which colours of a terminal are set.
    public enum Sequences: String, Sendable, Hashable, CaseIterable {
      /// The sixteen, text, background, cursor and selection.
      case all
      /// The sixteen, text, background and cursor: those that every emulator knows.
      case basic
    }
  }
}

/// A palette of tinted-theming that templates are written for.
public enum PaletteSystem: String, Sendable, Hashable, CaseIterable {
  /// Sixteen slots.
  case base16
  /// Twenty-four.
  case base24
}
