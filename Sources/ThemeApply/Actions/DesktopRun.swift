internal import Glibc
internal import ThemeApps
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// A run of the desktop's settings: it reads them all, remembers, and writes those that differ.
struct DesktopRun: Sendable {
  /// A setting of an app file that is used.
  private struct Item: Sendable {
    let app: Text
    let setting: App.DesktopSetting
  }

  private let job: DesktopJob
  private let run: Run
  private let store: DesktopStore
  private let access: SettingAccess

  init(_ job: DesktopJob, _ run: Run) {
    self.job = job
    self.run = run
    store = run.desktops
    access = SettingAccess(run: run)
  }

  func perform() -> Outcome {
    var outcome = Outcome()
    outcome.desktop = DesktopReport(keepsMemory: true)
    do throws(Fault) {
      var memories = try store.memories(run)
      // The loss was reported when the desktop was left.
      if job.isInStep, memories.desktops.isEmpty, store.isLossReported { store.forgetLoss() }
      if !job.isInStep, job.target == nil, memories.desktops.isEmpty {
        tellLoss(&outcome)
        return outcome
      }
      let used = used(memories)
      let left = left(used, memories)
      if job.isInStep {
        for recipe in used { memories.adopt(recipe, from: job.recipes) }
        let programs = used.flatMap { $0.shown(on: names).desktop.settings.flatMap(\.processes) }
        run.programs?.follow(programs.compactMap { run.environment.file(ofProgram: $0) })
        // Leaving restores the other settings, too: they may have been written on another desktop.
        let shown = used.map { $0.shown(on: names) }
        let completed = shown.map { complete($0, memories.desktops[$0.app.name]) }
        let followed = completed.map(\.recipe)
        try follow(followed, &memories, &outcome)
        for (recipe, (_, faults)) in zip(shown, completed) {
          for (name, fault) in faults {
            outcome.fail("\(recipe.app.name) \(name)", fault.problem, mendsItself: fault.mendsItself)
            let changed = recipe.desktop.settings.filter { $0.name == name }.flatMap(\.changed)
            outcome.desktop?.signals.formUnion(changed)
          }
        }
        outcome.comesAgain = followed.flatMap(\.programs.values).map(\.startsFor).filter { $0 > 0 }.max()
      } else {
        run.programs?.follow([])
      }
      try leave(left, &memories, &outcome)
      outcome.desktop?.keepsMemory = !memories.desktops.isEmpty
      if !job.isInStep, memories.desktops.isEmpty { tellLoss(&outcome) }
    } catch {
      outcome.fail("memory", error.problem, mendsItself: error.mendsItself)
      report(error.problem)
    }
    return outcome
  }

  /// Tells that not everything could be restored, as long as this process runs.
  private func tellLoss(_ outcome: inout Outcome) {
    outcome.desktop?.keepsMemory = store.lost != nil
    guard let fault = store.lost else { return }
    outcome.fail("memory", fault.problem)
    store.lossWasReported()
  }

  // MARK: The app files

  /// The names of the desktop that runs.
  private var names: [Text] { (run.environment["XDG_CURRENT_DESKTOP"] ?? "").split(":", omittingEmpty: true) }

  /// Whether the desktop whose settings are remembered does not run yet.
  ///
  /// At a login, themed-apply is there before the desktop. The app files for every desktop must not take its place.
  private func isEarly(_ memories: DesktopMemories) -> Bool {
    let session: [Text] = ["XDG_CURRENT_DESKTOP", "WAYLAND_DISPLAY", "DISPLAY"]
    return session.allSatisfy { run.environment[$0] == nil }
      && job.recipes.contains {
        !$0.desktop.isFallback && !$0.isByName && memories.desktops[$0.app.name] != nil
      }
  }

  /// The app files that are used on the desktop that runs.
  private func used(_ memories: DesktopMemories) -> [DesktopRecipe] {
    let names = names
    let own = job.recipes.filter { $0.desktop.isFor(names) }
    let fitting = own.isEmpty && !isEarly(memories) ? job.recipes.filter(\.desktop.isFallback) : own
    return job.recipes.filter { fitting.contains($0) || $0.isByName }
  }

  /// The app files whose settings get back what was there before.
  ///
  /// Those of another desktop wait until that desktop runs, unless they are for every desktop.
  private func left(_ used: [DesktopRecipe], _ memories: DesktopMemories) -> [DesktopRecipe] {
    guard job.isInStep else {
      return used
        + job.recipes.filter {
          $0.desktop.isFallback && !used.contains($0) && memories.desktops[$0.app.name] != nil
        }
    }
    return job.recipes.filter { recipe in
      !used.contains(recipe) && memories.desktops[recipe.app.name]?.isByName == true
    }
  }

  /// The same with the settings of programs that run, and with those of every screen, also if it is only remembered.
  ///
  /// Also returns why remembered settings with `each` cannot be handled now, such as those of a shell that restarts.
  private func complete(
    _ recipe: DesktopRecipe, _ memory: DesktopMemory?
  ) -> (recipe: DesktopRecipe, faults: [(name: Text, fault: Fault)]) {
    var desktop = recipe.desktop
    var faults: [(name: Text, fault: Fault)] = []
    var families: Set<Text> = []
    var programs: [Text: DesktopDecision.Program] = [:]
    desktop.settings = recipe.desktop.settings.flatMap { setting -> [App.DesktopSetting] in
      guard setting.otherProcesses.isEmpty || !isThere(running: setting.otherProcesses) else { return [] }
      if !setting.processes.isEmpty {
        guard let process = youngest(running: setting.processes) else { return [] }
        programs[setting.name] = DesktopDecision.Program(
          process: "\(Self.boot) \(process.start)", startsFor: max(0, Limits.programStart - process.age))
      }
      guard setting.each != nil else { return [setting] }
      let kept = (memory?.settings.keys.sorted() ?? []).compactMap { $0.dropping(prefix: "\(setting.name) ") }
        .filter(\.canBePartOfWord).prefix(Limits.settingInstances).map { setting.instance($0) }
      do throws(Fault) {
        let there = try access.instances(of: setting)
        families.insert(setting.name)
        return there + kept.filter { !there.contains($0) }
      } catch {
        // Nothing tells their values, and a missing value would count as the user's choice.
        let isStarting = programs[setting.name].map { $0.startsFor > 0 } ?? false
        let wasWritten = kept.contains { memory?.settings[$0.name]?.wasWritten == true }
        if !error.isHarmless, !isStarting, wasWritten {
          faults.append((setting.name, error))
        }
        return []
      }
    }
    let whole = DesktopRecipe(
      app: recipe.app, desktop: desktop, isByName: recipe.isByName, families: families, programs: programs)
    return (whole, faults)
  }

  /// The number of this boot, at which the start times of processes begin again.
  private static let boot = Text(
    decoding: ((try? readFile("/proc/sys/kernel/random/boot_id", maximum: 64)) ?? []).trimming { $0 <= 0x20 })

  // MARK: Keeping in step

  private func follow(
    _ recipes: [DesktopRecipe], _ memories: inout DesktopMemories, _ outcome: inout Outcome
  ) throws(Fault) {
    outcome.desktop?.apps = recipes.map(\.app.name)
    outcome.desktop?.signals = Set(recipes.flatMap { $0.desktop.settings.flatMap(\.changed) })
    if isEarly(memories), !recipes.contains(where: { $0.desktop.schemeSetting != nil }) {
      // Nothing tells that the desktop has come, so another run looks. A target waits for it, too.
      return outcome.fail("scheme", Self.noDesktopYet, mendsItself: true)
    }
    guard !recipes.isEmpty else {
      if job.target != nil { report(Self.noAppFile(names)) }
      return
    }
    let look = look
    var readings = read(recipes.flatMap { items(of: $0, on: look.side) })
    let defaults = defaults(recipes, memories, readings)
    var decisions: [Text: DesktopDecision] = [:]
    for recipe in recipes {
      let name = recipe.app.name
      let time = recipe.desktop.settle + Limits.desktopQuiet + Limits.desktopWritten
      decisions[name] = DesktopDecision(
        recipe.desktop, look, preferences: job.target?.preferences ?? [], memory: memories.desktops[name],
        values: readings.values[name] ?? [:], defaults: defaults[name] ?? [:],
        families: recipe.families, programs: recipe.programs,
        isSettling: recipe.desktop.settle > 0 && store.wasSwitched(name, within: time, now: monotonicMilliseconds()),
        isExplicit: isExplicit(recipe))
    }
    // The daemon shows the other side first, and asks for the desktop's a moment later: then a newer run begins.
    let patience = monotonicMilliseconds() + Limits.desktopTarget
    while decisions.values.contains(where: \.awaitsTarget), monotonicMilliseconds() < patience {
      guard !run.isSuperseded, run.pause(Limits.desktopLook) else { return }
    }
    guard !run.isSuperseded else { return }
    for (name, fault) in readings.unusable.sorted(by: { $0.key[1] < $1.key[1] }) where !fault.isHarmless {
      // That of the scheme is told where it would be written.
      let isScheme = recipes.contains { $0.app.name == name[0] && $0.desktop.schemeSetting?.name == name[1] }
      if !isScheme { outcome.fail("\(name[0]) \(name[1])", fault.problem, mendsItself: fault.mendsItself) }
    }

    // Everything is remembered before anything is written.
    var schemes: [(item: Item, value: SettingValue)] = []
    var others: [(item: Item, value: SettingValue)] = []
    for recipe in recipes {
      guard var decision = decisions[recipe.app.name] else { continue }
      if decision.isSwitch { store.switched(recipe.app.name, at: monotonicMilliseconds()) }
      var writing: [Text: SettingValue] = [:]
      if let scheme = recipe.desktop.schemeSetting, let value = decision.wantedScheme,
        readings.unusable[[recipe.app.name, scheme.name]] == nil
      {
        schemes.append((Item(app: recipe.app.name, setting: scheme), .text(value)))
        writing[scheme.name] = .text(value)
      }
      for (item, value) in wanted(recipe, decision, readings) {
        others.append((item, value))
        writing[item.setting.name] = value
      }
      decision.remember(writing: writing)
      decisions[recipe.app.name] = decision
      memories.desktops[recipe.app.name] = decision.memory
      memories.desktops[recipe.app.name]?.isByName = recipe.isByName
      if job.asked != .unavailable { memories.desktops[recipe.app.name]?.asked = job.asked }
    }
    try store.save(memories)
    guard !run.isSuperseded else { return }

    let settle = recipes.map(\.desktop.settle).max() ?? 0
    // Where the desktop changes nothing by itself, everything turns at once, or with a pause between scheme and theme.
    let (first, rest) = settle == 0 ? (others, []) : ([], others)
    let longest = settle == 0 ? recipes.map(\.desktop.pause).max() ?? 0 : 0
    // An earlier run may have written the scheme a moment ago.
    let pause = schemes.isEmpty ? store.pause(longest, now: monotonicMilliseconds()) : longest
    let themes = pause > 0 ? first.filter(\.item.setting.isPartOfSwitch) : []
    let atOnce = pause > 0 ? first.filter { !$0.item.setting.isPartOfSwitch } : first
    var parts: [Part] = []
    if look.side == .light, !themes.isEmpty {
      parts.append(write(themes, readings))
      guard schemes.isEmpty || self.pause(pause) else { return }
    }
    parts += concurrently([true, false]) { [schemes, readings] isScheme in
      isScheme ? writeSchemes(schemes, recipes, readings, settle) : write(atOnce, readings)
    }
    if !schemes.isEmpty { store.schemeWasWritten(at: monotonicMilliseconds()) }
    if look.side == .dark, !themes.isEmpty {
      guard self.pause(pause) else { return }
      parts.append(write(themes, readings))
    }
    for part in parts { outcome.add(part.outcome) }
    let writtenAt = monotonicMilliseconds()
    var failed = parts.flatMap(\.failed)
    guard !run.isSuperseded else { return }
    others = rest
    if settle > 0, !schemes.isEmpty {
      // The scheme's command may have changed other settings.
      let again = read(recipes.flatMap { items(of: $0, on: look.side) }.filter { !$0.setting.isScheme })
      readings.unusable.merge(again.unusable) { $1 }
      others = []
      for recipe in recipes {
        guard var decision = decisions[recipe.app.name] else { continue }
        decision.take(again: again.values[recipe.app.name] ?? [:])
        let wanted = wanted(recipe, decision, readings)
        decision.remember(writing: Dictionary(wanted.map { ($0.item.setting.name, $0.value) }) { $1 })
        decisions[recipe.app.name] = decision
        others += wanted
        memories.desktops[recipe.app.name]?.settings = decision.memory.settings
      }
      try store.save(memories)
    }
    let last = write(others, readings)
    outcome.add(last.outcome)
    failed += last.failed
    if settle > 0, job.target != nil, !parts.contains(where: \.hasReported) {
      guard self.pause(writtenAt + settle - monotonicMilliseconds()) else { return }
      report(nil)
    }
    guard !run.isSuperseded else { return }

    let there = read((schemes + first + others).map(\.item).filter { $0.setting.canBeRead })
    let unread = readings.unusable.merging(there.unusable) { $1 }.keys
    for recipe in recipes {
      let name = recipe.app.name
      guard var decision = decisions[name] else { continue }
      let left = failed.filter { $0.app == name }.map(\.setting.name) + unread.filter { $0[0] == name }.map { $0[1] }
      decision.finish(there.values[name] ?? [:], failed: Set(left))
      memories.desktops[name]?.settings = decision.memory.settings
      for setting in recipe.desktop.settings {
        guard let memory = decision.memory.settings[setting.name] else { continue }
        outcome.desktop?.rows.append(DesktopReport.Row(app: name, name: setting.name, memory: memory))
      }
    }
    try store.save(memories)
    guard let picture = recipes.lazy.compactMap({ decisions[$0.app.name]?.newPicture }).first else {
      return store.forgetFailedPicture()
    }
    // A newer run makes the theme itself.
    if !run.isSuperseded { remakeTheme(of: picture, &outcome) }
  }

  /// Makes this side of a theme that follows the wallpaper from the new wallpaper, after everything else.
  private func remakeTheme(of picture: Text, _ outcome: inout Outcome) {
    let look = look
    let name: Text = "theme \(look.theme)"
    let attempt = DesktopStore.PictureAttempt(
      theme: look.theme, side: look.side, picture: picture, file: FileIdentity(of: picture.string))
    // Each run would decode a damaged picture again.
    if let problem = store.problem(of: attempt) { return outcome.fail(name, problem) }
    let words: [Text] = [
      "themectl", "theme", "new", look.theme, "--\(look.side.rawValue)", picture, "--follow-wallpaper", "--force",
    ]
    do throws(Fault) {
      let (end, _) = try Command(words: words, time: Limits.pictureTime * 1000).perform(run)
      guard var problem = end.problem("themectl theme new", seconds: Limits.pictureTime) else {
        store.forgetFailedPicture()
        return outcome.add(name, .done, "made from \(picture.shown(atMost: 300))")
      }
      if case .tookTooLong = end {
        problem = Problem(text: problem.text, advice: "choose a smaller picture as the wallpaper")
      } else if case .exited = end {
        problem = Problem(
          text: problem.text,
          advice: "\(problem.advice); to try again, choose another wallpaper and then this one")
      }
      outcome.fail(name, problem)
      if case .ended = end { return }
      store.failed(attempt, problem)
    } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
  }

  /// Waits so many milliseconds; returns whether this run still counts then.
  private func pause(_ time: Int) -> Bool {
    let end = monotonicMilliseconds() + time
    while !run.isSuperseded, monotonicMilliseconds() < end {
      guard run.pause(Limits.desktopLook) else { return false }
    }
    return !run.isSuperseded
  }

  /// Whether a program runs that takes no preference for the side before.
  private func isExplicit(_ recipe: DesktopRecipe) -> Bool {
    let programs = recipe.desktop.schemeSetting?.explicitFor ?? []
    return !programs.isEmpty && isThere(running: programs)
  }

  private func isThere(running programs: [Text]) -> Bool { youngest(running: programs) != nil }

  private func youngest(running programs: [Text]) -> ProcessStat? {
    Process.youngest(running: programs, home: run.environment["HOME"])
  }

  private var look: DesktopDecision.Look {
    let details = job.shown.state.resolution.theme?.details
    return DesktopDecision.Look(
      side: job.isInStep ? job.target?.scheme ?? job.shown.state.scheme : job.shown.state.scheme,
      theme: job.shown.theme, values: details?.values ?? [:], assets: details?.assets ?? [:])
  }

  private func items(of recipe: DesktopRecipe, on side: ColorScheme?) -> [Item] {
    recipe.desktop.settings.filter { setting in side.map { setting.isActive(on: $0) } ?? true }
      .map { Item(app: recipe.app.name, setting: $0) }
  }

  /// Whether settings that are read for the first time have the desktop's default.
  private func defaults(
    _ recipes: [DesktopRecipe], _ memories: DesktopMemories, _ readings: Readings
  ) -> [Text: [Text: Bool]] {
    let new = recipes.flatMap { items(of: $0, on: nil) }.filter { item in
      item.setting.own != nil && readings.values[item.app]?[item.setting.name] != nil
        && memories.desktops[item.app]?.settings[item.setting.name]?.original == nil
    }
    let access = access
    let results = concurrently(new) { access.isDefault($0.setting) }
    return zip(new, results).reduce(into: [:]) { $0[$1.0.app, default: [:]][$1.0.setting.name] = $1.1 }
  }

  /// The ordinary settings to write.
  private func wanted(
    _ recipe: DesktopRecipe, _ decision: DesktopDecision, _ readings: Readings
  ) -> [(item: Item, value: SettingValue)] {
    items(of: recipe, on: decision.look.side).compactMap { item in
      guard readings.unusable[[item.app, item.setting.name]] == nil else { return nil }
      let value = decision.wanted(item.setting, writesAgain: !store.isWritten(item.app, item.setting.name)) { name in
        access.isInstalled(name, item.setting)
      }
      return value.map { (item, $0) }
    }
  }

  // MARK: The scheme

  /// Writes the scheme's settings, looks whether they took it, and reports that if it is over with it.
  private func writeSchemes(
    _ schemes: [(item: Item, value: SettingValue)], _ recipes: [DesktopRecipe], _ readings: Readings, _ settle: Int
  ) -> Part {
    var part = Part()
    guard job.target != nil else { return part }
    var problems: [Problem] = []
    for recipe in recipes {
      guard let scheme = recipe.desktop.schemeSetting, let fault = readings.unusable[[recipe.app.name, scheme.name]]
      else { continue }
      part.outcome.fail("\(recipe.app.name) \(scheme.name)", fault.problem, mendsItself: fault.mendsItself)
      problems.append(fault.problem)
    }
    if !recipes.contains(where: { $0.desktop.schemeSetting != nil }) {
      let problem = Self.noAppFile(names)
      part.outcome.fail("scheme", problem)
      problems.append(problem)
    }
    let results = concurrently(schemes.map { ($0.item, $0.value) }) { item, value in
      access.write(value, to: item.setting, checkingFor: settle + Limits.desktopWritten)
    }
    for ((item, value), fault) in zip(schemes, results) {
      let name: Text = "\(item.app) \(item.setting.name)"
      if let fault {
        part.failed.append(item)
        part.outcome.fail(name, fault.problem, mendsItself: true)
        problems.append(fault.problem)
      } else {
        part.outcome.add(name, .done, value.words)
      }
    }
    part.hasReported = settle == 0 || !problems.isEmpty
    if part.hasReported { report(problems.first) }
    return part
  }

  /// Tells the daemon that the target is written, or why not.
  private func report(_ problem: Problem?) {
    guard let target = job.target, !run.isEnded else { return }
    do throws(CallError) {
      var daemon = try ThemeConnection(timeout: .milliseconds(Limits.dutyReport))
      try daemon.call(
        .reportDesktopTarget(number: target.number, problem: problem.map { "\($0.text); \($0.advice)" }))
    } catch { run.log("cannot tell themed about the desktop: \(error)") }
  }

  private static let noDesktopYet = Problem(
    text: "the desktop does not run yet",
    advice: "if it does, type in it: systemctl --user import-environment XDG_CURRENT_DESKTOP DISPLAY WAYLAND_DISPLAY")

  private static func noAppFile(_ names: [Text]) -> Problem {
    let desktop = names.isEmpty ? "this desktop" : names.map { $0.shown(atMost: 80) }.joined(separator: ":")
    return Problem(
      text: "no app file has the setting from which \(desktop) reports light and dark",
      advice: "see themed.app(5) for how to write one")
  }

  // MARK: Reading and writing

  /// The outcome of writing a part of the settings.
  private struct Part: Sendable {
    var outcome = Outcome()
    var failed: [Item] = []
    /// Whether the daemon knows what became of its target.
    var hasReported = false
  }

  /// The values that were read, and why others could not be read.
  private struct Readings: Sendable {
    var values: [Text: [Text: SettingValue]] = [:]
    var unusable: [[Text]: Fault] = [:]
  }

  private func read(_ items: [Item]) -> Readings {
    let access = access
    let results = concurrently(items) { access.read($0.setting) }
    var readings = Readings()
    for (item, result) in zip(items, results) {
      switch result {
      case .value(let value): readings.values[item.app, default: [:]][item.setting.name] = value
      case .unreadable: break
      case .unusable(let fault): readings.unusable[[item.app, item.setting.name]] = fault
      }
    }
    return readings
  }

  /// Writes settings at the same time.
  private func write(_ all: [(item: Item, value: SettingValue)], _ readings: Readings) -> Part {
    var part = Part()
    let results = concurrently(all.map { ($0.item, $0.value) }) { item, value in access.write(value, to: item.setting) }
    for ((item, value), fault) in zip(all, results) {
      let name: Text = "\(item.app) \(item.setting.name)"
      if let fault {
        part.failed.append(item)
        // A setting that is not there, such as one of a program that is not installed, is no problem.
        if readings.values[item.app]?[item.setting.name] == .unset {
          part.outcome.add(name, .left, fault.problem.text)
        } else {
          part.outcome.fail(name, fault.problem, mendsItself: true)
        }
      } else {
        if item.setting.read == nil { store.wrote(item.app, item.setting.name) }
        if value == .unset, !access.canReset(item.setting) {
          part.outcome.add(name, .left, "it had no value, and cannot be reset")
        } else {
          part.outcome.add(name, .done, value.words)
        }
      }
    }
    return part
  }

  // MARK: Leaving

  /// Gives settings back what was there before.
  private func leave(
    _ recipes: [DesktopRecipe], _ memories: inout DesktopMemories, _ outcome: inout Outcome
  ) throws(Fault) {
    var isReported = job.isInStep || job.target == nil
    for left in recipes {
      let name = left.app.name
      let kept = memories.desktops[name]
      guard kept != nil || !isReported else { continue }
      let (recipe, unlisted) = complete(left, kept)
      let readings = read(items(of: recipe, on: nil))
      var look = look
      look.side = kept?.side ?? look.side
      if let kept { look.theme = kept.theme }
      // What was chosen by hand until now was chosen for the side that is left.
      let before = look
      var preferences = job.isInStep ? [] : job.target?.preferences ?? []
      if let target = job.target { look.side = target.scheme }
      if !job.isInStep, job.target == nil, let asked = kept?.asked, hasOurScheme(recipe, kept, readings) {
        // The daemon gave up the desktop while nobody could write: it gets back what it asked for then.
        preferences = [asked]
        look.side = asked == .dark ? .dark : .light
      }
      var decision = DesktopDecision(
        recipe.desktop, before, preferences: preferences, memory: kept, values: readings.values[name] ?? [:],
        takesAll: true)
      decision.look.side = look.side
      // What another app file keeps in step stays as it is.
      let inStep = job.isInStep ? used(memories).flatMap(\.desktop.settings) : []
      let own = recipe.desktop.settings.filter { setting in !inStep.contains { $0.isSame(as: setting) } }
      let values = kept == nil ? [:] : DesktopDecision.leaving(recipe.desktop, decision.memory, after: look.side)
      let settings = own.filter { setting in
        values[setting.name] != nil && readings.unusable[[name, setting.name]]?.isHarmless != true
      }
      let scheme = own.first(where: \.isScheme)
      let current = scheme.flatMap { readings.values[name]?[$0.name] }
      let turns = scheme.flatMap { $0.side(of: current) } == look.side.opposite
      let pause = turns && recipe.desktop.settle == 0 ? recipe.desktop.pause : 0
      var faults: [Fault] = []

      // The same order as when the desktop is kept in step.
      let first = pause > 0 && look.side == .light ? settings.filter(\.isPartOfSwitch) : []
      faults += giveBack(first, of: name, values, decision, readings, &outcome)
      if !first.isEmpty { _ = self.pause(pause) }
      if let scheme {
        let wanted = decision.wantedScheme.map { SettingValue.text($0) } ?? current
        if let fault = readings.unusable[[name, scheme.name]], decision.wantedScheme != nil { faults.append(fault) }
        if faults.isEmpty, let wanted, wanted != current || kept?.settings[scheme.name]?.wasWritten == true {
          // The default of the desktop is not written, but restored.
          let original = kept?.settings[scheme.name]
          let isKnown = original?.wasDefault != nil
          let isDefault =
            wanted == original?.original && isKnown
            ? original?.wasDefault : wanted.text == scheme.values[.none] && !isKnown ? nil : false
          if wanted.text == scheme.values[.none], scheme.side(of: current) == .dark, isExplicit(recipe),
            let light = scheme.values[.light]
          {
            if let fault = access.write(.text(light), to: scheme) { faults.append(fault) }
            // The portal has to report light before the desktop has no preference again.
            _ = self.pause(Limits.desktopWritten)
          }
          if let fault = access.restore(wanted, to: scheme, isDefault: isDefault) { faults.append(fault) }
        }
        if !isReported {
          isReported = true
          report(faults.first?.problem)
        }
        if pause > 0, first.isEmpty { _ = self.pause(pause) }
      }
      faults += giveBack(settings.filter { !first.contains($0) }, of: name, values, decision, readings, &outcome)
      if let fault = faults.first {
        outcome.fail("\(name) restore", fault.problem, mendsItself: true)
      } else {
        memories.forget(recipe, among: job.isInStep ? [] : job.recipes)
      }
      if faults.isEmpty, let fault = unlisted.first?.fault, var rest = kept {
        // Everything else has been restored.
        rest.settings = rest.settings.filter { name, _ in unlisted.contains { name.hasPrefix("\($0.name) ") } }
        memories.desktops[name] = rest
        outcome.fail("\(name) restore", fault.problem, mendsItself: true)
      }
    }
    if !isReported { report(Self.noAppFile(names)) }
    try store.save(memories)
  }

  /// Restores these settings at the same time; returns why some could not be restored.
  private func giveBack(
    _ settings: [App.DesktopSetting], of name: Text, _ values: [Text: SettingValue], _ decision: DesktopDecision,
    _ readings: Readings, _ outcome: inout Outcome
  ) -> [Fault] {
    let (access, remembered) = (access, decision.memory.settings)
    let results = concurrently(settings.map { ($0, values[$0.name] ?? .unset) }) { setting, value in
      access.restore(value, to: setting, isDefault: remembered[setting.name]?.isDefault(value))
    }
    var faults: [Fault] = []
    for (setting, fault) in zip(settings, results) {
      if let fault, readings.values[name]?[setting.name] == .unset || fault.isHarmless {
        // Its screen or its program is gone.
        outcome.add("\(name) \(setting.name)", .left, fault.problem.text)
      } else if fault != nil, let file = values[setting.name]?.missingFile {
        outcome.add("\(name) \(setting.name)", .left, "\(file.shown(atMost: 300)) is gone")
      } else if let fault {
        faults.append(fault)
      } else if values[setting.name] == .unset, !access.canReset(setting) {
        outcome.add("\(name) \(setting.name)", .left, "it had no value, and cannot be reset")
      } else {
        outcome.add("\(name) \(setting.name)", .done, "restored \((values[setting.name] ?? .unset).words)")
      }
    }
    return faults
  }
}

extension DesktopRun {
  /// Whether the scheme's setting still has the value that was written or seen last.
  private func hasOurScheme(_ recipe: DesktopRecipe, _ memory: DesktopMemory?, _ readings: Readings) -> Bool {
    guard let scheme = recipe.desktop.schemeSetting, let kept = memory?.settings[scheme.name], kept.wasWritten,
      let value = readings.values[recipe.app.name]?[scheme.name]
    else { return false }
    return kept.knows(value)
  }
}

extension SettingMemory {
  /// Whether a value is the desktop's default; nil if that is not known.
  fileprivate func isDefault(_ value: SettingValue) -> Bool? { value == original ? wasDefault : false }
}

extension SettingValue {
  /// The value for the log.
  var words: String { text.map { $0.shown(atMost: 200) } ?? "the default" }

  /// The file that the value names, such as a wallpaper, if it is missing.
  fileprivate var missingFile: Text? {
    path.flatMap { FileIdentity(of: $0.string) == nil ? $0 : nil }
  }
}
