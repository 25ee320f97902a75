import Foundation
import ThemedTestSupport
import Testing

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

  @Test func `with ten subscribers and nothing to do, the daemon sleeps for a minute or more`() throws {
    try withSession { session in
      _ = try session.startDesktop(.dark)
      let themed = try session.startThemed()
      let subscribers = try (0..<10).map { _ in try session.subscribe() }
      for subscriber in subscribers { _ = try subscriber.frame { $0.desktop == "dark" } }
      // What follows a start, such as a second look at the portal, comes to its end first.
      try eventually("it sleeps for a minute") { try themed.rests(forSeconds: 60) }
    }
  }

  @Test func `what only work needs is given back when there is none, and comes back with it`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      /// How many KiB of its code are in memory.
      func code() throws -> Int {
        var (sum, isCode) = (0, false)
        for line in try themed.kernelFile("smaps").split(separator: "\n") {
          let words = line.split(separator: " ")
          if words.count == 6 { isCode = words[1] == "r-xp" && words[5].hasSuffix("/themed") }
          if isCode, words[0] == "Rss:" { sum += try #require(Int(words[1])) }
        }
        return sum
      }
      for _ in 0..<2 {
        // It gives back two seconds later, within which each look may be too late.
        var awake = 0
        for _ in 0..<5 {
          _ = try session.connect().call("GetState")
          awake = max(awake, try code())
        }
        try eventually("give back some of \(awake) KiB") { try code() < awake * 3 / 4 }
      }
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

/// How often each thread of a process has gone to sleep by itself since it started.
func wakeUps(of process: ChildProcess) throws -> [String: String] {
  let tasks = "/proc/\(process.pid)/task"
  var counts: [String: String] = [:]
  for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
    // A thread may end between two looks: one that saves a file does.
    guard let status = try? process.kernelFile("task/\(task)/status") else { continue }
    counts[task] = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }.map(String.init)
  }
  return counts
}

/// Whether each of its threads sleeps: one that waits for a processor, or for the disk, does not wake up either.
func areAsleep(threadsOf pid: Int32) throws -> Bool {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").allSatisfy { thread in
    let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
    return status.contains("\nState:\tS")
  }
}
