import Foundation
import Glibc
import ThemedTestSupport
import Testing

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

  @Test func `no room for a socket there`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let run = session.directory.path("far/run")
      let end = try end(preparing: "mount -t tmpfs -o size=4k,nr_inodes=1 none \(run)", in: session)
      #expect(end.status == .exited(2))
      #expect(end.errors.contains("themed cannot start on far, whose disk is full"), "\(end.errors)")
      #expect(end.errors.contains("'df -h' says where"))
    }
  }

  @Test func `no themed there, an old one, and one that is for another kind of machine`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let bin = session.directory.path("far/bin")
      let absent = try end(preparing: "rm \(bin)/themed", in: session)
      #expect(absent.status == .exited(3))
      #expect(absent.errors.contains("far has no themed where ssh looks for it: install it there"), "\(absent.errors)")
      #expect(absent.errors.contains("themectl share --remote-command ~/.local/bin/themed far"))

      let old = #"printf "echo Unknown option --upstream >&2; exit 64" > "# + bin + "/themed"
      let former = try end(preparing: old, in: session)
      #expect(former.status == .exited(3))
      #expect(former.errors.contains("the themed of far is too old to be shared with: install "), "\(former.errors)")

      let other = try end(preparing: "head -c 100 /dev/zero > \(bin)/themed", in: session)
      #expect(other.status == .exited(3))
      #expect(other.errors.contains("themed cannot be run on far: "), "\(other.errors)")
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
      try patient.errorLine(containing: "; it is tried again, next in ")
      try cable.run(cable.near, "ip route del unreachable \(cable.farAddress)")
      let sshd = try server.listen(under: cable.enter(cable.far))
      #expect(try patient.line() == "far follows this machine")
      #expect(sshd.isRunning)
    }
  }
}
