package import ThemeApps
package import ThemedSystem

/// The needs of an app to be enabled on this machine: the missing lines in the user's files, and any obstacle.
package struct AppNeeds {
  package private(set) var lines: [Text] = []
  /// Whether a line is missing, and not only one of an older version of the program.
  package private(set) var lacksLine = false
  /// Why the app cannot be enabled, or a line cannot be written; nil if nothing is in the way.
  private(set) var obstacle: Text?
  /// A setting of the user's own that overrides ours, so that ours has no effect; nil if none is known.
  package private(set) var hidden: OwnSetting?
  /// The same when the missing lines have been written, which turns conflicting settings into comments.
  package private(set) var hiddenOnceEnabled: OwnSetting?
  /// Why a line in a file of the user's never runs; nil if every line runs or is missing.
  package private(set) var idle: String?
  /// Whether some of this depends on the version, and the version is unknown.
  private(set) var lacksVersion = false
  /// The installed file with which the program starts its plugin without a line; nil if it needs a line.
  package private(set) var plugin: Text?
  /// Whether the user's files need a line at all.
  private(set) var asksForLines = false

  /// The lines of the user's files that have no effect while the app is enabled.
  private var replaced: [Text] = []
  /// Why files are left without an optional line.
  private var left: [Text] = []
  /// The files that contain nothing but what an older version of the program needed, and that make way.
  private(set) var outdated: [Text] = []

  /// The changes of the user's files, and the lines there that give way.
  package var plan: [Text] {
    let loads = plugin.map { "loads its plugin from \($0.belowHome), so your own files stay as they are" as Text }
    let removals = outdated.map { "removes \($0.belowHome), which an older version needed" as Text }
    let lines = lines + [loads].compactMap(\.self) + left + removals
    guard !replaced.isEmpty, !(asksForLines && self.lines.isEmpty) else { return lines }
    return lines + ["your own settings give way until the app is disabled: \(replaced.few)"]
  }

  /// Whether the user has written all of the lines without our help.
  var isSetUpByHand: Bool { asksForLines && lines.isEmpty && obstacle == nil }

  package init() {}

  private mutating func add(_ reason: String) {
    obstacle = obstacle.map { "\($0); \(reason)" } ?? Text(reason)
  }

  package init(_ app: App, _ version: Version?) {
    lacksVersion = app.enablingDependsOnVersion && version == nil
    obstacle = app.foreignDesktop.map { "\($0) does not use the setting that '\(app.name)' changes" }
    if app.needsDisplay, !SessionDesktop.hasDisplay {
      obstacle = "this session has no X server: the variable DISPLAY is not set"
    }
    if let reason = app.unknownShell(version) { obstacle = Text(reason) }
    left = app.setups(for: version).compactMap(app.leftFile).map {
      "\($0.words), so it stays as it is: new windows show its colours until themed-apply sends those of the theme"
    }
    for write in app.writes where write.versions.contains(version) {
      guard let target = AppTarget(write, of: app.name) else {
        obstacle = "cannot find \(write.file.written): the variable that it begins with is not set"
        continue
      }
      guard case .other(let reason) = target.owner else { continue }
      if let bytes = try? readFile(target.file, maximum: UserFile.maximumSize),
        SetupBlock.isNewFile(bytes, of: app.name)
      {
        outdated.append(Text(target.path))
        continue
      }
      obstacle = """
        \(Text(target.path).belowHome) is in the way, since \(Text(reason)); move it away to make \(app.title) follow: \
        'mv \(Text(target.path).asWord) \(Text("\(target.path).old").asWord)'
        """
    }
    plugin = app.setups(for: version).lazy.compactMap(app.plugin).first
    var (now, later): ([OwnSetting.Place], [OwnSetting.Place]) = ([], [])
    for setup in app.linesNeeded(by: version) {
      asksForLines = true
      do throws(Refusal) {
        let file = try UserFile(setup, of: app.name)
        now += file.winners(onceWritten: false)
        later += file.winners(onceWritten: true)
        guard file.needsLine else { continue }
        lacksLine = lacksLine || !file.isSetUp
        idle = idle ?? file.reasonNotRun
        lines.append(Text(file.change))
        if let reason = file.obstacle { add(reason) }
      } catch { add("\(error)") }
    }
    let other = OwnSetting(app, version)
    (hidden, hiddenOnceEnabled) = (OwnSetting(now) ?? other, OwnSetting(later) ?? other)
    for group in app.replaced where group.versions.contains(version) {
      for path in group.files(in: AppPlaces.directories).flatMap({ OwnSetting.existing($0, app) }) {
        guard let bytes = try? readFile(path.string, maximum: 1 << 20) else { continue }
        let numbers = unique(group.settings.all(in: bytes, at: path).map(\.line))
        guard !numbers.isEmpty else { continue }
        let first = numbers.prefix(12).map { "\($0)" }.joined(separator: ", ")
        let rest = numbers.count > 12 ? " and \(numbers.count - 12) more" : ""
        replaced.append("\(path.belowHome), line\(numbers.count > 1 ? "s" : "") \(first)\(rest)")
      }
    }
  }
}

extension App {
  /// The lines that this version of the program needs, for the user's login shell.
  package func setups(for version: Version?) -> [Setup] { setupsForShell.filter { $0.versions.contains(version) } }

  package var setupsForShell: [Setup] {
    setups.filter { $0.shell.map { Text($0.rawValue) == AppPlaces.loginShell } ?? true }
  }

  /// Why the app has no line for the user's login shell; nil if it has one, or the shell does not matter.
  fileprivate func unknownShell(_ version: Version?) -> String? {
    let shells = setups.filter { $0.versions.contains(version) }.compactMap(\.shell)
    guard !shells.isEmpty, setups(for: version).isEmpty else { return nil }
    let names = Set(shells.map { Text($0.rawValue) }).sorted().map(\.string).joined(separator: ", ")
    return "it needs a line in the startup file of your login shell, and supports only \(names); yours is "
      + printable(AppPlaces.loginShell)
  }

  /// The desktop of this session, if it does not use what the app changes.
  fileprivate var foreignDesktop: Text? {
    let names = environment("XDG_CURRENT_DESKTOP").map { Text($0).split(":", omittingEmpty: true) } ?? []
    return names.first(where: foreignDesktops.contains)
  }
}

/// A setting, file or variable of the user's own that overrides the theme.
package enum OwnSetting: Equatable {
  /// A setting in a file; the path is the one to show.
  package struct Place: Equatable {
    let file: Text
    let line: Int
    let name: Text

    fileprivate var words: String { "\(file):\(line) (\(name.shown(atMost: 80)))" }
  }

  /// Settings in files, at least one.
  case settings([Place])
  /// A file that the program reads instead of ours; the path is the one to show.
  case file(Text)
  /// A variable that is set, and the place that sets it; nil if the place is unknown.
  case variable(Text, place: Text?)
  /// A variable that the theme needs and that is not set to this value, `NAME=VALUE`, without the wildcards of its pattern.
  case missing(Text)

  package var words: String {
    switch self {
    case .settings(let places):
      "hidden by your own setting at \(places[0].words)" + (places.count > 1 ? " and \(places.count - 1) more" : "")
    case .file(let path): "hidden by your own file \(path)"
    case .variable(let name, let place):
      "hidden by your own variable \(name)" + (place.map { ", set at \($0)" } ?? "")
    case .missing(let pair): "hidden until you set the variable \(pair)"
    }
  }

  var remedy: String {
    switch self {
    case .settings(let places): "change or comment out \(places.map(\.words).joined(separator: ", "))"
    case .file(let path): "move it away: 'mv \(path) \(path).old'"
    case .variable(let name, let place):
      place.map { "remove it from \($0), and log in again" }
        ?? "unset \(name) where your session sets it, and log in again"
    case .missing(let pair): "set \(pair) for your session, and log in again"
    }
  }

  fileprivate init?(_ places: [Place]) {
    if places.isEmpty { return nil }
    self = .settings(places)
  }

  /// The user's first file or variable that overrides an app's theme; without one, all settings that do, except
  /// those in the files that get a line.
  package init?(_ app: App, _ version: Version?) {
    for hiding in app.hidings where hiding.versions.contains(version) {
      // A variable that names the file with our line, or that our line unsets, hides nothing.
      let naming =
        app.setups(for: version).flatMap(\.files).compactMap { $0.variableInUse(in: AppPlaces.directories) }
        + app.linesNeeded(by: version).compactMap(\.variable)
      let isHiding = { (variable: SettingPattern) in
        !naming.contains(variable.variable) && variable.matches(variable: Self.value(variable.variable, app))
      }
      if let found = hiding.variables.first(where: isHiding) {
        self = .variable(found.variable, place: Self.place(ofVariable: found.variable))
        return
      }
      if let found = hiding.needed.first(where: { !$0.matches(variable: Self.value($0.variable, app)) }) {
        self = .missing(Text(decoding: found.written.utf8.filter { $0 != UInt8(ascii: "*") }))
        return
      }
      let files = hiding.files(in: AppPlaces.directories).flatMap { Self.existing($0, app) }
      if hiding.settings.isEmpty, let path = files.first {
        self = .file(path.belowHome)
        return
      }
      let own = files.flatMap { path in
        let bytes = try? readFile(path.string, maximum: 1 << 20)
        return hiding.settings.all(in: bytes ?? [], at: path)
          .map { Place(file: path.belowHome, line: $0.line, name: $0.name) }
      }
      if let found = OwnSetting(own) {
        self = found
        return
      }
    }
    return nil
  }

  /// A variable's value; nil if the variable is not set, or only has the path of a file of ours.
  private static func value(_ name: Text, _ app: App) -> Text? {
    guard let value = environment(name.string).map({ Text($0) }) else { return nil }
    return app.targetPaths.contains(value) ? nil : value
  }

  /// The existing files that match a path, whose last name may contain `*`.
  ///
  /// If the last name contains `*` and our file is in the same directory, only the files after ours in alphabetical
  /// order count, because the program reads them later.
  fileprivate static func existing(_ path: AppPath, _ app: App) -> [Text] {
    guard let resolved = path.resolved(in: AppPlaces.directories) else { return [] }
    guard let (directory, name) = resolved.splitAtLast("/"), name.contains("*") else {
      return FileIdentity(of: resolved.string) == nil ? [] : [resolved]
    }
    let ours = app.targetPaths.compactMap { $0.splitAtLast("/") }.first { $0.before == directory }?.behind
    let pattern = SettingPattern(name)
    return names(inDirectory: directory.string)
      .filter { name in pattern.matches(name) && !name.hasPrefix(".") && (ours.map { name > $0 } ?? true) }
      .map { "\(directory)/\($0)" }
  }

  // MARK: Where a variable is set

  private static let loginFiles: [Text] = [
    "~/.profile", "~/.bash_profile", "~/.bashrc", "~/.zshenv", "$ZDOTDIR/.zshenv", "$ZDOTDIR/.zprofile",
    "$ZDOTDIR/.zshrc", "$XDG_CONFIG_HOME/fish/config.fish", "$XDG_CONFIG_HOME/fish/fish_variables",
    "$XDG_CONFIG_HOME/environment.d/*.conf", "$XDG_CONFIG_HOME/fish/conf.d/*.fish",
  ]

  /// The last line of the user's login files that sets a variable; nil if no such line is found.
  private static func place(ofVariable name: Text) -> Text? {
    let nobody = App(name: "")
    let files = loginFiles.compactMap { AppPath($0, byVariables: true) }.flatMap { existing($0, nobody) }
    for path in files.reversed() {
      guard let bytes = try? readFile(path.string, maximum: 1 << 20) else { continue }
      let lines = Text(decoding: bytes).split("\n")
      if let index = lines.lastIndex(where: { $0.sets(name) }) { return "\(path.belowHome):\(index + 1)" }
    }
    return nil
  }
}

extension App {
  package var targetPaths: [Text] { writes.compactMap { $0.file.resolved(in: AppPlaces.directories) } }
}

extension Text {
  /// Whether this line of a shell's startup file, or of fish's list of variables, sets a variable.
  fileprivate func sets(_ name: Text) -> Bool {
    let words = split(" ", omittingEmpty: true).map { Text(decoding: $0.utf8.filter { $0 > 0x20 }) }
    guard let first = words.first, !first.hasPrefix("#") else { return false }
    let isAssigned = words.contains { $0.hasPrefix("\(name)=") }
    let isSet = first == "set" && words.contains(name) && words.last != name
    return isAssigned || isSet || first.hasPrefix("SETUVAR") && words.contains { $0.hasPrefix("\(name):") }
  }
}
