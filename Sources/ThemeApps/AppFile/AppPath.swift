package import ThemedSystem

/// A path in an app file: absolute, or in one of the user's directories.
package struct AppPath: Sendable, Hashable {
  /// The user's directories, absolute and without a slash at the end; nil if one is unknown.
  package struct Directories: Sendable, Hashable {
    /// The home directory, `~`.
    package var home: Text?
    /// `$XDG_CONFIG_HOME`.
    package var configuration: Text?
    /// `$XDG_DATA_HOME`.
    package var data: Text?
    /// `$XDG_STATE_HOME`.
    package var state: Text?
    /// `$XDG_RUNTIME_DIR`.
    package var runtime: Text?
    /// `$XDG_CONFIG_DIRS`, the directories of the system's configuration files.
    package var systemConfiguration: [Text]
    /// `$XDG_DATA_DIRS`, the directories of the system's other files.
    package var systemData: [Text]
    /// The variables that are set by which programs find their files, each with its path or name.
    package var variables: [Text: Text]

    package init(
      home: Text? = nil, configuration: Text? = nil, data: Text? = nil, state: Text? = nil, runtime: Text? = nil,
      systemConfiguration: [Text] = [], systemData: [Text] = [], variables: [Text: Text] = [:]
    ) {
      self.home = home
      self.configuration = configuration
      self.data = data
      self.state = state
      self.runtime = runtime
      self.systemConfiguration = systemConfiguration
      self.systemData = systemData
      self.variables = variables
    }

    /// The directories with which a path can begin, by the words for them.
    fileprivate var starts: [Text: [Text]] {
      func list(_ directory: Text?) -> [Text] { directory.map { [$0] } ?? [] }
      return [
        "~": list(home), "$XDG_CONFIG_HOME": list(configuration), "$XDG_DATA_HOME": list(data),
        "$XDG_STATE_HOME": list(state), "$XDG_RUNTIME_DIR": list(runtime), "$XDG_CONFIG_DIRS": systemConfiguration,
        "$XDG_DATA_DIRS": systemData,
      ]
    }
  }

  /// A variable by which one program finds its files.
  struct Variable {
    let name: Text
    /// Whether the value is a name within a path, and not a path itself.
    var isName = false
    /// Whether the value is a command that loads the file, and not a path.
    var isCommand = false
    /// The default value; nil if the program then tries its other places.
    var standard: Text?
    /// Whether a path to write can begin with it: themectl compares its value with that of themed-apply.
    var isShared = false
  }

  /// The variables by which programs find their files; most are set for shells only, and not for the services.
  static let known = [
    Variable(name: "ZDOTDIR", standard: "~"),
    Variable(name: "NVIM_APPNAME", isName: true, standard: "nvim"),
    Variable(name: "GIT_CONFIG_GLOBAL"),
    Variable(name: "KITTY_CONFIG_DIRECTORY"),
    Variable(name: "BAT_CONFIG_PATH"),
    Variable(name: "BAT_CONFIG_DIR", standard: "$XDG_CONFIG_HOME/bat", isShared: true),
    Variable(name: "WAYBAR_CONFIG_DIR", standard: "$XDG_CONFIG_HOME/waybar", isShared: true),
    Variable(name: "HYPRLAND_CONFIG"),
    Variable(name: "STARSHIP_CONFIG"),
    Variable(name: "FZF_DEFAULT_OPTS_FILE"),
    Variable(name: "KAKOUNE_CONFIG_DIR"),
    Variable(name: "VIMINIT", isCommand: true),
  ]

  private static let systemDirectories: Set<Text> = ["$XDG_CONFIG_DIRS", "$XDG_DATA_DIRS"]

  /// The variables that are set, by which programs find their files, each with the path or the name that it gives.
  ///
  /// - Parameter value: The value of a variable; nil if it is not set.
  package static func variables(in directories: Directories, _ value: (Text) -> Text?) -> [Text: Text] {
    var found: [Text: Text] = [:]
    for variable in known {
      let text = value(variable.name)
      found[variable.name] = variable.isCommand ? text?.sourcedFile(in: directories) : text?.withoutSlashAtEnd
    }
    return found
  }

  package let written: Text

  /// Parses a path; nil if it is invalid.
  ///
  /// - Parameter byVariables: whether it may begin with any program's variable, and not only with a shared one.
  package init?(_ written: Text, byVariables: Bool = false) {
    guard !written.isEmpty, written.count <= 4095, !written.hasControls, !written.hasSuffix("/") else { return nil }
    let parts = written.split("/")
    func isKnown(_ part: Text, asName: Bool) -> Bool {
      Self.known.contains { (byVariables || $0.isShared) && part == "$\($0.name)" && $0.isName == asName }
    }
    let isBelow =
      parts.count > 1 && Directories().starts[parts[0]] != nil
      && (byVariables || !Self.systemDirectories.contains(parts[0]))
    guard isBelow || written.hasPrefix("/") || isKnown(parts[0], asName: false) else { return nil }
    let namesAreKnown = parts.dropFirst().allSatisfy { !byVariables || !$0.hasPrefix("$") || isKnown($0, asName: true) }
    guard namesAreKnown else { return nil }
    self.written = written
  }

  /// The absolute path; nil if the directory with which it begins is unknown.
  package func resolved(in directories: Directories) -> Text? { allResolved(in: directories).first }

  /// The absolute paths; several if it begins with `$XDG_CONFIG_DIRS` or `$XDG_DATA_DIRS`.
  package func allResolved(in directories: Directories) -> [Text] {
    var parts = written.split("/").map { part in
      Self.known.first { $0.isName && part == "$\($0.name)" }
        .map { directories.variables[$0.name] ?? $0.standard ?? "" } ?? part
    }
    if let variable = Self.known.first(where: { !$0.isName && parts[0] == "$\($0.name)" }) {
      guard let value = directories.variables[variable.name] ?? variable.standard else { return [] }
      parts.replaceSubrange(..<1, with: value.split("/"))
    }
    return (directories.starts[parts[0]] ?? [parts[0]]).map { start in
      Text(([start] + parts.dropFirst()).map(\.string).joined(separator: "/"))
    }
  }

  /// The variable that is set and names this place, so that the program looks in no other; nil if there is none.
  package func variableInUse(in directories: Directories) -> Text? {
    Self.known.first { variable in
      !variable.isName && variable.standard == nil && directories.variables[variable.name] != nil
        && (written == "$\(variable.name)" || written.hasPrefix("$\(variable.name)/"))
    }?.name
  }

  /// The variable with which a path to write begins, and which the services need as well, and the usual value below the
  /// home directory; nil if there is none.
  package var sharedVariable: (name: Text, usual: Text)? {
    Self.known.first { $0.isShared && written.hasPrefix("$\($0.name)/") }
      .map { ($0.name, "/.config\($0.standard?.dropping(prefix: "$XDG_CONFIG_HOME") ?? "")") }
  }

  /// The variable that is the whole path; nil if the path has more, or does not begin with a variable.
  fileprivate var wholeVariable: Text? { Self.known.first { written == "$\($0.name)" }?.name }

  /// The syntax that ``init(_:)`` expects, for messages.
  static let expectation =
    "the path of a file, which begins with /, ~/, $XDG_CONFIG_HOME/, $XDG_DATA_HOME/, $XDG_STATE_HOME/, "
    + "$XDG_RUNTIME_DIR/, or another variable that themed.app(5) lists"
}

extension App {
  /// The variables that lead to the user's files which themed-apply changes, and the usual value of each below the home
  /// directory.
  package var variablesOfBlocks: [(name: Text, usual: Text)] {
    setups.filter { $0.template != nil }.flatMap { setup in
      let usual = setup.files.lazy.compactMap { $0.written.dropping(prefix: "~") }.first ?? ""
      return setup.files.compactMap(\.wholeVariable).map { ($0, usual) }
    }
  }
}

extension [AppPath] {
  /// The paths at which the program looks; only those that a variable names, if there are any.
  func looked(in directories: AppPath.Directories) -> [AppPath] {
    let named = filter { $0.variableInUse(in: directories) != nil }
    return named.isEmpty ? self : named
  }
}

extension Text {
  /// Whether it contains a control character, which may end a line.
  package var hasControls: Bool { string.unicodeScalars.contains { $0.properties.generalCategory == .control } }

  /// The same for a text of several lines, which may have tabs.
  package var hasControlsInLines: Bool { split("\n").flatMap { $0.split("\t") }.contains(where: \.hasControls) }
}

/// The search path of app files and templates, the strongest place first: pure lists of paths.
package struct AppSearchPath: Sendable, Hashable {
  /// The directories that have `apps` and `templates`; the user's own comes first.
  package let roots: [Text]

  /// The user's own place in `configuration`, then the places in the data directories.
  ///
  /// - Parameter override: `THEMED_APPS`, directories separated by colons, instead of those in `data`.
  package init(configuration: Text?, data: [Text], override: Text? = nil) {
    let system = override.map { $0.split(":", omittingEmpty: true).filter { $0.hasPrefix("/") } }
    let own: [Text] = configuration.map { ["\($0)/themed"] } ?? []
    roots = own + (system ?? data.map { "\($0)/themed" })
  }

  package var appDirectories: [Text] { roots.map { "\($0)/apps" } }

  package var templateDirectories: [Text] { roots.map { "\($0)/templates" } }

  /// The possible paths of an app file; empty if the name is invalid.
  package func paths(ofApp name: Text) -> [Text] {
    App.isValidName(name) ? appDirectories.map { "\($0)/\(name)\(App.suffix)" } : []
  }

  package func paths(ofTemplate name: Text) -> [Text] { templateDirectories.map { "\($0)/\(name)" } }

  /// The possible paths of a template of an app file in another place: beside that file, and then as for all.
  package func paths(ofTemplate name: Text, forAppAt path: Text) -> [Text] {
    let directory = path.splitAtLast("/")?.before ?? "."
    guard !appDirectories.contains(directory) else { return paths(ofTemplate: name) }
    return ["\(directory)/../templates/\(name)"] + paths(ofTemplate: name)
  }
}

/// The directory of the user's hooks, programs that themed-apply starts at each change.
package func hookDirectory(configuration: Text) -> Text { "\(configuration)/themed/hooks.d" }

/// Whether a file of this name can be a hook, and is not a leftover of an editor or package manager.
package func isHookName(_ name: Text) -> Bool {
  !name.hasPrefix(".") && !name.hasPrefix("#") && !name.hasSuffix("~")
    && ![".swp", ".bak", ".new", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
      .contains { name.hasSuffix($0) }
}
