import Foundation
import Testing
import ThemedTestSupport

/// The daemon as a service: its signals, its notifications, its weight.
@Suite(.ownThreads) struct ServiceStories {
  @Test(arguments: [ChildProcess.Signal.terminate, .interrupt])
  func `a signal to end is obeyed cleanly`(signal: ChildProcess.Signal) throws {
    try withSession { session in
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      themed.send(signal)
      #expect(try themed.notification()["STOPPING"] == "1")
      #expect(try themed.wait() == .exited(0))
      try watch.expectClose()
      #expect(!FileManager.default.fileExists(atPath: session.socketPath))
    }
  }

  @Test func `a hangup reloads the configuration and tells the service manager`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      #expect(try watch.frame().scheme == "light")
      try session.configure("[appearance]\nno-desktop=dark\n")
      themed.send(.hangup)
      let reloading = try themed.notification()
      #expect(reloading["RELOADING"] == "1")
      #expect(reloading["MONOTONIC_USEC"].flatMap(UInt64.init) != nil)
      #expect(try themed.notification()["READY"] == "1")
      #expect(try watch.frame().scheme == "dark")
    }
  }

  @Test func `a supervisor is told by a newline on its descriptor, which is closed then`() throws {
    try withSession { session in
      let script = "exec \"$0\" --ready-fd 5 5>&1 1>&2"
      let themed = try session.spawn("sh", ["-c", script, Products.path("themed")])
      #expect(try themed.line() == "")
      #expect(try session.connect().call("GetState").scheme == "light", "it served by then")
      #expect(throws: Failure.self) { try themed.line() }
      #expect(themed.lines == [""])
      #expect(themed.isRunning)
    }
  }

  @Test(arguments: [("0", 64), ("2", 64), ("-1", 64), ("x", 64), ("7", 1), ("6", 1)])
  func `a descriptor that cannot be told on is refused at the start`(number: String, status: Int32) throws {
    try withSession { session in
      let script = "exec \"$0\" --ready-fd=$1 6< /dev/null"
      let themed = try session.run("sh", ["-c", script, Products.path("themed"), number])
      #expect(themed.status == .exited(status))
      #expect(themed.errors.contains("ready-fd"))
    }
  }

  @Test func `with ten subscribers and nothing to do, the daemon waits without an end, and has no timer set`() throws {
    try withSession { session in
      _ = try session.startDesktop(.dark)
      let themed = try session.startThemed()
      let subscribers = try (0..<10).map { _ in try session.subscribe() }
      for subscriber in subscribers { _ = try subscriber.frame { $0.desktop == "dark" } }
      // What follows a start, such as a second look at the portal, comes to its end first.
      try eventually("it sleeps until something happens") { try sleepLeft(of: themed) == .infinity }
      // That a timer would have been seen: one of the wall clock, which is the kernel's.
      let end = Int(Date().timeIntervalSince1970) + 3600
      let override = #"{"override":{"scheme":"light","expiresAt":\#(end)}}"#
      _ = try session.connect().call("SetOverride", override)
      try eventually("it sleeps until the override ends") {
        try sleepLeft(of: themed).map { (1...3600).contains($0) } ?? false
      }
    }
  }

  @Test func `a breakpoint that a debugger has set is still there when the daemon has rested`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      /// The lines about its code: the bounds, and then what of it is in memory.
      func code() throws -> ArraySlice<Substring> {
        let lines = try themed.kernelFile("smaps").split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.contains(" r-xp ") && $0.hasSuffix("/themed") })
        return lines[first..<(first + 20)]
      }
      // A page in the midst of its code as a debugger leaves it: written to, and the process's own from then on.
      let bounds = try #require(try code().first).prefix { $0 != " " }.split(separator: "-")
      let addresses = bounds.compactMap { UInt64($0, radix: 16) }
      let place = (addresses[0] + addresses[1]) / 2
      let memory = try #require(FileHandle(forUpdatingAtPath: "/proc/\(themed.pid)/mem"))
      try memory.seek(toOffset: place)
      let byte = try #require(try memory.read(upToCount: 1))
      try memory.seek(toOffset: place)
      try memory.write(contentsOf: byte)
      func isWritten() throws -> Bool {
        try code().contains { $0.hasPrefix("Anonymous:") && !$0.contains(" 0 kB") }
      }
      #expect(try isWritten())
      _ = try session.connect().call("GetState")
      // It wakes up once after its work, to give memory back.
      try eventually("it sleeps until something happens") { try sleepLeft(of: themed) == .infinity }
      #expect(try isWritten())
    }
  }

  @Test func `no Foundation is loaded into the daemon`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let maps = try themed.kernelFile("maps")
      let files = Set(maps.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) })
      #expect(files.contains { $0.hasPrefix("libdbus-1") })
      #expect(files.filter { $0.contains("Foundation") || $0.contains("libicu") } == [])
    }
  }
}

/// Whether each of its threads sleeps: one that waits for a processor, or for the disk, does not wake up either.
func areAsleep(threadsOf pid: Int32) throws -> Bool {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").allSatisfy { thread in
    let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
    return status.contains("\nState:\tS")
  }
}
