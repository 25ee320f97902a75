import ThemeApps
import ThemedText

/// What enabling an app comes to on this machine: what its files and those of the user need, and what is in the way.
struct AppNeeds {
  /// The lines that files of the user's have to have, and have not.
  private(set) var lines: [Text] = []
  /// Why it is not to be enabled, or a line not to be written; nil where nothing is in the way.
  private(set) var obstacle: Text?
  /// Whether some of it is for some versions only, and nobody tells the version.
  private(set) var lacksVersion = false

  /// Nothing.
  init() {}

  /// What this version of a program needs, as its files are now.
  init(_ app: App, _ version: Version?) {
    lacksVersion = app.enablingDependsOnVersion && version == nil
    for write in app.writes where write.versions.contains(version) {
      guard let target = AppTarget(write, of: app.name), case .other(let reason) = target.owner else { continue }
      obstacle = "\(Text(target.path).belowHome) is in the way, since \(Text(reason))"
    }
    for setup in app.setups where setup.versions.contains(version) {
      do throws(UserFile.Refusal) {
        let file = try UserFile(setup, of: app.name)
        guard !file.isSetUp else { continue }
        lines.append(Text(setup.change))
        if let reason = file.obstacle { obstacle = Text(reason) }
      } catch { obstacle = Text("\(error)") }
    }
  }
}
