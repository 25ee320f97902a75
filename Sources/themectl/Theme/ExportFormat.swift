/// A format in which a theme is exported for other programs.
enum ExportFormat: String, CaseIterable {
  /// A theme's file, as themed.theme(5) describes it.
  case theme
  /// A scheme of base16, in YAML.
  case base16
  /// A scheme of base24, in YAML.
  case base24
  /// One object, as `GetTheme` returns it.
  case json
  /// Custom properties of CSS, for both sides by `prefers-color-scheme`.
  case css
  /// Variables for a POSIX shell.
  case shell
  /// Variables for fish.
  case fish
  /// Resources of the X Window System.
  case xresources

  /// Whether it has only one side.
  var isOfOneSide: Bool {
    switch self {
    case .theme, .json, .css: false
    case .base16, .base24, .shell, .fish, .xresources: true
    }
  }
}
