internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// Decides which backends xdg-desktop-portal asks for settings, by what is installed and configured: a pure rule.
///
/// It follows xdg-desktop-portal's sources.
struct PortalBackends: Equatable {
  /// How a version of the portal chooses its backends.
  enum Rule: Equatable {
    /// Up to 1.17.0: every backend with the interface, first those that are made for the desktop (`UseIn`).
    case all
    /// Up to 1.19.0: only those that `portals.conf` names, in the same order.
    case named
    /// Since then: those that `portals.conf` names, in its order; otherwise by `UseIn`; otherwise the GTK backend.
    case listed

    init(_ version: PortalProgram.Version) {
      self = version < (1, 17, 1) ? .all : version < (1, 19, 1) ? .named : .listed
    }
  }

  /// A backend, as its `.portal` file describes it.
  struct Backend: Equatable {
    /// The file's name without its extension.
    var name: Text
    var busName: Text
    var interfaces: [Text]
    var useIn: [Text] = []
  }

  struct Preference: Equatable {
    var path: String
    /// Lists of backends by interface, and by `default`.
    var lists: [Text: [Text]]
  }

  static let settings = PortalChainFacts.interface

  /// A backend's file that the portal rejects.
  struct Refused: Equatable {
    var path: Text
    var reason: String
  }

  /// The installed backends, and the files that the portal rejects.
  var installed: [Backend] = []
  var refused: [Refused] = []
  /// The preferences, the most important file first; a later file fills in what the earlier ones leave out.
  var preferences: [Preference] = []
  /// XDG_CURRENT_DESKTOP, in order.
  var desktops: [Text] = []
  var rule = Rule.listed

  var capable: [Backend] { installed.filter { $0.interfaces.contains(Self.settings) } }

  /// The backends that are asked for settings, in order.
  var chosen: [Backend] {
    // The oldest versions compare the names with their extension.
    let ending: Text = rule == .all ? ".portal" : ""
    let sorted = capable.sorted { (rank($0), "\($0.name)\(ending)" as Text) < (rank($1), "\($1.name)\(ending)") }
    guard rule != .all else { return sorted }
    for preference in preferences {
      let lists = preference.lists
      let own = lists[Self.settings]
      if (own ?? lists["default"] ?? []).contains("none") { return [] }
      if rule == .named {
        let names = own ?? lists["default"] ?? []
        return sorted.filter { names.contains($0.name) || names.contains("*") }
      }
      for list in [own, lists["default"]] {
        let named = (list ?? []).reduce(into: [Backend]()) { chosen, name in
          chosen += sorted.filter { ($0.name == name || name == "*") && !chosen.contains($0) }
        }
        if !named.isEmpty { return named }
      }
    }
    guard rule != .named else { return [] }
    let native = sorted.filter { rank($0) < desktops.count }
    if !native.isEmpty { return native }
    return sorted.filter { $0.busName == "org.freedesktop.impl.portal.desktop.gtk" }
  }

  /// Whether a file that counts names our backend for settings.
  var isOursNamed: Bool {
    let ours = capable.filter { $0.busName == Self.ours }.map(\.name)
    return preferences.contains { preference in
      (preference.lists[Self.settings] ?? preference.lists["default"] ?? []).contains(where: ours.contains)
    }
  }

  /// The position of the first desktop that a backend is made for.
  private func rank(_ backend: Backend) -> Int {
    desktops.firstIndex { desktop in
      backend.useIn.contains { $0.asciiLowercased == desktop.asciiLowercased }
    } ?? desktops.count
  }
}

extension Text {
  /// The text with ASCII letters in lower case, which is how GLib compares the names of desktops.
  var asciiLowercased: Text {
    Text(decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 : $0 })
  }
}

extension PortalBackends {
  /// Reads what is installed and configured, for a portal of this version with this environment.
  init(environment: [Text: Text], of version: PortalProgram.Version) {
    rule = Rule(version)
    // They become part of file names.
    desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(":", omittingEmpty: true).filter { desktop in
      desktop.utf8.allSatisfy { UInt8(ascii: "-") == $0 || UInt8(ascii: "_") == $0 || $0.isLetterOrDigit }
    }
    let places = Places(environment)
    // The other directories came with 1.20.1.
    for directory in version < (1, 20, 1) ? [places.backends.last ?? ""] : places.backends {
      for file in ThemedSystem.names(inDirectory: directory.string) {
        guard let name = file.dropping(suffix: ".portal"), !installed.contains(where: { $0.name == name })
        else { continue }
        let path: Text = "\(directory)/\(file)"
        do throws(Refusal) {
          installed.append(try Backend(name: name, path: path, requiresUseIn: version < (1, 17, 0)))
        } catch {
          refused.append(Refused(path: path, reason: error.reason))
        }
      }
    }
    guard rule != .all else { return }
    let files = desktops.map { "\($0.asciiLowercased)-portals.conf" } + ["portals.conf"]
    preferences = places.configuration.compactMap { directory in
      files.lazy.compactMap { Preference(path: "\(directory)/\($0)") }.first
    }
    // Before 1.21.1 the first file hides all others.
    if version < (1, 21, 1) { preferences = Array(preferences.prefix(1)) }
  }

  fileprivate struct Refusal: Error {
    let reason: String
  }

  struct Places {
    let backends: [Text]
    let configuration: [Text]

    init(_ environment: [Text: Text]) {
      if let one = environment["XDG_DESKTOP_PORTAL_DIR"] {
        (backends, configuration) = ([one.withoutSlashAtEnd], [one.withoutSlashAtEnd])
        return
      }
      func list(_ name: Text, _ otherwise: Text) -> [Text] {
        let value = environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? otherwise
        return value.split(":", omittingEmpty: true).map(\.withoutSlashAtEnd)
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
  /// Reads a backend's file as the portal does, which accepts it completely or not at all.
  fileprivate init(name: Text, path: Text, requiresUseIn: Bool) throws(PortalBackends.Refusal) {
    guard let text = try? readFile(path.string, maximum: Limits.file), let file = try? KeyFile(strict: text) else {
      throw .init(reason: "the file cannot be read or is not a key file")
    }
    guard let busName = file.value("portal", "DBusName") else { throw .init(reason: "DBusName is missing") }
    guard isName(busName, hyphens: true) else { throw .init(reason: "DBusName is not a valid bus name") }
    guard let interfaces = file.list("portal", "Interfaces") else { throw .init(reason: "Interfaces is missing") }
    for interface in interfaces
    where !interface.hasPrefix("org.freedesktop.impl.portal.") || !isName(interface, hyphens: false) {
      throw .init(reason: "'\(interface.shown(atMost: Limits.shownText))' is not an interface of portal backends")
    }
    let useIn = file.list("portal", "UseIn")
    guard useIn != nil || !requiresUseIn else {
      throw .init(reason: "UseIn is missing, which xdg-desktop-portal before 1.17 requires")
    }
    self.init(name: name, busName: busName, interfaces: interfaces, useIn: useIn ?? [])
  }
}

extension PortalBackends.Preference {
  /// The preferences in a file; nil if it has none.
  fileprivate init?(path: String) {
    guard let text = try? readFile(path, maximum: Limits.file), let file = try? KeyFile(strict: text) else {
      return nil
    }
    self.init(path: path, lists: [:])
    for entry in file.keys where entry.group == "preferred" { lists[entry.key] = file.list("preferred", entry.key) }
    if lists.isEmpty { return nil }
  }
}

extension KeyFile {
  fileprivate func list(_ group: Text, _ key: Text) -> [Text]? {
    value(group, key)?.split(";", omittingEmpty: true)
  }
}

/// Whether this is a valid bus name; hyphens are allowed in the names of connections, but not of interfaces.
private func isName(_ name: Text, hyphens: Bool) -> Bool {
  let parts = name.split(".")
  return name.count <= 255 && parts.count >= 2
    && parts.allSatisfy { part in
      let isBegun = part.utf8.first.map { !$0.isDigit } ?? false
      return isBegun
        && part.utf8.allSatisfy {
          $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || hyphens && $0 == UInt8(ascii: "-")
        }
    }
}
