import Foundation
import Testing
import ThemedTestSupport

/// The configuration is read whenever it changes, however it changes, and a mistake in it changes nothing.
@Suite(.ownThreads) struct ConfigurationStories {
  private static func showing(_ scheme: String) -> String { "[appearance]\nno-desktop=\(scheme)\n" }

  @Test func `it acts when its directory appears, when it is written, replaced, linked and removed`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      let path = session.directory.path("config/themed/themed.conf")
      let files = FileManager.default

      // Its directory appears later.
      try session.configure(Self.showing("dark"))
      #expect(try monitor.line() == "dark")
      // An editor that writes the file itself.
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(Self.showing("light").utf8))
      try file.close()
      #expect(try monitor.line() == "light")
      // An editor that replaces it.
      try session.directory.write(Self.showing("dark"), to: "config/themed/.themed.conf.swp")
      #expect(unsafe rename(session.directory.path("config/themed/.themed.conf.swp"), path) == 0)
      #expect(try monitor.line() == "dark")
      // A link into a directory of dotfiles, and a change behind it.
      let dotfile = try session.directory.write(Self.showing("light"), to: "dotfiles/themed.conf")
      try files.removeItem(atPath: path)
      #expect(try monitor.line() == "light")
      try files.createSymbolicLink(atPath: path, withDestinationPath: dotfile)
      try session.directory.write(Self.showing("dark"), to: "dotfiles/themed.conf")
      #expect(try monitor.line() == "dark")
      // The directory goes, and a link to one in a store takes its place; then the link is pointed elsewhere.
      try files.removeItem(atPath: session.directory.path("config/themed"))
      #expect(try monitor.line() == "light")
      let store = session.directory.path("store")
      for (name, scheme) in [("one", "dark"), ("two", "light")] {
        try session.directory.write(Self.showing(scheme), to: "store/\(name)/themed.conf")
      }
      let link = session.directory.path("config/themed")
      try files.createSymbolicLink(atPath: link, withDestinationPath: "../store/one")
      #expect(try monitor.line() == "dark")
      try files.createSymbolicLink(atPath: link + ".new", withDestinationPath: store + "/two")
      #expect(unsafe rename(link + ".new", link) == 0)
      #expect(try monitor.line() == "light")
      // The directory above it is moved away.
      try session.directory.write(Self.showing("dark"), to: "store/two/themed.conf")
      #expect(try monitor.line() == "dark")
      #expect(unsafe rename(session.directory.path("config"), session.directory.path("moved")) == 0)
      #expect(try monitor.line() == "light")
    }
  }

  @Test func `a mistake keeps what held before, and is named in the log, to the manager and by the command`() throws {
    try withSession { session in
      try session.configure(Self.showing("dark"))
      let themed = try session.startThemed()
      // On a busy machine it may start before it has read the file.
      try eventually { try session.themectl("get").lines == ["dark"] }
      try session.configure(Self.showing("drak"))
      let line = try themed.errorLine(containing: "drak")
      for words in ["themed.conf", "[appearance] no-desktop", "light or dark"] { #expect(line.contains(words)) }
      try themed.awaitStatus(containing: "drak")
      #expect(try session.themectl("get").lines == ["dark"])

      let config = try session.themectl("config")
      #expect(config.status == .exited(1))
      #expect(config.errors.contains("drak"))
      let path = session.directory.path("config/themed/themed.conf")
      #expect(config.lines.first == "# \(path)")
      #expect(config.lines.contains("no-desktop=dark"))
      #expect(config.lines.contains("#settle-time=100"))
      let asJSON = try session.themectl("config", "--json")
      #expect(asJSON.status == .exited(1))
      #expect(asJSON.errors.contains("drak"))
      let object = try JSONSerialization.jsonObject(with: Data(asJSON.output.utf8)) as? [String: Any]
      #expect((object?["problem"] as? String)?.contains("drak") == true)

      try session.configure("[appearance]\nno-desktop=light\nno-dekstop=dark\n")
      try themed.errorLine(containing: "ignoring the unknown setting [appearance] no-dekstop")
      let mended = try session.themectl("config", "--json")
      #expect(mended.status == .exited(0))
      #expect(!mended.output.contains("problem"))
      #expect(mended.output.contains(#""unknown":["[appearance] no-dekstop"]"#))
      #expect(mended.errors.contains("note: this version does not know [appearance] no-dekstop"))
    }
  }

  @Test func `the command prints a file that says what is in force, also where all is default`() throws {
    try withSession { session in
      var themed = try session.startThemed()
      let path = session.directory.path("config/themed/themed.conf")
      let defaults = try session.themectl("config")
      #expect(defaults.status == .exited(0))
      #expect(defaults.lines.first == "# \(path)")
      #expect(defaults.lines.contains("#no-desktop=light"))
      let settings = defaults.lines.filter { $0.contains("=") }
      #expect(settings.count > 5)
      #expect(settings.allSatisfy { $0.hasPrefix("#") })

      // Pasted, it changes nothing; with its settings no longer comments, it says the same in the user's name.
      themed.send(.terminate)
      try themed.wait()
      try session.configure(defaults.output + "\n")
      themed = try session.startThemed()
      #expect(try session.themectl("config").output == defaults.output)
      let own = defaults.lines.map { $0.contains("=") ? String($0.dropFirst()) : $0 }
      try session.configure(own.joined(separator: "\n") + "\n")
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      try session.configure(own.joined(separator: "\n").replacing("no-desktop=light", with: "no-desktop=dark") + "\n")
      #expect(try monitor.line() == "dark")
      let changed = try session.themectl("config")
      #expect(changed.status == .exited(0))
      #expect(changed.lines == own.map { $0 == "no-desktop=light" ? "no-desktop=dark" : $0 })
      #expect(!themed.errors.contains("unknown setting"))
    }
  }

  @Test func `what is no key file is refused with the line that is wrong`() throws {
    try withSession { session in
      try session.configure("[appearance]\nthis is no setting\n")
      let themed = try session.startThemed()
      let line = try themed.errorLine(containing: "themed.conf")
      #expect(line.contains("themed.conf:2: 'this is no setting' should be a group in brackets"))
      #expect(try session.themectl("get").lines == ["light"])
    }
  }
}
