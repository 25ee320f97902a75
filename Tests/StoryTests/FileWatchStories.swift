import Foundation
import Testing
import ThemedTestSupport

/// Changes of the user's files are seen, however they come, and where they cannot be, that is said.
@Suite(.ownThreads) struct FileWatchStories {
  private static func showing(_ scheme: String) -> String { "[appearance]\nno-desktop=\(scheme)\n" }

  @Test func `a directory that is replaced again and again leaves nobody blind`() throws {
    try withSession { session in
      try session.configure(Self.showing("light"))
      try session.directory.write("[dark.palette]\ntint=000000\n", to: "data/themed/themes/mint.theme")
      _ = try session.startThemed()
      let client = try session.connect()
      _ = try client.call("SetOverride", #"{"override":{"darkTheme":"mint"}}"#)
      let monitor = try session.connect()
      try monitor.send(#"{"method":"org.themed.theme.Monitor","parameters":{"details":true},"more":true}"#)
      let files = FileManager.default
      for round in 1...10 {
        for directory in ["config/themed", "data/themed/themes"] {
          let path = session.directory.path(directory)
          let text = directory.hasPrefix("config") ? Self.showing("light") : "[dark.palette]\ntint=000000\n"
          let file = directory.hasPrefix("config") ? "themed.conf" : "mint.theme"
          for step in 0..<60 {
            let new = try session.directory.write(text, to: "\(directory)-\(step)/\(file)")
            try files.removeItem(atPath: path)
            try files.moveItem(atPath: (new as NSString).deletingLastPathComponent, toPath: path)
          }
        }
        let tint = "#0000\(String(round + 0x10, radix: 16))"
        try session.directory.write("[dark.palette]\ntint=\(tint)\n", to: "data/themed/themes/mint.theme")
        try session.configure(Self.showing("dark"))
        _ = try monitor.frame { $0.scheme == "dark" && $0.string("parameters.state.palette.primary") == tint }
        try session.configure(Self.showing("light"))
        _ = try monitor.frame { $0.scheme == "light" }
      }
    }
  }

  @Test func `a file that is written all the time is read all the same, and so is another one`() throws {
    try withSession { session in
      try session.configure(Self.showing("light"))
      _ = try session.startThemed()
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      let path = session.directory.path("config/themed/themed.conf")
      let writer = try session.spawn(
        "sh",
        [
          "-c",
          "printf '\(Self.showing("dark").replacingOccurrences(of: "\n", with: "\\n"))' > \(path);"
            + " while echo '#' >> \(path); do sleep 0.04; done",
        ])
      #expect(try monitor.line() == "dark", "while it lasts")
      #expect(writer.isRunning)
    }
  }

  @Test(arguments: ["watches", "instances"])
  func `where no watch is left that is said, a reload reads all the same, and it is over when there are some`(
    kind: String
  ) throws {
    try withSession { session in
      try session.configure(Self.showing("light"))
      // The limit of a user namespace is its own.
      let script = """
        limit=/proc/sys/user/max_inotify_$1 heal=$2; shift 2
        echo 0 > "$limit" || exit
        (while [ ! -e "$heal" ]; do kill -0 $$ || exit; sleep 0.05; done; echo 10000 > "$limit"; : > "$heal.done") \
          < /dev/null > /dev/null 2>&1 &
        exec "$@"
        """
      let heal = session.directory.path("heal")
      let themed = try session.startThemed(
        under: ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh", kind, heal])
      let line = try themed.errorLine(containing: "cannot watch it for changes")
      #expect(line.contains("the configuration") && line.contains("fs.inotify.max_user_\(kind)"), "\(line)")
      try themed.awaitStatus(containing: "cannot watch it for changes")
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("cannot watch it for changes"), "\(doctor)")
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      try session.configure(Self.showing("dark"))
      themed.send(.hangup)
      #expect(try monitor.line() == "dark")

      try session.directory.write("", to: "heal")
      try eventually { FileManager.default.fileExists(atPath: heal + ".done") }
      themed.send(.hangup)
      let client = try session.connect()
      try eventually { try !client.call("GetDiagnostics").text.contains("cannot watch it for changes") }
      try session.configure(Self.showing("light"))
      #expect(try monitor.line() == "light")
    }
  }

  @Test func `without a home directory it is as verbose as it is told to be, and a reload takes no theme away`() throws
  {
    try withSession { session in
      for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] { session.environment[name] = nil }
      try session.directory.write("[light.palette]\n", to: "system/themed/themes/mint.theme")
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      // A user that no list of users knows.
      let themed = try session.startThemed(
        under: ["unshare", "--user", "--map-user=4242", "--map-group=4242", "sh", "-c", "exec \"$0\" --verbose"])
      let client = try session.connect()
      #expect(!(try client.call("GetConfiguration").text.contains("themed.conf")))
      let set = try client.call("SetOverride", #"{"override":{"lightTheme":"mint"}}"#)
      #expect(set.string("parameters.state.theme") == "mint")
      themed.send(.hangup)
      try themed.errorLine(containing: "reading the configuration again")
      #expect(try client.call("GetState").string("parameters.state.theme") == "mint")
    }
  }
}
