internal import Glibc
internal import ThemeApps
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

extension Job {
  /// Does the job, on the thread of a run.
  func perform(_ run: Run) -> Outcome {
    switch self {
    case .app(let recipe, let shown, let young):
      let app = AppRun(recipe, shown, run)
      return young.isEmpty ? app.perform() : app.tell(young)
    case .terminals(let recipe, let shown, let onlyNew):
      guard let terminal = recipe.app.terminal else { return Outcome() }
      var outcome = Outcome()
      let app = AppRun(recipe, shown, run)
      guard app.isMeant("terminal", &outcome), app.isMeant(terminal.versions, "terminal", &outcome) else {
        return outcome
      }
      let palette = shown.variables(recipe.fallback).palette
      // The emulator opens a terminal first, and its program takes it a moment later.
      if onlyNew { _ = run.pause(Limits.terminalPause) }
      let fade = TerminalFade(to: shown.state, at: monotonicMilliseconds())
      return TerminalColoring(sequences: terminal.sequences, app: recipe.app.name, run: run)
        .color(palette, fade, of: terminal.processes, onlyNew: onlyNew)
    case .takeBack(let recipe):
      guard let terminal = recipe.app.terminal else { return Outcome() }
      return TerminalColoring(sequences: terminal.sequences, app: recipe.app.name, run: run)
        .takeBack(from: terminal.processes)
    case .hook(let hook, let shown): return hook.perform(shown, run)
    case .desktop(let job): return DesktopRun(job, run).perform()
    }
  }
}

/// A run of an app: it writes the files, and then, if all are right, notifies the programs.
private struct AppRun {
  private let recipe: Recipe
  private let shown: Shown
  private let run: Run

  init(_ recipe: Recipe, _ shown: Shown, _ run: Run) {
    self.recipe = recipe
    self.shown = shown
    self.run = run
  }

  func perform() -> Outcome {
    var outcome = Outcome()
    guard isMeant("app", &outcome) else { return outcome }
    var files: [Text] = []
    var others: [App.Write] = []
    for write in recipe.app.writes {
      let name: Text = write.name.isEmpty ? "write" : "write \(write.name)"
      guard isMeant(write.versions, name, &outcome) else {
        others.append(write)
        continue
      }
      do throws(Fault) {
        let content = try render(write.template, system: write.system, write.escape)
        let target = try target(of: write)
        let differed = try target.write(content)
        files.append(Text(target.path))
        outcome.add(name, differed ? .done : .unchanged, Text(target.path).shown(atMost: 300))
      } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
      if run.isEnded { return outcome }
    }
    for setup in recipe.app.setups where setup.versions.contains(version) {
      guard let template = setup.template else { continue }
      let name: Text = setup.name.isEmpty ? "setup" : "setup \(setup.name)"
      do throws(Fault) {
        let content = try render(template)
        let (path, differed) = try UserBlock(setup, of: recipe.app.name, in: run.places).fill(with: content)
        outcome.add(name, differed ? .done : .unchanged, path.shown(atMost: 300))
      } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
      if run.isEnded { return outcome }
    }
    // Until all is written, the program may still need a file of its other version.
    guard outcome.problem == nil else { return outcome }
    others.forEach(removeLeft)
    for reload in recipe.app.reloads where !run.isEnded { tell(reload, files.first, [], &outcome) }
    return outcome
  }

  private func target(of write: App.Write) throws(Fault) -> Target {
    let mark = write.comment.map { TargetMark(app: recipe.app.name, comment: $0) }
    return Target(path: try run.places.path(write.file), mark: mark, places: run.places)
  }

  /// Removes a file that was written for another version of the program, since it would be outdated, and might hide the
  /// file for this version.
  private func removeLeft(_ write: App.Write) {
    guard version != nil, let target = try? target(of: write) else { return }
    let isAnothers = recipe.app.writes.contains { other in
      other.versions.contains(version) && (try? run.places.path(other.file)).map { Text($0) } == Text(target.path)
    }
    if !isAnothers, target.remove() {
      run.log("removed \(Text(target.path).shown(atMost: 300)), which is only for versions \(write.versions)")
    }
  }

  /// Whether the app is for the installed version, or the version is unknown; records it if not.
  func isMeant(_ name: Text, _ outcome: inout Outcome) -> Bool {
    let versions = recipe.app.versions
    guard !versions.isAll, !recipe.app.isFor(version) else { return true }
    outcome.add(name, .skipped, "only for versions \(versions)")
    return false
  }

  /// Whether a group is for the installed version; records it if not.
  func isMeant(_ range: VersionRange, _ name: Text, _ outcome: inout Outcome) -> Bool {
    guard !range.isAll, !range.contains(version) else { return true }
    outcome.add(name, .skipped, "only for versions \(range)")
    return false
  }

  private var version: Version? {
    run.versions.version(of: recipe.app.programs, toldBy: recipe.app.versionCommand, run)
  }

  /// The values for templates and actions; the user's choice of a theme comes before that of the theme.
  private var variables: AppVariables.Shown {
    var known = shown.variables(recipe.fallback)
    if let name = recipe.names[known.scheme] { known.values[recipe.app.name] = name }
    return known
  }

  private func render(
    _ template: Text, system: PaletteSystem = .base24, _ escape: Template.Escape = .none
  ) throws(Fault) -> [UInt8] {
    var known = variables
    // A state does not tell it, and few templates ask.
    if known.author == nil, case .template(let source)? = source(of: template),
      source.mentions.contains(where: { $0.name == "scheme-author" })
    {
      known.author = Self.author(ofTheme: known.theme)
    }
    return try render(template, AppVariables(known, for: recipe.app, system: system), escape)
  }

  /// The author in a theme's file; nil if the theme is not installed here.
  private static func author(ofTheme name: Text) -> Text? {
    guard let path = ThemeDirectories(data: BaseDirectory.data).path(of: name),
      let bytes = try? readFile(path, maximum: 256 << 10), let file = try? KeyFile(strict: bytes)
    else { return nil }
    return try? ThemeFile(name: name, file).theme.author
  }

  /// The template, or the user's own files if it is that of the main file.
  private func source(of template: Text) -> Recipe.Source? {
    if let own = recipe.own, recipe.app.mainTemplate(for: version) == template { return own }
    return recipe.templates[template]
  }

  private func render(
    _ name: Text, _ variables: AppVariables, _ escape: Template.Escape
  ) throws(Fault) -> [UInt8] {
    let advice = "correct it; 'themectl app check' shows the errors"
    switch source(of: name) {
    case .template(let template)?:
      do throws(Template.Problem) { return try template.render(variables, escape: escape) } catch {
        throw Fault("template \(name.shown(atMost: 200)): \(error)", advice)
      }
    case .own(let contents)?: return contents[shown.state.scheme] ?? []
    case .missing(let problem)?: throw Fault(problem.text, problem.advice)
    case .unusable(let problem)?: throw Fault("template \(name.shown(atMost: 200)): \(problem)", advice)
    case nil: throw Fault("template \(name.shown(atMost: 200)) is missing", advice)
    }
  }

  /// Notifies the processes that were too young before.
  func tell(_ young: Set<ProcessIdentity>) -> Outcome {
    var outcome = Outcome()
    guard isMeant("app", &outcome) else { return outcome }
    for reload in recipe.app.reloads where !run.isEnded {
      if case .signal = reload.action { tell(reload, nil, young, &outcome) }
    }
    return outcome
  }

  private func tell(_ reload: App.Reload, _ file: Text?, _ young: Set<ProcessIdentity>, _ outcome: inout Outcome) {
    let name: Text = reload.name.isEmpty ? "reload" : "reload \(reload.name)"
    guard isMeant(reload.versions, name, &outcome) else { return }
    if case .signal(let signal) = reload.action {
      return Signals.tell(signal, reload.processes, meant: young, run, name, &outcome)
    }
    if !reload.processes.isEmpty, !Process.isThere(running: reload.processes, home: run.environment["HOME"]) {
      let names = reload.processes.map { $0.shown(atMost: 64) }.joined(separator: " or ")
      return outcome.add(name, .left, "\(names) is not running")
    }
    let variables = AppVariables(
      variables, for: recipe.app, file: file,
      program: run.environment.first(of: recipe.app.programs))
    do throws(Fault) {
      switch reload.action {
      case .signal: break
      case .command(let words, let seconds):
        let words = words.map { variables.filling($0) }
        // What one that has done well says would stand in the log at each change.
        let end = try Command(words: words, time: seconds * 1000, isToldOnFailure: true).perform(run).end
        if let problem = end.problem(words[0].shown(atMost: 200), seconds: seconds) {
          // At a login, the display comes later than themed-apply.
          let hasDisplay = run.environment["DISPLAY"] != nil || run.environment["WAYLAND_DISPLAY"] != nil
          outcome.fail(name, problem, mendsItself: !hasDisplay)
        } else {
          outcome.add(name, .done)
        }
      case .call(let call): BusCalls.make(call, { variables.filling($0) }, run, name, &outcome)
      case .touch(let path): try touch(try run.places.path(path), name, &outcome)
      case .tmux(let path): TmuxServers.read(try run.places.path(path), run, name, &outcome)
      case .ipc(let kind, .words(let words)):
        WindowManagers.tell(kind, [variables.filling(words)], run, name, &outcome)
      case .ipc(let kind, .template(let template)):
        let lines = try render(template, variables, .none).split(separator: 0x0A).map { Text(decoding: $0) }
        // A comment may be indented: a window manager would take what stands in it as commands.
        let commands = lines.filter { $0.utf8.first { $0 > 0x20 } != UInt8(ascii: "#") }
        WindowManagers.tell(kind, commands, run, name, &outcome)
      }
    } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
  }

  /// Changes the modification time of a file, and closes it after opening it for writing, for programs that watch for that.
  private func touch(_ path: String, _ name: Text, _ outcome: inout Outcome) throws(Fault) {
    let shown = Text(path).shown(atMost: 300)
    let raw = unsafe open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard raw >= 0 else {
      let code = errno
      if code == ENOENT { return outcome.add(name, .left, "\(shown) does not exist") }
      throw Fault("cannot touch \(shown): \(SystemError.text(code))", "make it writable: 'chmod u+w \(shown)'")
    }
    let file = FileDescriptor(owning: raw)
    guard isRegularFile(path) == true else {
      throw Fault("\(shown) is not a regular file", "name another file in the app file")
    }
    guard futimens(file.raw, nil) == 0 else {
      throw Fault("cannot touch \(shown): \(SystemError.text(errno))", "see 'ls -l \(shown)'")
    }
    outcome.add(name, .done, shown)
  }
}

extension Hook {
  /// Starts the hook and waits for its end.
  fileprivate func perform(_ shown: Shown, _ run: Run) -> Outcome {
    let scheme = Text(shown.state.scheme.rawValue)
    let command = Command(
      words: [path] + (takesScheme ? [scheme] : []),
      variables: ["THEMED_SCHEME": scheme, "THEMED_THEME": shown.theme, "THEMED_CAUSE": shown.cause],
      input: Array(shown.state.json.utf8) + [0x0A], time: seconds * 1000)
    var outcome = Outcome()
    do throws(Fault) {
      let end = try command.perform(run).end
      if let problem = end.problem(path.shown(atMost: 300), seconds: seconds) {
        outcome.fail("run", problem)
      } else {
        outcome.add("run", .done)
      }
    } catch { outcome.fail("run", error.problem, mendsItself: error.mendsItself) }
    return outcome
  }
}
