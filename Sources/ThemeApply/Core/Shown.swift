internal import ThemeApps
internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// A state of an app, equal to another one if both look the same; a new serial number or a new time of the next switch is
/// no reason to notify a program.
struct Shown: Sendable, Hashable {
  private struct Look: Sendable, Hashable {
    let scheme: ColorScheme
    let highContrast, reducedMotion: Bool?
    let accentColor: Color?
    let theme: ShownTheme?
  }

  let state: State
  private let look: Look

  init(_ state: State) {
    self.state = state
    look = Look(
      scheme: state.scheme, highContrast: state.highContrast, reducedMotion: state.reducedMotion,
      accentColor: state.accentColor, theme: state.resolution.theme)
  }

  /// A hash of everything that hooks get, which is the same in every process of this program: FNV-1a, 64 bits.
  var fingerprint: UInt64 {
    guard case .object(let all)? = try? JSON(parsing: Array(state.json.utf8)) else { return 0 }
    let names: [Text] = [
      "scheme", "highContrast", "reducedMotion", "accentColor", "theme", "themeTitle", "palette", "assets", "values",
    ]
    return names.reduce(FNV1a()) { hash, name in hash.adding(all[name] ?? .null) }.value
  }

  /// Whether the state is a guess, remembered from an earlier session or the default, because the desktop has not
  /// answered yet.
  var isGuess: Bool {
    let origins = state.resolution.origins
    return origins.contains { $0.value.isRemembered }
      || origins["scheme"]?.rule == .default && state.resolution.desktop == .unavailable
  }

  static func == (one: Shown, other: Shown) -> Bool { one.look == other.look }
  func hash(into hasher: inout Hasher) { hasher.combine(look) }

  /// The theme's name; empty if there is none.
  var theme: Text { state.theme ?? "" }

  /// The rule that decided the scheme, by its name in the interface.
  var cause: Text { state.origin(of: .scheme)?.rule.rawValue ?? "default" }

  /// The values for templates; without a theme or its details, they get the colours of `fallback`.
  func variables(_ fallback: Theme) -> AppVariables.Shown {
    let scheme = state.scheme
    let high = state.highContrast ?? false
    guard let theme = state.resolution.theme, let details = theme.details else {
      return AppVariables.Shown(fallback, scheme, highContrast: high)
        ?? AppVariables.Shown(
          scheme: scheme, highContrast: high, theme: fallback.name, title: fallback.title,
          palette: Palette([:], for: scheme))
    }
    return AppVariables.Shown(
      scheme: scheme, highContrast: high, theme: theme.name, title: theme.title,
      palette: details.palette(for: scheme), values: details.values)
  }
}

extension FNV1a {
  /// The order of the members of objects does not matter.
  fileprivate func adding(_ json: JSON) -> FNV1a {
    guard case .object(let object) = json else { return adding(json.bytes).adding([0]) }
    return object.members.sorted { $0.name < $1.name }
      .reduce(self) { $0.adding($1.name.utf8).adding([0]).adding($1.value) }
  }
}
