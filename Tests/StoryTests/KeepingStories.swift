import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// Disks that hang and fail for a while, and files that stand in the way: nothing is lost that can be kept.
@Suite(.ownThreads) struct KeepingStories {
  private static let setDark = #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}}}"#
  private static let lasting = "600000000"

  @Test func `a disk that hangs delays the reply of the one who set, and nobody else`() throws {
    try withSession { session in
      let themed = try session.startThemed(under: strace("fsync:delay_enter=\(Self.lasting)"))
      let watch = try session.subscribe()
      _ = try watch.frame()
      let setters = try (0..<3).map { _ in try session.connect() }
      for setter in setters { try setter.send(Self.setDark) }
      #expect(try watch.frame().scheme == "dark")
      #expect(try session.connect().call("GetState").scheme == "dark")
      for setter in setters { #expect(!setter.hasInput) }
      try endTracing(themed)
      #expect(try session.themectl("get").lines == ["dark"])
      for setter in setters { #expect(try setter.frame().bool("parameters.saved") == true) }
    }
  }

  @Test func `who hangs up while the disk hangs frees its place at once, and what it sent is carried out`() throws {
    try withSession { session in
      try session.configure("[limits]\nconnections=16\n")
      let themed = try session.startThemed(under: strace("fsync:delay_enter=\(Self.lasting)"))
      let watch = try session.subscribe()
      _ = try watch.frame()
      // The sockets alone: the file that is being saved, and the log's pipe at its first line, come and stay.
      func sockets() throws -> Int {
        let folder = "/proc/\(themed.pid)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasPrefix("socket:") ?? false
        }
      }
      let idle = try sockets()
      func awaitRoom() throws {
        try eventually("the end of who has hung up") { try sockets() <= idle }
      }
      try session.connect().send(Self.setDark)
      #expect(try watch.frame().scheme == "dark")
      // Three times as many as there may be.
      for _ in 0..<3 {
        try awaitRoom()
        let setters = try (0..<15).map { _ in try session.connect() }
        for setter in setters { #expect(try setter.call("GetState").scheme == "dark") }
        for setter in setters { try setter.send(Self.setDark) }
        #expect(setters.allSatisfy { !$0.hasInput })
      }
      try awaitRoom()
      do {
        let last = try session.connect()
        try last.send(Self.setDark)
        try last.send(
          #"{"method":"org.themed.theme.SetOverride","oneway":true,"parameters":{"override":{"highContrast":true}}}"#)
      }
      #expect(try watch.frame().bool("parameters.state.highContrast") == true)
      try awaitRoom()
      try endTracing(themed)
      #expect(try session.themectl("set", "light").status == .exited(0))
    }
  }

  @Test func `a state file that hangs delays neither the start nor anybody but who sets, and is read later`() throws {
    try withSession { session in
      try write(session, #"{"highContrast":true},{"app":"kept","scheme":"dark"}"#)
      let path = session.overridesPath
      let themed = try session.startThemed(under: strace("openat:delay_enter=\(Self.lasting)", "-P", path))
      let watch = try session.subscribe()
      #expect(try watch.frame().scheme == "light")
      let setter = try session.connect()
      try setter.send(Self.setDark)
      #expect(try watch.frame().scheme == "dark")
      #expect(!setter.hasInput)
      try endTracing(themed)
      let merged = try watch.frame()
      #expect(merged.scheme == "dark")
      #expect(merged.bool("parameters.state.highContrast") == true)
      #expect(try setter.frame().bool("parameters.saved") == true)
      try expectAll(session)
    }
  }

  @Test(arguments: [
    "read:error=EIO", "openat:error=EMFILE", "openat:error=ENFILE", "openat:error=ENOMEM", "openat:error=EINTR",
    "read:error=ETIMEDOUT", "openat:error=EACCES", "read:error=ESTALE",
  ])
  func `a state file that cannot be read for now is left alone, and read and merged when it can be`(
    fault: String
  ) throws {
    try withSession { session in
      try write(session, #"{"scheme":"light","highContrast":true},{"app":"kept","scheme":"dark"}"#)
      let before = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
      let themed = try session.startThemed(under: strace(fault, "-P", session.overridesPath))
      try themed.errorLine(containing: "cannot read the overrides")
      #expect(try session.themectl("set", "dark").status == .exited(4))
      #expect(try session.connect().call("GetState").scheme == "dark")
      #expect(try String(contentsOfFile: session.overridesPath, encoding: .utf8) == before)
      #expect(try stateProblem(session)?.contains("cannot read the overrides") == true)
      try endTracing(themed)
      themed.send(.hangup)
      try themed.errorLine(containing: "again")
      #expect(try stateProblem(session) == nil)
      try expectAll(session)
      #expect(try session.connect().call("GetState").bool("parameters.state.highContrast") == true)
      let names = try FileManager.default.contentsOfDirectory(atPath: session.directory.path("state/themed"))
      #expect(names.sorted() == ["overrides.json", "overrides.json.lock"])
      #expect(themed.errors.components(separatedBy: "cannot read the overrides").count == 2, "said once")
    }
  }

  @Test func `a save that has failed is made by itself when its cause has gone, which is told`() throws {
    try withSession { session in
      // What nobody can make a directory of, root neither.
      let file = try session.directory.write("", to: "state/themed")
      let themed = try session.startThemed()
      for _ in 0..<3 { #expect(try session.themectl("set", "dark").status == .exited(4)) }
      #expect(try stateProblem(session)?.contains("cannot save the overrides") == true)
      try FileManager.default.removeItem(atPath: file)
      try themed.errorLine(containing: "again")
      #expect(try stateProblem(session) == nil)
      #expect(try String(contentsOfFile: session.overridesPath, encoding: .utf8).contains("dark"))
      #expect(themed.errors.components(separatedBy: "cannot save the overrides").count == 2, "said once")
    }
  }

  @Test func `what could not be saved is saved at the end`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      #expect(try session.themectl("set", "dark").status == .exited(0))
      // As when the home is full and then has room again.
      let directory = session.directory.path("state/themed")
      #expect(unsafe rename(directory, directory + ".away") == 0)
      try session.directory.write("", to: "state/themed")
      #expect(try session.themectl("unset").status == .exited(4))
      #expect(unsafe unlink(directory) == 0)
      #expect(unsafe rename(directory + ".away", directory) == 0)
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      _ = try session.startThemed()
      #expect(try session.themectl("get").lines == ["light"])
    }
  }

  @Test func `the end waits for a save that is under way, and not for ever`() throws {
    try withSession { session in
      var themed = try session.startThemed(under: strace("fsync:delay_enter=500000"))
      let setter = try session.connect()
      try setter.send(Self.setDark)
      let watch = try session.subscribe()
      _ = try watch.frame()
      themed.send(.terminate)
      #expect(try setter.frame().bool("parameters.saved") == true)
      #expect(try themed.wait() == .exited(0))

      themed = try session.startThemed(under: strace("fsync:delay_enter=\(Self.lasting)"))
      let other = try session.connect()
      try other.send(Self.setDark)
      themed.send(.terminate)
      // The process ends when its tracer lets go of the thread that hangs, which strace may forget.
      try eventually("the end of the first thread") {
        (try? themed.kernelFile("status"))?.contains("\nState:\tZ") ?? true
      }
      tracer(of: themed).map { _ = kill($0, SIGKILL) }
      #expect(try themed.wait() == .exited(0))
      try other.expectClose()
    }
  }

  @Test(arguments: ["pipe", "directory", "link"])
  func `what has the name of a temporary file stands in nobody's way, and stays`(kind: String) throws {
    try withSession { session in
      let name = try session.directory.directory("state/themed") + "/overrides.json.new"
      let victim = try session.directory.write("kept", to: "victim")
      switch kind {
      case "pipe": #expect(unsafe mkfifo(name, 0o600) == 0)
      case "directory": #expect(unsafe mkdir(name, 0o700) == 0)
      default: try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: victim)
      }
      _ = try session.startThemed()
      #expect(try session.themectl("set", "dark").status == .exited(0))
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "kept")
      #expect(unsafe access(name, F_OK) == 0)
    }
  }

  @Test func `a file system that cannot sync directories is no failure`() throws {
    try withSession { session in
      _ = try session.startThemed(under: strace("fsync:error=EINVAL:when=2"))
      #expect(try session.themectl("set", "dark").status == .exited(0))
    }
  }

  @Test func `a daemon whose lock was removed with the state directory makes both anew`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl("set", "dark").status == .exited(0))
      try FileManager.default.removeItem(atPath: session.directory.path("state/themed"))
      #expect(try session.themectl("set", "dark", "--app", "nvim").status == .exited(0))
      let text = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
      #expect(text.components(separatedBy: "dark").count == 3)
    }
  }

  @Test func `a daemon that lost its file to another one shows what was set, and saves it when the file is free`()
    throws
  {
    try withSession { session in
      let first = try session.startThemed()
      try FileManager.default.removeItem(atPath: session.directory.path("state/themed"))
      let path = session.directory.path("run/other")
      let second = try session.startThemed(["--socket", path])
      #expect(try session.themectl("set", "dark", "--app", "nvim", "--socket", path).status == .exited(0))
      #expect(try session.themectl("set", "dark").status == .exited(4))
      try first.errorLine(containing: "another themed uses")
      first.send(.hangup)
      #expect(try first.notification()["RELOADING"] == "1")
      #expect(try session.themectl("get").lines == ["dark"])
      second.send(.terminate)
      #expect(try second.wait() == .exited(0))
      #expect(try session.themectl("set", "--app", "helix", "light").status == .exited(0))
      let text = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
      #expect(text.contains("nvim") && text.contains("helix"))
      #expect(text.components(separatedBy: #""scheme":"dark""#).count == 3, "\(text)")
    }
  }

  // MARK: What the stories share

  private func strace(_ fault: String, _ more: String...) -> [String] {
    ["strace", "-D", "-f", "-o", "/dev/null"] + more + ["-e", "inject=" + fault]
  }

  private func tracer(of process: ChildProcess) -> Int32? {
    let line = (try? process.kernelFile("status"))?.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
    return line?.split(separator: "\t").last.flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Ends what traces a process: from then on nothing fails or hangs.
  private func endTracing(_ process: ChildProcess) throws {
    guard let tracer = tracer(of: process) else { throw Failure("\(process.name) is not traced") }
    kill(tracer, SIGKILL)
    try eventually("\(process.name) without a tracer") {
      try process.kernelFile("status").contains("TracerPid:\t0\n")
    }
  }

  private func write(_ session: Session, _ overrides: String) throws {
    try session.directory.write(#"{"version":1,"overrides":[\#(overrides)]}"#, to: "state/themed/overrides.json")
  }

  private func stateProblem(_ session: Session) throws -> String? {
    try session.connect().call("GetDiagnostics").string("parameters.state.problem")
  }

  /// What the file said and what was set meanwhile are on the disk.
  private func expectAll(_ session: Session) throws {
    let text = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
    #expect(text.contains(#""highContrast":true"#) && text.contains("kept"), "\(text)")
    #expect(text.components(separatedBy: #""scheme":"dark""#).count == 3, "\(text)")
  }
}
