import Glibc
import ThemeApps
import ThemedInterface
package import ThemedSystem
import ThemedVarlink

/// The record of files that belong to no single app, from before the first change: themed.conf, the links that start
/// units, and the directories above them and above themed's own state.
///
/// Only `themectl setup --undo` and `portal disable` use it.
package enum SetupRecord {
  private static var state: String? { BaseDirectory.state.map { "\($0)/themed" } }
  private static var path: String? { state.map { "\($0)/setup.before" } }
  private static var unitDirectory: String? { BaseDirectory.configuration.map { "\($0)/systemd/user" } }

  package static var before: EnabledRecord.Before {
    EnabledRecord.Before(path.flatMap { try? readFile($0, maximum: 64 << 20) } ?? [])
  }

  /// The usual themed.conf and its content before the first change, which is nil if it was missing; nil without a record.
  package static var configuration: (path: String, before: [UInt8]?)? {
    guard let path = Configuration.usualPath, let content = before.files[Text(path)] else { return nil }
    return (path, content)
  }

  /// Whether undoing has to leave the desktop alone; not if the user wrote in-step=yes before the first change.
  static var leavesDesktop: Bool {
    guard let (_, before) = configuration else {
      return ApplyStatus.remembersDesktop && !ConfigChange.keepsDesktopInStep
    }
    let isOwn = (try? ConfigEdit(before ?? []))?.value(.desktopInStep) == "yes"
    return !isOwn && (ApplyStatus.remembersDesktop || ConfigChange.keepsDesktopInStep)
  }

  /// Records files that are about to change, unless an earlier change has recorded them, and the missing directories.
  ///
  /// A failure does not keep the change from being made: it only leaves more for the user to remove.
  ///
  /// - Parameter areNew: Whether the files have just been created.
  package static func note(_ files: [Text], areNew: Bool = false) {
    guard let path, let unitDirectory else { return }
    let old = before
    var new = old
    for file in files where new.files[file] == nil {
      new.files[file] = .some(areNew ? nil : try? readFile(file.string, maximum: 1 << 20))
    }
    let places = files.map(\.string) + [path, "\(unitDirectory)/"]
    new.directories.formUnion(places.flatMap { missingDirectories(above: $0) }.map { Text($0) })
    // Those that were made for an app have to outlive its record.
    let ofApps = EnabledRecord.all.flatMap(\.directories)
    new.directories.formUnion(ofApps.filter { directory in places.contains { Text($0).hasPrefix("\(directory)/") } })
    if new != old { try? replaceFile(path, with: new.bytes) }
  }

  /// The name of the entry for the schedule, beside the paths of files.
  private static let scheduleName: Text = "[schedule]"

  /// The settings of the schedule that setup has written, by their keys, each with the value before; empty if the user
  /// has changed one of them since.
  fileprivate static var schedule: [Text: (value: Text, earlier: Text?)] {
    guard let path = Configuration.usualPath, case let content?? = before.files[scheduleName] else { return [:] }
    var written: [Text: (value: Text, earlier: Text?)] = [:]
    for line in Text(decoding: content).split("\n", omittingEmpty: true) {
      let parts = line.split("\t", maxSplits: 2)
      guard parts.count > 1 else { return [:] }
      written[parts[0]] = (parts[1], parts.count > 2 ? parts[2] : nil)
    }
    return written.allSatisfy { ConfigChange.value(.schedule($0.key), in: path) == $0.value.value } ? written : [:]
  }

  /// Records the settings of a schedule that setup is going to write, so that undoing takes them back.
  package static func noteSchedule(_ settings: [(key: ConfigKey, value: Text?)]) {
    guard let path, let file = Configuration.usualPath else { return }
    var written = schedule
    for (key, value) in settings {
      guard let value else { continue }
      let earlier = written[key.name].map(\.earlier) ?? ConfigChange.value(key, in: file)
      written[key.name] = (value, earlier)
    }
    let lines = written.sorted { $0.key < $1.key }.map { name, setting in
      ([name, setting.value] + [setting.earlier].compactMap(\.self)).joined(separator: "\t")
    }
    var new = before
    new.files[scheduleName] = Array(lines.map { "\($0)\n" }.joined().utf8)
    try? replaceFile(path, with: new.bytes)
  }

  /// The user's links that start units together with others.
  private static var links: [Text] {
    guard let unitDirectory else { return [] }
    let directories = names(inDirectory: unitDirectory).filter { $0.hasSuffix(".wants") || $0.hasSuffix(".requires") }
    return directories.flatMap { directory in
      names(inDirectory: "\(unitDirectory)/\(directory)").map { "\(unitDirectory)/\(directory)/\($0)" as Text }
    }
  }

  /// The name of the entry for a command that creates links: the units that it enables, and the links that were there.
  private static let linksName: Text = "[links]"

  /// Records the links to these units that `body` creates.
  ///
  /// If this process is ended meanwhile, the links that were there before are known, and so what was created.
  static func notingLinks<Value>(to units: [Text], _ body: () -> Value) -> Value {
    note(unnotedLinks, areNew: true)
    let there = links
    setEntry(linksName, Array((units + there).map { "\($0)\n" }.joined().utf8))
    defer {
      note(links.filter { !there.contains($0) }, areNew: true)
      setEntry(linksName, nil)
    }
    return body()
  }

  /// The links that an interrupted command has created.
  private static var unnotedLinks: [Text] {
    guard case let content?? = before.files[linksName] else { return [] }
    let noted = Set(Text(decoding: content).split("\n", omittingEmpty: true))
    return links.filter { link in
      !noted.contains(link) && link.splitAtLast("/").map { noted.contains($0.behind) } == true
    }
  }

  private static func setEntry(_ name: Text, _ content: [UInt8]?) {
    guard let path else { return }
    removeAbandonedFiles(beside: path)
    var new = before
    new.files[name] = content.map { .some($0) }
    guard new == EnabledRecord.Before() else {
      try? replaceFile(path, with: new.bytes)
      return
    }
    unsafe unlink(path)
  }

  /// The units that themectl has enabled, and that are still enabled.
  package static var units: [Text] {
    let made = before.files
    let own = links.filter { made[$0] == .some(nil) } + unnotedLinks
    return unique(own.compactMap { $0.splitAtLast("/")?.behind })
  }

  /// Whether the user has overrides, which the daemon keeps.
  static var hasOverrides: Bool {
    guard let state, let bytes = try? readFile("\(state)/overrides.json", maximum: 1 << 20) else { return false }
    guard case .object(let file)? = try? JSON(parsing: bytes) else { return true }
    return file["overrides"] != .array([]) || file["toggled"] != nil
  }

  /// Removes the record, the state of programs that no longer run unless the user still has overrides, and those of these
  /// directories that are empty.
  package static func forget(_ directories: Set<Text>, isStopped: Bool) {
    guard let path, let state else { return }
    removeAbandonedFiles(beside: path)
    unsafe unlink(path)
    if isStopped, !hasOverrides, directories.contains(Text(state)) {
      for name in ["overrides.json", "overrides.json.lock", "desktop.json", "apply.files", "hooks.done"] {
        unsafe unlink("\(state)/\(name)")
      }
    }
    for directory in directories.sorted(by: >) { unsafe rmdir(directory.string) }
  }

  /// Removes the record if every file in it is as it was before, for example after themed-apply finished a failed undo.
  package static func forgetIfRestored() {
    let record = before
    let isRestored = record.files.allSatisfy { path, content in
      path == scheduleName || path == linksName || content == (try? readFile(path.string, maximum: 1 << 20))
    }
    if isRestored { forget(record.directories, isStopped: false) }
  }
}

extension SetupPlan {
  /// The plan of `themectl setup --undo`: everything that themectl has changed and that is still so.
  ///
  /// The services come last, because the steps before need them.
  package static func undoing() -> SetupPlan {
    var plan = SetupPlan()
    let leavesDesktop = SetupRecord.leavesDesktop
    if leavesDesktop { plan.steps.append(.leaveDesktop) }
    for name in AppDisabling.known {
      let record = EnabledRecord(name)
      let files = ((try? record.before())?.files ?? [:]).filter { $0.key.splitAtLast("/")?.behind != "apps.enabled" }
      let lines = files.sorted { $0.key < $1.key }.map { path, content in
        "\(content == nil ? "removes" : "restores") \(path.belowHome)" as Text
      }
      plan.steps.append(.disable(name, title: (try? record.app(name))?.title ?? name, lines: lines))
    }
    if PortalSetup.isUndoNeeded { plan.steps.append(.leavePortal) }
    do {
      let change = try ConfigChange.undoing()
      // The step that leaves the desktop alone writes into the file, too.
      if change != nil || leavesDesktop {
        plan.steps.append(.restoreConfiguration(change.map { Text($0.plan) } ?? "themed.conf stays as it is"))
      }
    } catch {
      plan.problems.append(error as? Refusal ?? Refusal("\(error)"))
      // Not everything is undone before this step succeeds.
      plan.steps.append(.restoreConfiguration("themed.conf becomes as it was before"))
    }
    let units = SetupRecord.units.filter { $0 != PortalChainFacts.unit }
    if !units.isEmpty { plan.steps.append(.stop(units)) }
    if SetupRecord.hasOverrides {
      plan.left.append(Note(title: "your overrides", words: "they stay; 'themectl overrides' lists them"))
    }
    if ConfigChange.hasSchedule == true, SetupRecord.schedule.isEmpty {
      plan.left.append(Note(title: "your schedule", words: "it stays; 'themectl schedule off' switches it off"))
    }
    return plan
  }
}

extension ConfigChange {
  /// The change that takes back what `themectl setup`, `desktop enable` and `desktop disable` wrote; nil if nothing has
  /// to change.
  package static func undoing() throws -> ConfigChange? {
    guard let (path, before) = SetupRecord.configuration, before != (try? ConfigChange.read(path)) else { return nil }
    let inStep = try? ConfigEdit(before ?? []).value(.desktopInStep)
    let earlier = SetupRecord.schedule.sorted { $0.key < $1.key }.map {
      (key: ConfigKey.schedule($0.key), value: $0.value.earlier)
    }
    let change = try ConfigChange(
      restoring: [(key: .desktopInStep, value: inStep ?? nil)] + earlier, from: before, in: path)
    return change.isNeeded ? change : nil
  }
}
