internal import ForeignText

/// Which backends xdg-desktop-portal asks for settings: a pure rule, by what is installed and configured.
///
/// It follows xdg-desktop-portal's sources: up to 1.16 every backend that has the interface, those first that are made
/// for the desktop (`UseIn`); from 1.17 on by `portals.conf`, and only without a word of it by `UseIn`, then the GTK
/// backend. (1.17 and 1.18 take the first of those alone.)
struct PortalBackends: Equatable {
  /// A backend, as its `.portal` file describes it.
  struct Backend: Equatable {
    /// The file's name without its ending.
    var name: Text
    var busName: Text
    var interfaces: [Text]
    var useIn: [Text] = []
  }

  /// What `portals.conf` prefers.
  struct Preference: Equatable {
    /// The file.
    var path: String
    /// Lists of backends by interface, and by `default`.
    var lists: [Text: [Text]]
  }

  static let settings: Text = "org.freedesktop.impl.portal.Settings"

  /// What is installed.
  var installed: [Backend] = []
  /// What is preferred; nil where no file says.
  var preference: Preference?
  /// XDG_CURRENT_DESKTOP, in order.
  var desktops: [Text] = []
  /// Whether the portal is of a version that reads `portals.conf`.
  var readsPreference = true

  /// Those that could be asked for settings.
  var capable: [Backend] { installed.filter { $0.interfaces.contains(Self.settings) } }

  /// Those that are asked for settings, the first first.
  var chosen: [Backend] {
    let sorted = capable.sorted { (rank($0), $0.name) < (rank($1), $1.name) }
    guard readsPreference else { return sorted }
    let lists = preference?.lists ?? [:]
    if (lists[Self.settings] ?? lists["default"] ?? []).contains("none") { return [] }
    for list in [lists[Self.settings], lists["default"]] {
      let named = (list ?? []).reduce(into: [Backend]()) { chosen, name in
        chosen += sorted.filter { ($0.name == name || name == "*") && !chosen.contains($0) }
      }
      if !named.isEmpty { return named }
    }
    let native = sorted.filter { rank($0) < desktops.count }
    if !native.isEmpty { return native }
    return sorted.filter { $0.busName == "org.freedesktop.impl.portal.desktop.gtk" }
  }

  /// The place of the first desktop that a backend is made for.
  private func rank(_ backend: Backend) -> Int {
    desktops.firstIndex { desktop in
      backend.useIn.contains { $0.asciiLowercased == desktop.asciiLowercased }
    } ?? desktops.count
  }
}

extension Text {
  /// With the letters of ASCII in lower case, as GLib compares names of desktops.
  var asciiLowercased: Text {
    Text(decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 : $0 })
  }
}
