import Foundation
import Glibc
import Testing

@testable import ThemedTestSupport

/// A run of the tests that is ended in the middle.
private let isVictim = ProcessInfo.processInfo.environment["THEMED_TEST_VICTIM"] != nil

/// Whatever ends a run of the tests, nothing is left of it.
@Suite struct TestRunTests {
  /// What ends a run.
  enum End: String, CaseIterable, Sendable {
    case kill = "kill -9 of the tests"
    case terminate = "SIGTERM"
    case interrupt = "Ctrl-C"
    case parent = "the end of the one who started them"
    case itself = "their own crash"
  }

  @Test(.enabled(if: !isVictim), arguments: End.allCases)
  func `no process, no file and no control group is left after`(end: End) throws {
    try withSession { session in
      session.environment.merge(ProcessInfo.processInfo.environment) { own, _ in own }
      session.environment["THEMED_TEST_VICTIM"] = end == .itself ? "crash" : "wait"
      // What Swift prints of a crash takes it longer, on a busy machine, than anybody waits here.
      session.environment["SWIFT_BACKTRACE"] = "enable=no"
      let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let words = ["--testing-library", "swift-testing", "--filter", "TestRunTests/victim"]
      let victim =
        end == .parent
        ? try session.spawn("sh", ["-c", "\"$0\" \"$@\"; true", bundle] + words, input: [])
        : try session.spawn(bundle, words, input: [])
      var line = ""
      while !line.hasPrefix("victim ") { line = try victim.line() }
      let directory = String(line.dropFirst("victim ".count))
      #expect(try marked(directory).count > 5, "desktop and daemon run")
      let groups = (try? String(contentsOfFile: directory + "/control-groups", encoding: .utf8)) ?? ""

      switch end {
      case .kill, .parent: victim.send(.kill)
      case .terminate: victim.send(.terminate)
      case .interrupt: victim.send(.interrupt)
      case .itself: try victim.send(line: "")
      }
      #expect(try victim.wait() != .exited(0))
      try eventually("the end of \(directory)") { !FileManager.default.fileExists(atPath: directory) }
      #expect(try marked(directory) == [])
      for group in groups.split(separator: "\n") { #expect(!FileManager.default.fileExists(atPath: String(group))) }
    }
  }

  @Test(.enabled(if: isVictim, "make test has another test start it, and end it"))
  func victim() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      _ = try desktop.portalAnswer()
      if UserManager.isPossible { _ = try UserManager(session: session) }
      let strace = ["strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=none"]
      _ = try session.startThemed(under: strace)
      // A program that wants to outlive whoever started it.
      let demon = try session.spawn("sh", ["-c", "setsid -f sleep 1000 > /dev/null 2>&1; echo; sleep 1000"])
      _ = try demon.line()
      print("victim " + (try TestRun.current.get().directory))
      fflush(nil)
      _ = readLine()
      if ProcessInfo.processInfo.environment["THEMED_TEST_VICTIM"] == "crash" { abort() }
    }
  }

  /// The processes that have a run's mark.
  private func marked(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      guard Int32(name) != nil, let bytes = FileManager.default.contents(atPath: "/proc/\(name)/environ") else {
        return false
      }
      return bytes.split(separator: 0).contains(Data("\(TestRun.mark)=\(directory)".utf8))
    }
  }
}
