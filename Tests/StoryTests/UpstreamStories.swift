import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// A daemon that follows another one in the desktop's place, as one does on a machine without a desktop.
@Suite(.ownThreads) struct UpstreamStories {
  static func frame(_ scheme: String, _ more: String = "") -> String {
    let state = #""instance":"a","serial":1,"scheme":"\#(scheme)","desktop":"none","origins":{}\#(more)"#
    return #"{"parameters":{"state":{\#(state)}},"continues":true}"# + "\0"
  }

  @Test func `a word to a share begins on a line of its own, whatever a shell has printed before it`() throws {
    try withSession { session in
      let themed = try session.spawn(Products.path("themed"), ["--upstream", "-"], input: [])
      #expect(try [themed.line(), themed.line()] == ["", "themed-upstream 1"])
    }
  }

  private static func follow(_ session: Session) throws -> ChildProcess {
    let themed = try session.spawn(Products.path("themed"), ["--upstream", "-"], input: [])
    #expect(try themed.greeting() == "themed-upstream 1")
    return themed
  }

  @Test func `what comes on standard input is shown with its palette, and overrides here hold here`() throws {
    try withSession { session in
      try session.directory.write(
        "[theme]\ntitle=Ours\n[dark.palette]\nbackground=#ffffff\n", to: "data/themed/themes/gruvbox.theme")
      let themed = try Self.follow(session)
      let monitor = try session.spawnThemectl("monitor", "scheme", "theme", "palette.background", "accent", "contrast")
      #expect(try monitor.line() == "light\t-\t-\t-\t-")
      try themed.write(
        Self.frame(
          "dark",
          ##","accentColor":"#3584e4","highContrast":true,"theme":"gruvbox","palette":{"background":"#010203"}"##))
      #expect(try monitor.line() == "dark\tgruvbox\t#010203\t#3584e4\thigh")
      #expect(try session.themectl("status").lines.first == "Dark, as the upstream themed shows.")
      #expect(try session.themectl("set", "light").lines == ["light"])
      #expect(try monitor.line() == "light\t-\t-\t#3584e4\thigh")
      #expect(try session.themectl("get", "desktop", "source").lines == ["dark\tupstream"])
      #expect(try session.themectl("status").lines.contains("  upstream  dark"))
      #expect(try session.themectl("config").lines.last == "# --upstream=- (command line)")
      #expect(try session.themectl("unset").status == .exited(0))
      #expect(try monitor.line() == "dark\tgruvbox\t#010203\t#3584e4\thigh")
    }
  }

  @Test func `garbage is told of once, harms nothing, and what comes behind it is shown`() throws {
    try withSession { session in
      let themed = try Self.follow(session)
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      for _ in 0..<100 {
        try themed.write("garbage\0[1]\0{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{}}\0")
      }
      try themed.errorLine(containing: "ignored invalid data")
      try themed.write(String(repeating: "x", count: 3 << 20) + "\0" + Self.frame("dark"))
      #expect(try monitor.line() == "dark")
      #expect(themed.errors.split(separator: "\n").count { $0.contains("ignored invalid data") } < 5)
      #expect(themed.isRunning)
    }
  }

  @Test func `a process that reads the same standard input keeps the daemon from no call`() throws {
    try withSession { session in
      // Both read one pipe: what one of them was told of, the other may have taken.
      let script = """
        import os, subprocess, sys
        reading, writing = os.pipe()
        other = subprocess.Popen(["cat"], stdin=reading, stdout=subprocess.DEVNULL)
        themed = subprocess.Popen([sys.argv[1], "--upstream", "-"], stdin=reading)
        for line in sys.stdin:
          os.write(writing, b"x\\0")
          print("wrote", flush=True)
        """
      let wrapper = try session.spawn("python3", ["-c", script, Products.path("themed")], input: [])
      while try wrapper.line() != "themed-upstream 1" {}
      for _ in 0..<200 {
        try wrapper.send(line: "")
        #expect(try wrapper.line() == "wrote")
        #expect(try session.connect().call("GetState").scheme == "light")
      }
      #expect(kill(try session.connect().peer(), SIGTERM) == 0)
    }
  }

  @Test func `a standard output that nobody reads keeps the daemon from no call`() throws {
    try withSession { session in
      let script = """
        import os, subprocess, sys
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        try:
          while True: os.write(writing, b"x")
        except BlockingIOError: pass
        # One page is free, so that it polls writable; the other writer takes it first.
        os.read(reading, 4096)
        os.set_blocking(writing, True)
        other = subprocess.Popen(["yes"], stdout=writing)
        themed = subprocess.Popen([sys.argv[1], "--upstream", "-"], stdin=subprocess.PIPE, stdout=writing)
        print("begun", flush=True)
        sys.stdin.read()
        other.kill()
        """
      let wrapper = try session.spawn("python3", ["-c", script, Products.path("themed")], input: [])
      #expect(try wrapper.line() == "begun")
      let state = try eventually("it serves") { try? session.connect().call("GetState") }
      #expect(state.scheme == "light")
      let share = try VarlinkConnection(path: session.socketPath + ".upstream")
      try share.send(bytes: Array(Self.frame("dark").utf8))
      try eventually("it is heard") { try session.connect().call("GetState").scheme == "dark" }
      #expect(kill(try session.connect().peer(), SIGTERM) == 0)
    }
  }

  @Test func `when the stream ends what it last said holds, is told, and survives the daemon`() throws {
    try withSession { session in
      let file = try session.directory.write(
        Self.frame("dark", ##","theme":"g","palette":{"text":"#010203"}"##), to: "said")
      let script = #"cat "$1" | "$2" --upstream -"#
      let themed = try session.spawn("sh", ["-c", script, "sh", file, Products.path("themed")])
      #expect(try themed.greeting() == "themed-upstream 1")
      try eventually("the end of the stream is told") {
        try session.themectl("status").output.contains("dark, its last answer: not connected")
      }
      #expect(try session.themectl("get", "scheme", "theme", "palette.text").lines == ["dark\tg\t#010203"])
      let doctor = try session.themectl("doctor").output
      #expect(!doctor.contains("session bus"), "\(doctor)")
      #expect(!doctor.contains("systemctl --user enable"), "units of its own would be in its way: \(doctor)")
      #expect(
        doctor.contains("themed follows another machine, by 'themectl share', but is not connected to it"), "\(doctor)")
      #expect(
        try session.themectl("status", "--verbose").output.contains(
          "upstream: another machine, by 'themectl share', not"))

      // A daemon after it, that has not been told anything yet.
      let pid = try session.connect().peer()
      #expect(kill(pid, SIGTERM) == 0)
      _ = try themed.wait()
      _ = try Self.follow(session)
      #expect(try session.themectl("get", "scheme", "theme").lines == ["dark\tg"])
    }
  }

  @Test func `a new stream is heard in the place of an older one, and who monitors stays connected`() throws {
    try withSession { session in
      let first = try Self.follow(session)
      let monitor = try session.subscribe()
      _ = try monitor.frame()
      try first.write(Self.frame("dark"))
      #expect(try monitor.frame().scheme == "dark")

      let second = try Self.follow(session)
      #expect(try first.greeting() == "themed-upstream taken")
      try second.write(Self.frame("light"))
      #expect(try monitor.frame().scheme == "light")
      // What the older one still says is heard no more.
      try first.write(Self.frame("dark"))
      let third = try Self.follow(session)
      #expect(try second.greeting() == "themed-upstream taken")
      #expect(try second.wait() == .exited(0))
      try third.write(Self.frame("dark", #","highContrast":true"#))
      let frame = try monitor.frame()
      #expect(frame.scheme == "dark")
      #expect(frame.bool("parameters.state.highContrast") == true)
    }
  }

  @Test func `out of descriptors it sleeps while another share waits, and hears that one once there are some`() throws {
    try withSession { session in
      let themed = try Self.follow(session)
      func limit(_ number: Int) throws {
        try session.check("prlimit", ["--pid", "\(themed.pid)", "--nofile=\(number):"])
      }
      // Those that it has stay.
      try limit(3)
      let share = try VarlinkConnection(path: session.socketPath + ".upstream")
      try share.send(bytes: Array(Self.frame("dark").utf8))
      try themed.errorLine(containing: "cannot accept a share yet")
      // It looks again once a second, and does nothing in between.
      try eventually("it is at rest") { (try sleepLeft(of: themed) ?? 0) > 0.3 }
      try limit(1024)
      try eventually("it is heard") { try session.themectl("get").lines == ["dark"] }
      #expect(themed.errors.components(separatedBy: "cannot accept a share yet").count == 2)
    }
  }

  @Test func `a daemon that follows its own desktop is not displaced, and it is said what to type`() throws {
    try withSession { session in
      let desktop = try session.startThemed()
      let other = try session.spawn(Products.path("themed"), ["--upstream", "-"], input: [])
      #expect(try other.wait() == .exited(69))
      #expect(other.errors.contains("is not replaced"))
      #expect(other.errors.contains("systemctl --user mask --now themed.socket themed-readonly.socket themed.service"))
      #expect(desktop.isRunning)
      #expect(try session.connect().call("GetState").scheme == "light")
    }
  }

  @Test func `another daemon is followed at its socket, through its restarts, and no bus is asked`() throws {
    try withSession { session in
      let upper = session.directory.path("run/upper/socket")
      var above = try session.startThemed(["--socket", upper])
      let below = try session.startThemed(["--upstream", upper])
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      #expect(try session.themectl("--socket", upper, "set", "dark").lines == ["dark"])
      #expect(try monitor.line() == "dark")
      above.stop()
      try below.awaitStatus(containing: "its last state stays in force")
      #expect(try session.themectl("get").lines == ["dark"])
      above = try session.startThemed(["--socket", upper])
      #expect(try session.themectl("--socket", upper, "set", "light").lines == ["light"])
      #expect(try monitor.line() == "light")
      #expect(above.isRunning)
      let bus = try session.connect().call("GetDiagnostics")
      #expect(bus.string("parameters.bus.state") == "unused")
      #expect(bus.string("parameters.upstream.source") == upper)
    }
  }

  @Test func `a daemon that was given up for what it said is asked again at a hangup, and heard`() throws {
    try withSession { session in
      let above = try DaemonInDisguise(session)
      let path = try #require(session.environment["THEMED_SOCKET"])
      session.environment["THEMED_SOCKET"] = nil
      let below = try session.startThemed(["--upstream", path])
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      for _ in 0..<3 {
        try above.awaits("call")
        try above.send("garbage\0")
        try above.awaits("end")
      }
      below.send(.hangup)
      try above.awaits("call")
      try above.send(DaemonInDisguise.state("dark"))
      #expect(try monitor.line() == "dark")
    }
  }

  @Test func `its own socket, and nothing, cannot be followed`() throws {
    try withSession { session in
      let own = try session.run(Products.path("themed"), ["--upstream", session.socketPath])
      #expect(own.status == .exited(1))
      #expect(own.errors.contains("is the socket of this themed itself"))
      #expect(try session.run(Products.path("themed"), ["--upstream", ""]).status == .exited(64))
    }
  }

  @Test func `the socket of shares comes back with the directory, and the next share is heard`() throws {
    try withSession { session in
      let first = try Self.follow(session)
      let door = session.socketPath + ".upstream"
      // While it is emptied, the daemon may have put a socket into it anew.
      let directory = URL(filePath: session.socketPath).deletingLastPathComponent()
      try eventually("it is removed") { (try? FileManager.default.removeItem(at: directory)) != nil }
      try eventually("both sockets are back") {
        FileManager.default.fileExists(atPath: door) && FileManager.default.fileExists(atPath: session.socketPath)
      }
      let second = try Self.follow(session)
      #expect(try first.greeting() == "themed-upstream taken")
      try second.write(Self.frame("dark"))
      try eventually("the second is heard") { try session.themectl("get").lines == ["dark"] }
      first.send(.terminate)
      #expect(try first.wait() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: door))
    }
  }

  @Test func `a file that is no socket is not removed for the socket of shares`() throws {
    try withSession { session in
      let door = session.socketPath + ".upstream"
      let directory = URL(filePath: door).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: door))
      let themed = try session.run(Products.path("themed"), ["--upstream", "-"])
      #expect(themed.status == .exited(1))
      #expect(themed.errors.contains("is not a socket"), "\(themed.errors)")
      #expect(try String(contentsOfFile: door, encoding: .utf8) == "mine")
    }
  }

  @Test func `states without end are shown at a pace, and the last of them in the end`() throws {
    try withSession { session in
      let themed = try Self.follow(session)
      let pair = Self.frame("dark") + Self.frame("light")
      let begin = ContinuousClock.now
      for _ in 0..<100 { try themed.write(String(repeating: pair + Self.frame("dark"), count: 33)) }
      try themed.write(Self.frame("dark", #","highContrast":true"#))
      try eventually("the last is shown") { try session.themectl("get", "contrast").lines == ["high"] }
      let serial = try #require(session.connect().call("GetState").int("parameters.state.serial"))
      // One for each tenth of a second, and the first.
      #expect(Double(serial) <= 3 + (ContinuousClock.now - begin) / Duration.milliseconds(100))
    }
  }

  @Test func `a daemon that is led to its own socket by another path does not follow itself`() throws {
    try withSession { session in
      let path = URL(filePath: session.socketPath)
      let round = path.deletingLastPathComponent().path + "/./" + path.lastPathComponent
      let themed = try session.startThemed(["--upstream", round])
      try themed.awaitStatus(containing: "it is this themed itself")
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      #expect(try session.themectl("unset").status == .exited(0))
      #expect(try session.themectl("get").lines == ["light"])
    }
  }
}

extension ChildProcess {
  /// The next word that a share is told.
  fileprivate func greeting() throws -> String {
    while true {
      let line = try line()
      if !line.isEmpty { return line }
    }
  }
}
