package import ThemeModel
package import ThemedSystem
package import ThemedVarlink

extension OwnLook {
  /// The valid lines of `themed.conf`.
  private static let file = BaseDirectory.configuration.flatMap {
    try? readFile("\($0)/themed/themed.conf", maximum: ConfigChange.maximumSize)
  }.map { KeyFile($0) }

  /// The look that the user has chosen for an app.
  package static func chosen(for app: Text) -> OwnLook? { file.flatMap { try? OwnLook($0, app) } }

  /// Plans to write the user's choice, or to remove it; throws if `themed.conf` cannot be changed.
  package static func choosing(_ look: OwnLook?, for app: Text) throws -> ConfigChange {
    let settings: [(key: ConfigKey, value: Text?)] = ColorScheme.allCases.map {
      (ConfigKey(group: group(of: app), name: Text($0.rawValue)), look?[$0])
    }
    return try ConfigChange(settings, in: ConfigChange.usualPath(), removesEmptyFile: true)
  }

  package var words: String { "\(printable(light)) while it is light, and \(printable(dark)) while it is dark" }

  package var object: JSON.Object { ["light": .string(light), "dark": .string(dark)] }
}
