internal import ThemedModel
internal import ThemedSystem

/// Reads an app file group by group, and continues after a problem, so that all problems are reported at once.
struct AppReader {
  private(set) var app: App
  private(set) var problems: [ThemeFile.Problem] = []
  /// Groups and keys that this version does not know.
  private(set) var unknown: [ThemeFile.Problem] = []
  /// The settings of the desktop, whose group may come later.
  private var settings: [App.DesktopSetting] = []
  private let home: Text?

  init(name: Text, home: Text?) { (app, self.home) = (App(name: name), home) }

  mutating func read(_ groups: [ThemeFile.Group]) {
    // Actions have placeholders for the keys of these groups, so these groups come first.
    func isFirst(_ group: ThemeFile.Group) -> Bool { group.name == "app" || ColorScheme(word: group.name) != nil }
    for group in groups.filter(isFirst) + groups.filter({ !isFirst($0) }) { read(group) }
    if !app.canBeEnabled, app.ways.isEmpty, app.inability == nil, problems.isEmpty {
      problems.append(
        ThemeFile.Problem(expected: "a group [write], [reload], [terminal], [setup], [follows] or [desktop]"))
    }
    checkDesktop()
    checkVersions()
    checkTargets()
  }

  private mutating func read(_ group: ThemeFile.Group) {
    if let scheme = ColorScheme(word: group.name) { return readValues(group, scheme) }
    let parts = group.name.split(" ", maxSplits: 1, omittingEmpty: false)
    let name = parts.count == 2 ? parts[1] : ""
    guard parts.count == 1 || App.isValidName(name) else {
      return problems.append(
        ThemeFile.Problem(
          group: group.name, expected: "named by \(Theme.nameExpectation) after '\(parts[0].shown(atMost: 80))'"))
    }
    var reader = AppGroupReader(group, kind: parts[0])
    switch (parts[0], parts.count) {
    case ("app", 1): readHead(&reader)
    case ("write", _): readWrite(&reader, name)
    case ("reload", _): readReload(&reader, name)
    case ("terminal", 1): readTerminal(&reader)
    case ("setup", _): readSetup(&reader, name)
    case ("disable", 1): readUndo(&reader)
    case ("hidden", _): readHiding(&reader, name)
    case ("replaced", _): readReplaced(&reader, name)
    case ("follows", _): readWay(&reader, name)
    case ("desktop", 1): readDesktop(&reader)
    case ("setting", 2): readSetting(&reader, name)
    default:
      return unknown.append(
        ThemeFile.Problem(
          group: group.name,
          expected:
            "app, light, dark, terminal, disable, desktop, setting with a name, or write, reload, setup, hidden, replaced "
            + "or follows, with or without a name"))
    }
    problems += reader.problems
    unknown += reader.unread
  }

  // MARK: Groups

  private mutating func readHead(_ reader: inout AppGroupReader) {
    app.title = reader.text("title", upTo: 255) ?? app.title
    app.note = reader.text("note", upTo: 1024)
    app.programs = reader.names("program") ?? []
    app.isProposed = reader.flag("proposed") ?? true
    app.desktops = reader.names("desktops") ?? []
    app.debounce = reader.number("debounce", 0...60_000) ?? 0
    app.inability = reader.text("unsupported", upTo: 1024)
    app.foreignDesktops = reader.names("except-desktops") ?? []
    app.needsDisplay = reader.flag("needs-display") ?? false
    app.versionCommand = reader.words("version-command", placeholders: [], mayNameColors: false) ?? []
    app.versions = reader.versions()
  }

  private mutating func readValues(_ group: ThemeFile.Group, _ scheme: ColorScheme) {
    for entry in group.entries {
      guard Side.isValidKey(entry.key) else {
        problems.append(
          ThemeFile.Problem(
            group: group.name, key: entry.key,
            expected: "named by 1 to 64 ASCII letters, digits, '.', '_', '+' or '-'"))
        continue
      }
      app.values[scheme, default: [:]][entry.key] = entry.value
    }
  }

  private mutating func readWrite(_ reader: inout AppGroupReader, _ name: Text) {
    let template = reader.template("template")
    let file = reader.path("file")
    let comment = reader.comment(orNone: true)
    let escape = reader.word("escape", Template.Escape.self) ?? .none
    let system = reader.word("system", PaletteSystem.self) ?? .base24
    let versions = reader.versions()
    reader.require("template", "file")
    guard let template, let file else { return }
    app.writes.append(
      App.Write(
        name: name, template: template, file: file, comment: comment, escape: escape, system: system,
        versions: versions))
  }

  private mutating func readReload(_ reader: inout AppGroupReader, _ name: Text) {
    let processes = reader.names("process") ?? []
    let versions = reader.versions()
    guard let action = readAction(&reader) else { return }
    if case .signal = action { reader.require("process") }
    app.reloads.append(App.Reload(name: name, action: action, processes: processes, versions: versions))
  }

  private mutating func readAction(_ reader: inout AppGroupReader) -> App.Action? {
    let kinds: [Text] = ["signal", "command", "call", "touch", "tmux", "ipc"]
    let given = kinds.filter { reader.has($0) }
    guard given.count == 1 else {
      reader.refuse(nil, "one of these: \(kinds.map(\.string).joined(separator: ", "))")
      reader.passOver(kinds + ["timeout", "words", "commands"])
      return nil
    }
    switch given[0] {
    case "signal": return reader.word("signal", AppSignal.self).map { .signal($0) }
    case "command":
      let timeout = reader.timeout()
      return reader.words("command", placeholders: placeholders).map { .command($0, timeout: timeout) }
    case "call": return reader.call("call", placeholders: placeholders).map { .call($0) }
    case "touch": return reader.path("touch").map { .touch($0) }
    case "tmux": return reader.path("tmux").map { .tmux($0) }
    default: return readIPC(&reader)
    }
  }

  private func readIPC(_ reader: inout AppGroupReader) -> App.Action? {
    let manager = reader.word("ipc", App.WindowManager.self)
    guard reader.has("words") != reader.has("commands") else {
      reader.refuse(nil, "either words, a command, or commands, a template of commands")
      reader.passOver(["words", "commands"])
      return nil
    }
    if reader.has("words") {
      let words = reader.message("words", placeholders: placeholders)
      return manager.flatMap { manager in words.map { .ipc(manager, .words($0)) } }
    }
    let template = reader.template("commands")
    return manager.flatMap { manager in template.map { .ipc(manager, .template($0)) } }
  }

  private mutating func readTerminal(_ reader: inout AppGroupReader) {
    let processes = reader.names("process")
    let sequences = reader.word("sequences", App.Terminal.Sequences.self) ?? .all
    let versions = reader.versions()
    reader.require("process")
    guard let processes else { return }
    app.terminal = App.Terminal(processes: processes, sequences: sequences, versions: versions)
  }

  private mutating func readSetup(_ reader: inout AppGroupReader, _ name: Text) {
    let newFile = reader.path("file", byVariables: true)
    let files = reader.paths("files") ?? newFile.map { [$0] }
    let comment = reader.comment(orNone: false)
    let template = reader.template("template")
    let line =
      template == nil
      ? reader.text("line", upTo: 1024, canHaveSeveralLines: true).map { line in
        home.map { line.replacing("{home}", with: $0) } ?? line
      } : comment?.line("themed-apply writes the colours of the theme here")
    if !reader.has("line"), !reader.has("template") { reader.lack("line=… or template=…") }
    if !reader.has("file"), !reader.has("files") { reader.lack("files=… or file=…") }
    if let files, let newFile, !files.contains(newFile) { reader.refuse("file", "one of files") }
    guard let files, let line, let comment else { return reader.passOverRest() }
    guard !SetupBlock.isAnyMarked(in: Array(line.utf8)) else {
      reader.passOverRest()
      return reader.refuse("line", "a line without a mark of themed's own")
    }
    guard !files.contains(where: \.hasNoComments) else {
      reader.passOverRest()
      return reader.refuse(
        reader.has("files") ? "files" : "file", "a file with comments, which JSON and XML do not have")
    }
    var setup = App.Setup(name: name, files: files, newFile: newFile, line: line, comment: comment)
    setup.goesByDirectory = reader.flag("by-directory") ?? false
    setup.otherLine = reader.text("equivalent", upTo: 1024, canHaveSeveralLines: true)
    setup.dialects = reader.dialects()
    setup.beginning = reader.text("new-file-start", upTo: 1024, canHaveSeveralLines: true)
    setup.conflicts = reader.keys("conflicts") ?? []
    if !setup.conflicts.isEmpty, comment.end != nil {
      reader.refuse("conflicts", "left out if comments have an end mark")
    }
    setup.template = template
    setup.place = reader.word("position", App.Setup.Place.self) ?? .end
    setup.block = reader.blockName("block") ?? ""
    setup.blockExcept = reader.patterns("block-except") ?? []
    if (setup.place == .blockEnd) != reader.has("block") {
      reader.refuse(nil, "given both position=block-end and block=…, or neither")
    }
    setup.needsFile = reader.flag("needs-system-file") ?? false
    setup.systemFiles = reader.paths("system-files") ?? []
    setup.systemLine = reader.systemLine()
    setup.copiesSystemFile = reader.flag("system-copy") ?? false
    if setup.copiesSystemFile { reader.require("system-files") }
    setup.interpreter = reader.text("new-file-interpreter", upTo: 127)
    setup.variable = reader.variable("if-variable")
    setup.shell = reader.word("shell", App.Shell.self)
    setup.hides = reader.paths("hides") ?? []
    setup.newFileHides = reader.paths("new-file-hides") ?? []
    setup.newFileReaders = reader.names("new-file-readers") ?? []
    setup.readsAll = reader.flag("reads-all") ?? false
    setup.isOptional = reader.flag("optional") ?? false
    setup.hiddenBy = reader.patterns("hidden-by") ?? []
    setup.includes = reader.includes("includes") ?? []
    setup.hiddenWhere = reader.word("hidden-where", App.Setup.HidingPlace.self) ?? .after
    setup.plugins = reader.paths("plugins") ?? []
    setup.pluginsHiddenBy = reader.paths("plugins-hidden-by") ?? []
    if !setup.pluginsHiddenBy.isEmpty { reader.require("plugins") }
    setup.versions = reader.versions()
    app.setups.append(setup)
  }

  private mutating func readHiding(_ reader: inout AppGroupReader, _ name: Text) {
    var hiding = App.Hiding(name: name)
    hiding.files = reader.paths("files") ?? []
    hiding.settings = reader.patterns("settings") ?? []
    hiding.variables = reader.patterns("variables") ?? []
    hiding.needed = reader.patterns("needs-variables") ?? []
    hiding.versions = reader.versions()
    if hiding.files.isEmpty, hiding.variables.isEmpty, hiding.needed.isEmpty {
      reader.refuse(nil, "given files=…, variables=… or needs-variables=…")
    }
    app.hidings.append(hiding)
  }

  private mutating func readReplaced(_ reader: inout AppGroupReader, _ name: Text) {
    var replaced = App.Hiding(name: name)
    reader.require("files", "settings")
    replaced.files = reader.paths("files") ?? []
    replaced.settings = reader.patterns("settings") ?? []
    replaced.versions = reader.versions()
    app.replaced.append(replaced)
  }

  private mutating func readUndo(_ reader: inout AppGroupReader) {
    let timeout = reader.timeout()
    let placeholders: Set<Text> = app.programs.isEmpty ? [] : ["program"]
    let words = reader.words("command", placeholders: placeholders, mayNameColors: false)
    reader.require("command")
    app.undo = words.map { App.Undo(words: $0, timeout: timeout) }
  }

  private mutating func readWay(_ reader: inout AppGroupReader, _ name: Text) {
    let means = reader.word("by", App.Way.Means.self)
    let setting = reader.text("needs", upTo: 1024)
    let versions = reader.versions()
    reader.require("by")
    guard let means else { return }
    app.ways.append(App.Way(name: name, means: means, setting: setting, versions: versions))
  }

  private mutating func readDesktop(_ reader: inout AppGroupReader) {
    var desktop = App.Desktop()
    let names = reader.names("desktops") ?? []
    reader.require("desktops")
    desktop.names = names.filter { $0 != "*" }
    desktop.isFallback = names.contains("*")
    desktop.settle = reader.number("settle", 0...60_000) ?? 0
    desktop.pause = reader.number("pause", 0...5000) ?? 0
    app.desktop = desktop
  }

  private mutating func readSetting(_ reader: inout AppGroupReader, _ name: Text) {
    var setting = App.DesktopSetting(name: name)
    setting.each = reader.words("each", placeholders: [], mayNameColors: false)
    setting.eachEnd = reader.text("each-end", upTo: 255)
    setting.eachUntil = reader.text("each-until", upTo: 255)
    let each: Set<Text> = setting.each == nil ? [] : ["each"]
    setting.read = reader.words("read", placeholders: each, mayNameColors: false)
    setting.after = reader.text("after", upTo: 255)
    setting.until = reader.text("until", upTo: 255)
    setting.write =
      reader.words("write", placeholders: each.union(["value", "quoted"]), mayNameColors: false) ?? []
    setting.reset = reader.words("reset", placeholders: each, mayNameColors: false)
    setting.own = reader.words("own", placeholders: each, mayNameColors: false)
    setting.file = reader.settingFile()
    setting.timeout = reader.timeout()
    setting.isScheme = reader.word("kind", App.SettingKind.self) == .scheme
    for preference: Preference in setting.isScheme ? [.light, .dark, .none] : [.light, .dark] {
      setting.values[preference] = reader.text(Text(preference.rawValue), upTo: 8192)
    }
    setting.themeValue = reader.text("value", upTo: 64)
    setting.asset = reader.text("asset", upTo: 64)
    setting.form = reader.word("form", App.DesktopSetting.Form.self) ?? .path
    setting.darkMarks = reader.darkMarks("guess") ?? []
    setting.installed = reader.installedPaths("installed") ?? []
    setting.changed = reader.signals("changed") ?? []
    setting.side = reader.word("side", ColorScheme.self)
    setting.isPartOfSwitch = reader.flag("switch") ?? setting.isScheme
    setting.processes = reader.names("process") ?? []
    setting.isForgotten = reader.flag("forgets") ?? false
    if setting.isForgotten { reader.require("process") }
    setting.otherProcesses = reader.names("not-process") ?? []
    setting.explicitFor = reader.names("explicit-for") ?? []
    setting.desktops = reader.names("desktops") ?? []
    if setting.desktops.contains("*") { reader.refuse("desktops", "left out for a setting of every desktop") }
    if !reader.has("write"), !reader.has("file") { reader.lack("write=… or file=…") }
    if !reader.has("read"), !reader.has("reset"), !reader.has("file") {
      reader.refuse(nil, "given read=…, reset=… or file=…, without which the setting cannot be restored")
    }
    if setting.isScheme {
      reader.require("light", "dark")
      if setting.side != nil { reader.refuse("side", "left out for kind=scheme") }
      if !setting.desktops.isEmpty { reader.refuse("desktops", "left out for kind=scheme") }
      if setting.read == nil, setting.file == nil { reader.lack("read=…") }
    }
    if !setting.explicitFor.isEmpty, !setting.isScheme { reader.refuse("explicit-for", "used with kind=scheme") }
    if setting.after != nil, setting.read == nil { reader.refuse("after", "used with read=…") }
    if setting.until != nil, setting.after == nil { reader.refuse("until", "used with after=…") }
    if setting.each == nil, setting.eachEnd != nil { reader.refuse("each-end", "used with each=…") }
    if setting.each == nil, setting.eachUntil != nil { reader.refuse("each-until", "used with each=…") }
    if setting.each != nil, setting.isScheme { reader.refuse("each", "left out for kind=scheme") }
    if !setting.darkMarks.isEmpty { reader.require("installed") }
    settings.append(setting)
  }

  // MARK: The whole

  /// Puts the settings into the desktop.
  private mutating func checkDesktop() {
    func refuse(_ group: Text?, _ expected: String) {
      problems.append(ThemeFile.Problem(group: group, expected: expected))
    }
    guard app.desktop != nil else {
      if let first = settings.first { refuse("setting \(first.name)", "in a file with a group [desktop]") }
      return
    }
    app.desktop?.settings = settings
    if settings.isEmpty { refuse("desktop", "in a file with a group [setting NAME]") }
    for other in settings.filter(\.isScheme).dropFirst() {
      refuse("setting \(other.name)", "an ordinary setting, because another one has kind=scheme")
    }
  }

  private var placeholders: Set<Text> {
    let own: Set<Text> = app.programs.isEmpty ? ["file"] : ["file", "program"]
    return app.values.values.reduce(AppVariables.names.subtracting(AppVariables.foreignTexts).union(own)) {
      $0.union($1.keys)
    }
  }

  /// Reports two groups that would write the same file, and overwrite each other.
  private mutating func checkTargets() {
    var writers: [AppPath: App.Write] = [:]
    for write in app.writes {
      guard let other = writers.updateValue(write, forKey: write.file) else { continue }
      guard write.versions.isAll || other.versions.isAll else { continue }
      let group: Text = write.name.isEmpty ? "write" : "write \(write.name)"
      problems.append(
        ThemeFile.Problem(
          group: group, key: "file", value: write.file.written,
          expected: "another file than that of [\(other.name.isEmpty ? "write" : "write \(other.name)")]"))
    }
  }

  /// Groups for some versions only need a command that finds out the version.
  private mutating func checkVersions() {
    guard app.versionCommand.isEmpty, app.dependsOnVersion else { return }
    problems.append(ThemeFile.Problem(group: "app", lacks: "version-command=…, because another group has versions="))
  }
}

extension AppPath {
  /// Whether a line between two comments breaks a file of this name.
  fileprivate var hasNoComments: Bool {
    [".json", ".jsonc", ".json5", ".xml", ".plist"].contains { written.hasSuffix($0) }
  }
}
