internal import ThemeInterface
internal import ThemedSystem

extension PortalChainFacts {
  /// Adds what is installed and configured, for a portal of this version with this environment.
  ///
  /// If the version is not known (nil), no feature of newer versions is assumed.
  mutating func learn(
    _ backends: PortalBackends, _ environment: [Text: Text], _ version: PortalProgram.Version?
  ) {
    hasBackend = backends.capable.contains { $0.busName == PortalBackends.ours && $0.name == Self.backend }
    isFirst = backends.chosen.first?.busName == PortalBackends.ours
    let without = backends.withoutOurs
    others = without.chosen.map(\.name)
    readsConfiguration = backends.rule != .all
    fallsThrough = version.map { $0 >= (1, 21, 1) } ?? false
    readsUsersBackends = version.map { $0 >= (1, 20, 1) } ?? false
    isNone = backends.preferences.contains { preference in
      (preference.lists[PortalBackends.settings] ?? preference.lists["default"] ?? []).contains("none")
    }
    preference = backends.preferences.first.map { Text($0.path) }
    desktop = backends.desktops.first?.asciiLowercased
    let places = PortalBackends.Places(environment)
    directory = places.configuration.first
    dataDirectory = places.backends.first
  }
}
