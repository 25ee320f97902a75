internal import Glibc
internal import ThemeApps
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// Reads what is enabled and returns what to watch, on a thread, because a file may be on a disk that hangs.
struct SetupReader: Sendable {
  /// The result of reading.
  struct Reading: Sendable {
    var setup = Setup()
    /// The hooks that had finished in an earlier session, by the state that was shown, without those for each login.
    var finished: [Text: UInt64] = [:]
    /// When reading began, in milliseconds on the monotonic clock.
    let begin = monotonicMilliseconds()
    /// Warnings for the log.
    var warnings: [String] = []
    /// The files that the user edits, as they were read.
    var saved: [Text: SavedFiles.Saved] = [:]
    /// The files on which it depends, whether they are there or not.
    var paths: [Text] = []
    /// The directories whose contents count.
    var directories: [Text] = []
    /// The watches for these files and directories.
    var ways = FileWatch.Ways()
    /// Whether something could not be read because descriptors or memory had run out.
    var isShort = false
  }

  let places: Places

  /// Reads everything, after watching it with `watch`.
  func read(_ watch: FileWatch?, before: FileWatch.Ways) -> Reading {
    var reading = content()
    guard let watch else { return reading }
    // What is watched now was read before: what has changed between is read again.
    for _ in 0..<8 {
      let ways = watch.watch(reading.paths, contentsOf: reading.directories)
      let again = content()
      let isSame = again.paths == reading.paths && again.directories == reading.directories
      reading = again
      reading.ways = ways
      if isSame { break }
    }
    let stale = Set(before.names.keys).subtracting(reading.ways.names.keys)
    watch.unwatch(Array(stale))
    return reading
  }

  private func content() -> Reading {
    var reading = Reading()
    guard let configuration = places.directories.configuration else { return reading }
    let settings = settings(configuration, &reading)
    let file = EnabledApps.path(configuration: configuration)
    let apps = AppSearchPath(
      configuration: configuration, data: BaseDirectory.data.map { Text($0) }, override: places["THEMED_APPS"])
    var names: [Text] = []
    switch read(file, maximum: EnabledApps.maximumSize, &reading) {
    case .bytes(let bytes): names = EnabledApps(bytes).names
    case .absent: break
    case .unreadable(let reason):
      let path = file.shown(atMost: 300)
      reading.setup.unknown = Problem(
        text: "cannot read \(path): \(reason); using the last good version", advice: "see 'ls -l \(path)'")
    }
    if names.count > Limits.apps {
      reading.warnings.append("themed-apply handles only the first \(Limits.apps) apps in \(file.shown(atMost: 300))")
    }
    let fallback = names.isEmpty ? Theme(name: "default") : fallback(&reading)
    for name in names.prefix(Limits.apps) { add(name, apps, fallback, settings.looks[name], &reading) }
    addDesktops(apps, &reading)
    addHooks(configuration, settings, &reading)
    let finished = places.directories.state.flatMap {
      try? readFile(FinishedHooks.path(state: $0), maximum: FinishedHooks.maximumSize)
    }
    let forEachLogin = Set(reading.setup.hooks.filter(\.isForEachLogin).map(\.name))
    reading.finished = FinishedHooks.reading(finished ?? []).filter { !forEachLogin.contains($0.key) }
    return reading
  }

  // MARK: Apps

  private func add(
    _ name: Text, _ apps: AppSearchPath, _ fallback: Theme, _ look: OwnLook?, _ reading: inout Reading
  ) {
    func refuse(_ text: String, _ advice: String) {
      let problem = Problem(text: text, advice: advice)
      reading.setup.unusable.append(Setup.Unusable(name: name, problem: problem))
    }
    let path: Text
    let bytes: [UInt8]
    switch first(of: apps.paths(ofApp: name), AppFile.maximumSize, &reading) {
    case (let there, .bytes(let read))?: (path, bytes) = (there, read)
    case (let there, .unreadable(let reason))?:
      return refuse(
        "cannot read \(there.shown(atMost: 300)): \(reason)", "see 'ls -l \(there.shown(atMost: 300))'")
    case (_, .absent)?, nil:
      return refuse(
        "no app file for '\(name.shown())'", "see 'themectl app list', or run 'themectl app disable \(name.shown())'")
    }
    let file = AppFile(name: name, bytes)
    guard var app = file.app else {
      let errors = file.remarks.filter(\.isError)
      let first = errors.first { $0.line != nil } ?? errors.first
      let place = "\(path.shown(atMost: 300))\(first?.line.map { ":\($0)" } ?? "")"
      return refuse(
        "\(place): \(first?.text ?? "the file is invalid")",
        "correct it: 'themectl app check \(path.shown(atMost: 300))'")
    }
    if let desktop = app.desktop {
      reading.setup.desktops.append(DesktopRecipe(app: app, desktop: desktop, isByName: true))
    }
    // A plugin subscribes for itself, and the desktop has a lane of its own.
    guard app.hasActions || app.setups.isEmpty && app.desktop == nil else { return }
    var templates: [Text: Recipe.Source] = [:]
    for template in app.templates {
      templates[template] = source(of: template, apps.paths(ofTemplate: template), &reading)
    }
    var (names, own): ([ColorScheme: Text], Recipe.Source?) = ([:], nil)
    if let look, look.isFiles {
      // Sequences would put the theme's colours over those of the user's file.
      app.terminal = nil
      own = source(of: look, for: name, &reading)
    } else if let look {
      for scheme in ColorScheme.allCases { names[scheme] = look[scheme] }
    }
    reading.setup.recipes.append(Recipe(app: app, templates: templates, fallback: fallback, names: names, own: own))
  }

  /// Adds the app files for desktops, which do not have to be enabled; the user's own come first.
  private func addDesktops(_ apps: AppSearchPath, _ reading: inout Reading) {
    var seen = Set(reading.setup.desktops.map(\.app.name))
    for directory in apps.appDirectories {
      reading.directories.append(directory)
      for file in names(inDirectory: directory.string) {
        guard let name = App.name(ofFile: file), seen.insert(name).inserted else { continue }
        let path: Text = "\(directory)/\(file)"
        guard let bytes = try? readFile(path.string, maximum: AppFile.maximumSize),
          bytes.holds("[desktop]".utf8)
        else { continue }
        // From now on an error in it is told, and a change of it counts.
        _ = read(path, maximum: AppFile.maximumSize, &reading)
        let parsed = AppFile(name: name, bytes)
        if let app = parsed.app {
          if let desktop = app.desktop { reading.setup.desktops.append(DesktopRecipe(app: app, desktop: desktop)) }
        } else {
          reading.setup.brokenDesktops.insert(name)
          if reading.setup.unusable.contains(where: { $0.name == name }) { continue }
          let first = parsed.remarks.first(where: \.isError)
          reading.warnings.append(
            "\(path.shown(atMost: 300))\(first?.line.map { ":\($0)" } ?? ""): \(first?.text ?? "the file is invalid")")
        }
      }
    }
    reading.setup.desktops.sort { $0.app.name < $1.app.name }
  }

  /// The contents of the user's own files.
  private func source(of look: OwnLook, for app: Text, _ reading: inout Reading) -> Recipe.Source {
    var contents: [ColorScheme: [UInt8]] = [:]
    for scheme in ColorScheme.allCases {
      let path = AppPath(look[scheme])?.resolved(in: places.directories) ?? look[scheme]
      let reason: String
      switch read(path, maximum: Template.maximumSize, &reading) {
      case .bytes(let bytes):
        contents[scheme] = bytes
        continue
      case .absent: reason = "it does not exist"
      case .unreadable(let text): reason = text
      }
      return .missing(
        Problem(
          text: "cannot read your file for \(scheme.rawValue), \(path.shown(atMost: 300)): \(reason)",
          advice: "name other files with 'themectl app use \(app.shown())', or give it --reset"))
    }
    return .own(contents)
  }

  private func source(of name: Text, _ paths: [Text], _ reading: inout Reading) -> Recipe.Source {
    switch first(of: paths, Template.maximumSize, &reading) {
    case (let path, .bytes(let bytes))?:
      do throws(Template.Problem) { return .template(try Template(parsing: bytes)) } catch {
        return .unusable("\(path.shown(atMost: 300)): \(error)")
      }
    case (let path, .unreadable(let reason))?:
      return .unusable("cannot read \(path.shown(atMost: 300)): \(reason)")
    case (_, .absent)?, nil:
      return .unusable(
        "not found in \(paths.map { Text(parent(of: $0.string)).shown(atMost: 200) }.joined(separator: ", "))")
    }
  }

  /// The theme to use if none is chosen.
  private func fallback(_ reading: inout Reading) -> Theme {
    let name: Text = "default"
    let paths = ThemeDirectories(data: BaseDirectory.data).paths(of: name).map { Text($0) }
    guard case (_, .bytes(let bytes))? = first(of: paths, 256 << 10, &reading),
      let file = try? KeyFile(strict: bytes),
      let theme = try? ThemeFile(name: name, file).theme
    else { return Theme(name: name) }
    return theme
  }

  /// The content of a path.
  enum Content {
    case bytes([UInt8])
    case absent
    /// The file exists, but cannot be read.
    case unreadable(String)
  }

  /// The first of these files that exists.
  private func first(of paths: [Text], _ maximum: Int, _ reading: inout Reading) -> (path: Text, content: Content)? {
    for path in paths {
      let content = read(path, maximum: maximum, &reading)
      if case .absent = content { continue }
      return (path, content)
    }
    return nil
  }

  /// Reads a file, and records that the setup depends on it.
  func read(_ path: Text, maximum: Int, _ reading: inout Reading) -> Content {
    if !reading.paths.contains(path) { reading.paths.append(path) }
    do throws(SystemError) {
      let bytes = try readFile(path.string, maximum: maximum)
      // Of a link the number is the link's own, which nobody edits.
      if let file = FileNumber(of: path.string), !path.hasSuffix(".mustache") {
        reading.saved[path] = SavedFiles.Saved(file: file, born: birth(of: path.string), size: bytes.count)
      }
      return .bytes(bytes)
    } catch {
      if error.isTemporary { reading.isShort = true }
      let isAbsent = error.code == ENOENT || error.code == ENOTDIR
      return isAbsent ? .absent : .unreadable(SystemError.text(error.code))
    }
  }
}

extension SetupReader {
  /// The settings in `themed.conf`; if they have a mistake, the last good ones stay, as with the daemon.
  private func settings(_ configuration: Text, _ reading: inout Reading) -> ApplySettings {
    let path: Text = "\(configuration)/\(Configuration.name)"
    let problem: String
    switch read(path, maximum: Configuration.Limits.file, &reading) {
    case .bytes(let bytes):
      do throws(ApplySettings.Mistake) { return try ApplySettings.read(bytes, at: path) } catch {
        problem = Text(error.description).shown(atMost: 600)
      }
    case .absent: return ApplySettings()
    case .unreadable(let reason): problem = "cannot read \(path.shown(atMost: 300)): \(reason)"
    }
    reading.setup.hasUnknownSettings = true
    reading.warnings.append("\(problem); using the last good version")
    return ApplySettings()
  }

  /// Adds the hooks.
  func addHooks(_ configuration: Text, _ settings: ApplySettings, _ reading: inout Reading) {
    add("", in: [hookDirectory(configuration: configuration)], settings, &reading)
    guard settings.runsDarkman else { return }
    let data = BaseDirectory.data.map { Text($0) }
    add("darkman/", in: data.map { "\($0)/darkman" }, settings, &reading)
    for scheme in ColorScheme.allCases {
      let name: Text = "\(scheme.rawValue)-mode.d"
      add("\(name)/", in: data.map { "\($0)/\(name)" }, settings, takesScheme: false, scheme: scheme, &reading)
    }
  }

  /// Adds the hooks of directories; if several have a hook of one name, the first counts.
  private func add(
    _ prefix: Text, in directories: [Text], _ settings: ApplySettings, takesScheme: Bool = true,
    scheme: ColorScheme? = nil, _ reading: inout Reading
  ) {
    var seen: Set<Text> = []
    for directory in directories {
      var closed: [Text] = []
      defer { if let warning = Self.warning(of: closed, in: directory) { reading.warnings.append(warning) } }
      reading.directories.append(directory)
      for file in hooks(in: directory, &reading) where isHookName(file) && seen.insert(file).inserted {
        let path: Text = "\(directory)/\(file)"
        // Changed in its place, or made executable.
        guard isRegularFile(path.string) == true else { continue }
        guard isExecutableFile(path.string) else {
          closed.append(file)
          continue
        }
        guard reading.setup.hooks.count < Limits.hooks else {
          return reading.warnings.append(
            "themed-apply starts only \(Limits.hooks) hooks; ignoring \(path.shown(atMost: 300))")
        }
        reading.setup.hooks.append(
          Hook(
            name: "\(prefix)\(file)", path: path, takesScheme: takesScheme, scheme: scheme, seconds: settings.timeout))
      }
    }
  }

  /// One warning for all files of a directory that are not executable; nil if there are none.
  static func warning(of files: [Text], in directory: Text) -> String? {
    let place = directory.shown(atMost: 300)
    guard files.count > 1 else {
      return files.first.map {
        "\(place)/\($0.shown()) is not executable, so it is not run as a hook; make it executable with 'chmod +x'"
      }
    }
    let names = files.prefix(4).map { $0.shown() }.joined(separator: ", ") + (files.count > 4 ? ", …" : "")
    return "\(files.count) files in \(place) are not executable, so they are not run as hooks (\(names)); make them "
      + "executable with 'chmod +x', or move them elsewhere"
  }

  /// The names in a directory; if it cannot be listed, its hooks stay.
  private func hooks(in directory: Text, _ reading: inout Reading) -> [Text] {
    let raw = unsafe open(directory.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if raw >= 0 {
      close(raw)
      return names(inDirectory: directory.string)
    }
    let code = errno
    if code == ENOENT || code == ENOTDIR { return [] }
    if SystemError("listing", code).isTemporary { reading.isShort = true }
    reading.setup.hasUnknownSettings = true
    reading.warnings.append(
      "cannot list \(directory.shown(atMost: 300)): \(SystemError.text(code)); keeping its hooks as they were")
    return []
  }
}
