import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// `themectl share` over a network that goes and comes: two network namespaces, and a cable between them.
@Suite(
  .ownThreads, .enabled(if: Cable.isPossible, Cable.need))
struct ShareNetworkStories {
  @Test func `networks of containers that come and go end no connection`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let server = try Server(session, at: cable.farAddress)
      let sshd = try server.listen(under: cable.enter(cable.far))
      let share = try server.follow(under: cable.enter(cable.near))
      let ssh = try share.child("ssh")
      for scheme in ["dark", "light", "dark"] {
        try cable.run(
          cable.near,
          "ip link add one type veth peer name two && ip addr add 172.30.0.1/16 dev one && ip link set one up && "
            + "ip link set two up && ip link del one")
        _ = try session.themectl("set", scheme)
        try eventually("it follows") { try server.themectl("get").lines == [scheme] }
      }
      #expect(try share.child("ssh") == ssh)
      #expect(try server.entries() == 1)
      // The way that it goes itself is another matter.
      try cable.readdress()
      _ = try session.themectl("set", "light")
      try eventually("it follows") { try server.themectl("get").lines == ["light"] }
      #expect(try server.entries() == 2)
      #expect(sshd.isRunning)
    }
  }

  @Test func `a cable that is pulled, flaps and comes back, and an sshd that is restarted, are made good`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let server = try Server(session, at: cable.farAddress)
      var sshd = try server.listen(under: cable.enter(cable.far))
      let share = try server.follow(under: cable.enter(cable.near))
      let monitor = try server.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")

      // It is away while the state changes, and for shorter than ssh would notice.
      try cable.plug(false)
      _ = try session.themectl("set", "dark")
      try cable.plug(true)
      #expect(try monitor.line() == "dark")
      for _ in 0..<10 {
        try cable.plug(false)
        try cable.plug(true)
      }
      _ = try session.themectl("set", "light")
      #expect(try monitor.line() == "light")

      // Another address, with which the old connection is dead.
      try cable.readdress()
      _ = try session.themectl("set", "dark")
      #expect(try monitor.line() == "dark")

      sshd.stop()
      #expect(kill(try share.child("ssh"), SIGKILL) == 0)
      try share.errorLine(containing: "far cannot be reached")
      _ = try session.themectl("set", "light")
      sshd = try server.listen(under: cable.enter(cable.far))
      #expect(try monitor.line() == "light")
      #expect(monitor.lines == ["light", "dark", "light", "dark", "light"])
      #expect(sshd.isRunning)
    }
  }
}
