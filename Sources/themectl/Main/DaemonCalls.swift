import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemedSystem

/// The calls with the daemon's own types, because this command prints the wire format, which has more words than the
/// library promises to keep.
extension ThemeConnection {
  mutating func getState(app: String? = nil, details: Bool = false) throws(ThemeClientError) -> State {
    try ask(.getState(app: app, details: details))
  }

  mutating func setOverride(_ override: Override, clear: [Field] = []) throws(ThemeClientError) -> Changed {
    try ask(.setOverride(override, clear: clear))
  }

  mutating func clearOverride(
    app: String? = nil, fields: [Field]? = nil, everyApp: Bool = false
  ) throws(ThemeClientError) -> Changed {
    try ask(.clearOverride(app: app, fields: fields, everyApp: everyApp))
  }

  mutating func toggle(
    app: String? = nil, expiresAt: Int64? = nil, untilDesktopChanges: Bool = false
  ) throws(ThemeClientError) -> Changed {
    try ask(.toggle(app: app, expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges))
  }

  mutating func listOverrides() throws(ThemeClientError) -> [Override] { try ask(.listOverrides).overrides }
  mutating func listClients() throws(ThemeClientError) -> ClientList { try ask(.listClients) }
  mutating func listThemes() throws(ThemeClientError) -> ThemeList { try ask(.listThemes) }
  mutating func getTheme(_ name: String) throws(ThemeClientError) -> InstalledTheme { try ask(.getTheme(name)) }
  mutating func getConfiguration() throws(ThemeClientError) -> ConfigurationInForce { try ask(.getConfiguration) }
  mutating func getConfiguration(of names: [Text]) throws(ThemeClientError) -> ConfigurationInForce {
    try ask(.getConfiguration(of: names))
  }
  mutating func getSchedule() throws(ThemeClientError) -> Forecast { try ask(.getSchedule) }
  mutating func getDiagnostics() throws(ThemeClientError) -> Diagnostics { try ask(.getDiagnostics) }
  mutating func getInfo() throws(ThemeClientError) -> ServiceDescription { try ask(.getInfo) }
}
