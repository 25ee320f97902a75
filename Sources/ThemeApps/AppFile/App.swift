package import ThemedModel
package import ThemedSystem

/// A program that cannot subscribe, and how it can follow: the content of its app file, `NAME.app`.
///
/// Pure: ``themed-apply`` writes the files and carries out the actions.
package struct App: Sendable, Hashable {
  package static let suffix: Text = ".app"

  /// The name by which the app is enabled: the name of its file without `.app`.
  ///
  /// It is also a valid name of a theme.
  package var name: Text
  package var title: Text
  /// The names of the program; it is installed if one of them is.
  package var programs: [Text] = []
  package var note: Text?
  /// How the program follows without themed-apply, the best way first; empty if it does not.
  package var ways: [Way] = []
  /// Whether `themectl setup` proposes the app; an app that changes more than its program has to be enabled by name.
  package var isProposed = true
  /// The only desktops, as `XDG_CURRENT_DESKTOP` names them, on which it proposes the app; empty for all.
  package var desktops: [Text] = []
  /// Why the program does not follow at all, for people; nil if it does.
  package var inability: Text?
  /// Desktops, as `XDG_CURRENT_DESKTOP` names them, on which the app has no visible effect.
  package var foreignDesktops: [Text] = []
  /// Whether the app has no effect in a session without an X server.
  package var needsDisplay = false
  /// The command that prints the program's version; empty if nothing depends on the version.
  package var versionCommand: [Text] = []
  /// The versions of the program that the app is for; it is also for a program whose version is unknown.
  package var versions = VersionRange.all
  /// The program's own names for its looks, as variables of templates, by side.
  package var values: [ColorScheme: [Text: Text]] = [:]
  package var writes: [Write] = []
  /// How themed-apply notifies the program.
  package var reloads: [Reload] = []
  /// The pause after a notification, in milliseconds, because some programs lose a second one, or exit, while they read.
  package var debounce = 0
  /// The terminal whose colours are set with control sequences.
  package var terminal: Terminal?
  /// The lines that the user's own files need.
  package var setups: [Setup] = []
  /// The user's own files and variables that override all of that, besides settings in the files of ``setups``.
  package var hidings: [Hiding] = []
  /// The user's own settings that the files of the app override: the group `[replaced]` or `[replaced NAME]`.
  package var replaced: [Hiding] = []
  /// The command to run when the app was disabled, after everything else is undone.
  package var undo: Undo?
  /// The desktop whose settings are kept in step.
  package var desktop: Desktop?

  /// An app that does nothing yet.
  package init(name: Text) {
    self.name = name
    title = name
  }

  /// A file that themed-apply writes: the group `[write]` or `[write NAME]`.
  package struct Write: Sendable, Hashable {
    /// The name after `write`; empty if there is none.
    package var name: Text
    /// The file name of the template.
    package var template: Text
    package var file: AppPath
    /// The comment of the first line, which marks the file as ours; nil if the format has no comments.
    package var comment: CommentStyle?
    /// How `{{ }}` escapes values.
    package var escape: Template.Escape
    package var system: PaletteSystem
    package var versions: VersionRange

    package init(
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
  package struct Reload: Sendable, Hashable {
    /// The name after `reload`; empty if there is none.
    package var name: Text = ""
    package var action: Action
    /// The names of program files, of which one has to be running; for a signal, the programs that get it.
    package var processes: [Text] = []
    package var versions = VersionRange.all
  }

  package enum Action: Sendable, Hashable {
    case signal(AppSignal)
    /// A command of these words, which may have placeholders, and its timeout in seconds.
    case command([Text], timeout: Int)
    case call(BusCall)
    /// A new modification time of a file that the program watches.
    case touch(AppPath)
    /// A file that every tmux server of the user reads.
    case tmux(AppPath)
    case ipc(WindowManager, IPCCommands)
  }

  package enum WindowManager: String, Sendable, Hashable, CaseIterable {
    /// sway, found by `SWAYSOCK`.
    case sway
    /// i3, found by `I3SOCK`.
    case i3
  }

  package enum IPCCommands: Sendable, Hashable {
    case words(Text)
    /// The file name of a template, of which each line that is not empty is a command.
    case template(Text)
  }

  package struct BusCall: Sendable, Hashable {
    /// The bus name to call; with `*` at the end, every name that begins so.
    package var destination: Text
    /// The object; with `/*` at the end, every child of that object.
    package var path: Text
    package var interface: Text
    package var member: Text
    package var arguments: [Argument] = []

    /// An argument, whose value is parsed after its placeholders are filled.
    package struct Argument: Sendable, Hashable {
      package var type: ArgumentType
      package var value: Text
    }

    package enum ArgumentType: String, Sendable, Hashable, CaseIterable {
      case string = "s"
      case boolean = "b"
      case int32 = "i"
      case uint32 = "u"
    }
  }

  /// The user's files and variables that override the files of the app: the group `[hidden]` or `[hidden NAME]`.
  package struct Hiding: Sendable, Hashable {
    /// The name after `hidden`; empty if there is none.
    package var name: Text
    /// Files that win if they exist.
    package var files: [AppPath] = []
    /// The settings of which such a file must contain one to win; empty if the file wins whatever it contains.
    package var settings: [SettingPattern] = []
    /// Variables that win: `NAME`, or `NAME=VALUE` in which `*` stands for anything.
    package var variables: [SettingPattern] = []
    /// Variables without which the theme does not show, in the same form.
    package var needed: [SettingPattern] = []
    package var versions = VersionRange.all

    /// The files that count; only those below a directory that a variable names, if there are any.
    package func files(in directories: AppPath.Directories) -> [AppPath] { files.looked(in: directories) }
  }

  /// A command that undoes the effects of ``Reload``: the group `[disable]`.
  package struct Undo: Sendable, Hashable {
    /// The words, which may have the placeholder `{program}`.
    package var words: [Text]
    /// How many seconds it may take.
    package var timeout = App.usualTimeout

    package func words(program: Text) -> [Text] {
      words.map { Placeholders.filling($0) { $0 == "program" ? program : nil } }
    }
  }

  /// The default timeout of commands, in seconds.
  package static let usualTimeout = 5

  /// The terminals whose colours are set with control sequences: the group `[terminal]`.
  package struct Terminal: Sendable, Hashable {
    /// The names of the terminal emulators' program files.
    package var processes: [Text]
    package var sequences = Sequences.all
    package var versions = VersionRange.all

    /// Which colours of a terminal are set.
    package enum Sequences: String, Sendable, Hashable, CaseIterable {
      /// The sixteen, text, background, cursor and selection.
      case all
      /// The sixteen, text, background and cursor: those that every emulator knows.
      case basic
    }
  }
}

/// A palette system of tinted-theming that a template is for.
package enum PaletteSystem: String, Sendable, Hashable, CaseIterable {
  case base16, base24
}

extension App {
  /// A way in which the program follows without themed-apply: the group `[follows]` or `[follows NAME]`.
  package struct Way: Sendable, Hashable {
    package enum Means: String, Sendable, Hashable, CaseIterable {
      /// The desktop's settings portal.
      case portal
      /// The terminal in which it runs, which has to report light and dark.
      case terminal
      /// The daemon, to which a plugin subscribes under the app's name.
      case plugin
    }

    /// The name after `follows`; empty if there is none.
    package var name: Text = ""
    package var means: Means
    /// The setting that the user has to make; nil if there is none, or enabling the app makes it.
    package var setting: Text?
    package var versions = VersionRange.all
  }

  /// The template that the user's own files can replace: of the files that are written in this version, that of the only
  /// one, or of the one whose group has no name; nil if there is no such file.
  package func mainTemplate(for version: Version?) -> Text? {
    let meant =
      writes.filter { $0.versions.contains(version) }.map { (name: $0.name, template: $0.template) }
      + setups.filter { $0.versions.contains(version) }.compactMap { setup in
        setup.template.map { (name: setup.name, template: $0) }
      }
    return (meant.count == 1 ? meant[0] : meant.first { $0.name.isEmpty })?.template
  }

  package var canBeEnabled: Bool { needsApplying || !setups.isEmpty }

  /// Whether `themed-apply` has something to do for the app; a line for a plugin alone is not.
  package var needsApplying: Bool { hasActions || desktop != nil }

  /// Whether `themed-apply` writes files, notifies programs or colours terminals for the app.
  package var hasActions: Bool {
    !(writes.isEmpty && reloads.isEmpty && terminal == nil) || setups.contains { $0.template != nil }
  }

  /// The versions that the app's groups are for, one range for each group.
  package var servedVersions: [VersionRange] { groupVersions.map { $0.isAll ? versions : $0 } }

  private var groupVersions: [VersionRange] {
    let groups = writes.map(\.versions) + reloads.map(\.versions) + [terminal?.versions].compactMap(\.self)
    // A plugin has nothing but its line.
    return groups.isEmpty ? setups.map(\.versions) : groups
  }

  /// Whether the app is for this version; nil is an unknown version.
  package func isFor(_ version: Version?) -> Bool { version == nil || versions.contains(version) }

  /// Whether enabling the app makes the program follow in this version; with an unknown version, nil, without the parts
  /// for particular versions.
  package func serves(_ version: Version?) -> Bool {
    let isRead = version != nil || setups.isEmpty || setups.contains { $0.versions.isAll }
    return canBeEnabled && isFor(version) && isRead
      && (groupVersions.isEmpty || groupVersions.contains { $0.contains(version) })
  }

  /// Whether a part of the app is only for some versions of the program.
  package var dependsOnVersion: Bool {
    !([versions] + servedVersions + setups.map(\.versions) + ways.map(\.versions) + (hidings + replaced).map(\.versions))
      .allSatisfy(\.isAll)
  }
}

/// A signal that an app file may name: one that a program can handle, so not SIGKILL, for example.
package enum AppSignal: String, Sendable, Hashable, CaseIterable {
  case hangUp = "HUP"
  case user1 = "USR1"
  case user2 = "USR2"
  case windowChange = "WINCH"
  case goOn = "CONT"
}
