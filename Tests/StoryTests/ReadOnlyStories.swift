import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// The socket for reading only: what can be asked there, what is told, and that nothing else comes of it.
@Suite(.ownThreads) struct ReadOnlyStories {
  /// What is answered there; a method that is not here is refused, and one that is new has to be decided.
  private static let answered: [String: String] = [
    "GetState": "{}", "Monitor": "{}", "ListThemes": "{}", "GetTheme": #"{"name":"mint"}"#,
  ]
  private static let refused: [String: String] = [
    "SetOverride": #"{"override":{"scheme":"dark"}}"#, "ClearOverride": "{}", "Toggle": "{}", "ListOverrides": "{}",
    "ListClients": "{}", "GetConfiguration": "{}", "GetSchedule": "{}", "GetDiagnostics": "{}",
    "GetDesktopTarget": "{}", "ReportDesktopTarget": #"{"number":1}"#,
  ]

  @Test func `every method of the interface is answered, or denied whatever its parameters and flags are`() throws {
    try withSession { session in
      try session.installMint()
      _ = try session.startThemed()
      let before = try session.connect().call("SetOverride", #"{"override":{"scheme":"light"}}"#)
      try Self.tryEveryMethod(session)
      let after = try session.connect().call("GetState")
      #expect(after.int("parameters.state.serial") == before.int("parameters.state.serial"))
      let kept = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
      #expect(kept.contains("light") && !kept.contains("dark"))
    }
  }

  /// Calls each method that the daemon says that it has.
  fileprivate static func tryEveryMethod(_ session: Session) throws {
    let connection = try session.connectToRead()
    let texts = try ["theme", "admin"].map { name in
      let described = try connection.call(
        "org.varlink.service.GetInterfaceDescription", #"{"interface":"org.themed.\#(name)"}"#)
      return try #require(described.string("parameters.description"))
    }
    let methods = texts.joined().split(separator: "\n").filter { $0.hasPrefix("method ") }
      .compactMap { $0.dropFirst(7).split(separator: "(").first.map(String.init) }
    #expect(Set(methods) == Set(answered.keys).union(refused.keys), "a method that is not decided")
    #expect(try connection.call("org.varlink.service.GetInfo").string("parameters.product") == "themed")
    for method in methods {
      if let parameters = answered[method] {
        let other = try session.connectToRead()
        let more = method == "Monitor" ? #","more":true"# : ""
        try other.send(#"{"method":"\#(VarlinkConnection.fullName(method))","parameters":\#(parameters)\#(more)}"#)
        let reply = try other.frame()
        #expect(reply.error == nil, "\(method): \(reply.text)")
      } else {
        for parameters in [refused[method] ?? "{}", #"{"no":"such parameter"}"#] {
          for flag in ["", #","more":true"#, #","upgrade":true"#] {
            try connection.send(
              #"{"method":"\#(VarlinkConnection.fullName(method))","parameters":\#(parameters)\#(flag)}"#)
            let reply = try connection.frame()
            #expect(reply.error == "org.varlink.service.PermissionDenied", "\(method) \(flag): \(reply.text)")
          }
          try connection.send(
            #"{"method":"\#(VarlinkConnection.fullName(method))","parameters":\#(parameters),"oneway":true}"#)
        }
      }
    }
    #expect(try connection.call("Nothing").error == "org.varlink.service.MethodNotFound")
  }

  @Test func `neither a path nor what is said of other apps is told, by whatever way a theme is asked for`() throws {
    try withSession { session in
      try session.installMint()
      try session.directory.write("[light.palette]\ntint=purple\n", to: "data/themed/themes/wrong.theme")
      _ = try session.startThemed()
      let all = try session.connect()
      _ = try all.call("SetOverride", #"{"override":{"lightTheme":"mint","darkTheme":"mint"}}"#)
      _ = try all.call("SetOverride", #"{"override":{"app":"secretive","scheme":"dark"}}"#)
      let image = session.directory.path("data/themed/themes/hills.png")
      #expect(try all.call("GetState", #"{"details":true}"#).string("parameters.state.assets.wallpaper") == image)

      let reader = try session.connectToRead()
      let watch = try session.connectToRead()
      try watch.send(#"{"method":"org.themed.theme.Monitor","parameters":{"details":true},"more":true}"#)
      let list = try session.connectToRead()
      try list.send(#"{"method":"org.themed.theme.ListThemes","more":true}"#)
      var told = [
        try reader.call("GetState", #"{"details":true}"#), try watch.frame(), try list.frame(),
        try reader.call("ListThemes"), try reader.call("GetTheme", #"{"name":"mint"}"#),
        try reader.call("GetTheme", #"{"name":"wrong"}"#), try reader.call("GetState"),
      ]
      #expect(told[0].string("parameters.state.palette.primary") == "#26c472")
      #expect(told[4].string("parameters.theme.light.palette.primary") == "#26c472")
      #expect(told[5].error == "org.themed.theme.UnusableTheme")
      _ = try all.call("Toggle")
      told.append(try watch.frame())
      #expect(told[7].string("parameters.state.palette.primary") == "#84ffbf")
      try session.directory.write("[light.palette]\ntint=#101010\n", to: "data/themed/themes/other.theme")
      told.append(try list.frame { $0.text.contains("other") })
      for frame in told {
        #expect(!frame.text.contains(session.directory.path("")) && !frame.text.contains("secretive"), "\(frame.text)")
        #expect(!frame.text.contains("hills"), "\(frame.text)")
      }
      // Who knows the name of an app may ask for it, and hears of that one.
      let other = try reader.call("GetState", #"{"app":"other"}"#)
      #expect(
        other.string("parameters.state.scheme") == "dark" && !other.text.contains("app_override"), "\(other.text)")
      let named = try reader.call("GetState", #"{"app":"secretive"}"#)
      #expect(named.text.contains("app_override") && !named.text.contains("secretive"), "\(named.text)")
      // The one who may see everything is told it still.
      #expect(try all.call("ListThemes").text.contains("mint.theme"))
      #expect(try all.call("GetTheme", #"{"name":"mint"}"#).text.contains("hills.png"))
    }
  }

  @Test func `no time is told there of the schedule, nor of what ends: those of the sun would say where the user is`()
    throws
  {
    try withSession { session in
      // It is noon.
      session.environment["TZ"] = ScheduleStories.zone(12 * 3600)
      try session.configure("[schedule]\nmode=times\nlight=07:00\ndark=19:00\n")
      _ = try session.startThemed()
      let all = try session.connect()
      let watch = try session.connectToRead()
      try watch.send(#"{"method":"org.themed.theme.Monitor","parameters":{},"more":true}"#)
      #expect(try watch.frame().int("parameters.state.nextSwitch.time") == nil)
      let end = Int(Date.now.timeIntervalSince1970) + 3600
      _ = try all.call("SetOverride", #"{"override":{"highContrast":true,"expiresAt":\#(end)}}"#)
      let reader = try session.connectToRead()
      for frame in try [watch.frame(), reader.call("GetState"), reader.call("GetState", #"{"details":true}"#)] {
        #expect(frame.bool("parameters.state.highContrast") == true)
        #expect(frame.string("parameters.state.origins.highContrast.rule") == "override", "\(frame.text)")
        #expect(!frame.text.contains("nextSwitch") && !frame.text.contains("expiresAt"), "\(frame.text)")
      }
      let told = try all.call("GetState")
      #expect(told.int("parameters.state.nextSwitch.time") != nil)
      #expect(told.int("parameters.state.origins.highContrast.expiresAt") == end)
    }
  }

  @Test func `however often the themes are listed there, they are not read anew each time`() throws {
    try withSession { session in
      try session.installMint()
      let trace = session.directory.path("trace")
      let strace = ["strace", "-D", "-f", "-o", trace, "-e", "trace=getdents64"]
      _ = try session.startThemed(under: strace)
      func readings(by connection: VarlinkConnection) throws -> Int {
        let before = try String(contentsOfFile: trace, encoding: .utf8).count { $0 == "\n" }
        for _ in 0..<40 { #expect(try connection.call("ListThemes").text.contains("mint")) }
        return try String(contentsOfFile: trace, encoding: .utf8).count { $0 == "\n" } - before
      }
      let others = try readings(by: session.connect())
      #expect(others >= 40)
      #expect(try readings(by: session.connectToRead()) < others / 2)
    }
  }

  @Test func `of many who ask there and take nothing, those are closed who have waited the longest`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let (method, parameters) = ("org.varlink.service.GetInterfaceDescription", #"{"interface":"org.themed.theme"}"#)
      let call = #"{"method":"\#(method)","parameters":\#(parameters)}"# + "\0"
      let size = try session.connectToRead().call(method, parameters).text.utf8.count
      // So many may wait together: one reply is kept whole until all of it is taken. And half as many come besides.
      let fitting = 4 * 1024 * 1024 / (size + 1)
      let readers = try (0..<fitting * 3 / 2).map { _ in try session.connectToRead() }
      for reader in readers { try reader.send(bytes: Array(call.utf8)) }
      // In the order in which they came, so all were answered, or are gone.
      #expect(try readers.last?.frame().text.contains("method Monitor") == true)
      #expect(throws: (any Error).self) { try readers[0].frame() }
      #expect(throws: (any Error).self) { try readers[1].frame() }
      let served = try readers[(fitting * 3 / 2 - fitting / 4)...].dropLast().map { try $0.frame().text.utf8.count }
      #expect(served.allSatisfy { $0 == size })
      try themed.errorLine(containing: "the client does not read its replies, and too many are waiting")
      // Whoever takes what it asks for is served on.
      let reader = try session.connectToRead()
      for _ in 0..<3 { try reader.send(bytes: Array(call.utf8)) }
      for _ in 0..<3 { #expect(try reader.frame().text.utf8.count == size) }
    }
  }

  @Test func `a call longer than any of its methods needs is not waited for there`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let name = String(repeating: "a", count: 5000)
      let call = #"{"method":"org.themed.theme.GetState","parameters":{"app":"\#(name)"}}"#
      let all = try session.connect()
      try all.send(call)
      #expect(try all.frame().error == "org.varlink.service.InvalidParameter")
      let reader = try session.connectToRead()
      try reader.send(call)
      try reader.expectClose()
    }
  }

  @Test func `a thousand subscribers there and a thousand on the other hear of each change, and none waits`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let count = 1_000
      let readers = try session.spawnLoad("hold", session.readOnlyPath, "\(count)")
      let others = try session.spawnLoad("hold", session.socketPath, "\(count)")
      for load in [readers, others] { #expect(try load.line() == "ready") }
      // One who reads nothing holds up nobody.
      let lazy = try session.connectToRead()
      try lazy.send(#"{"method":"org.themed.theme.Monitor","parameters":{"details":true},"more":true}"#)
      let client = try session.connect()
      for _ in 0..<5 {
        let serial = try client.call("Toggle").int("parameters.state.serial") ?? 0
        for load in [readers, others] {
          try load.write("\(serial)\n")
          #expect(try load.line() == "all \(count) have \(serial)")
        }
      }
      let clients = try client.call("ListClients").value("parameters.clients") as? [[String: Any]] ?? []
      #expect(clients.count == 2 * count + 1)
      #expect(clients.filter { $0["readOnly"] as? Bool == true }.count == count + 1)
      #expect(try client.call("GetDiagnostics").int("parameters.readOnlySocket.connections") == count + 1)
    }
  }

  @Test func `however many come to it, the other socket has room, and the log says once that more are refused`() throws
  {
    try withSession { session in
      try session.configure("[limits]\nconnections=40\n")
      let themed = try session.startThemed()
      let readers = try (0..<10).map { _ in try session.connectToRead() }
      for reader in readers { #expect(try reader.call("GetState").scheme == "light") }
      for _ in 0..<5 { try session.connectToRead().expectClose() }
      let others = try (0..<30).map { _ in try session.connect() }
      for other in others { #expect(try other.call("GetState").scheme == "light") }
      #expect(try others[0].call("Toggle").scheme == "dark")
      try themed.errorLine(containing: "refusing new connections to the read-only socket: there are already 10")
      #expect(themed.errors.components(separatedBy: "refusing new connections").count == 2)
      #expect(try readers[9].call("GetState").scheme == "dark", "who is in stays")
    }
  }

  @Test func `it lies in a directory of its own, open to nobody else, which stays when the daemon ends`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      let directory = (session.readOnlyPath as NSString).deletingLastPathComponent
      #expect(try mode(session.readOnlyPath) == 0o600)
      #expect(try mode(directory) == 0o700)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["org.themed.theme"])
      let number = try FileManager.default.attributesOfItem(atPath: directory)[.systemFileNumber] as? Int
      // Its file is made anew as the other's is.
      #expect(unsafe unlink(session.readOnlyPath) == 0)
      try themed.errorLine(containing: "\(session.readOnlyPath) was removed or replaced, and recreated")
      #expect(try session.connectToRead().call("Toggle").error == "org.varlink.service.PermissionDenied")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: session.readOnlyPath))
      _ = try session.startThemed()
      // A container that was given the directory sees the next daemon's socket in it.
      #expect(try FileManager.default.attributesOfItem(atPath: directory)[.systemFileNumber] as? Int == number)
      #expect(try session.connectToRead().call("GetState").scheme == "light")
    }
  }

  @Test func `a directory of somebody else's, or open to others, is not used, and all else is served`() throws {
    try withSession { session in
      let directory = try session.directory.directory("run/themed/readonly")
      #expect(unsafe chmod(directory, 0o777) == 0)
      let themed = try session.startThemed()
      try themed.errorLine(containing: "cannot be created, will retry: \(directory) has to be a directory")
      #expect(!FileManager.default.fileExists(atPath: session.readOnlyPath))
      let diagnostics = try session.connect().call("GetDiagnostics")
      #expect(diagnostics.string("parameters.readOnlySocket.path") == session.readOnlyPath)
      #expect(diagnostics.string("parameters.readOnlySocket.problem")?.contains("has to be a directory") == true)
      // Once that is mended, nobody has to restart anything.
      #expect(unsafe chmod(directory, 0o700) == 0)
      try themed.errorLine(containing: "\(session.readOnlyPath) was created")
      #expect(try session.connectToRead().call("Toggle").error == "org.varlink.service.PermissionDenied")
      #expect(
        try session.connect().call("GetDiagnostics").string("parameters.readOnlySocket.problem") == nil)
    }
  }

  @Test func `of two daemons the one that has the other socket has this one, too`() throws {
    try withSession { session in
      let first = try session.startThemed()
      // By then it watches both sockets, and sees their files go in one order.
      try first.errorLine(containing: "cannot connect to the session bus yet")
      first.send(.stop)
      let place = URL(filePath: session.socketPath).deletingLastPathComponent()
      try FileManager.default.removeItem(at: place)
      // The second one cannot bind it at first.
      let directory = try session.directory.directory("run/themed/readonly")
      #expect(unsafe chmod(directory, 0o777) == 0)
      let second = try session.startThemed()
      try second.errorLine(containing: "cannot be created, will retry")
      first.send(.continue)
      try first.errorLine(containing: "themed is already running")
      #expect(unsafe chmod(directory, 0o700) == 0)
      try first.errorLine(containing: "the main socket beside it belongs to another themed")
      try second.errorLine(containing: "\(session.readOnlyPath) was created")
      #expect(try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#).scheme == "dark")
      #expect(try session.connectToRead().call("GetState").scheme == "dark")
    }
  }

  @Test func `with --socket it lies beside that one, and a daemon for everything is not started in its place`() throws {
    try withSession { session in
      let place = session.directory.path("run/elsewhere/sock")
      let themed = try session.startThemed(["--socket", place])
      let beside = session.directory.path("run/elsewhere/readonly/sock")
      #expect(try VarlinkConnection(path: beside).call("Toggle").error == "org.varlink.service.PermissionDenied")
      #expect(try VarlinkConnection(path: place).call("Toggle").scheme == "dark")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      let directory = try session.directory.directory("run/themed/readonly")
      let link = session.directory.path("run/link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory)
      for path in [
        session.readOnlyPath, directory + "//s", directory + "/./s", directory + "/../readonly/s", link + "/s",
      ] {
        session.environment["THEMED_SOCKET"] = path
        let other = try session.spawnThemed()
        #expect(try other.wait() == .exited(1))
        #expect(other.errors.contains("is reserved for the read-only socket"), "\(other.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
      }
    }
  }
}

extension Session {
  /// Installs a theme with an image.
  fileprivate func installMint() throws {
    try directory.write("", to: "data/themed/themes/hills.png")
    try directory.write(
      """
      [light.palette]
      tint=26c472
      [light.assets]
      wallpaper=hills.png
      [dark.palette]
      tint=84ffbf
      [dark.assets]
      wallpaper=hills.png
      """, to: "data/themed/themes/mint.theme")
  }
}

/// The socket for reading only under a real user manager: by its own unit, and through restarts.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct ReadOnlyUnitStories {
  @Test func `after a restart by the manager every method is answered or denied as before`() throws {
    try withSession { session in
      try session.installMint()
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket", "themed-readonly.socket")
      try ReadOnlyStories.tryEveryMethod(session)
      try manager.systemctl("restart", "themed.service")
      try ReadOnlyStories.tryEveryMethod(session)
      try manager.systemctl("kill", "--kill-whom=main", "--signal=KILL", "themed.service")
      try ReadOnlyStories.tryEveryMethod(session)
      #expect(try session.connect().call("Toggle").scheme == "dark")
    }
  }

  @Test(arguments: ["themed-readonly.socket", "themed.socket"])
  func `with one socket's unit alone both sockets are there, and each is what it is`(unit: String) throws {
    try withSession { session in
      try session.writeUnits()
      // As for a user who has not installed, or not wanted, the other unit.
      let other = unit == "themed.socket" ? "themed-readonly.socket" : "themed.socket"
      try FileManager.default.removeItem(atPath: session.directory.path("config/systemd/user/" + other))
      let manager = try UserManager(session: session)
      try manager.systemctl("start", unit)
      let first = unit == "themed.socket" ? try session.connect() : try session.connectToRead()
      #expect(try first.call("GetState").scheme == "light")
      for _ in 0..<2 {
        #expect(try session.connectToRead().call("Toggle").error == "org.varlink.service.PermissionDenied")
        #expect(try session.connect().call("Toggle").scheme != nil)
        try manager.systemctl("restart", "themed.service")
      }
    }
  }

  @Test func `a unit that names the socket for reading only as the other one gives no more rights by that`() throws {
    try withSession { session in
      try session.writeUnits()
      try UserManager.write(
        "[Socket]\nFileDescriptorName=varlink\n", as: "themed-readonly.socket.d/name.conf", in: session)
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket", "themed-readonly.socket")
      #expect(try session.connectToRead().call("Toggle").error == "org.varlink.service.PermissionDenied")
      #expect(try session.connect().call("Toggle").scheme == "dark")
    }
  }

  @Test func `who came by the socket for reading only stays a reader through live upgrades`() throws {
    try withSession { session in
      try session.installMint()
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket", "themed-readonly.socket")
      _ = try session.connect().call("SetOverride", #"{"override":{"lightTheme":"mint","darkTheme":"mint"}}"#)
      let (idle, watch, list) = (
        try session.connectToRead(), try session.connectToRead(), try session.connectToRead()
      )
      let other = try session.connect()
      _ = try idle.call("GetState")
      _ = try other.call("GetState")
      try watch.send(#"{"method":"org.themed.theme.Monitor","parameters":{"details":true},"more":true}"#)
      _ = try watch.frame()
      try list.send(#"{"method":"org.themed.theme.ListThemes","more":true}"#)
      _ = try list.frame()
      for round in 1...3 {
        try manager.systemctl("restart", "themed.service")
        #expect(try idle.call("Toggle").error == "org.varlink.service.PermissionDenied")
        #expect(try idle.call("ListClients").error == "org.varlink.service.PermissionDenied")
        #expect(try other.call("Toggle").scheme == (round.isMultiple(of: 2) ? "light" : "dark"))
        let next = try watch.frame()
        #expect(next.string("parameters.state.palette.primary") != nil && !next.text.contains("hills"), "\(next.text)")
        try session.directory.write("[light.palette]\ntint=#101010\n", to: "data/themed/themes/new\(round).theme")
        let news = try list.frame { $0.text.contains("new\(round)") }
        #expect(!news.text.contains(".theme"), "\(news.text)")
        #expect(try other.call("GetDiagnostics").int("parameters.readOnlySocket.connections") == 3)
      }
    }
  }
}
