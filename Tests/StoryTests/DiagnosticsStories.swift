import Foundation
import Testing
import ThemedTestSupport

/// What the daemon tells of itself when asked why.
@Suite(.ownThreads) struct DiagnosticsStories {
  @Test func `before there is a bus it says so, and where it looks for one`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let told = try session.connect().call("GetDiagnostics")
      #expect(told.string("parameters.bus.state") == "waiting")
      #expect(told.string("parameters.bus.address") == session.directory.path("run/bus"))
      #expect(told.string("parameters.bus.problem") != nil)
      #expect(told.string("parameters.session") == "unknown")
      #expect(told.bool("parameters.portal.standsIn") == false)
      #expect(told.value("parameters.portal.owner") == nil)
      #expect((told.value("parameters.changes") as? [Any])?.isEmpty == true)

      let report = try session.themectl("status", "--verbose").output
      let place = session.directory.path("run/bus")
      #expect(report.contains("session bus: not connected, themed tries again; address: \(place)"))
      #expect(report.contains("portal: not running"))
      #expect(report.contains("changes: none"))
    }
  }

  @Test func `with the real portal it tells what was read, from whom, and what changed by what`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      let start = Int(Date().timeIntervalSince1970)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      // The version is asked after the first answer.
      let told = try session.diagnostics { frame in frame.int("parameters.portal.version") == 1 }
      #expect(told.string("parameters.bus.state") == "connected")
      #expect(told.value("parameters.bus.problem") == nil)
      #expect(told.string("parameters.session") == "up")
      #expect(told.string("parameters.portal.owner")?.hasPrefix(":1.") == true)
      #expect(told.string("parameters.portal.value") == "<<uint32 1>>")
      #expect(told.bool("parameters.portal.standsIn") == false)
      let readAt = try #require(told.int("parameters.portal.readAt"))
      #expect((start...Int(Date().timeIntervalSince1970)).contains(readAt))
      let changes = told.value("parameters.changes") as? [[String: Any]]
      #expect(changes?.last?["scheme"] as? String == "dark")
      #expect(changes?.last?["cause"] as? String == "portal read")

      let report = try session.themectl("status", "--verbose").output
      #expect(report.contains("portal's answer: <<uint32 1>>"))
      #expect(report.contains("Settings interface version 1"))
      let json = try session.themectl("status", "--verbose", "--json").output
      let both = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: Any]]
      #expect(both?["diagnostics"]?["session"] as? String == "up")
      #expect(both?["state"]?["scheme"] as? String == "dark")

      try desktop.bus.kill()
      let lost = try session.diagnostics { $0.bool("parameters.portal.standsIn") == true }
      #expect(lost.value("parameters.portal.owner") == nil)
      #expect(lost.string("parameters.portal.value") == "<<uint32 1>>")
      #expect(lost.string("parameters.bus.state") == "waiting")
      #expect(try session.themectl("status", "--verbose").output.contains("kept until the portal answers again"))
    }
  }

  @Test func `a portal that cannot be started is told as its last error`() throws {
    try withSession { session in
      _ = try session.startBus()
      session.environment["DISPLAY"] = ":77"
      _ = try session.startThemed()
      let told = try session.diagnostics { $0.string("parameters.portal.lastError") != nil }
      #expect(told.string("parameters.portal.lastError")?.contains("cannot start the portal") == true)
      #expect(told.int("parameters.portal.lastErrorAt") != nil)
    }
  }

  @Test func `a cause names the program, also of one that has ended, and moves no cursor by its name`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      _ = try session.themectl("set", "dark")
      try themed.errorLine(containing: "(SetOverride by process ")
      func causes() throws -> [String] {
        let told = try session.connect().call("GetDiagnostics").value("parameters.changes") as? [[String: Any]]
        return (told ?? []).compactMap { $0["cause"] as? String }
      }
      let first = try causes().last ?? ""
      #expect(first.hasPrefix("SetOverride by process ") && first.hasSuffix(", themectl"), "\(first)")

      let script = """
        import socket, sys
        open("/proc/self/comm", "wb").write(bytes.fromhex(sys.argv[2]))
        client = socket.socket(socket.AF_UNIX)
        client.connect(sys.argv[1])
        client.sendall(b'{"method":"org.themed.theme.Toggle"}\\0')
        assert client.recv(65536)
        """
      // An escape sequence, what turns the text around, and no UTF-8.
      let name = "611b5b326de280aeff7a"
      #expect(try session.python(["-c", script, session.socketPath, name]).status == .exited(0))
      let second = try causes().last ?? ""
      #expect(second.hasPrefix("Toggle by process ") && second.hasSuffix(", a?[2m?\u{FFFD}z"), "\(second)")
    }
  }

  @Test func `twenty changes are kept, and what is wrong with the files`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-preference=purple\n")
      // Where the directory of the overrides should be, a file stands.
      try session.directory.write("", to: "state/themed")
      _ = try session.startThemed()
      let connection = try session.connect()
      for _ in 0..<25 { #expect(try connection.call("Toggle").bool("parameters.saved") == false) }
      let told = try connection.call("GetDiagnostics")
      let changes = told.value("parameters.changes") as? [[String: Any]]
      #expect(changes?.count == 20)
      #expect(changes?.last?["scheme"] as? String == "dark")
      #expect(changes?.allSatisfy { ($0["cause"] as? String)?.hasPrefix("Toggle by process") == true } == true)
      #expect(told.string("parameters.configuration.problem")?.contains("purple") == true)
      #expect(told.string("parameters.state.path") == session.overridesPath)
      #expect(told.string("parameters.state.problem") != nil)
      #expect(try connection.call("GetDiagnostics", #"{"app":"x"}"#).error?.hasSuffix("InvalidParameter") == true)
    }
  }
}

extension Session {
  /// The diagnostics, once they are as wanted: what is asked for leads to no state, so no subscriber hears of it.
  func diagnostics(once isWanted: (Frame) -> Bool) throws -> Frame {
    let connection = try connect()
    var last = ""
    return try eventually("other diagnostics than \(last)") {
      let told = try connection.call("GetDiagnostics")
      last = told.text
      return isWanted(told) ? told : nil
    }
  }
}
