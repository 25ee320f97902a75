import ThemedInterface
package import ThemedModel
package import ThemedSystem
package import ThemedVarlink

extension OwnLook {
  /// The look that the user has chosen for an app, in the valid lines of `themed.conf`.
  package static func chosen(for app: Text) -> OwnLook? {
    guard let path = Configuration.usualPath, let bytes = try? ConfigChange.read(path) else { return nil }
    return try? OwnLook(KeyFile(bytes), app)
  }

  /// Plans to write the user's choice, or to remove it; throws if `themed.conf` cannot be changed, or has a mistake that
  /// keeps themed-apply from reading it.
  package static func choosing(_ look: OwnLook?, for app: Text) throws -> ConfigChange {
    let settings: [(key: ConfigKey, value: Text?)] = ColorScheme.allCases.map {
      (ConfigKey(group: group(of: app), name: Text($0.rawValue)), look?[$0])
    }
    let path = try ConfigChange.usualPath()
    let change = try ConfigChange(settings, in: path, removesEmptyFile: true)
    guard look != nil else { return change }
    do throws(ApplySettings.Mistake) { _ = try ApplySettings.read(change.contents.new, at: Text(path)) } catch {
      throw Refusal("\(error); correct that first, because themed-apply does not read the file until then")
    }
    return change
  }

  package var words: String { "\(printable(light)) while it is light, and \(printable(dark)) while it is dark" }

  package var object: JSON.Object { ["light": .string(light), "dark": .string(dark)] }
}
