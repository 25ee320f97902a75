import Foundation
import Testing
import ThemeClient
import ThemedTestSupport

/// The life of the service that the units promise, under a real user manager.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct UnitStories {
  @Test func `enabled, the socket comes with the user's sockets, and the service with the graphical session`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("enable", "themed.service")
      let enabled = try manager.systemctl("is-enabled", "themed.service", "themed.socket", "themed-readonly.socket")
      #expect(enabled == "enabled\nenabled\nenabled")
      // The manager may have looked into the directory in the same tick of its clock.
      try eventually {
        try manager.systemctl("daemon-reload")
        return try manager.property("Wants", of: "sockets.target").contains("themed.socket")
      }
      // As the next login does.
      try manager.systemctl("stop", "sockets.target")
      try manager.systemctl("start", "sockets.target")
      #expect(try manager.property("ActiveState", of: "themed.socket") == "active")
      #expect(try manager.property("ActiveState", of: "themed.service") == "inactive")
      #expect(try session.connect().call("GetState").scheme == "light")
      #expect(try manager.property("ActiveState", of: "themed.service") == "active")

      try manager.systemctl("stop", "themed.service")
      try UserManager.write(Self.desktop, as: "desktop.service", in: session)
      try manager.systemctl("daemon-reload")
      try manager.systemctl("start", "desktop.service")
      // Wanted by the target, it is started beside it.
      _ = try session.connect().call("GetState")
      #expect(try manager.property("ActiveState", of: "themed.service") == "active")
      try manager.systemctl("disable", "themed.service")
      #expect(try session.run("systemctl", ["--user", "is-enabled", "themed.service"]).output == "disabled")
    }
  }

  @Test func `the service is active when it serves, and its status says what is shown, why and until when`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      // It returns when the daemon has said that it is ready, which is before it has read its files.
      try manager.systemctl("start", "themed.service")
      try eventually("the first status") {
        try session.status(manager) == "light: default, no desktop heard yet"
      }
      let end = Date(timeIntervalSinceNow: 3600)
      let connection = try session.connect()
      let expiresAt = Int(end.timeIntervalSince1970)
      _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark","expiresAt":\#(expiresAt)}}"#)
      let clock = DateFormatter()
      clock.locale = Locale(identifier: "en_US_POSIX")
      clock.dateFormat = "HH:mm"
      #expect(try session.status(manager) == "dark: override until \(clock.string(from: end))")
      let far = expiresAt + 200_000
      _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark","expiresAt":\#(far)}}"#)
      clock.dateFormat = "yyyy-MM-dd HH:mm"
      let day = clock.string(from: Date(timeIntervalSince1970: TimeInterval(far)))
      #expect(try session.status(manager) == "dark: override until \(day)")
      _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark","untilDesktopChanges":true}}"#)
      #expect(try session.status(manager) == "dark: override until the desktop changes")
    }
  }

  @Test func `a reload ends when the configuration has been read, and tells what is wrong with it`() throws {
    try withSession { session in
      try session.writeUnits()
      try session.configure("[appearance]\nno-desktop=light\n")
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.service")
      let watch = try session.subscribe()
      #expect(try watch.frame().scheme == "light")
      let process = try manager.property("MainPID", of: "themed.service")
      try session.configure("[appearance]\nno-desktop=dark\n")
      try manager.systemctl("reload", "themed.service")
      #expect(try watch.frame().scheme == "dark")
      try session.configure("[appearance]\nno-desktop=purple\n")
      try manager.systemctl("reload", "themed.service")
      try eventually { try session.status(manager).contains("no-desktop") }
      // The file is watched, too: that may have been told before the reload is.
      try eventually("it has read again") { try manager.property("ActiveState", of: "themed.service") == "active" }
      #expect(try manager.property("MainPID", of: "themed.service") == process)
    }
  }

  @Test func `clients that connect while the daemon lies dead are all served`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      for _ in 0..<3 {
        try manager.systemctl("kill", "--kill-whom=main", "--signal=KILL", "themed.service")
        let clients = try (0..<50).map { _ in try session.subscribe() }
        for client in clients { #expect(try client.frame().scheme == "dark") }
      }
      #expect(try manager.property("NRestarts", of: "themed.service") == "3")
    }
  }

  @Test func `a daemon that hangs is killed and started again and its clients reconnect; one that works is left alone`()
    throws
  {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.service")
      #expect(try manager.property("WatchdogUSec", of: "themed.service") == "5min")

      try UserManager.write(
        "[Service]\nWatchdogSec=5\nLimitCORE=0\n", as: "themed.service.d/watchdog.conf", in: session)
      try manager.systemctl("daemon-reload")
      try manager.systemctl("restart", "themed.service")
      let process = try manager.property("MainPID", of: "themed.service")
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      // A client that does not reconnect.
      let watch = try session.subscribe()
      #expect(try watch.frame().scheme == "light")
      // When the manager last heard of it: signs of life for longer than it waits for one, twice over.
      var signs: Set<String> = []
      while signs.count < 5 {
        let sign: String = try eventually {
          let sign = try manager.property("WatchdogTimestampMonotonic", of: "themed.service")
          return signs.contains(sign) ? nil : sign
        }
        signs.insert(sign)
      }
      #expect(try manager.property("MainPID", of: "themed.service") == process)
      #expect(try manager.property("NRestarts", of: "themed.service") == "0")

      try manager.systemctl("kill", "--kill-whom=main", "--signal=STOP", "themed.service")
      try eventually { try manager.property("NRestarts", of: "themed.service") == "1" }
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      #expect(try monitor.line() == "dark")
      #expect(monitor.lines == ["light", "dark"])
      try watch.expectClose()
    }
  }

  @Test func `through restarts, crashes and stops of the daemon, its followers miss no state`() async throws {
    try await withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      var states = AsyncThemeClient(socket: session.socketPath).states().makeAsyncIterator()
      #expect(try await states.next()?.scheme == .light)
      var scheme = ThemeScheme.light
      for round in 0..<8 {
        switch round % 4 {
        case 0: try manager.systemctl("restart", "themed.service")
        case 1: try manager.systemctl("kill", "--kill-whom=main", "--signal=KILL", "themed.service")
        case 2: try manager.systemctl("stop", "themed.service")
        default: break
        }
        scheme = scheme.opposite
        let set = #"{"override":{"scheme":"\#(scheme.rawValue)"}}"#
        _ = try session.connect().call("SetOverride", set)
        #expect(try monitor.line() == scheme.rawValue)
        var state = try await states.next()
        // Who connects anew may hear first of what it knows.
        while state?.scheme != scheme { state = try await states.next() }
      }
      #expect(monitor.lines.count == 9, "each word once: \(monitor.lines)")
    }
  }

  @Test func `from the login to a subscriber that hears of a change, with nothing started by hand`() throws {
    try withSession { session in
      try session.writeUnits()
      try UserManager.write(Self.desktop, as: "desktop.service", in: session)
      _ = try session.prepareDesktop()
      let display = ["DISPLAY", "XDG_CURRENT_DESKTOP"].compactMap { name in
        session.environment[name].map { "\(name)=\($0)" }
      }
      for name in ["DISPLAY", "XDG_CURRENT_DESKTOP"] { session.environment[name] = nil }
      let manager = try UserManager(session: session)
      try manager.systemctl("enable", "themed.service")
      try manager.systemctl("start", "sockets.target")
      try session.set(.dark)
      #expect(try manager.property("ActiveState", of: "xdg-desktop-portal.service") == "inactive")
      try manager.systemctl(["set-environment"] + display)
      try manager.systemctl("start", "desktop.service")
      // It comes up once the daemon has said that it is ready, which is not in the job that was waited for.
      try eventually { try manager.property("ActiveState", of: "graphical-session.target") == "active" }

      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      try eventually("the manager has heard that the portal runs") {
        try manager.property("ActiveState", of: "xdg-desktop-portal.service") == "active"
      }
      try session.set(.light)
      #expect(try watch.frame().desktop == "light")
      // A restart within the session is heard of by nobody, and the portal is followed on.
      try manager.systemctl("restart", "themed.service")
      try session.set(.dark)
      #expect(try watch.frame().desktop == "dark")
    }
  }

  @Test func `a part of the session that asks before the session is up is answered`() throws {
    try withSession { session in
      try session.writeUnits()
      let themectl = session.directory.path("programs") + "/themectl"
      // On a busy machine, the daemon may need longer to start than one call waits.
      let asks = "/bin/sh -c 'until \(themectl) get; do :; done'"
      try UserManager.write(
        "[Unit]\nBindsTo=graphical-session.target\nBefore=graphical-session.target\n"
          + "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=\(asks)\n", as: "desktop.service",
        in: session)
      let manager = try UserManager(session: session)
      try manager.systemctl("enable", "themed.service")
      try manager.systemctl("start", "themed.socket")
      try manager.systemctl("start", "desktop.service")
      try eventually("the session is up") {
        try manager.property("ActiveState", of: "graphical-session.target") == "active"
      }
      #expect(try manager.property("ActiveState", of: "themed.service") == "active")
    }
  }

  private static let desktop =
    "[Unit]\nBindsTo=graphical-session.target\nBefore=graphical-session.target\n"
    + "[Service]\nExecStart=sleep infinity\n"
}

extension Session {
  /// The line that `systemctl status` shows.
  fileprivate func status(_ manager: UserManager) throws -> String {
    // The manager reads what it is told in its own time.
    try manager.systemctl("daemon-reload")
    return try manager.property("StatusText", of: "themed.service")
  }
}
