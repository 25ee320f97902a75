internal import ThemeInterface
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

    /// The rule of a version.
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

  /// The preferences in a `portals.conf`.
  struct Preference: Equatable {
    /// The path of the file.
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

  /// The backends that provide settings.
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
