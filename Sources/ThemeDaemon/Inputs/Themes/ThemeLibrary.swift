internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// The chosen themes, which are read completely, and again whenever their files change; other themes are not kept.
final class ThemeLibrary {
  /// Receives changes of the chosen themes' files, after they were read.
  weak var events: (any EventReceiver)?

  private let directories: ThemeDirectories
  private let files: FileReader
  private let log: Log
  private var chosen: Set<Text> = []
  /// The chosen themes that are still being read for the caller that chose them together.
  private var choosing: Set<Text> = []
  /// How many callers are asking for each theme right now.
  private var asked: [Text: Int] = [:]
  private var known: [Text: Known] = [:]

  /// The library's knowledge of a theme that is chosen or asked for.
  private struct Known: Equatable {
    /// The last valid content of its file; empty if there is no such file or it never was valid.
    var last = LastGood<ThemeDirectories.Found>()
    /// The file that was read last.
    var path: Text?
    /// The fault that the last read found.
    var fault: ThemeDirectories.Fault?
  }

  init(_ directories: ThemeDirectories, files: FileReader, log: Log) {
    (self.directories, self.files, self.log) = (directories, files, log)
  }

  /// Whether any file hangs, of a theme or not.
  var isHanging: Bool { files.isHanging }

  /// Whether these have been read.
  func areKnown(_ names: Set<Text>) -> Bool { names.allSatisfy { known[$0]?.last.content != nil } }

  /// The sides that can be shown, of the themes that are chosen or asked for.
  var table: ThemeTable { ThemeTable(known.compactMapValues { $0.last.content?.sides }) }

  /// The files of the chosen themes, and what is wrong with them.
  var diagnostics: [Diagnostics.File] {
    known.filter { chosen.contains($0.key) }.sorted { $0.key < $1.key }
      .map {
        Diagnostics.File(
          path: $0.value.path?.string, problem: $0.value.last.problem ?? files.trouble(of: .theme($0.key)))
      }
  }

  /// Why a chosen theme cannot be read or watched, if that is so.
  var trouble: String? { chosen.sorted().lazy.compactMap { self.files.trouble(of: .theme($0)) }.first }

  /// The problem of a theme that was not read because all threads hang in other files.
  private static let notRead = "it was not read in time; another file may hang"

  // MARK: Choosing and asking

  /// Keeps exactly the themes of these names, and calls back when new ones have been read or do not respond.
  ///
  /// With `together`, no change of them is reported before that.
  func choose(_ names: Set<Text>, together: Bool = false, _ completion: @escaping () -> Void = {}) {
    let new = names.subtracting(chosen)
    chosen = names
    if together { choosing.formUnion(new) }
    // Nothing was logged about a theme that was only asked for before.
    for name in new.sorted() {
      if let known = known[name], known.last.isRead { tell(known, Known()) }
    }
    read(new) { [unowned self] in
      choosing.subtract(new)
      completion()
    }
  }

  /// Reads these themes unless they are known; they stay known until `completion` returns.
  func read(_ names: Set<Text>, _ completion: @escaping () -> Void) {
    for name in names { asked[name, default: 0] += 1 }
    for name in names { follow(name) }
    let missing = names.filter { known[$0]?.last.content == nil && Theme.isValidName($0) }
    var count = missing.count
    let finish = { [unowned self] in
      completion()
      for name in names { asked[name] = asked[name].flatMap { $0 > 1 ? $0 - 1 : nil } }
      prune()
    }
    guard count > 0 else { return finish() }
    for name in missing {
      files.read(.theme(name)) {
        count -= 1
        if count == 0 { finish() }
      }
    }
  }

  /// The last valid version of a theme that is chosen or asked for; nil if no theme of this name is installed.
  func theme(_ name: Text) throws(ThemeDirectories.Fault) -> InstalledTheme? {
    guard Theme.isValidName(name) else { return nil }
    let known = known[name] ?? Known()
    let last = known.last
    if let found = last.content { return InstalledTheme(theme: found.theme, path: found.path, problem: last.problem) }
    if let fault = known.fault { throw fault }
    guard last.isRead else {
      let path = Text(directories.paths(of: name).first ?? "")
      throw .init(path: path, problem: files.trouble(of: .theme(name)) ?? Self.notRead)
    }
    return nil
  }

  private func follow(_ name: Text) {
    guard known[name] == nil else { return }
    guard Theme.isValidName(name) else { return wasRead(.success(nil), name) }
    known[name] = Known()
    files.follow(.theme(name), directories.paths(of: name)) { [directories] progress in
      Result { () throws(ThemeDirectories.Fault) in try directories.read(name, progress.note) }
    } alsoOf: { read in
      // The theme changes when an image appears or disappears.
      (try? read.get())?.images ?? []
    } isShort: { read in
      if case .failure(let fault) = read { fault.isTemporary } else { false }
    } use: { [unowned self] in
      wasRead($0, name)
    }
  }

  private func prune() {
    for name in known.keys where !chosen.contains(name) && asked[name] == nil {
      known[name] = nil
      files.forget(.theme(name))
    }
  }

  // MARK: Results

  private func wasRead(_ read: Result<ThemeDirectories.Found?, ThemeDirectories.Fault>, _ name: Text) {
    let before = known[name] ?? Known()
    var now = before
    now.fault = nil
    switch read {
    case .success(let found?):
      now.path = found.path
      now.last.wasRead(.right(found, unknown: found.unknown, missing: found.missing))
    case .success(nil):
      now.path = nil
      now.last.wasRead(.gone("the chosen theme '\(name)' is not installed"))
    case .failure(let fault):
      (now.path, now.fault) = (fault.path, fault)
      now.last.wasRead(.wrong(fault.description))
    }
    known[name] = now
    guard chosen.contains(name) else { return }
    tell(now, before)
    if !choosing.contains(name), now != before {
      events?.send(.themes(table, cause: "theme file changed: \(name)"))
    }
  }

  private func tell(_ now: Known, _ before: Known) {
    let news = now.last.news(since: before.last)
    if let problem = news.problem {
      let end = now.last.content == nil ? "; the theme is not shown" : "; its last valid version stays in force"
      log.warning("\(problem)\(now.last.isWrong ? end : "")")
    }
    let path = now.path?.string ?? ""
    for text in news.unknown { log.warning("\(path): \(text); ignoring it") }
    if news.unnamed > 0 { log.warning("\(path): ignoring more unknown keys: \(news.unnamed)") }
  }
}
