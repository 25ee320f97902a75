import Foundation
import Testing
import ThemedTestSupport

/// Programs of different loops, each a shell on the same source, through everything that befalls the daemon.
@Suite(.ownThreads) struct LoopStories {
  @Test
  func `programs in GLib's loop, around poll, asynchronous and waiting ones follow 1000 changes through ten restarts`()
    throws
  {
    try withSession { session in
      // Before there is a daemon.
      let ofOneThread = [
        try session.spawn(Products.path("themed-example-glib")),
        // It ends each drawing of its line by going back to the line's beginning, and goes on while it has an input.
        try session.spawn(Products.path("themed-example-poll"), separator: 13, input: []),
        try session.spawnThemectl("monitor"),
      ]
      let programs = ofOneThread + [try session.spawn(Products.path("themed-example"))]
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
      for program in ofOneThread {
        try eventually("\(program.name) has one thread") {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/task").count == 1
        }
      }
      for program in programs { #expect(program.isRunning, "\(program.name)") }
    }
  }

  @Test func `the program in a loop around poll gives a terminal the theme's colours, and puts them back`() throws {
    try withSession { session in
      for (name, background) in [("ant", "#000001"), ("bee", "#000002")] {
        let sides = ["light", "dark"].map { "[\($0).palette]\nbackground=\(background)\n" }.joined()
        try session.directory.write("[theme]\ntitle=The \(name)\n" + sides, to: "data/themed/themes/\(name).theme")
      }
      let terminal = try OpenTerminal(session, [Products.path("themed-example-poll")])
      var themed = try session.startThemed()
      for (name, background) in [("ant", "#000001"), ("bee", "#000002"), ("ant", "#000001")] {
        _ = try session.themectl("set", "theme", name)
        try terminal.await { $0.background == background && $0.screen.last?.hasPrefix("The \(name), light") == true }
        themed.send(.terminate)
        #expect(try themed.wait() == .exited(0))
        themed = try session.startThemed()
      }
      try terminal.type("q")
      let end = try terminal.end()
      #expect(end.status == 0 && end.settings == true)
      #expect(end.last == end.first)
    }
  }
}
