import Foundation
import Testing
import ThemedClientCore
import ThemedTestSupport

/// The service is restarted under a real user manager, and its clients notice nothing but the next change.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct LiveUpgradeStories {
  @Test(arguments: [4_096, 10_000])
  func `thousands of subscribers keep their connections, and miss no state`(count: Int) throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let watch = try session.subscribe()
      let first = try watch.frame()
      let load = try session.spawnLoad("hold", session.socketPath, "\(count)")
      #expect(try load.line() == "ready")
      for round in 1...3 {
        let process = try manager.property("MainPID", of: "themed.service")
        let begin = ContinuousClock.now
        try manager.systemctl("restart", "themed.service")
        print("restart \(round) with \(count) subscribers: \(ContinuousClock.now - begin)")
        #expect(try manager.property("MainPID", of: "themed.service") != process)

        let changed = try session.connect().call("Toggle")
        let serial = try #require(changed.int("parameters.state.serial"))
        #expect(serial == 1 + round, "the history goes on")
        // The load generator ends where a connection is closed, and where a state comes twice or out of order.
        try load.write("\(serial)\n")
        #expect(try load.line() == "all \(count) have \(serial)")
        let next = try watch.frame()
        #expect(next.int("parameters.state.serial") == serial)
        #expect(next.string("parameters.state.instance") == first.string("parameters.state.instance"))
      }
      let clients = try session.connect().call("ListClients").value("parameters.clients") as? [Any]
      #expect(clients?.count == count + 1)
    }
  }

  @Test func `a subscriber with details of a theme hears nothing of the restart, and then the next change whole`()
    throws
  {
    try withSession { session in
      let path = "data/themed/themes/mint.theme"
      try session.directory.write("[light.palette]\ntint=26c472\n[dark.palette]\ntint=84ffbf\n", to: path)
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let details = try session.connect()
      try details.send(#"{"method":"org.themed.theme.Monitor","parameters":{"details":true},"more":true}"#)
      _ = try details.frame()
      _ = try session.connect().call("SetOverride", #"{"override":{"lightTheme":"mint","darkTheme":"mint"}}"#)
      #expect(try details.frame().string("parameters.state.palette.primary") == "#26c472")
      try manager.systemctl("restart", "themed.service")
      _ = try session.connect().call("GetState")
      #expect(!details.hasInput)
      _ = try session.connect().call("Toggle")
      #expect(try details.frame().string("parameters.state.palette.primary") == "#84ffbf")
      try session.directory.write("[dark.palette]\ntint=111111\n", to: path)
      #expect(try details.frame().string("parameters.state.palette.primary") == "#111111")
    }
  }

  @Test func `a process that follows another one than that before it shows nothing of what that one followed`() throws {
    try withSession { session in
      // The upper one keeps its overrides elsewhere.
      let state = session.environment["XDG_STATE_HOME"]
      session.environment["XDG_STATE_HOME"] = try session.directory.directory("upper")
      let upper = session.directory.path("run/upper/socket")
      _ = try session.startThemed(["--socket", upper])
      #expect(try session.themectl("--socket", upper, "set", "dark").lines == ["dark"])
      session.environment["XDG_STATE_HOME"] = state

      try session.writeUnits(" --upstream \(upper)")
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let watch = try session.subscribe()
      func shows(_ scheme: String) throws {
        while try watch.frame().scheme != scheme {}
      }
      try shows("dark")
      try session.writeUnits()
      try manager.systemctl("daemon-reload")
      try manager.systemctl("restart", "themed.service")
      try shows("light")
      try session.writeUnits(" --upstream \(upper)")
      try manager.systemctl("daemon-reload")
      try manager.systemctl("restart", "themed.service")
      try shows("dark")
    }
  }

  @Test func `what the configuration says is shown without a flash by the process after a restart`() throws {
    try withSession { session in
      try session.directory.write("[dark.palette]\ntint=84ffbf\n", to: "data/themed/themes/mint.theme")
      try session.configure("[appearance]\nno-desktop=dark\ndark-theme=mint\n")
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let watch = try session.subscribe()
      // On a busy machine it may start before it has read the files.
      let first = try watch.frame { $0.scheme == "dark" && $0.string("parameters.state.theme") == "mint" }
      let serial = try #require(first.int("parameters.state.serial"))
      for round in 1...3 {
        try manager.systemctl("restart", "themed.service")
        _ = try session.connect().call("SetOverride", #"{"override":{"highContrast":\#(!round.isMultiple(of: 2))}}"#)
        let next = try watch.frame()
        #expect(next.int("parameters.state.serial") == serial + round)
        #expect(next.scheme == "dark" && next.string("parameters.state.theme") == "mint")
      }
    }
  }

  @Test func `calls and frames that are cut by the restart are finished, on the same connections`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let getState = Array(#"{"method":"org.themed.theme.GetState"}"#.utf8) + [0]
      let idle = try session.connect()
      let cut = try (0...getState.count).map { _ in try session.connect() }
      // It reads nothing for long: replies wait in the daemon, and calls before it.
      let flooder = try session.connect()
      let flood = Array(repeatElement(getState, count: 40_000).joined())
      let sent = flooder.sendSome(of: flood)
      let stalled = try session.subscribe()
      let named = try session.connect()
      try named.send(#"{"method":"org.themed.theme.Monitor","parameters":{"app":"nvim"},"more":true}"#)
      #expect(try named.frame().scheme == "light")
      for number in 0..<200 {
        let scheme = number.isMultiple(of: 2) ? "dark" : "light"
        _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"\#(scheme)"}}"#)
      }
      let gone = try session.subscribe()
      _ = try gone.frame()
      // Only now: the daemon waits ten seconds for the rest of a call, and what was before may take longer.
      for (count, connection) in cut.enumerated() { try connection.send(bytes: Array(getState[..<count])) }

      try manager.systemctl("restart", "themed.service")

      #expect(try idle.call("GetState").scheme == "light")
      for (count, connection) in cut.enumerated() {
        try connection.send(bytes: Array(getState[count...]))
        #expect(try connection.frame().scheme == "light")
      }
      _ = try session.connect().call("SetOverride", #"{"override":{"app":"nvim","scheme":"dark"}}"#)
      #expect(try named.frame(where: { $0.int("parameters.state.serial") == 202 }).scheme == "dark")
      let newest = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      let serial = try #require(newest.int("parameters.state.serial"))
      var serials: [Int] = []
      while serials.last != serial { serials.append(try stalled.frame().int("parameters.state.serial") ?? 0) }
      #expect(serials == serials.sorted() && Set(serials).count == serials.count)
      // Every whole call of the flood is answered, and no more.
      for _ in 0..<sent / getState.count { #expect(try flooder.frame().scheme != nil) }
      try flooder.send(bytes: Array(flood[sent..<(sent / getState.count + 1) * getState.count]))
      #expect(try flooder.frame().scheme == "dark")
      #expect(!flooder.hasInput)
      let clients = try session.connect().call("ListClients").value("parameters.clients") as? [[String: Any]]
      #expect(clients?.map { $0["app"] as? String } == [nil, "nvim", nil])
    }
  }

  @Test func `what changes while no process runs is told by the next`() throws {
    try withSession { session in
      try session.writeUnits()
      let next = session.directory.path("run/next.conf")
      let configuration = session.directory.path("config/themed/themed.conf")
      try session.configure("")
      try UserManager.write(
        "[Service]\nExecStartPre=/bin/sh -c 'test ! -e \(next) || mv \(next) \(configuration)'\n",
        as: "themed.service.d/change.conf", in: session)
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let watch = try session.subscribe()
      let first = try watch.frame()
      #expect(first.scheme == "light")
      try session.directory.write("[appearance]\nno-desktop=dark\n", to: "run/next.conf")
      try manager.systemctl("restart", "themed.service")
      let second = try watch.frame()
      #expect(second.scheme == "dark")
      #expect(second.string("parameters.state.instance") == first.string("parameters.state.instance"))
      #expect(second.int("parameters.state.serial") == 2)
      let diagnostics = try session.connect().call("GetDiagnostics")
      let changes = diagnostics.value("parameters.changes") as? [[String: Any]]
      #expect(changes?.map { $0["cause"] as? String } == ["restart"])
    }
  }

  @Test func `what is stored is forgotten once it is taken, and with a stop`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let watch = try session.subscribe()
      let first = try watch.frame()
      for _ in 0..<6 { try manager.systemctl("restart", "themed.service") }
      // It is ready before the manager has heard what it has taken.
      try eventually { try manager.property("NFileDescriptorStore", of: "themed.service") == "0" }
      try manager.systemctl("stop", "themed.service")
      try watch.expectClose()
      #expect(try manager.property("NFileDescriptorStore", of: "themed.service") == "0")
      let other = try session.subscribe().frame()
      #expect(other.string("parameters.state.instance") != first.string("parameters.state.instance"))
    }
  }

  @Test func `where there is no store, clients connect anew and go on`() throws {
    try withSession { session in
      try session.writeUnits()
      try UserManager.write(
        "[Service]\nFileDescriptorStoreMax=0\n", as: "themed.service.d/no-store.conf", in: session)
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let watch = try session.subscribe()
      _ = try watch.frame()
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      try manager.systemctl("restart", "themed.service")
      try watch.expectClose()
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      #expect(try monitor.line() == "dark")
    }
  }
}

/// What a service manager hands over is not trusted.
@Suite(.ownThreads) struct ForeignStoreStories {
  @Test(
    arguments: [
      ("rubbish", "closed the inherited"), ("stream", "closed the inherited"), ("unnamed", "closed the unknown"),
      ("file", "dropped the stored"), ("no connection", "dropped the stored"), ("damaged", "dropped the stored"),
      ("nothing", nil),
    ] as [(String, String?)])
  func `whatever was stored, the daemon starts, says so, and serves`(content: String, said: String?) throws {
    try withSession { session in
      let themed = try session.spawn("python3", ["-c", Self.program, content, Products.path("themed")])
      if let said { try themed.errorLine(containing: said) }
      try themed.errorLine(containing: "serves")
      let state = try session.connect().call("GetState")
      #expect(state.scheme == "light")
      #expect(themed.isRunning)
    }
  }

  /// Becomes the daemon, with descriptors as a store would hold them.
  private static let program = """
    import fcntl, os, socket, sys
    content, themed = sys.argv[1:]
    ours, kept = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM if content == "stream" else socket.SOCK_SEQPACKET)
    def sealed(data):
        file = os.memfd_create("x", os.MFD_ALLOW_SEALING)
        os.write(file, data)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE)
        return file
    if content in ("rubbish", "stream"):
        socket.send_fds(ours, [b"rubbish"], [0, 1])
    elif content == "file":
        socket.send_fds(ours, [b"themed handover"], [os.open("/dev/zero", os.O_RDONLY)])
    elif content == "no connection":
        socket.send_fds(ours, [b"themed handover"], [sealed(b"")])
    elif content == "damaged":
        socket.send_fds(ours, [b"themed handover"], [sealed(b"themed handover 2\\n" + bytes(100))])
        socket.send_fds(ours, [bytes(4)], [0, 1, 2])
    os.dup2(kept.fileno(), 3)
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()),
                      LISTEN_FDNAMES="what" if content == "unnamed" else "themed-connections")
    os.execv(themed, [themed])
    """
}
