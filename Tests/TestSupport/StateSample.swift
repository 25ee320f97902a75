public import ThemedModel
public import ThemedSystem

extension State {
  /// A state of the only instance, with these parts.
  public init(
    scheme: ColorScheme, desktop: Preference = .unavailable, highContrast: Bool? = nil, reducedMotion: Bool? = nil,
    accentColor: Color? = nil, theme: Text? = nil, title: Text? = nil, transition: Int = 0, origins: Origins = [:]
  ) {
    let resolution = Resolution(
      scheme: scheme, desktop: desktop, highContrast: highContrast, reducedMotion: reducedMotion,
      accentColor: accentColor, theme: theme.map { ShownTheme(name: $0, title: title ?? $0) },
      transition: theme.map { _ in transition }, origins: origins)
    self.init(instance: "1", serial: 1, resolution: resolution)
  }
}
