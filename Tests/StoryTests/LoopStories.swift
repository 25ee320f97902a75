import Foundation
import ThemedTestSupport
import Testing

/// Programs of different loops, each a shell on the same source, through everything that befalls the daemon.
@Suite(.ownThreads) struct LoopStories {
  @Test func `programs in GLib's loop, asynchronous and waiting ones follow a thousand changes through ten restarts`()
    throws
  {
    try withSession { session in
      // Before there is a daemon.
      let programs = [
        try session.spawn(Products.path("themed-example-glib")), try session.spawn(Products.path("themed-example")),
        try session.spawnThemectl("monitor"),
      ]
      var themed = try session.startThemed()
      for round in 0..<10 {
        // Odd, so that the last state of each round is another one than that of the round before.
        try session.change(times: round.isMultiple(of: 2) ? 101 : 99)
        let scheme = try session.connect().call("GetState").string("parameters.state.scheme") ?? ""
        for program in programs {
          try eventually("\(program.name) shows \(scheme)") { program.lines.last?.contains(scheme) == true }
        }
        themed.send(.terminate)
        #expect(try themed.wait() == .exited(0))
        themed = try session.startThemed()
      }
      // Where the loop is their own, so is the only thread.
      for program in [programs[0], programs[2]] {
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/task").count == 1)
      }
      for program in programs { #expect(program.isRunning, "\(program.name)") }
    }
  }
}
