import ThemeModel
import ThemedSystem
import ThemedVarlink

/// A setting of the desktop that themed-apply keeps for each side.
struct KeptSetting: Equatable {
  /// The app file that describes it.
  let app: Text
  let name: Text
  /// The value for each side; nil if none is known.
  var light, dark: Text?
  /// The value now, and the one that comes back when the desktop is left alone; nil if it is not set.
  var value, original: Text?

  var json: JSON {
    .object([
      "app": .string(app), "name": .string(name), "value": value.map(JSON.string), "light": light.map(JSON.string),
      "dark": dark.map(JSON.string), "original": original.map(JSON.string),
    ])
  }

  /// The name and the values of each setting that has a value, for a terminal of this width.
  static func rows(_ all: [KeptSetting], columns: Int, _ style: Style) -> [[String]] {
    let settings = all.filter { $0.value != nil || $0.light != nil || $0.dark != nil }
    guard !settings.isEmpty else { return [] }
    let names = settings.map { setting in
      let isShared = settings.contains { $0.name == setting.name && $0.app != setting.app }
      return printable(setting.name) + (isShared ? " (\(setting.app))" : "")
    }
    let room = columns - 6 - (names.map(\.columns).max() ?? 0)
    let width = style.isForPeople ? max(12, room / 2) : Int.max
    let rows = zip(names, settings).map { name, setting in
      [name] + [setting.light, setting.dark].map { $0.map { shown($0, width, style) } ?? "-" }
    }
    return [["setting", "light", "dark"]] + rows
  }

  /// A value in at most so many columns; a path keeps its end, which says more than its beginning.
  private static func shown(_ value: Text, _ width: Int, _ style: Style) -> String {
    let path = value.dropping(prefix: "file://") ?? value
    let text = path.hasPrefix("/") ? path.belowHome.shown() : printable(value)
    guard text.columns > width, path.hasPrefix("/"), let name = path.splitAtLast("/")?.behind else {
      return text.shortened(to: width, style)
    }
    return "\(style.isUTF8 ? "…" : "..")/\(name.shown())".shortened(to: width, style)
  }
}

extension ApplyStatus {
  /// The desktop's settings that themed-apply keeps; none if it does not run, or leaves the desktop alone.
  var settings: [KeptSetting] {
    guard case .object(let entry)? = desktop?.json, case .array(let rows)? = entry["settings"] else { return [] }
    return rows.compactMap { row in
      guard case .object(let row) = row, let app = row.text("app"), let name = row.text("name") else { return nil }
      return KeptSetting(
        app: app, name: name, light: row.text("light"), dark: row.text("dark"), value: row.text("value"),
        original: row.text("original"))
    }
  }

  /// The app files that describe this desktop.
  var desktopFiles: [Text] {
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
