import Foundation

/// A desktop without a screen: Xvfb, a session bus, and the real portal with its GTK backend, started on demand.
public final class Desktop {
  /// What the desktop can be set to.
  public enum Setting: String, Sendable {
    case dark = "prefer-dark"
    case light = "prefer-light"
    case none = "default"
  }

  /// The bus that portal and daemon meet on.
  public let bus: SessionBus

  unowned let session: Session

  /// Starts the display, and gives it to everything that the session starts from now on; the bus is started apart.
  init(session: Session) throws {
    self.session = session
    try TestDesktop.check.get()
    bus = SessionBus(session)
    let server = try session.spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"])
    session.environment["DISPLAY"] = ":" + (try server.line())
    session.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
    try bus.offerDesktop()
  }

  /// Sets what the desktop asks for, as its settings program would.
  public func set(_ setting: Setting) throws {
    try session.set(setting)
  }

  /// Runs a program that has to succeed, and returns what it printed.
  public func check(_ program: String, _ arguments: [String]) throws -> String {
    try session.check(program, arguments)
  }

  /// What the portal itself answers about the color scheme, in GVariant's text.
  public func portalAnswer() throws -> String {
    let answer = try portalAnswer("org.freedesktop.appearance", "color-scheme")
    guard answer.status == .exited(0) else {
      let place = session.environment["XDG_DESKTOP_PORTAL_DIR", default: ""]
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      throw Failure("the portal does not answer, with the backends \(names) of \(place): \(answer.errors)")
    }
    return answer.output
  }
}

extension Session {
  /// Sets what the desktop asks for, over whatever bus there is at the session's address.
  public func set(_ setting: Desktop.Setting) throws {
    try check("gsettings", ["set", "org.gnome.desktop.interface", "color-scheme", setting.rawValue])
  }
}
