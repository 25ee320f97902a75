import Foundation
import TestSupport
import Testing

/// A daemon that crashes again and again, under a real user manager.
@Suite(.enabled(if: UserManager.isPossible, "needs root, on a machine that lets a test have a systemd user manager"))
struct CrashLoopStories {
  @Test func `a crash loop ends, the command says so and what to type, and that is all it takes`() throws {
    try withSession { session in
      try session.writeUnits()
      let starts = session.directory.path("run/starts")
      try UserManager.write(
        "[Service]\nExecStart=\nExecStart=/bin/sh -c 'echo >> \(starts); kill -ABRT $$$$'\n",
        as: "themed.service.d/crash.conf", in: session)
      let manager = try UserManager(session: session)
      try manager.systemctl("start", "themed.socket")
      let monitor = try session.spawnThemectl("monitor")
      let (status, failure) = try settledStatus(session)
      #expect(status == .exited(3))
      #expect(failure.contains("failed again and again"))
      #expect(failure.contains("journalctl --user -u themed"))
      let count = try String(contentsOfFile: starts, encoding: .utf8).count
      #expect((1...10).contains(count), "it was started \(count) times")
      #expect(try manager.property("ActiveState", of: "themed.service") == "failed")
      let doctor = try session.themectl("doctor", "--json")
      #expect(doctor.output.contains(#""name":"failed_units""#))

      // Repaired: what the command says to type is typed.
      try FileManager.default.removeItem(
        atPath: session.directory.path("config/systemd/user/themed.service.d/crash.conf"))
      try manager.systemctl("daemon-reload")
      let remedy = try #require(failure.components(separatedBy: "'").first { $0.contains("reset-failed") })
      try session.check("sh", ["-ec", remedy])
      #expect(try session.themectl("status").lines.first == "light")
      #expect(try monitor.line() == "light", "who waited hears of it by itself")
    }
  }

  /// What `themectl status` says once systemd has given up.
  private func settledStatus(_ session: Session) throws -> (TestSupport.ExitStatus, String) {
    let end = Date(timeIntervalSinceNow: patience)
    while Date() < end {
      let status = try session.themectl("status")
      if status.errors.contains("reset-failed") { return (status.status, status.errors) }
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw Failure("the command never named the crash loop")
  }
}
