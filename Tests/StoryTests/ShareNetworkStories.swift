import Foundation
import Glibc
import ThemedTestSupport
import Testing

/// `themectl share` over a network that goes and comes: two network namespaces, and a cable between them.
@Suite(
  .ownThreads, .enabled(if: geteuid() == 0, "needs root, who alone can lay a cable between two network namespaces"))
struct ShareNetworkStories {
  @Test func `a cable that is pulled, flaps and comes back, and an sshd that is restarted, are made good`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let cable = try Cable(session)
      let server = try Server(session, at: Cable.farAddress)
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

/// Two network namespaces, each held by a process, and a cable between them.
private struct Cable {
  static let farAddress = "10.99.0.2"
  let near: ChildProcess
  let far: ChildProcess
  private let session: Session

  init(_ session: Session) throws {
    self.session = session
    (near, far) = (try Self.namespace(session), try Self.namespace(session))
    try session.check(
      "ip",
      ["link", "add", "near", "netns", "\(near.pid)", "type", "veth", "peer", "name", "far", "netns", "\(far.pid)"])
    try run(far, "ip addr add \(Self.farAddress)/24 dev far && ip link set far up && ip link set lo up")
    try run(near, "ip addr add 10.99.0.1/24 dev near && ip link set near up && ip link set lo up")
  }

  /// The words before those of a program that is to run on one side.
  func enter(_ side: ChildProcess) -> [String] { ["nsenter", "--net", "--target", "\(side.pid)"] }

  func plug(_ isIn: Bool) throws { try run(near, "ip link set near \(isIn ? "up" : "down")") }

  /// Gives the near side another address, in the place of the one that it has.
  func readdress() throws {
    try run(near, "ip addr del 10.99.0.1/24 dev near && ip addr add 10.99.0.3/24 dev near")
  }

  private func run(_ side: ChildProcess, _ script: String) throws {
    let words = enter(side) + ["sh", "-c", script]
    try session.check(words[0], Array(words.dropFirst()))
  }

  private static func namespace(_ session: Session) throws -> ChildProcess {
    let process = try session.spawn("unshare", ["--net", "sh", "-c", "echo there; exec sleep infinity"])
    guard try process.line() == "there" else { throw Failure("no network namespace") }
    return process
  }
}
