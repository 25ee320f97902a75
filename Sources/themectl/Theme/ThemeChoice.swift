import ThemeClientCore
import ThemeModel
import ThemedSystem

/// The names of the themes that are chosen for each side, for an app or for all.
///
/// The daemon may be unable to show a chosen theme.
struct ThemeChoice: Hashable {
  /// The names of the settings that choose a theme.
  static var settings: [Text] { [setting(.light), setting(.dark)] }

  private(set) var light: Text?
  private(set) var dark: Text?

  private static func setting(_ scheme: ColorScheme) -> Text { "[appearance] \(scheme.rawValue)-theme" }

  /// The choice by these overrides and this configuration.
  init(app: Text?, overrides: [Override], configuration: ConfigurationInForce) {
    func chosen(_ scheme: ColorScheme) -> Text? {
      let field = Field.theme(scheme)
      // One that pins the side of this app names no theme: then the configuration does.
      let rules = overrides.filter { $0.fields.contains(field) }
      let rule = rules.first { $0.app != nil && $0.app == app } ?? rules.first { $0.app == nil }
      let setting = configuration.value(of: Self.setting(scheme))
      return rule?.theme(scheme) ?? setting.flatMap { $0.isEmpty ? nil : $0 }
    }
    light = chosen(.light)
    dark = chosen(.dark)
  }

  /// Asks the daemon.
  init(_ daemon: inout ThemeConnection, app: Text?) throws(ThemeClientError) {
    let overrides = try daemon.listOverrides()
    self.init(app: app, overrides: overrides, configuration: try daemon.getConfiguration(of: Self.settings))
  }

  /// A choice of these themes; without arguments, of none.
  init(light: Text? = nil, dark: Text? = nil) {
    (self.light, self.dark) = (light, dark)
  }

  /// The choice as far as it is known from the shown state alone.
  init(shown state: State) {
    if state.scheme == .light { light = state.resolution.theme?.name } else { dark = state.resolution.theme?.name }
  }

  /// The theme of a side.
  subscript(scheme: ColorScheme) -> Text? { scheme == .light ? light : dark }

  /// The sides for which a theme is chosen.
  func sides(of name: Text) -> [ColorScheme] { ColorScheme.allCases.filter { self[$0] == name } }
}
