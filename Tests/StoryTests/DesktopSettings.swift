import Foundation
import ThemedTestSupport

/// GNOME's settings of a session: how they are read and set by hand, and how often anybody has written them.
final class DesktopSettings {
  private static let schema = "org.gnome.desktop.interface"
  private static let directory = "/org/gnome/desktop/interface/"

  /// How often the user has written the scheme and the theme since the last count.
  private(set) var schemesByHand = 0
  private(set) var themesByHand = 0
  private let session: Session
  private let monitor: ChildProcess
  /// How much of the monitor's output was counted.
  private var counted = 0
  private var fences = 0

  /// Begins to listen to dconf.
  init(_ session: Session) throws {
    self.session = session
    monitor = try session.spawn(
      "dbus-monitor", ["--session", "type='signal',interface='ca.desrt.dconf.Writer',member='Notify'"])
    // It says that it has its own name, and loses it again, when it listens.
    while !(try monitor.line().contains("member=NameLost")) {}
  }

  var scheme: String { get throws { try get("color-scheme") } }
  var theme: String { get throws { try get("gtk-theme") } }

  /// Every setting that does not turn.
  var others: [String] {
    get throws {
      try [Self.schema, "org.gnome.desktop.background"]
        .flatMap { try session.check("gsettings", ["list-recursively", $0]).components(separatedBy: "\n") }
        .filter { !$0.contains(" color-scheme ") && !$0.contains(" gtk-theme ") }
    }
  }

  private func get(_ key: String) throws -> String {
    let text = try session.check("gsettings", ["get", Self.schema, key])
    return String(text.dropFirst().dropLast())
  }

  /// Sets the scheme by hand; nil removes it.
  func setScheme(_ value: String?) throws {
    schemesByHand += 1
    try session.check(
      "gsettings", (value == nil ? ["reset"] : ["set"]) + [Self.schema, "color-scheme"] + [value].compactMap(\.self))
  }

  /// Sets the theme by hand.
  func setTheme(_ value: String) throws {
    themesByHand += 1
    try session.check("gsettings", ["set", Self.schema, "gtk-theme", value])
  }

  /// How often the scheme was written since the last count, as far as that is known by now.
  var schemesWritten: Int { count(Self.directory + "color-scheme", from: counted) }

  /// How often anybody has written the scheme and the theme since the last count.
  func countWrites() throws -> (schemes: Int, themes: Int) {
    // What was written before this is heard before this.
    fences += 1
    try session.check("gsettings", ["set", "org.gnome.desktop.session", "idle-delay", "\(fences)"])
    try eventually("the fence") { count("/org/gnome/desktop/session/idle-delay", from: counted) == 1 }
    let writes = (schemes: schemesWritten, themes: count(Self.directory + "gtk-theme", from: counted))
    counted = monitor.lines.lastIndex { $0.hasSuffix("/session/idle-delay\"") }.map { $0 + 1 } ?? counted
    (schemesByHand, themesByHand) = (0, 0)
    return writes
  }

  private func count(_ key: String, from: Int) -> Int {
    monitor.lines.dropFirst(from).count { $0.hasSuffix(" string \"\(key)\"") }
  }
}
