import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// The ways by which ssh reaches another machine: through a third one, over a connection that is there already, with a
/// password that somebody types.
@Suite(
  .ownThreads, .enabled(if: Cable.isPossible, Cable.need))
struct ShareRouteStories {
  @Test func `through a machine in between, whose cables and sshd may go and come`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let first = try Cable(session)
      let second = try Cable(session, from: first)
      let gate = try Server(session, name: "gate", at: first.farAddress)
      let server = try Server(session, at: second.farAddress, through: gate)
      var sshd = try gate.listen(under: first.enter(first.far))
      let far = try server.listen(under: second.enter(second.far))
      let share = try server.follow(under: first.enter(first.near))
      #expect(try gate.entries() == 1)
      let monitor = try server.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")

      try second.plug(false)
      _ = try session.themectl("set", "dark")
      try second.plug(true)
      #expect(try monitor.line() == "dark")
      try first.readdress()
      _ = try session.themectl("set", "light")
      #expect(try monitor.line() == "light")

      let connections = try sshd.descendants()
      sshd.stop()
      for connection in connections { kill(connection, SIGKILL) }
      try share.errorLine(containing: "trying again in")
      _ = try session.themectl("set", "dark")
      sshd = try gate.listen(under: first.enter(first.far))
      #expect(try monitor.line() == "dark")
      #expect(far.isRunning && sshd.isRunning)
    }
  }

  @Test func `a machine in between that refuses is told of, and not tried for ever`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let gate = try Server(session, name: "gate", door: .nobody, at: cable.farAddress)
      let server = try Server(session, at: "10.99.1.2", through: gate)
      let sshd = try gate.listen(under: cable.enter(cable.far))
      let share = try server.share(under: cable.enter(cable.near))
      #expect(try share.wait() == .exited(2))
      #expect(share.errors.contains("a machine on the way to far refused: "), "\(share.errors)")
      #expect(share.errors.contains("'ssh far'"))
      #expect(sshd.isRunning)
    }
  }

  @Test func `a connection that the user keeps open is used, and left open; a dead one is not waited for`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let control = session.directory.path("control")
      let server = try Server(
        session, at: cable.farAddress, configuration: ["ControlMaster auto", "ControlPath \(control)"])
      let sshd = try server.listen(under: cable.enter(cable.far))
      let ssh = cable.enter(cable.near) + ["ssh"] + server.options.dropFirst()
      let master = try session.spawn(ssh[0], Array(ssh.dropFirst()) + ["-N", "far"])
      try eventually("the connection is there") {
        try FileManager.default.fileExists(atPath: control) && server.entries() == 1
      }

      var share = try server.follow(under: cable.enter(cable.near))
      for _ in 0..<3 { #expect(try server.share(under: cable.enter(cable.near)).wait() == .exited(6)) }
      #expect(try server.entries() == 1)
      _ = try session.themectl("set", "dark")
      try eventually("it follows") { try server.themectl("get").lines == ["dark"] }
      share.send(.terminate)
      #expect(try share.wait() == .exited(0))
      #expect(try session.run(ssh[0], Array(ssh.dropFirst()) + ["-O", "check", "far"]).status == .exited(0))
      #expect(master.isRunning)

      // Over another address it is dead, and does not know it.
      share = try server.follow(under: cable.enter(cable.near))
      #expect(try server.entries() == 1)
      #expect(kill(master.pid, SIGSTOP) == 0)
      try cable.readdress()
      _ = try session.themectl("set", "light")
      try eventually("it follows over a connection of its own") { try server.themectl("get").lines == ["light"] }
      #expect(try server.entries() == 2)
      #expect(kill(master.pid, SIGCONT) == 0)
      #expect(master.isRunning && share.isRunning && sshd.isRunning)
    }
  }

  @Test func `in a terminal a password is asked for, each time that it connects`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let server = try Server(session, door: .password, at: cable.farAddress)
      let sshd = try server.listen(under: cable.enter(cable.far))
      let words = try cable.enter(cable.near) + [Products.path("themectl"), "share", "far"] + server.options
      let command = words.map(shellWord).joined(separator: " ")
      let terminal = try session.spawn(
        "script", ["--quiet", "--return", "--command", command, "/dev/null"], separator: UInt8(ascii: " "), input: [])
      func awaitWord(_ word: String) throws { while try !terminal.line().contains(word) {} }
      for scheme in ["dark", "light"] {
        try awaitWord("password:")
        try terminal.write(Server.password + "\n")
        try awaitWord("follows")
        _ = try session.themectl("set", scheme)
        try eventually("it follows") { try server.themectl("get").lines == [scheme] }
        for connection in try sshd.descendants() { kill(connection, SIGKILL) }
      }
      try awaitWord("password:")
      #expect(try server.entries() == 2)
    }
  }

  @Test func `without a terminal nobody is asked, by no window either, and it is said what to do`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session, door: .password)
      let asked = session.directory.path("asked")
      let asking = try session.directory.write("#!/bin/sh\ntouch \(asked)\necho \(Server.password)\n", to: "ask")
      #expect(unsafe chmod(asking, 0o755) == 0)
      (session.environment["SSH_ASKPASS"], session.environment["SSH_ASKPASS_REQUIRE"]) = (asking, "force")
      let share = try server.share(under: ["setsid", "--wait"])
      #expect(try share.wait() == .exited(2))
      #expect(share.errors.contains("far refused the login: install your key"), "\(share.errors)")
      #expect(share.errors.contains("ssh-copy-id far"))
      #expect(!FileManager.default.fileExists(atPath: asked))
    }
  }
}
