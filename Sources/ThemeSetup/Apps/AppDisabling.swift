import ThemeApps
import ThemedModel
package import ThemedSystem

/// Undoes what enabling an app did.
package struct AppDisabling {
  private let name: Text
  /// Gets each note at once, with the lines that belong below it.
  private let tell: (_ note: String, _ lines: [String]) -> Void

  package init(_ name: Text, note tell: @escaping (_ note: String, _ lines: [String]) -> Void) {
    (self.name, self.tell) = (name, tell)
  }

  private func note(_ words: String) { tell(words, []) }

  /// The apps that are enabled, and those whose disabling was interrupted, which still have a record.
  package static var known: [Text] { unique(EnabledList.names + EnabledRecord.names) }

  /// An app that is no longer on the list, as far as it is known.
  private struct Removed {
    /// The app as its app file was when the app was enabled, and as it is now.
    let apps: [App]
    let before: EnabledRecord.Before
    /// Whether the line in one of the user's files is the user's own, and stays.
    let hasOwnLine: Bool
    /// When it was removed from the list, on the monotonic clock; nil if it was not on it.
    let time: Int?
    /// Whether there was anything to undo: it was on the list, had a record, or had lines in the user's files.
    let wasEnabled: Bool
  }

  /// Disables the app, and returns the sentence about that.
  package func perform() throws -> String {
    let examination = AppPlaces().examination(of: name)
    let record = EnabledRecord(name)
    // themed-apply writes the user's own files only between the comments, so they can be restored without waiting for it.
    let removed = try EnabledList.locked { _ in try removeOwn(record, examination?.app) }
    guard let app = removed.apps.last else {
      throw Refusal(
        "'\(name)' is disabled, but its lines stay in your files, since its app file is missing or invalid: remove the "
          + "lines between the comments 'themed: \(name) …' by hand")
    }
    switch ApplyService.awaitRelease(of: name, since: removed.time) {
    case .whole: break
    case .butTerminals(let how): note("note: some terminals keep the colours of '\(name)' for now: \(how)")
    case .none(let how):
      throw Refusal(
        "themed-apply may still write the files of '\(name)' (\(how)): run this again in a minute, or run "
          + "'themectl doctor'")
    }
    try EnabledList.locked { _ in try removeLate(removed) }
    let problems = try EnabledList.locked { _ in
      // A file of the user's own, to which only a line was added, is already restored.
      let own = Set(removed.apps.flatMap(\.setups).flatMap { $0.places(in: AppPlaces.directories) })
      let targets = unique(removed.apps.flatMap(\.writes)).compactMap { AppTarget($0, of: name) }
        .filter { $0.owner == .themed || !own.contains(Text($0.path)) }
      guard !removed.hasOwnLine else {
        for target in targets where target.owner == .themed {
          note("note: \(Text(target.path).belowHome) stays too, since your own file may include it")
        }
        return [String]()
      }
      return targets.compactMap(remove)
    }
    guard problems.isEmpty else { throw Refusal(reasons: problems) }
    // Where the app was not enabled, its command would reset what the user has set.
    if removed.wasEnabled, let undo = app.undo { try run(undo, of: app) }
    if OwnLook.chosen(for: name) != nil {
      do { try OwnLook.choosing(nil, for: name).perform() } catch {
        // The choice means nothing while the app is disabled, so everything else is undone all the same.
        tell("\(error)", (error as? Refusal)?.lines ?? [])
        note("note: themed.conf keeps your own files or themes for '\(name)', for when you enable the app again")
      }
    }
    try EnabledList.locked { _ in StopSignals.held { record.forget(removed.before, beside: removed.apps) } }
    return "\(printable(app.title)) is \(removed.wasEnabled ? "disabled" : "not enabled")"
  }

  /// Removes the app from the list and its lines from the user's files: either all of that, or nothing.
  ///
  /// This comes before everything else, because a program may not start if its own file includes a missing file. The
  /// list is written last, so that an app whose lines are still there counts as enabled.
  private func removeOwn(_ record: EnabledRecord, _ file: App?) throws -> Removed {
    var list = try EnabledList()
    removeAbandonedFiles(beside: list.path)
    var (changes, notes, hasOwnLine, problems) = (FileChanges(), [String](), false, [Text]())
    do {
      let apps = [try record.app(name), file].compactMap(\.self)
      let before = try record.before()
      // The lines are removed in reverse order.
      for setup in unique(apps.flatMap(\.setups)).reversed() {
        for place in setup.places(in: AppPlaces.directories) {
          // A killed command may have left temporary files.
          removeAbandonedFiles(beside: (try? destination(of: place.string)) ?? place.string)
        }
        do throws(Refusal) {
          for file in try UserFile.changed(setup, of: name, before, after: changes) {
            guard try file.remove(before, in: &changes) else { continue }
            let title = apps.last?.title ?? name
            notes.append("note: \(title) rewrote \(file.shown) without themed's comments; your own lines are restored")
          }
          let file = try UserFile(setup, of: name, after: changes)
          // If another of the app's groups has written the line, it is removed with that group.
          guard file.isSetUp, !file.isMarkedByApp else { continue }
          notes.append("note: the line in \(file.shown) is your own and stays: \(file.setup.lines)")
          hasOwnLine = true
        } catch { problems.append(Text(error.description)) }
      }
      guard problems.isEmpty else {
        throw Refusal(
          reasons: unique(problems).map(\.string) + ["'\(name)' stays enabled, and nothing was changed"])
      }
      for (path, content) in before.files.sorted(by: { $0.key < $1.key })
      where content != nil && FileIdentity(of: path.string) == nil {
        // Such as a link to a disk that is not there. Its comments are enough to undo it later.
        notes.append(
          "note: \(path.belowHome) is missing, and had themed's line; if it comes back, run "
            + "'themectl app disable \(name.asWord)' again")
      }
      let wasListed = list.apps.names.contains(name)
      let wasEnabled = wasListed || record.exists || !changes.isEmpty
      list.set(name, isEnabled: false, before, in: &changes)
      try changes.carryOut()
      for line in notes { note(line) }
      let time = wasListed ? monotonicMilliseconds() : nil
      return Removed(apps: apps, before: before, hasOwnLine: hasOwnLine, time: time, wasEnabled: wasEnabled)
    } catch let error as SystemError {
      throw Refusal("\(name): \(Refusal(error))")
    }
  }

  /// Removes a block that themed-apply was just writing when it was removed.
  private func removeLate(_ removed: Removed) throws {
    var changes = FileChanges()
    for setup in unique(removed.apps.flatMap(\.setups)) where setup.template != nil {
      for file in try UserFile.changed(setup, of: name, removed.before, after: changes) {
        try file.remove(removed.before, in: &changes)
      }
    }
    try changes.carryOut()
  }

  /// Runs the command under `[disable]` if the program is installed.
  private func run(_ undo: App.Undo, of app: App) throws(Refusal) {
    guard let program = app.programs.isEmpty ? "" : app.installedProgramName else { return }
    let words = undo.words(program: program).map(\.string)
    let result = Program.run(words, atMost: undo.timeout)
    guard result?.status == 0 else {
      let end =
        switch result {
        case nil: "cannot be started"
        case let result? where result.tookTooLong: "took too long"
        case let result?: "failed with exit status \(result.status)"
        }
      let command = words.map { Text($0).asWord }.joined(separator: " ")
      throw Refusal("'\(command)' \(end): run it yourself, or run this again")
    }
    for line in result?.lines ?? [] where !line.isEmpty { note("note: \(line)") }
  }

  /// Removes a file that themed-apply wrote for the app; returns why that failed.
  private func remove(_ target: AppTarget) -> String? {
    switch target.owner {
    case .nobody: return nil
    case .other(let reason):
      note("note: \(target.path) stays, since \(reason)")
      return nil
    case .themed:
      do throws(SystemError) {
        try target.remove()
        return nil
      } catch { return "\(error)\(Refusal.advice(error, isWhole: false))" }
    }
  }
}
