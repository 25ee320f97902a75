import Foundation
import Testing
import ThemedTestSupport

/// A daemon that crashes again and again, under a real user manager.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
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
      #expect(failure.contains("failed repeatedly"))
      #expect(failure.contains("journalctl --user -u themed"))
      let count = try String(contentsOfFile: starts, encoding: .utf8).count
      #expect(count == 10, "StartLimitBurst= of the unit")
      #expect(try manager.property("ActiveState", of: "themed.service") == "failed")
      let doctor = try session.themectl("doctor", "--json")
      #expect(doctor.output.contains(#""name":"failed_units""#))

      // Repaired: what the command says to type is typed.
      try FileManager.default.removeItem(
        atPath: session.directory.path("config/systemd/user/themed.service.d/crash.conf"))
      try manager.systemctl("daemon-reload")
      let remedy = try #require(failure.components(separatedBy: "'").first { $0.contains("reset-failed") })
      try session.check("sh", ["-ec", remedy])
      #expect(try monitor.line() == "light", "who waited hears of it by itself")
      // Of a daemon that runs: what is only asked waits two seconds, in which a busy machine may not have started one.
      #expect(try session.themectl("status").lines.first?.hasPrefix("Light") == true)
    }
  }

  /// What `themectl status` says once systemd has given up.
  private func settledStatus(_ session: Session) throws -> (ThemedTestSupport.ExitStatus, String) {
    try eventually("the command's word of the crash loop") {
      let status = try session.themectl("status")
      return status.errors.contains("reset-failed") ? (status.status, status.errors) : nil
    }
  }
}
