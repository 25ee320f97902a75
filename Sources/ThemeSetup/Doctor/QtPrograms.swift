package import ThemedInterface
package import ThemedSystem

/// The Qt programs that do not turn with the desktop, because nothing names a platform theme that follows it: pure.
package struct QtPrograms {
  /// A version of Qt that is installed, and its platform themes.
  package struct Version: Equatable {
    /// 5 or 6.
    package let number: Int
    /// Whether it has the platform theme for GTK, which the desktops that are made with GTK use by themselves.
    var hasGTK = false
    /// Whether it has QGnomePlatform, which follows the desktop's light/dark setting in open windows.
    var hasGnomePlatform = false
  }

  /// The names of the desktop.
  package let desktops: [Text]
  /// The value of QT_QPA_PLATFORMTHEME; nil or empty if it is not set.
  var platformTheme: Text?
  /// The older version first.
  package let versions: [Version]

  /// The desktops with a platform theme of their own.
  private static let native: Set<Text> = ["KDE", "LXQT", "DEEPIN", "DDE", "UKUI"]
  /// The desktops on which Qt uses its platform theme for GTK by itself.
  private static let ofGTK: Set<Text> = ["GNOME", "X-CINNAMON", "PANTHEON", "UNITY", "MATE", "XFCE", "LXDE"]

  /// The hint that some Qt programs do not turn; nil if all do, or the user has chosen a platform theme.
  package var finding: Finding? {
    let names = Set(desktops.map { Text($0.string.uppercased()) })
    guard platformTheme?.isEmpty != false, names.isDisjoint(with: Self.native) else { return nil }
    let isOfGTK = !names.isDisjoint(with: Self.ofGTK)
    // With GTK's platform theme, windows of Qt 5 take the icons, but not the colours.
    let unmoved = versions.filter { !(isOfGTK && $0.number >= 6 && $0.hasGTK) }
    guard !unmoved.isEmpty else { return nil }
    let numbers = unmoved.map { "\($0.number)" }.joined(separator: " and ")
    let what = "programs with Qt \(numbers) do not turn with the desktop, since their platform theme does not follow it"
    if isOfGTK, unmoved.allSatisfy({ $0.number >= 6 }) {
      return Finding(
        hint: "qt_programs", what, fix: "install Qt's platform theme for GTK, and start the programs again:",
        type: unmoved.map { "sudo apt install qt\($0.number)-gtk-platformtheme" })
    }
    // The variable counts for all versions.
    let packages = versions.filter { !$0.hasGnomePlatform }.map { "qgnomeplatform-qt\($0.number)" }
    let missing = versions.contains { $0.number == 6 && !$0.hasGnomePlatform } ? " (Debian 12 has none for Qt 6)" : ""
    let install = packages.isEmpty ? "" : "install QGnomePlatform\(missing), "
    return Finding(
      hint: "qt_programs", what,
      fix: "\(install)set QT_QPA_PLATFORMTHEME=gnome for your session, in ~/.profile or in "
        + "~/.config/environment.d/qt.conf, and log in again"
        + (unmoved.contains { $0.number == 5 } ? "; for Qt 5, qt5ct works, too: 'themectl app enable qt5ct'" : ""),
      type: packages.map { "sudo apt install \($0)" })
  }
}

extension QtPrograms {
  private static let variable: Text = "QT_QPA_PLATFORMTHEME"

  /// The hint for this session; nil if no desktop runs.
  static var ofSession: Finding? {
    guard SessionDesktop.isRunning else { return nil }
    let environments = EnvironmentComparison.current
    let values = [environments.manager, environments.service, environments.shell].compactMap { $0?[variable] }
    return QtPrograms(
      desktops: SessionDesktop.names, platformTheme: values.first { !$0.isEmpty }, versions: installed
    ).finding
  }

  /// The versions in the system's directories of libraries.
  private static var installed: [Version] {
    let directories =
      ["/usr/lib64", "/usr/lib"]
      + names(inDirectory: "/usr/lib").filter { $0.holds("-linux-") }.map { "/usr/lib/\($0.string)" }
    return [5, 6].compactMap { number in
      let own = directories.filter { FileNumber(of: "\($0)/libQt\(number)Gui.so.\(number)") != nil }
      guard !own.isEmpty else { return nil }
      // Some systems have Qt 5's plugins in a directory without its number.
      let themes = own.flatMap { ["\($0)/qt\(number)", "\($0)/qt"] }
        .flatMap { names(inDirectory: "\($0)/plugins/platformthemes") }
      return Version(
        number: number, hasGTK: themes.contains { $0.holds("qgtk3") },
        hasGnomePlatform: themes.contains { $0.holds("qgnomeplatform") })
    }
  }
}
