public import ThemeModel
public import ThemedSystem

/// A program that cannot subscribe, and how it can follow: the content of its app file, `NAME.app`.
///
/// Pure: ``themed-apply`` writes the files and carries out the actions.
public struct App: Sendable, Hashable {
  /// The end of an app file's name.
  public static let suffix: Text = ".app"

  /// The name by which the app is enabled: the name of its file without `.app`.
  ///
  /// It is also a valid name of a theme.
  public var name: Text
  /// The title of the program for people.
  public var title: Text
  /// The names of the program; it is installed if one of them is.
  public var programs: [Text]
  /// A note for the user.
  public var note: Text?
  /// How the program follows without themed-apply, the best way first; empty if it does not.
  public var ways: [Way]
  /// Whether `themectl setup` proposes the app; an app that changes more than its program has to be enabled by name.
  public var isProposed: Bool
  /// Why the program does not follow at all, for people; nil if it does.
  public var inability: Text?
  /// Desktops, as `XDG_CURRENT_DESKTOP` names them, on which the app has no visible effect.
  public var foreignDesktops: [Text] = []
  /// The command that prints the program's version; empty if nothing depends on the version.
  public var versionCommand: [Text]
  /// The versions of the program that the app is for; it is also for a program whose version is unknown.
  public var versions: VersionRange
  /// The program's own names for its looks, as variables of templates, by side.
  public var values: [ColorScheme: [Text: Text]]
  /// The files that themed-apply writes.
  public var writes: [Write]
  /// How themed-apply notifies the program.
  public var reloads: [Reload]
  /// The pause after a notification, in milliseconds, because some programs lose a second one, or exit, while they read.
  public var rest = 0
  /// The terminal whose colours are set with control sequences.
  public var terminal: Terminal?
  /// The lines that the user's own files need.
  public var setups: [Setup]
  /// The user's own files and variables that override all of that, besides settings in the files of ``setups``.
  public var hidings: [Hiding] = []
  /// The command to run when the app was disabled, after everything else is undone.
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
  /// A file that themed-apply writes: the group `[write]` or `[write NAME]`.
  public struct Write: Sendable, Hashable {
    /// The name after `write`; empty if there is none.
    public var name: Text
    /// The file name of the template.
    public var template: Text
    /// The file to write.
    public var file: AppPath
    /// The comment of the first line, which marks the file as ours; nil if the format has no comments.
    public var comment: CommentStyle?
    /// How `{{ }}` escapes values.
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

  /// How themed-apply notifies a program: the group `[reload]` or `[reload NAME]`.
  public struct Reload: Sendable, Hashable {
    /// The name after `reload`; empty if there is none.
    public var name: Text
    /// The action.
    public var action: Action
    /// The names of program files, of which one has to be running; for a signal, the programs that get it.
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

  /// An action that notifies a program.
  public enum Action: Sendable, Hashable {
    /// A signal.
    case signal(AppSignal)
    /// A command of these words, which may have placeholders, and its timeout in seconds.
    case command([Text], timeout: Int)
    /// A call on the session bus.
    case call(BusCall)
    /// A new modification time of a file that the program watches.
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

  /// A message to a window manager.
  public enum IPCCommands: Sendable, Hashable {
    /// The words of one command.
    case words(Text)
    /// The file name of a template, of which each line that is not empty is a command.
    case template(Text)
  }

  /// A call on the session bus.
  public struct BusCall: Sendable, Hashable {
    /// The bus name to call; with `*` at the end, every name that begins so.
    public var destination: Text
    /// The object; with `/*` at the end, every child of that object.
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

    /// An argument, whose value is parsed after its placeholders are filled.
    public struct Argument: Sendable, Hashable {
      /// The type on the bus.
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

  /// The user's files and variables that override the files of the app: the group `[hidden]` or `[hidden NAME]`.
  public struct Hiding: Sendable, Hashable {
    /// The name after `hidden`; empty if there is none.
    public var name: Text
    /// Files that win if they exist.
    public var files: [AppPath] = []
    /// The settings of which such a file must contain one to win; empty if the file wins whatever it contains.
    public var settings: [SettingPattern] = []
    /// Variables that win: `NAME`, or `NAME=VALUE` in which `*` stands for anything.
    public var variables: [SettingPattern] = []
    /// Variables without which the theme does not show, in the same form.
    public var needed: [SettingPattern] = []
    /// The versions of the program to which the group applies.
    public var versions: VersionRange = .all

    init(name: Text) { self.name = name }
  }

  /// A command that undoes the effects of ``Reload``: the group `[disable]`.
  public struct Undo: Sendable, Hashable {
    /// The words, which may have the placeholder `{program}`.
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

  /// The default timeout of commands, in seconds.
  public static let usualTimeout = 5

  /// The terminals whose colours are set with control sequences: the group `[terminal]`.
  public struct Terminal: Sendable, Hashable {
    /// The names of the terminal emulators' program files.
    public var processes: [Text]
    /// The colours to set.
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

/// A palette system of tinted-theming that a template is for.
public enum PaletteSystem: String, Sendable, Hashable, CaseIterable {
  /// Sixteen slots.
  case base16
  /// Twenty-four.
  case base24
}

extension App {
  /// A way in which the program follows without themed-apply: the group `[follows]` or `[follows NAME]`.
  public struct Way: Sendable, Hashable {
    /// How the program learns of a change.
    public enum Means: String, Sendable, Hashable, CaseIterable {
      /// The desktop's settings portal.
      case portal
      /// The terminal in which it runs, which has to report light and dark.
      case terminal
      /// The daemon, to which a plugin subscribes under the app's name.
      case plugin
    }

    /// The name after `follows`; empty if there is none.
    public var name: Text
    /// How the program learns of a change.
    public var means: Means
    /// The setting that the user has to make; nil if there is none, or enabling the app makes it.
    public var setting: Text?
    /// The versions of the program that follow in this way.
    public var versions: VersionRange

    /// A way.
    public init(name: Text = "", means: Means, setting: Text? = nil, versions: VersionRange = .all) {
      self.name = name
      self.means = means
      self.setting = setting
      self.versions = versions
    }
  }

  /// Whether the app can be enabled.
  public var canBeEnabled: Bool { !(writes.isEmpty && reloads.isEmpty && terminal == nil && setups.isEmpty) }

  /// Whether `themed-apply` has something to do for the app; a line for a plugin alone is not.
  public var needsApplying: Bool { !(writes.isEmpty && reloads.isEmpty && terminal == nil) }

  /// The versions that the app's groups are for, one range for each group.
  public var servedVersions: [VersionRange] {
    let groups = writes.map(\.versions) + reloads.map(\.versions) + [terminal?.versions].compactMap(\.self)
    // Of a plugin, there is nothing but its line.
    let served = groups.isEmpty ? setups.map(\.versions) : groups
    return served.map { $0.isAll ? versions : $0 }
  }

  /// Whether the app is for this version; nil is an unknown version.
  public func isFor(_ version: Version?) -> Bool { version == nil || versions.contains(version) }

  /// Whether the app does something for this version.
  public func serves(_ version: Version?) -> Bool {
    canBeEnabled && isFor(version) && (servedVersions.isEmpty || servedVersions.contains { $0.contains(version) })
  }

  /// Whether a part of the app is only for some versions of the program.
  public var dependsOnVersion: Bool {
    !([versions] + servedVersions + setups.map(\.versions) + ways.map(\.versions) + hidings.map(\.versions)).allSatisfy(
      \.isAll)
  }
}

/// A signal that an app file may name: one that a program can handle, so not SIGKILL, for example.
public enum AppSignal: String, Sendable, Hashable, CaseIterable {
  /// SIGHUP.
  case hangUp = "HUP"
  /// SIGUSR1.
  case user1 = "USR1"
  /// SIGUSR2.
  case user2 = "USR2"
  /// SIGWINCH.
  case windowChange = "WINCH"
  /// SIGCONT.
  case goOn = "CONT"
}
