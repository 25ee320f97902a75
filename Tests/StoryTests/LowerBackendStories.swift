import Foundation
import Testing
import ThemedTestSupport

/// Two backends below ours, which are told what to say.
@Suite(.ownThreads) struct LowerBackendStories {
  @Test func `the second is not heard while the first is being read, or restarted`() throws {
    try withSession { session in
      let below = try session.startBackends()
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.desktops(until: "dark").contains("light") == false)

      // An honest word of one is no forgery of the other.
      try below.second.tell("emit color-scheme u:0 interface=org.freedesktop.impl.portal.Settings")
      try below.second.tell("emit color-scheme u:2 interface=org.freedesktop.impl.portal.Settings")
      // Between the two nobody has its name: only that is given up soon.
      let first = try session.prepareFirst()
      try below.first.crash()
      try first.ownFirst()
      try first.awaitCall("Read org.freedesktop.appearance color-scheme")
      try first.tell("set color-scheme u:0")
      try first.tell("emit color-scheme u:0 interface=org.freedesktop.impl.portal.Settings")
      #expect(try watch.desktops(until: "none").contains("light") == false)
      #expect(!themed.errors.contains("which is not the portal"), "\(themed.errors)")

      // For good.
      try first.crash()
      _ = try watch.frame { $0.desktop == "light" }
    }
  }
}

extension Session {
  /// Starts a bus with a portal, a backend that has our name, and below it one that is slow and says dark, and one that
  /// is quick and says light.
  fileprivate func startBackends() throws -> (first: FakePortal, second: FakePortal) {
    for name in ["first", "second"] {
      try directory.write(
        """
        [portal]
        DBusName=org.freedesktop.impl.portal.desktop.\(name)
        Interfaces=org.freedesktop.impl.portal.Settings

        """, to: "portals/\(name).portal")
    }
    try directory.write(
      "[preferred]\norg.freedesktop.impl.portal.Settings=first;second\n", to: "portals/portals.conf")
    environment["XDG_DESKTOP_PORTAL_DIR"] = directory.path("portals")
    _ = try startBus()
    let second = try startStranger()
    try second.tell("set color-scheme u:2")
    try second.tell("own org.freedesktop.impl.portal.desktop.second")
    let first = try prepareFirst()
    try first.ownFirst()
    try startStranger().tell("own \(Desktop.backend)")
    _ = try startFakePortal(scheme: 2)
    return (first, second)
  }

  fileprivate func prepareFirst() throws -> FakePortal {
    let first = try startStranger()
    try first.tell("set color-scheme u:1")
    try first.tell("manner delayed 500")
    return first
  }
}

extension FakePortal {
  fileprivate func ownFirst() throws { try tell("own org.freedesktop.impl.portal.desktop.first") }
}

extension VarlinkConnection {
  /// What the desktop is said to ask for, frame by frame, until it is this.
  fileprivate func desktops(until last: String) throws -> [String?] {
    var seen: [String?] = []
    repeat { seen.append(try frame().desktop) } while seen.last != last
    return seen
  }
}
