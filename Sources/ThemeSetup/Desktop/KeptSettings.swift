import ThemedModel
package import ThemedSystem
package import ThemedVarlink

/// A setting of the desktop that themed-apply keeps for each side.
package struct KeptSetting: Equatable {
  /// The app file that describes it.
  package let app: Text
  package let name: Text
  /// The value for each side; nil if none is known.
  package var light, dark: Text?
  /// The value now, and the one that comes back when the desktop is left alone; nil if it is not set.
  package var value, original: Text?

  package var json: JSON {
    .object([
      "app": .string(app), "name": .string(name), "value": value.map(JSON.string), "light": light.map(JSON.string),
      "dark": dark.map(JSON.string), "original": original.map(JSON.string),
    ])
  }
}

extension ApplyStatus {
  /// The desktop's settings that themed-apply keeps; none if it does not run, or leaves the desktop alone.
  package var settings: [KeptSetting] {
    guard case .object(let entry)? = desktop?.json, case .array(let rows)? = entry["settings"] else { return [] }
    return rows.compactMap { row in
      guard case .object(let row) = row, let app = row.text("app"), let name = row.text("name") else { return nil }
      return KeptSetting(
        app: app, name: name, light: row.text("light"), dark: row.text("dark"), value: row.text("value"),
        original: row.text("original"))
    }
  }

  /// The app files that describe this desktop.
  package var desktopFiles: [Text] {
    guard case .object(let entry)? = desktop?.json, case .array(let files)? = entry["files"] else { return [] }
    return files.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }

  /// Whether the desktop's settings are remembered, to be given back; also while themed-apply does not run.
  static var remembersDesktop: Bool {
    if let status = ApplyStatus() { return status.desktop != nil }
    guard let state = BaseDirectory.state else { return false }
    return FileNumber(of: "\(state)/themed/desktop-settings.json") != nil
  }
}
