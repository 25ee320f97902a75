package import ThemeModel
package import ThemedSystem

/// The user's own look of a program on each side, shown instead of the theme's colours: a group `[use NAME]` of
/// `apply.conf`.
package struct OwnLook: Sendable, Hashable {
  package let light, dark: Text

  /// Whether both are paths of files in the program's format; otherwise both are names of the program's themes.
  package var isFiles: Bool { light.contains("/") }

  package subscript(scheme: ColorScheme) -> Text { scheme == .light ? light : dark }

  /// Two paths or two names; nil if they are something else.
  package init?(light: Text, dark: Text) {
    let isValid = { (text: Text) in text.contains("/") ? AppPath(text) != nil : text.isPlainName }
    guard isValid(light), isValid(dark), light.contains("/") == dark.contains("/") else { return nil }
    (self.light, self.dark) = (light, dark)
  }

  /// The name of the group for an app.
  package static func group(of app: Text) -> Text { "use \(app)" }

  /// The app and its look in a group of `apply.conf`; nil if the group is for something else, and an inner nil if its
  /// values are invalid.
  package static func read(_ group: ThemeFile.Group) -> (app: Text, look: OwnLook?)? {
    guard let app = group.name.dropping(prefix: "use "), App.isValidName(app) else { return nil }
    let value = { (key: Text) in group.entries.last { $0.key == key }?.value ?? "" }
    return (app, OwnLook(light: value("light"), dark: value("dark")))
  }
}
