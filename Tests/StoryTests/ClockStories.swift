import Foundation
import Testing
import ThemedTestSupport

/// Clocks that are set: no test may set this machine's, so it is the kernel that is asked what it was told.
@Suite(.ownThreads) struct ClockStories {
  @Test func `an override's end is awaited by a timer that a jump of the clock wakes, and only while there is one`()
    throws
  {
    try withSession { session in
      let themed = try session.startThemed()
      let client = try session.connect()
      #expect(try Self.timers(of: themed) == [])
      let end = Int(Date().timeIntervalSince1970) + 3600
      _ = try client.call("SetOverride", #"{"override":{"scheme":"dark","expiresAt":\#(end)}}"#)
      // The wall clock (0), by its absolute time (1), and woken when the clock is set (2).
      #expect(try Self.timers(of: themed) == ["clockid: 0, settime flags: 03"])
      _ = try client.call("ClearOverride")
      #expect(try Self.timers(of: themed) == [])
    }
  }

  /// The kernel's words of the timers of a process that run.
  static func timers(of process: ChildProcess) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/fdinfo")
    return files.compactMap { file in
      guard let text = try? process.kernelFile("fdinfo/" + file) else { return nil }
      let lines = text.split(separator: "\n").map(String.init)
      func line(_ name: String) -> String? { lines.first { $0.hasPrefix(name + ":") } }
      guard let clock = line("clockid"), let flags = line("settime flags"), let value = line("it_value"),
        !value.contains("(0, 0)")
      else { return nil }
      return "\(clock), \(flags)"
    }
  }
}
