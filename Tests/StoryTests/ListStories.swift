import Foundation
import Testing
import ThemedTestSupport

/// The lists of overrides and clients, followed with `more`.
@Suite(.ownThreads) struct ListStories {
  @Test func `who follows the overrides is told the whole list at first and after each change, and nothing twice`()
    throws
  {
    try withSession { session in
      _ = try session.startThemed()
      let client = try session.connect()
      _ = try client.call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      let follower = try session.follow("ListOverrides")
      #expect(try follower.overrides() == ["*: dark"])
      _ = try client.call("SetOverride", #"{"override":{"app":"nvim","scheme":"light"}}"#)
      #expect(try follower.overrides() == ["*: dark", "nvim: light"])
      _ = try client.call("SetOverride", #"{"override":{"app":"nvim","scheme":"light"}}"#)
      _ = try client.call("ClearOverride")
      #expect(try follower.overrides() == ["nvim: light"], "what is set again is no change")
      let soon = Int(Date.now.timeIntervalSince1970) + 10
      let set = try client.call("SetOverride", #"{"override":{"app":"a","scheme":"dark","expiresAt":\#(soon)}}"#)
      #expect(set.error == nil)
      #expect(try follower.overrides() == ["a: dark", "nvim: light"])
      #expect(try follower.overrides() == ["nvim: light"], "one that ends by itself")
      // Asked once, it is answered once.
      #expect(try client.call("ListOverrides").bool("continues") == nil)
      #expect(try client.call("GetState").error == nil)
    }
  }

  @Test func `ten thousand changes are told as a few lists, the newest last, and cost who does not read nothing`()
    throws
  {
    try withSession { session in
      let themed = try session.startThemed()
      let silent = try session.follow("ListOverrides")
      let reader = try session.follow("ListOverrides")
      #expect(try reader.overrides() == [])
      // Each waits for its change to be saved, which takes long; together they do not.
      let clients = try (0..<50).map { _ in try session.connect() }
      var lists = 0
      for round in 0..<200 {
        for (index, client) in clients.enumerated() {
          let scheme = ["dark", "light"][round % 2]
          let override = #"{"override":{"app":"app-\#(index)","scheme":"\#(scheme)"}}"#
          try client.send(#"{"method":"org.themed.theme.SetOverride","parameters":\#(override)}"#)
        }
        for client in clients { #expect(try client.frame().error == nil) }
        while reader.hasInput {
          _ = try reader.frame()
          lists += 1
        }
      }
      _ = try clients[0].call("ClearOverride", #"{"everyApp":true}"#)
      _ = try clients[0].call("SetOverride", #"{"override":{"app":"last","scheme":"dark"}}"#)
      while try reader.overrides() != ["last: dark"] { lists += 1 }
      print("10000 changes made \(lists) lists")
      #expect(lists < 5_000)
      // The first that was begun, what the kernel holds beside it, and the newest.
      var unread = 1
      while try silent.overrides() != ["last: dark"] { unread += 1 }
      #expect(unread < 40, "\(unread)")
      #expect(!silent.hasInput)
      #expect(themed.isRunning)
    }
  }

  @Test func `who follows the clients is told of a thousand who come at once in a few lists`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let follower = try session.follow("ListClients")
      #expect(try follower.clients() == [])
      let load = try session.spawnLoad("hold", session.socketPath, "1000")
      #expect(try load.line() == "ready")
      var lists = 1
      while try follower.clients().count < 1_000 { lists += 1 }
      print("1000 clients made \(lists) lists")
      #expect(lists < 200)
      let watch = try session.subscribe()
      #expect(try follower.clients().last == Int(ProcessInfo.processInfo.processIdentifier))
      // Who follows lists, or only asks, is no client that monitors.
      let other = try session.follow("ListClients")
      #expect(try other.clients().count == 1_001)
      _ = try session.connect().call("GetState")
      #expect(!follower.hasInput)
      withExtendedLifetime(watch) {}
      load.send(.kill)
      while try follower.clients().count > 1 {}
      while try other.clients().count > 1 {}
    }
  }

  @Test func `who follows hangs up, comes again, or says more, and the daemon goes on`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let client = try session.connect()
      for round in 0..<50 {
        let followers = try ["ListOverrides", "ListClients", "ListThemes"].map { try session.follow($0) }
        if round % 2 == 0 { for follower in followers { _ = try follower.frame() } }
        _ = try client.call("SetOverride", #"{"override":{"app":"\#(round)","scheme":"dark"}}"#)
        // What is said while a list is followed is not heard.
        try followers[0].send(#"{"method":"org.themed.theme.GetState"}"#)
      }
      let follower = try session.follow("ListOverrides")
      #expect(try follower.overrides().count == 50)
      for method in ["ListOverrides", "ListClients", "ListThemes"] {
        try client.send(#"{"method":"\#(VarlinkConnection.fullName(method))","parameters":{"app":"a"},"more":true}"#)
        #expect(try client.frame().error == "org.varlink.service.InvalidParameter")
      }
      #expect(themed.isRunning)
    }
  }
}

/// The lists, followed over a live upgrade.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct ListUpgradeStories {
  @Test func `who follows a list keeps his connection over a restart, and is told what it is then`() throws {
    try withSession { session in
      try session.writeUnits()
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/mint.theme")
      let (overrides, clients) = (try session.follow("ListOverrides"), try session.follow("ListClients"))
      let themes = try session.follow("ListThemes")
      #expect(try overrides.overrides() == [] && clients.clients() == [])
      let own = try themes.frame().themes.map(\.name)
      try #require(own.contains("mint"))
      let watch = try session.subscribe()
      #expect(try clients.clients().count == 1)
      try manager.systemctl("restart", "themed.service")
      _ = try session.connect().call("SetOverride", #"{"override":{"app":"nvim","scheme":"dark"}}"#)
      while try overrides.overrides() != ["nvim: dark"] {}
      #expect(try clients.clients().count == 1, "as it is told once after a restart")
      #expect(try themes.frame().themes.map(\.name) == own)
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/teal.theme")
      #expect(try themes.frame().themes.map(\.name).contains("teal"))
      withExtendedLifetime(watch) {}
    }
  }
}

extension Session {
  /// Connects, and follows the list that a method returns.
  func follow(_ method: String) throws -> VarlinkConnection {
    let connection = try connect()
    try connection.send(#"{"method":"\#(VarlinkConnection.fullName(method))","more":true}"#)
    return connection
  }
}

extension VarlinkConnection {
  /// The next list of overrides: each one's app and scheme.
  fileprivate func overrides() throws -> [String] {
    let frame = try frame()
    guard frame.bool("continues") == true, let list = frame.value("parameters.overrides") as? [[String: Any]] else {
      throw Failure("no list of overrides: \(frame.text)")
    }
    return list.map { "\($0["app"] as? String ?? "*"): \($0["scheme"] as? String ?? "-")" }
  }

  /// The next list of clients, by their processes.
  fileprivate func clients() throws -> [Int] {
    let frame = try frame()
    guard frame.bool("continues") == true, let list = frame.value("parameters.clients") as? [[String: Any]] else {
      throw Failure("no list of clients: \(frame.text)")
    }
    return list.compactMap { $0["pid"] as? Int }
  }
}

/// A theme of a list, as it came.
struct ListedTheme: Equatable {
  let name: String
  var title: String?
  var light: [String: String]?
  var dark: [String: String]?
  var problem: String?
}

extension Frame {
  /// The themes of a list.
  var themes: [ListedTheme] {
    (value("parameters.themes") as? [[String: Any]] ?? []).map { theme in
      ListedTheme(
        name: theme["name"] as? String ?? "", title: theme["title"] as? String,
        light: theme["light"] as? [String: String],
        dark: theme["dark"] as? [String: String], problem: theme["problem"] as? String)
    }
  }
}
