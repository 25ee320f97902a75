import Foundation
import ThemedTestSupport

extension Attack {
  /// Upon the process.
  static let restarts: [Attack] = [
    flood("a storm of SIGHUP") { world in ["storm", "\(world.themed.pid)"] },
    own("the daemon killed and started while overrides are saved") { session, seconds in
      let world = try World(session)
      try world.witness.pace(0)
      let end = Date(timeIntervalSinceNow: seconds)
      var count = 0
      repeat {
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.1))
        try world.restart(count.isMultiple(of: 2) ? .kill : .terminate)
        count += 1
      } while Date() < end
      try world.changePortal()
      try world.witness.pause()
      try session.expectNoFaults(world, whereCut: true)
      return count
    },
    own("its socket's file removed") { session, seconds in
      let themed = try session.startThemed()
      let end = Date(timeIntervalSinceNow: seconds)
      var count = 0
      repeat {
        try FileManager.default.removeItem(atPath: session.socketPath)
        try eventually("a socket in the place of the one that was removed") {
          (try? session.connect().call("GetState")) != nil
        }
        count += 1
      } while Date() < end
      try session.expectServed(by: themed)
      return count
    },
    own("its runtime directory wiped, another daemon started, and the first one ended") { session, _ in
      let first = try session.startThemed()
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      // The daemon makes what it misses anew, perhaps before all of it is removed.
      try eventually("a wiped runtime directory") {
        (try? FileManager.default.removeItem(atPath: session.directory.path("run/themed"))) != nil
      }
      // The first may be back at its socket before: the second refuses then, and is started once the first has ended.
      var second = try? session.startThemed()
      guard try session.connect().call("GetState").scheme == "dark" else {
        throw Failure("who serves does not know what is saved")
      }
      first.send(.terminate)
      try first.wait()
      second = try second ?? session.startThemed()
      let connection = try session.connect()
      try eventually("saving by the second, once the first has ended") {
        try connection.call("SetOverride", #"{"override":{"scheme":"light"}}"#).bool("parameters.saved") == true
      }
      if let second { try session.expectServed(by: second) }
      return 1
    },
  ]

  /// By the surroundings that a daemon is started in: it goes through a thousand changes, and ends when it is told to.
  static let surroundings: [Attack] = [
    surrounded("a terminal that nobody reads as standard error", "terminal"),
    surrounded("a full pipe as standard error", "full-pipe"),
    surrounded("a full disk as standard error", "full-disk"),
    surrounded("no standard error", "no-errors"),
    surrounded("none of the three standard streams", "nothing"),
    surrounded("forty descriptors that are not what LISTEN_FDNAMES says", "forged-descriptors"),
    surrounded("a limit of zero bytes for any file", "file-size=0"),
    own("a service manager's variables in wrong forms") { session, _ in
      let variables = [
        "NOTIFY_SOCKET": ["", "@", "/", "relative", "/nowhere/at/all", String(repeating: "/a", count: 200)],
        "LISTEN_FDS": ["", "-1", "0", "1", "65", "99999999999999999999", "one"],
        "LISTEN_FDNAMES": ["", ":::::", "varlink", "themed-connections", String(repeating: "x:", count: 5000)],
        "LISTEN_PID": ["", "-1", "1", "99999999999999999999"],
        "WATCHDOG_USEC": ["", "-1", "0", "1", "99999999999999999999", "soon"],
        "DBUS_SESSION_BUS_ADDRESS": [
          "", ":", "unix:", "unix:path=", "tcp:host=", "unix:path=/nowhere;;;", "autolaunch:",
        ],
      ]
      var count = 0
      for (name, values) in variables.sorted(by: { $0.key < $1.key }) {
        for value in values {
          let words = ["under", "\(name)=\(value)", try Products.path("themed")]
          let themed = try session.spawn(Products.path("themed-attacker"), words)
          if try session.answerOrRefusal(of: themed) != nil { try session.expectServed(by: themed) }
          count += 1
        }
      }
      return count
    },
    own("a storm of SIGHUP beside a service manager that does not read", seconds: 3) { session, seconds in
      let themed = try session.startThemed(inSurroundings: "stalled-manager")
      // Its first reload is what it needs memory for, too.
      themed.send(.hangup)
      _ = try session.connect().call("GetState")
      let before = try Holding(of: themed)
      let count = try session.spawnAttacker(["storm", "\(themed.pid)", "\(seconds)"]).count()
      let after = try before.awaitAgain(in: themed, allowing: 4096)
      let excess = before.excess(of: after, allowing: 4096)
      guard excess.isEmpty else { throw Failure(excess.joined(separator: ", ")) }
      try session.expectServed(by: themed)
      return count
    },
    own("a limit of 64 descriptors, and two hundred who connect") { session, seconds in
      let themed = try session.startThemed(inSurroundings: "descriptors=64")
      let connection = try session.connect()
      _ = try connection.call("GetState")
      let crowd = try session.spawnAttacker(["socket", "half", session.socketPath, "\(seconds)"])
      var count = 0
      while crowd.isRunning {
        _ = try connection.call("GetState")
        count += 1
      }
      try eventually("an answer for who comes after") { (try? session.connect().call("GetState")) != nil }
      try session.expectServed(by: themed)
      return count
    },
  ]

  /// By starts and ends.
  static let starts: [Attack] = [
    own("thirty starts at once") { session, _ in
      let all = try (0..<30).map { _ in try session.spawnThemed() }
      try eventually("one daemon, and the end of the others") { all.count(where: \.isRunning) == 1 }
      guard let one = all.first(where: \.isRunning) else { throw Failure("none runs") }
      for other in all where other !== one {
        let status = try other.wait()
        guard status == .exited(1) else { throw Failure("it ended with \(status): \(other.account)") }
      }
      try session.expectServed(by: one)
      return 30
    },
    own("ends within milliseconds of the start") { session, seconds in
      let first = try session.startThemed()
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      first.send(.terminate)
      try first.wait()
      let count = max(40, Int(seconds * 5))
      for _ in 0..<count {
        let themed = try session.spawnThemed()
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.012))
        themed.send(.terminate)
        let status = try themed.wait()
        guard [.exited(0), .signaled(15)].contains(status) else { throw Failure("\(status): \(themed.account)") }
      }
      let last = try session.startThemed()
      guard try session.connect().call("GetState").scheme == "dark" else { throw Failure("the override is lost") }
      try session.expectServed(by: last)
      return count
    },
    failing("reads of the state file that fail", ["EIO", "EMFILE", "ENOMEM", "EINTR", "ETIMEDOUT"]) { session, error in
      for call in ["openat", "read"] where call == "openat" || !["EMFILE", "ETIMEDOUT"].contains(error) {
        let fault = "inject=\(call):error=\(error):when=1"
        let words = ["strace", "-D", "-f", "-o", "/dev/null", "-P", session.overridesPath, "-e", fault]
        try session.expectServed(by: session.startThemed(under: words))
      }
    },
    own("a state directory that is gone for a while") { session, _ in
      let themed = try session.startThemed()
      let connection = try session.connect()
      _ = try connection.call("SetOverride", #"{"override":{"scheme":"light"}}"#)
      let directory = session.directory.path("state/themed")
      try FileManager.default.moveItem(atPath: directory, toPath: directory + ".aside")
      try session.directory.write("in its place", to: "state/themed")
      let reply = try connection.call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      guard reply.bool("parameters.saved") == false else { throw Failure("saved where there is no directory") }
      try FileManager.default.removeItem(atPath: directory)
      try FileManager.default.moveItem(atPath: directory + ".aside", toPath: directory)
      try session.expectServed(by: themed)
      let next = try session.startThemed()
      guard try session.connect().call("GetState").scheme == "dark" else {
        throw Failure("what could not be saved was not saved at the end")
      }
      try session.expectServed(by: next)
      return 1
    },
  ]

  private static func surrounded(_ description: String, _ how: String) -> Attack {
    own(description) { session, _ in
      let world = try World(session, under: how)
      try world.witness.pace(0)
      var (count, rounds) = (0, 0)
      while count < 1000 {
        // By what was told to subscribers, not by time.
        try world.changePortal()
        let sight = try world.witness.report()
        guard sight["wrong"] == 0, rounds < 600 else { throw Failure("\(world.witness.complaints)") }
        count += sight["told"]
        rounds += 1
        Thread.sleep(forTimeInterval: 0.1)
      }
      for number in 0...2 {
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(world.themed.pid)/fd/\(number)")
        guard !target.hasPrefix("socket:"), !target.contains("themed/") else {
          throw Failure("descriptor \(number) is \(target)")
        }
      }
      try session.expectServed(by: world.themed)
      return count
    }
  }

  /// After each of these faults, the next daemon shows what was saved before.
  private static func failing(
    _ description: String, _ errors: [String], _ fail: @escaping @Sendable (Session, String) throws -> Void
  ) -> Attack {
    own(description) { session, _ in
      var themed = try session.startThemed()
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      for error in errors {
        themed.send(.terminate)
        try themed.wait()
        try fail(session, error)
        themed = try session.startThemed()
        guard try session.connect().call("GetState").scheme == "dark" else {
          throw Failure("after \(error) the override is lost")
        }
      }
      return errors.count
    }
  }
}

extension Session {
  /// Expects that the witness has seen nothing wrong.
  func expectNoFaults(_ world: World, whereCut: Bool) throws {
    let faults = try world.witness.report().faults(whereCut: whereCut)
    guard faults.isEmpty else { throw Failure("\(faults)\n\(world.witness.complaints)") }
  }
}
