import ThemeInterface
import ThemedSystem

/// Finds a dark GTK theme on a desktop that asks for light: then GTK's own windows differ from other programs.
enum DarkTheme {
  /// The finding for this answer of the portal; nil if the themes agree, or that is unknown.
  static func finding(portalAnswers answer: String) -> Finding? {
    let number = Text(decoding: answer.utf8.filter { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") })
    guard number == "uint32 0" || number == "uint32 2", programInPath("gsettings") != nil else { return nil }
    // It leaves files in the user's directories.
    guard ForeignHome.found == nil else { return nil }
    let told = Program.runAll(["gtk-theme", "color-scheme"].map(words), atMost: 5).map(value)
    guard let theme = told[0], let scheme = told[1] else { return nil }
    return finding(theme: theme, scheme: scheme, isLight: number == "uint32 2")
  }

  /// The finding for these settings; nil if their scheme is not the portal's, because then the portal does not use
  /// them.
  static func finding(theme: Text, scheme: Text, isLight: Bool) -> Finding? {
    guard scheme == (isLight ? "prefer-light" : "default"), Text(theme.string.lowercased()).hasSuffix("-dark") else {
      return nil
    }
    return Finding(
      "dark_gtk_theme",
      "the GTK theme is '\(theme)', but the desktop \(isLight ? "asks for light" : "has no preference")",
      why: "programs that ask the desktop, such as browsers, are light beside dark GTK windows",
      type: "gsettings set org.gnome.desktop.interface color-scheme prefer-dark")
  }

  private static func words(_ key: String) -> [String] { ["gsettings", "get", "org.gnome.desktop.interface", key] }

  /// A text as gsettings prints it, without its quotes.
  private static func value(_ run: Program?) -> Text? {
    guard let run, run.status == 0, let line = run.lines.first else { return nil }
    return line.dropping(prefix: "'")?.dropping(suffix: "'")
  }
}
