internal import ForeignText
internal import Unix

extension PortalBackends {
  /// Reads what is installed and configured for a portal with this environment.
  init(environment: [Text: Text], readsPreference: Bool) {
    self.readsPreference = readsPreference
    // Names of files are made of them.
    desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(":", omittingEmpty: true).filter { desktop in
      desktop.utf8.allSatisfy { UInt8(ascii: "-") == $0 || UInt8(ascii: "_") == $0 || $0.isASCIIAlphanumeric }
    }
    let places = Places(environment)
    for directory in readsPreference ? places.backends : [places.backends.last ?? ""] {
      for file in Unix.names(inDirectory: directory.string) {
        guard let name = file.dropping(suffix: ".portal"), !installed.contains(where: { $0.name == name })
        else { continue }
        if let backend = Backend(name: name, path: "\(directory)/\(file)") { installed.append(backend) }
      }
    }
    guard readsPreference else { return }
    let files = desktops.map { "\($0.asciiLowercased)-portals.conf" } + ["portals.conf"]
    for directory in places.configuration {
      preference = files.lazy.compactMap { Preference(path: "\(directory)/\($0)") }.first
      if preference != nil { return }
    }
  }

  /// Where the portal looks for what is installed and configured, the first place first.
  private struct Places {
    let backends: [Text]
    let configuration: [Text]

    init(_ environment: [Text: Text]) {
      if let one = environment["XDG_DESKTOP_PORTAL_DIR"] {
        (backends, configuration) = ([one], [one])
        return
      }
      func list(_ name: Text, _ otherwise: Text) -> [Text] {
        let value = environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? otherwise
        return value.split(":", omittingEmpty: true)
      }
      let home = environment["HOME"] ?? ""
      let data =
        list("XDG_DATA_HOME", "\(home)/.local/share") + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        + ["/usr/share"]
      backends = data.map { "\($0)/xdg-desktop-portal/portals" }
      let settings = list("XDG_CONFIG_HOME", "\(home)/.config") + list("XDG_CONFIG_DIRS", "/etc/xdg") + ["/etc"]
      configuration = (settings + data).map { "\($0)/xdg-desktop-portal" }
    }
  }
}

extension PortalBackends.Backend {
  fileprivate init?(name: Text, path: String) {
    guard let text = try? readFile(path, maximum: Limits.file), let file = try? KeyFile(text),
      let busName = file.value("portal", "DBusName"), let interfaces = file.list("portal", "Interfaces")
    else { return nil }
    self.init(name: name, busName: busName, interfaces: interfaces, useIn: file.list("portal", "UseIn") ?? [])
  }
}

extension PortalBackends.Preference {
  /// The preferences in a file; nil where there are none.
  fileprivate init?(path: String) {
    guard let text = try? readFile(path, maximum: Limits.file), let file = try? KeyFile(text) else { return nil }
    self.init(path: path, lists: [:])
    for name in file.keys.compactMap({ $0.dropping(prefix: "[preferred] ") }) {
      lists[name] = file.list("preferred", name)
    }
    if lists.isEmpty { return nil }
  }
}

extension KeyFile {
  fileprivate borrowing func list(_ group: Text, _ key: Text) -> [Text]? {
    value(group, key)?.split(";", omittingEmpty: true)
  }
}

extension UInt8 {
  fileprivate var isASCIIAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
