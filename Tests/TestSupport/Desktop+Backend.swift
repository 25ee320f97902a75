import Foundation
import Glibc

extension Desktop {
  /// What our backend is called on the bus.
  public static let backend = "org.freedesktop.impl.portal.desktop.themed"

  /// Lets portals that start from now on know our backend as well as those that the system has.
  public func offerBackend() throws {
    let from = session.environment["XDG_DESKTOP_PORTAL_DIR"] ?? "/usr/share/xdg-desktop-portal/portals"
    for name in try FileManager.default.contentsOfDirectory(atPath: from) where name.hasSuffix(".portal") {
      try session.directory.write(String(contentsOfFile: "\(from)/\(name)", encoding: .utf8), to: "portals/\(name)")
    }
    let own = "\(Products.package)/packaging/aaa-themed.portal"
    try session.directory.write(String(contentsOfFile: own, encoding: .utf8), to: "portals/aaa-themed.portal")
    session.environment["XDG_DESKTOP_PORTAL_DIR"] = session.directory.path("portals")
  }

  /// Starts our backend, and waits until it has its name, unless that is none of the test's business.
  public func startBackend(waiting isAwaited: Bool = true) throws -> ChildProcess {
    let backend = try session.spawnPortalBackend()
    if isAwaited { try awaitBackend() }
    return backend
  }

  /// Waits until our backend has its name.
  public func awaitBackend() throws {
    _ = try session.check("gdbus", ["wait", "--session", "--timeout", "30", Self.backend])
  }

  /// What the portal answers when it is asked for this key, in GVariant's text.
  public func portalAnswer(_ namespace: String, _ key: String) throws -> Finished {
    try session.run(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.portal.Desktop", "--object-path",
        "/org/freedesktop/portal/desktop", "--method", "org.freedesktop.portal.Settings.Read", namespace, key,
      ])
  }

  /// Has the bus start the portal, and waits until it has its name.
  public func startPortal() throws {
    _ = try call("StartServiceByName", "org.freedesktop.portal.Desktop", "0")
  }

  /// Kills the portal as a crash would, and waits until the bus knows.
  public func killPortal() throws {
    // It may have crashed by itself: one whose backend goes while it starts has been seen to.
    try kill("org.freedesktop.portal.Desktop")
  }

  /// Kills the portal's GTK backend as a crash would, and waits until the bus knows.
  public func killGTKBackend() throws { try kill(Self.gtkBackend) }

  /// Has the bus start the GTK backend, and waits until it has its name.
  public func startGTKBackend() throws { _ = try call("StartServiceByName", Self.gtkBackend, "0") }

  private static let gtkBackend = "org.freedesktop.impl.portal.desktop.gtk"

  private func kill(_ name: String) throws {
    let answer: String = try eventually("the process of \(name)") {
      if let answer = try? call("GetConnectionUnixProcessID", name) { return answer }
      _ = try call("StartServiceByName", name, "0")
      return nil
    }
    // "(uint32 4711,)"
    guard let pid = answer.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int32($0) }) else {
      throw Failure("no process in \(answer)")
    }
    _ = Glibc.kill(pid, SIGKILL)
    // Somebody may have started another one already.
    try eventually("the end of \(name)") { (try? call("GetConnectionUnixProcessID", name)) != answer }
  }

  private func call(_ method: String, _ arguments: String...) throws -> String {
    try check(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
        "org.freedesktop.DBus." + method,
      ] + arguments)
  }
}

extension Session {
  /// Starts our backend of the portal.
  public func spawnPortalBackend() throws -> ChildProcess {
    keep(try ChildProcess(Products.path("themed-portal"), [], environment: environment))
  }
}

/// A program that trusts every signal of the portal, and so believes what it heard last.
public final class Believer {
  /// A color scheme that was heard.
  public struct Word: Sendable {
    /// As GVariant writes it.
    public let value: String
    /// When, in seconds since the epoch, by the bus's monitor.
    public let time: Double
  }

  private let monitor: ChildProcess

  /// One that listens from now on.
  init(_ session: Session) throws {
    monitor = try session.spawn(
      "dbus-monitor",
      [
        "--session",
        "type='signal',sender='org.freedesktop.portal.Desktop',interface='org.freedesktop.portal.Settings',"
          + "member='SettingChanged',arg0='org.freedesktop.appearance'",
      ])
    // It says that it has its own name, and loses it again, when it listens.
    while !(try monitor.line().contains("member=NameLost")) {}
  }

  /// Every color scheme that it has heard.
  public var words: [Word] {
    let lines = monitor.lines
    return lines.indices.compactMap { index in
      guard lines[index].hasPrefix("signal "), index + 3 < lines.count, lines[index + 2].hasSuffix("\"color-scheme\"")
      else { return nil }
      let time = lines[index].split(separator: " ").first { $0.hasPrefix("time=") }?.dropFirst(5)
      let value = lines[index + 3].split(separator: " ").dropFirst().joined(separator: " ")
      return Word(value: value, time: time.flatMap { Double($0) } ?? 0)
    }
  }

  /// Their values.
  public var heard: [String] { words.map(\.value) }

  /// Waits until it believes this.
  public func expect(_ value: String) throws {
    try eventually("the program's believing \(value) after \(heard)") { heard.last == value }
  }
}

extension Desktop {
  /// A program that trusts every signal of the portal, which has to be there.
  public func believer() throws -> Believer { try Believer(session) }
}
