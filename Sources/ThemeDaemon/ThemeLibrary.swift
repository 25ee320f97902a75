internal import Appearance
internal import ForeignText
internal import MainLoop
internal import ThemeInterface
internal import Themes
internal import Unix

/// The themes that are chosen, read whole and again whenever their files change; of the others nothing is kept.
final class ThemeLibrary {
  /// Called when files of chosen themes have changed, with the names of those, and have been read.
  var onChange: ([Text]) -> Void = { _ in }

  private let directories: ThemeDirectories
  private let log: Log
  private var chosen: [Text: Chosen] = [:]
  private var watch: FileWatch?
  private var watching: Source?
  private var quiet: Source?

  /// What is known of a theme that is chosen.
  private struct Chosen: Equatable {
    /// What its file said when it last was good; nil where no such file is there, or none ever was good.
    var theme: Theme?
    var path: Text?
    /// What is wrong with it.
    var problem: String?
    /// What in it means nothing.
    var unknown: [String] = []
  }

  /// A library of what lies in these directories.
  init(_ directories: ThemeDirectories, log: Log) {
    self.directories = directories
    self.log = log
  }

  /// What can be shown of the chosen themes.
  var table: ThemeTable { ThemeTable(chosen.values.compactMap(\.theme)) }

  /// The files of the chosen themes, and what is wrong with them.
  var files: [Diagnostics.File] {
    chosen.sorted { $0.key < $1.key }.map { Diagnostics.File(path: $0.value.path?.string, problem: $0.value.problem) }
  }

  /// The themes that are installed, by name; nothing of them is read.
  func list() -> [ThemeListing] { directories.list().map { ThemeListing(name: $0.name, path: $0.path) } }

  /// A theme, whether it is chosen or not: the last good version of one that is.
  func theme(_ name: Text) throws(ThemeDirectories.Fault) -> InstalledTheme? {
    if let known = chosen[name], let theme = known.theme, let path = known.path {
      return InstalledTheme(theme: theme, path: path, problem: known.problem)
    }
    return try directories.read(name).map { InstalledTheme(theme: $0.theme, path: $0.path) }
  }

  /// Keeps the themes of these names, and no others: reads those that were not chosen before.
  func choose(_ names: Set<Text>) {
    guard names != Set(chosen.keys) else { return }
    for name in chosen.keys where !names.contains(name) { chosen[name] = nil }
    let new = names.subtracting(chosen.keys)
    // First of all: what changes while it is read is to be seen.
    watchFiles(of: names)
    for name in new.sorted() { read(name) }
  }

  /// Reads the chosen themes again.
  func reload() {
    let before = chosen
    for name in chosen.keys.sorted() { read(name) }
    let changed = chosen.keys.filter { chosen[$0] != before[$0] }.sorted()
    if !changed.isEmpty { onChange(changed) }
  }

  private func read(_ name: Text) {
    let before = chosen[name] ?? Chosen()
    var now = before
    do throws(ThemeDirectories.Fault) {
      if let found = try directories.read(name) {
        now = Chosen(theme: found.theme, path: found.path, unknown: found.unknown.map { "\(found.path): \($0)" })
      } else {
        now = Chosen(problem: "the theme '\(name)' is chosen, and not installed")
      }
    } catch {
      now.path = error.path
      now.problem = "\(error)"
    }
    chosen[name] = now
    tell(now, before)
  }

  private func tell(_ now: Chosen, _ before: Chosen) {
    if let problem = now.problem, problem != before.problem {
      log.warning("\(problem); \(now.theme == nil ? "it is not shown" : "what held before stays in force")")
    }
    let unknown = now.unknown.filter { !before.unknown.contains($0) }
    for text in unknown.prefix(Limits.themeWarnings) { log.warning("\(text); it is passed over") }
    if unknown.count > Limits.themeWarnings {
      log.warning("\(now.path?.string ?? ""): and \(unknown.count - Limits.themeWarnings) more that mean nothing")
    }
  }

  // MARK: Files

  private func watchFiles(of names: Set<Text>) {
    let paths = Set(names.filter(Theme.isValidName).flatMap(directories.paths))
    guard !paths.isEmpty else {
      (watch, watching, quiet) = (nil, nil, nil)
      return
    }
    guard watch == nil else {
      watch?.paths = paths
      return
    }
    do throws(SystemError) {
      let watch = try FileWatch(paths: paths)
      self.watch = watch
      watching = try MainLoop.watch(watch.descriptor.raw, for: .readable) { [unowned self, unowned watch] _ in
        guard watch.changed() else { return }
        quiet = MainLoop.timer(afterMilliseconds: Limits.configurationQuiet) { [unowned self] in
          quiet = nil
          reload()
        }
      }
    } catch {
      log.warning("changes of themes are not seen before a reload: \(error)")
    }
  }
}
