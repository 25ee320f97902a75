import Foundation
import Testing
import ThemedTestSupport

/// The list of themes, followed with `more` while files come, change, break and go.
@Suite(.ownThreads) struct ThemeListStories {
  @Test func `a theme that is added, changed, broken, mended and removed is told each time`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      let themed = try session.startThemed()
      // Nobody asks: nothing is watched.
      let themes = session.directory.path("data/themed/themes")
      try session.directory.directory("data/themed/themes")
      #expect(try !themed.watches(themes))
      let follower = try session.follow("ListThemes")
      let first = try follower.frame()
      #expect(first.themes == [] && first.bool("continues") == true)
      #expect(try themed.watches(themes))

      try session.theme("mint", "[theme]\ntitle=Mint\n[light.palette]\ntint=26c472\n")
      var mint = try #require(try follower.frame().themes.first)
      #expect(mint.name == "mint" && mint.title == "Mint" && mint.dark == nil && mint.problem == nil)
      #expect(mint.light?["primary"] == "#26c472" && mint.light?["background"] == "#ffffff")
      let roles = ["background", "error", "info", "primary", "secondary", "success", "text", "warning"]
      #expect(mint.light?.keys.sorted() == roles)

      // In place, as careless editors write, so that it may be read half; and with the same text, which is no change.
      try session.directory.write(
        "[theme]\ntitle=Mint\n[light.palette]\ntint=26c472\n", to: "data/themed/themes/mint.theme")
      try session.directory.write("[dark.palette]\ntint=111111\n", to: "system/themed/themes/teal.theme")
      // A directory has come as well.
      _ = try follower.frame { $0.themes.map(\.name) == ["mint", "teal"] && $0.themes.last?.dark != nil }
      try session.directory.write("[dark.palette]\ntint=222222\n", to: "data/themed/themes/mint.theme")
      mint = try #require(try follower.frame { $0.themes.first?.dark?["primary"] == "#222222" }.themes.first)
      #expect(mint.light == nil && mint.title == "mint")

      try session.theme("mint", "[dark.palette]\ntint=dark green\n")
      mint = try #require(try follower.frame().themes.first)
      #expect(mint.dark == nil && mint.title == nil && mint.problem?.contains("dark green") == true, "\(mint)")
      try session.theme("mint", "[dark.palette]\ntint=333333\n")
      #expect(try follower.frame().themes.first?.dark?["primary"] == "#333333")

      // The user's own goes, and the system's of the same name holds.
      try session.directory.write("[dark.palette]\ntint=444444\n", to: "system/themed/themes/mint.theme")
      try FileManager.default.removeItem(atPath: "\(themes)/mint.theme")
      #expect(
        try follower.frame { $0.themes.first?.dark?["primary"] != "#333333" }.themes.first?.dark?["primary"]
          == "#444444")
      try FileManager.default.removeItem(atPath: session.directory.path("system"))
      #expect(try follower.frame { $0.themes.isEmpty }.themes == [])
      #expect(themed.isRunning)
    }
  }

  @Test func `what a link leads to is told of when it changes`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      let real = try session.directory.write("[dark.palette]\ntint=111111\n", to: "dotfiles/mint.theme")
      try session.directory.directory("data/themed/themes")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("data/themed/themes/mint.theme"), withDestinationPath: real)
      _ = try session.startThemed()
      let follower = try session.follow("ListThemes")
      #expect(try follower.frame().themes.first?.dark?["primary"] == "#111111")
      try session.directory.write("[dark.palette]\ntint=222222\n", to: "dotfiles/mint.theme")
      // The file may be read while it is being written.
      _ = try follower.frame { $0.themes.first?.dark?["primary"] == "#222222" }
    }
  }

  @Test func `when nobody follows it any more, nothing is watched, and asking reads what has changed`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      try session.theme("mint", "[dark.palette]\ntint=111111\n")
      let themed = try session.startThemed()
      let themes = session.directory.path("data/themed/themes")
      do {
        let followers = try (0..<3).map { _ in try session.follow("ListThemes") }
        for follower in followers { #expect(try follower.frame().themes.count == 1) }
        #expect(try themed.watches(themes))
        withExtendedLifetime(followers) {}
      }
      try eventually("the end of the watches") { try !themed.watches(themes) }
      let client = try session.connect()
      #expect(try client.call("ListThemes").themes.first?.dark?["primary"] == "#111111")
      try session.theme("mint", "[dark.palette]\ntint=222222\n")
      #expect(try client.call("ListThemes").themes.first?.dark?["primary"] == "#222222")
      try session.directory.write("[dark.palette]\ntint=333333\n", to: "data/themed/themes/mint.theme")
      #expect(try client.call("ListThemes").themes.first?.dark?["primary"] == "#333333")
      #expect(try !themed.watches(themes))
    }
  }

  @Test func `thousands of themes take no memory once nobody asks for them, while others go on asking`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      let themed = try session.startThemed()
      let client = try session.connect()
      _ = try client.call("ListThemes")
      let before = try themed.privateMemory()
      for index in 0..<3000 { try session.theme("theme-\(index)", "[dark.palette]\ntint=111111\n") }
      for _ in 0..<5 {
        // On a busy machine a call may be refused until all of them were read.
        try eventually("all are read") { try client.call("ListThemes").themes.count > 1000 }
      }
      let (bound, asker) = (before + 1024, try session.connect())
      try eventually("less than \(bound) KiB") {
        _ = try asker.call("GetState")
        return try themed.privateMemory() < bound
      }
    }
  }

  @Test func `five hundred files that change at once are told in a few lists, and nobody else waits`() throws {
    try withSession { session in
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      for index in 0..<500 { try session.theme("theme-\(index)", "[dark.palette]\ntint=111111\n") }
      let themed = try session.startThemed()
      // On a busy machine a call may be refused until all of them were read.
      let follower = try eventually("all are read") {
        let follower = try session.follow("ListThemes")
        return try follower.frame().themes.count == 500 ? follower : nil
      }
      let silent = try session.follow("ListThemes")
      for index in 0..<500 { try session.theme("theme-\(index)", "[dark.palette]\ntint=222222\n") }
      try session.change(times: 100)
      var lists = 1
      while try !follower.frame().themes.allSatisfy({ $0.dark?["primary"] == "#222222" }) { lists += 1 }
      #expect(lists < 60, "\(lists)")
      _ = try silent.frame { $0.themes.allSatisfy { $0.dark?["primary"] == "#222222" } }
      #expect(themed.isRunning)
    }
  }
}

extension Session {
  /// Writes a theme of the user's own, in one step, as careful editors do.
  fileprivate func theme(_ name: String, _ text: String) throws {
    let new = try directory.write(text, to: "data/themed/themes/.\(name).new")
    guard unsafe rename(new, directory.path("data/themed/themes/\(name).theme")) == 0 else {
      throw Failure("a theme could not be written")
    }
  }
}

extension ChildProcess {
  /// Whether it watches this directory.
  fileprivate func watches(_ directory: String) throws -> Bool {
    var status = stat()
    guard unsafe stat(directory, &status) == 0 else { throw Failure("no \(directory)") }
    let wanted = "ino:\(String(status.st_ino, radix: 16)) "
    let directory = "/proc/\(pid)/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: directory).contains { file in
      let text = try? String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
      return text?.split(separator: "\n").contains { $0.hasPrefix("inotify ") && $0.contains(wanted) } ?? false
    }
  }
}
