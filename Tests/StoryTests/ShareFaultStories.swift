import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// What may be wrong with another machine: each is told in a sentence that says what to type.
@Suite(
  .ownThreads, .enabled(if: geteuid() == 0, "needs root, who alone can give a machine a disk and a network of its own"))
struct ShareFaultStories {
  /// How a share with a machine ends, whose programs run after this preparation.
  private func end(
    preparing preparation: String, _ words: [String] = [], in session: Session
  ) throws -> (status: ThemedTestSupport.ExitStatus, errors: String) {
    let share = try Server(session, preparation: preparation).share(words)
    return (try share.wait(), share.errors)
  }

  @Test func `a machine whose shell prints a title at its start, without an end of the line, follows`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let title = #"printf '\033]0;far\007'"#
      let server = try Server(session)
      for file in [".bashrc", ".zshenv"] { try session.directory.write(title + "\n", to: "far/home/" + file) }
      _ = try server.follow()
      _ = try session.themectl("set", "dark")
      try eventually("it follows") { try server.themectl("get").lines == ["dark"] }
      // A themed there that says its word without a line of its own, as earlier ones did.
      let script = "#!/bin/sh\n\(title)\nprintf 'themed-upstream 1\\n'\nexec cat > /dev/null\n"
      let bin = try session.directory.write(script, to: "bin/ssh")
      #expect(unsafe chmod(bin, 0o755) == 0)
      session.environment["PATH"] =
        session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "/usr/bin:/bin")
      let share = try session.spawnThemectl("share", "other")
      #expect(try share.line() == "other follows this machine")
    }
  }

  @Test func `no room for a socket there`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let run = session.directory.path("far/run")
      let end = try end(preparing: "mount -t tmpfs -o size=4k,nr_inodes=1 none \(run)", in: session)
      #expect(end.status == .exited(2))
      #expect(end.errors.contains("themed cannot start on far, because its disk is full"), "\(end.errors)")
      #expect(end.errors.contains("'df -h' shows where"))
    }
  }

  @Test func `no room there for what is set there: it follows all the same, and says what will be lost`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let state = try session.directory.directory("far/state")
      let mount = "mount -t tmpfs -o size=4k,nr_inodes=2 none \(state) && mkdir \(state)/themed"
      let server = try Server(session, preparation: mount)
      let share = try server.follow()
      _ = try session.themectl("set", "dark")
      try eventually("it follows") { try server.themectl("get").lines == ["dark"] }
      let set = try server.themectl("set", "light")
      #expect(set.status == .exited(4))
      #expect(set.errors.contains("the change applies now, but cannot be saved"), "\(set.errors)")
      // What the themed over there has to say reaches the terminal here.
      try share.errorLine(containing: "No space left on device")
      #expect(try server.themectl("get").lines == ["light"])
      #expect(share.isRunning)
    }
  }

  @Test func `no room there to keep what this machine said: it follows all the same, and says so`() throws {
    try withSession { session in
      _ = try session.startThemed()
      // Room for the three sockets, two locks and three directories, and for nothing more.
      let run = session.directory.path("far/run")
      let server = try Server(session, preparation: "mount -t tmpfs -o size=64k,nr_inodes=8 none \(run)")
      let share = try server.follow()
      let warning = try share.errorLine(containing: "cannot save the desktop's last setting")
      #expect(warning.contains("No space left on device"), "\(warning)")
      _ = try session.themectl("set", "dark")
      let far = try server.processes().last ?? 0
      try eventually("it follows") {
        try server.themectl(under: ["nsenter", "--mount", "--target", "\(far)"], "get").lines == ["dark"]
      }
      #expect(share.isRunning)
    }
  }

  @Test func `no themed there, an old one, and one that is for another kind of machine`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let bin = session.directory.path("far/bin")
      let absent = try end(preparing: "rm \(bin)/themed", in: session)
      #expect(absent.status == .exited(3))
      #expect(absent.errors.contains("ssh does not find themed on far: install it there"), "\(absent.errors)")
      #expect(absent.errors.contains("themectl share --remote-command ~/.local/bin/themed far"))

      let old = #"printf "echo Unknown option --upstream >&2; exit 64" > "# + bin + "/themed"
      let former = try end(preparing: old, in: session)
      #expect(former.status == .exited(3))
      #expect(former.errors.contains("themed on far is too old for this: install version "), "\(former.errors)")

      let other = try end(preparing: "head -c 100 /dev/zero > \(bin)/themed", in: session)
      #expect(other.status == .exited(3))
      #expect(other.errors.contains("far cannot run themed: "), "\(other.errors)")
    }
  }

  @Test(.enabled(if: Cable.isPossible, Cable.need))
  func `a name that nobody knows, a machine that is off, and one without an sshd`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let server = try Server(session, at: cable.farAddress)
      func errors(_ share: ChildProcess) throws -> String {
        #expect(try share.wait() == .exited(5))
        return share.errors
      }
      let near = cable.enter(cable.near)
      let refused = try errors(server.share(["--once"], under: near))
      #expect(refused.contains("far cannot be reached: ") && refused.contains("Connection refused"), "\(refused)")
      try cable.run(cable.near, "ip route add unreachable \(cable.farAddress)")
      let off = try errors(server.share(["--once"], under: near))
      #expect(off.contains("far cannot be reached: ") && off.contains("No route to host"), "\(off)")
      // There nobody can be asked for a name, whatever this machine's own network answers.
      let words = near + [try Products.path("themectl"), "share", "--once", "no-such-machine.invalid"]
      let unknown = try errors(session.spawn(words[0], Array(words.dropFirst())))
      #expect(unknown.contains("no-such-machine.invalid cannot be reached: "), "\(unknown)")
      // Without --once it goes on, and says when.
      let patient = try server.share(under: near)
      try patient.errorLine(containing: "; trying again in ")
      try cable.run(cable.near, "ip route del unreachable \(cable.farAddress)")
      let sshd = try server.listen(under: cable.enter(cable.far))
      #expect(try patient.line() == "far follows this machine")
      #expect(sshd.isRunning)
    }
  }
}
