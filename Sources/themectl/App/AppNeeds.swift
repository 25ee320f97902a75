import ThemeApps
import ThemedSystem

/// The needs of an app to be enabled on this machine: the missing lines in the user's files, and any obstacle.
struct AppNeeds {
  /// The lines that the user's files need and do not have yet.
  private(set) var lines: [Text] = []
  /// Why the app cannot be enabled, or a line cannot be written; nil if nothing is in the way.
  private(set) var obstacle: Text?
  /// A setting of the user's own that overrides ours, so that ours has no effect; nil if none is known.
  private(set) var hidden: OwnSetting?
  /// Why a line in a file of the user's never runs; nil if every line runs or is missing.
  private(set) var idle: String?
  /// Whether some of this depends on the version, and the version is unknown.
  private(set) var lacksVersion = false
  /// Whether the user's files need a line at all.
  private(set) var asksForLines = false

  /// Whether the user has written all of the lines without our help.
  var isSetUpByHand: Bool { asksForLines && lines.isEmpty && obstacle == nil }

  /// No needs.
  init() {}

  /// The needs of this version of a program, as its files are now.
  init(_ app: App, _ version: Version?) {
    lacksVersion = app.enablingDependsOnVersion && version == nil
    obstacle = app.foreignDesktop.map { "\($0) does not use the setting that '\(app.name)' changes" }
    if let reason = app.unknownShell(version) { obstacle = Text(reason) }
    for write in app.writes where write.versions.contains(version) {
      guard let target = AppTarget(write, of: app.name) else {
        obstacle = "cannot find \(write.file.written): the variable that it begins with is not set"
        continue
      }
      guard case .other(let reason) = target.owner else { continue }
      obstacle = """
        \(Text(target.path).belowHome) is in the way, since \(Text(reason)); move it away to make \(app.title) follow: \
        'mv \(Text(target.path).asWord) \(Text("\(target.path).old").asWord)'
        """
    }
    for setup in app.setups(for: version) {
      asksForLines = true
      do throws(UserFile.Refusal) {
        let file = try UserFile(setup, of: app.name)
        hidden = hidden ?? file.winner
        guard !file.isSetUp else { continue }
        idle = idle ?? file.idleness
        lines.append(Text(file.change))
        if let reason = file.obstacle { obstacle = Text(reason) }
      } catch { obstacle = Text("\(error)") }
    }
    hidden = hidden ?? OwnSetting(app, version)
  }
}

extension App {
  /// The lines that this version of the program needs, for the user's login shell.
  func setups(for version: Version?) -> [Setup] { setupsForShell.filter { $0.versions.contains(version) } }

  /// The lines that the program needs, for the user's login shell and any version.
  var setupsForShell: [Setup] {
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
