import Foundation
import Testing
import ThemedTestSupport

/// What was acknowledged is on the disk.
///
/// `kill -9` alone cannot show a missing sync, since the page cache survives it: the order of system calls does.
@Suite(.ownThreads) struct DurabilityStories {
  private static let setDark = #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}}}"#

  @Test func `an override is written whole, synced, renamed and its directory synced before the reply`() throws {
    try withSession { session in
      let trace = session.directory.path("trace")
      let filter = "trace=openat,write,fsync,rename,sendto"
      let strace = try session.startThemed(under: ["strace", "-D", "-f", "-s", "4096", "-o", trace, "-e", filter])
      let reply = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      #expect(reply.bool("parameters.saved") == true)
      strace.send(.terminate)
      _ = try strace.wait()

      let calls = try Trace(trace)
      let opened = try calls.index(after: 0, "openat(", "overrides.json.new-", "O_EXCL")
      let written = try calls.index(after: opened, "write(", #"\"scheme\":\"dark\""#)
      let synced = try calls.index(after: written, "fsync(", "= 0")
      let renamed = try calls.index(after: synced, "rename(", "overrides.json.new-", "overrides.json\"", "= 0")
      let directorySynced = try calls.index(after: renamed, "fsync(", "= 0")
      let replied = try calls.index(after: directorySynced, "sendto(", #"\"saved\":true"#)
      #expect(calls.lines.firstIndex { $0.contains(#"\"saved\""#) } == replied)
    }
  }

  @Test func `those who are told have the processor before the disk's thread is woken, once in a round`() throws {
    try withSession { session in
      let trace = session.directory.path("trace")
      let filter = "trace=sendto,sched_yield"
      let strace = try session.startThemed(under: ["strace", "-D", "-f", "-s", "4096", "-o", trace, "-e", filter])
      // Nobody is told of this one.
      _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
      let monitor = try session.subscribe()
      #expect(try monitor.frame().scheme == "dark")
      let callers = try ["light", "dark", "light"].map { scheme in
        let caller = try session.connect()
        // Known to the daemon, so that what is to come in one round is the calls alone.
        _ = try caller.call("GetState")
        return (caller, Self.setDark.replacing("dark", with: scheme))
      }
      strace.send(.stop)
      // It is the tracer who stops it, and what comes before that may be met alone.
      try eventually("the daemon stopped") { try strace.kernelFile("status").firstMatch(of: /\nState:\t[Tt]/) != nil }
      for (caller, call) in callers { try caller.send(call) }
      strace.send(.continue)
      for (caller, _) in callers { #expect(try caller.frame().bool("parameters.saved") == true) }
      strace.send(.terminate)
      _ = try strace.wait()

      let calls = try Trace(trace)
      let told = try calls.index(after: 0, "sendto(", #"\"scheme\":\"light\""#, #"\"continues\":true"#)
      let gaveWay = try calls.index(after: told, "sched_yield(")
      // The address of a job.
      let woken = try calls.index(after: told, "sendto(", ", 8, MSG")
      #expect(told < gaveWay && gaveWay < woken, "\(calls.lines)")
      #expect(calls.lines.filter { $0.contains("sched_yield(") }.count == 1, "\(calls.lines)")
    }
  }

  @Test(arguments: [
    ["fsync:error=EIO"], ["rename:error=EACCES"], ["openat:error=ENOSPC", "-P", "state/themed"],
    ["fsync:error=ENOSPC:when=2"],
  ])
  func `a disk that fails is told to the caller and to the log, and the override holds`(fault: [String]) throws {
    try withSession { session in
      let path = fault.count > 1 ? ["-P", session.directory.path(fault[2])] : []
      let strace = try session.startThemed(
        under: ["strace", "-D", "-f", "-o", "/dev/null"] + path + ["-e", "inject=" + fault[0]])
      let set = try session.themectl("set", "dark")
      #expect(set.lines == ["dark"])
      #expect(set.status == .exited(4))
      #expect(set.errors.contains("cannot be saved"))
      try strace.errorLine(containing: "cannot save the overrides")
      #expect(try session.connect().call("GetState").scheme == "dark")
    }
  }

  @Test func `one sync answers all who wait for it`() throws {
    try withSession { session in
      let trace = session.directory.path("trace")
      let delay = "inject=fsync:delay_enter=2000000:when=1"
      let strace = try session.startThemed(under: [
        "strace", "-D", "-f", "-o", trace, "-e", "trace=rename", "-e", delay,
      ])
      let connections = try (0..<20).map { _ in try session.connect() }
      for connection in connections { try connection.send(Self.setDark) }
      for connection in connections { #expect(try connection.frame().bool("parameters.saved") == true) }
      strace.send(.terminate)
      _ = try strace.wait()
      let renames = try Trace(trace).lines.filter { $0.contains("rename(") && $0.contains("overrides.json") }.count
      // The first, and one for all who came during it; one more where some came after its end.
      #expect(2...3 ~= renames, "\(renames)")
    }
  }

  @Test func `whatever the instant of a kill, nothing that was acknowledged is lost`() throws {
    try withSession { session in
      var acknowledged = 0
      // A few hundred for a release: THEMED_KILLS=400.
      let kills = ProcessInfo.processInfo.environment["THEMED_KILLS"].flatMap { Int($0) } ?? 40
      for _ in 0..<kills { acknowledged = try Self.setUntilKilled(session, acknowledged) }
      #expect(acknowledged > 0)
    }
  }

  /// Starts a daemon that was told `before`, has it keep newer and newer ends, and kills it at some instant.
  ///
  /// Returns the newest end that it acknowledged.
  private static func setUntilKilled(_ session: Session, _ before: Int) throws -> Int {
    let themed = try session.startThemed()
    let connection = try session.connect()
    let found =
      try connection.call("GetState", #"{"app":"kept"}"#).int("parameters.state.origins.scheme.expiresAt") ?? 0
    #expect(found >= before)
    let start = max(found, Int(time(nil)) + 100_000)
    for step in 1...10 {
      try connection.send(
        #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"#
          + #""app":"kept","scheme":"dark","expiresAt":\#(start + step)}}}"#)
    }
    var acknowledged = found
    for _ in 0..<Int.random(in: 0...10) {
      let reply = try connection.frame()
      #expect(reply.bool("parameters.saved") == true)
      acknowledged = reply.int("parameters.state.origins.scheme.expiresAt") ?? acknowledged
    }
    themed.send(.kill)
    _ = try themed.wait()
    return acknowledged
  }

  @Test func `as many overrides as the configuration allows are all restored`() throws {
    try withSession { session in
      try session.configure("[limits]\noverrides=256\n")
      let theme = String(repeating: "t", count: 64)
      try session.directory.write("[light.palette]\n[dark.palette]\n", to: "data/themed/themes/\(theme).theme")
      var themed = try session.startThemed()
      let name = String(repeating: "\\\"", count: 252)
      let end = Int(time(nil)) + 100_000
      let fields = [
        #""scheme":"dark""#, #""highContrast":true"#, #""reducedMotion":true"#,
        ##""accentColor":"#1f1f1f""##,
        #""lightTheme":"\#(theme)""#, #""darkTheme":"\#(theme)""#,
      ]
      // Many at once, so that they share their saves.
      let connections = try (0..<32).map { _ in try session.connect() }
      for app in 0..<256 {
        for (index, field) in fields.enumerated() {
          let ends = #""expiresAt":\#(end + index),"untilDesktopChanges":true"#
          let parameters = #"{"override":{"app":"\#(name)\#(app)",\#(ends),\#(field)}}"#
          try connections[app % 32].send(#"{"method":"org.themed.theme.SetOverride","parameters":\#(parameters)}"#)
        }
      }
      for connection in connections {
        for _ in 0..<8 * fields.count { #expect(try connection.frame().bool("parameters.saved") == true) }
      }
      // What is put away for each is kept beside it.
      for app in 0..<256 {
        let parameters = #"{"app":"\#(name)\#(app)","expiresAt":\#(end),"untilDesktopChanges":true}"#
        try connections[app % 32].send(#"{"method":"org.themed.theme.Toggle","parameters":\#(parameters)}"#)
      }
      for connection in connections {
        for _ in 0..<8 { #expect(try connection.frame().bool("parameters.saved") == true) }
      }
      // Beyond the longest configuration.
      #expect(try Data(contentsOf: URL(filePath: session.overridesPath)).count > 1024 * 1024)
      let apps = try session.themectl("overrides", "--json")
      #expect(apps.status == .exited(0))
      themed.send(.kill)
      _ = try themed.wait()
      themed = try session.startThemed()
      #expect(try session.themectl("overrides", "--json").output == apps.output)
      #expect(!themed.errors.contains("warning"))
    }
  }

  @Test func `what lies in the place of the state file and is none is set aside, not overwritten`() throws {
    try withSession { session in
      let path = try session.directory.directory("state/themed/overrides.json")
      let themed = try session.startThemed()
      try themed.errorLine(containing: "is not a regular file")
      #expect(try session.themectl("set", "dark").status == .exited(0))
      let names = try FileManager.default.contentsOfDirectory(atPath: session.directory.path("state/themed"))
      #expect(names.contains { $0.hasPrefix("overrides.json.damaged-") })
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("dark"))
    }
  }

  @Test func `a second daemon at a socket of its own does not touch the first one's overrides`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl("set", "dark").status == .exited(0))
      let kept = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
      let other = session.directory.path("run/other")
      let second = try session.startThemed(["--socket", other])
      try second.errorLine(containing: "another themed uses")
      let set = try session.themectl("set", "light", "--socket", other)
      #expect(set.lines == ["light"])
      #expect(set.status == .exited(4))
      #expect(try String(contentsOfFile: session.overridesPath, encoding: .utf8) == kept)
    }
  }

  @Test func `a second daemon of the same user does not overwrite what the first one's desktop has asked for`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startFakePortal(scheme: 1, "version 2")
      _ = try session.startThemed()
      let kept = "state/themed/desktop.json"
      try eventually("kept for the next boot") { session.text(kept)?.contains("dark") == true }
      let content = session.text(kept)
      // In another session, such as a nested one.
      session.busAddress = "unix:path=" + session.directory.path("run/other-bus")
      _ = try session.startBus()
      let portal = try session.startFakePortal(scheme: 2, "version 2")
      let other = session.directory.path("run/other")
      _ = try session.startThemed(["--socket", other])
      try eventually("kept for itself") { session.text("run/other.desktop")?.contains("light") == true }
      try portal.tell("set color-scheme u:0")
      try portal.tell("emit color-scheme u:0")
      // The save before this one is over.
      try eventually("kept for itself again") { session.text("run/other.desktop")?.contains("light") == false }
      #expect(session.text(kept) == content)
    }
  }

  @Test(arguments: [
    "not JSON at all", #"{"version":99,"overrides":[]}"#, "",
    #"{"version":1,"overrides":[{"scheme":"dark","expiresAt":67768000000000000}]}"#,
  ])
  func `a damaged or foreign file is set aside under a name that the log tells, and the daemon starts`(
    content: String
  ) throws {
    try withSession { session in
      try session.directory.write(content, to: "state/themed/overrides.json")
      let themed = try session.startThemed()
      let line = try themed.errorLine(containing: "is damaged:")
      let directory = session.directory.path("state/themed")
      let aside = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.contains("damaged") }
      #expect(aside.count == 1)
      #expect(line.contains(aside.first ?? "?"))
      #expect(try String(contentsOfFile: "\(directory)/\(aside.first ?? "?")", encoding: .utf8) == content)
      #expect(try session.themectl("set", "dark").status == .exited(0))
    }
  }
}

/// What strace wrote.
private struct Trace {
  let lines: [String]

  init(_ path: String) throws {
    // Of a call that another thread's came between, both halves are put where it ended.
    var begun: [Substring: Substring] = [:]
    lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
      let thread = line.prefix { $0 != " " }
      if let half = line.range(of: " <unfinished ...>") {
        begun[thread] = line[..<half.lowerBound]
        return nil
      }
      guard let half = line.range(of: " resumed>"), let start = begun.removeValue(forKey: thread) else {
        return String(line)
      }
      return String(start) + line[half.upperBound...]
    }
  }

  /// The first line after `start` that has all of these words.
  func index(after start: Int, _ words: String...) throws -> Int {
    for index in lines.indices.dropFirst(start) where words.allSatisfy(lines[index].contains) { return index }
    throw Failure("\(words) should come after line \(start) of:\n\(lines.joined(separator: "\n"))")
  }
}
