import Foundation
import Testing
import ThemedTestSupport

/// Files of the user's on a file system that hangs, as a dead network mount does: FUSE, and nobody who answers.
///
/// In a mount namespace of the daemon's own, so that nothing else meets it.
@Suite(
  .ownThreads,
  .enabled(if: unsafe access("/dev/fuse", R_OK | W_OK) == 0, "a file system that hangs needs /dev/fuse"))
struct HangingFileStories {
  private static let mint = "[light.palette]\n[dark.palette]\n[dark.assets]\nwallpaper=WALLS/wallpaper.png\n"

  @Test func `whatever those ask for who may only read, themes that can be read are read for others`() throws {
    try withSession { session in
      let walls = try session.directory.directory("walls")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/plain.theme")
      let text = Self.mint.replacingOccurrences(of: "WALLS", with: walls)
      let names = (0..<6).map { "theme-\($0)" }
      for name in names { try session.directory.write(text, to: "data/themed/themes/\(name).theme") }
      _ = try session.startThemed(hanging: [walls])
      for name in names {
        let answer = try session.connectToRead().call("GetTheme", #"{"name":"\#(name)"}"#)
        // The first one hangs; then no more are read until it answers.
        #expect(answer.error == "org.themed.theme.\(name == names[0] ? "UnusableTheme" : "ThemesUnavailable")")
      }
      #expect(try session.connect().call("GetTheme", #"{"name":"plain"}"#).error == nil)
      try session.heal()
    }
  }

  @Test func `a wallpaper that does not answer is said, holds up nobody, and is there when its mount answers again`()
    throws
  {
    try withSession { session in
      let walls = try session.directory.directory("walls")
      try session.directory.write("x", to: "walls/wallpaper.png")
      let text = Self.mint.replacingOccurrences(of: "WALLS", with: walls)
      try session.directory.write(text, to: "data/themed/themes/mint.theme")
      try session.directory.write(text, to: "data/themed/themes/other.theme")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/plain.theme")
      try session.configure("[appearance]\nno-desktop=dark\ndark-theme=mint\n")
      let themed = try session.startThemed(hanging: [walls])
      let client = try session.connect()
      // On a busy machine it may start before it has read the file.
      try eventually("the rest of the configuration holds") { try client.call("GetState").scheme == "dark" }
      let line = try themed.errorLine(containing: "does not answer")
      #expect(line.contains("the theme 'mint'") && line.contains("\(walls)/wallpaper.png"), "\(line)")
      try themed.awaitStatus(containing: "does not answer")
      #expect(try client.call("GetDiagnostics").text.contains("wallpaper.png does not answer"))

      // While a call waits for a theme's file, and is then refused, others are told of everything.
      let waiting = try session.connect()
      try waiting.send(
        #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"light","darkTheme":"other"}}}"#)
      try session.change(times: 1_000)
      let refused = try waiting.frame()
      #expect(refused.error == "org.themed.theme.UnusableTheme")
      #expect(refused.string("parameters.problem")?.contains("does not answer") == true, "\(refused.text)")
      #expect(try client.call("ListOverrides").text.contains("other") == false, "nothing of it holds")
      #expect(try client.call("GetTheme", #"{"name":"plain"}"#).error == nil, "what can be read is read")

      // However many hang: what has answered is read all the same.
      let askers = try (0..<12).map { index in
        try session.directory.write(text, to: "data/themed/themes/theme-\(index).theme")
        let asker = try session.connect()
        try asker.send(#"{"method":"org.themed.theme.GetTheme","parameters":{"name":"theme-\#(index)"}}"#)
        return asker
      }
      for asker in askers { #expect(try asker.frame().error == "org.themed.theme.UnusableTheme") }
      let monitor = try session.subscribe()
      _ = try monitor.frame()
      try session.configure("[appearance]\nno-desktop=light\nlight-theme=mint\n")
      _ = try monitor.frame { $0.scheme == "light" }

      try session.heal()
      _ = try monitor.frame { $0.string("parameters.state.theme") == "mint" }
      #expect(try !client.call("GetDiagnostics").text.contains("does not answer"))
    }
  }

  @Test func `with everything of the user's hanging it starts, serves and ends, and goes on when that answers`() throws
  {
    try withSession { session in
      try session.configure("[appearance]\nno-desktop=dark\n")
      try session.directory.write("[dark.palette]\n", to: "data/themed/themes/plain.theme")
      let hanging = [session.directory.path("config/themed"), session.directory.path("data/themed/themes")]
      let themed = try session.startThemed(hanging: hanging)
      let client = try session.connect()
      #expect(try client.call("GetState").scheme == "light")
      let line = try themed.errorLine(containing: "does not answer")
      #expect(line.contains("the configuration"), "\(line)")
      #expect(try client.call("GetConfiguration").text.contains("does not answer"))
      #expect(try client.call("ListThemes").error == "org.themed.theme.ThemesUnavailable")
      #expect(try client.call("GetTheme", #"{"name":"plain"}"#).error == "org.themed.theme.UnusableTheme")
      // However often it is asked for, and told to read again.
      for _ in 0..<20 {
        themed.send(.hangup)
        try client.send(#"{"method":"org.themed.theme.ListThemes","parameters":{},"oneway":true}"#)
      }
      try session.change(times: 100)
      let monitor = try session.subscribe()
      _ = try monitor.frame()
      try session.heal()
      _ = try monitor.frame { $0.string("parameters.state.desktop") == "unavailable" && $0.scheme == "dark" }
      #expect(try client.call("ListThemes").text.contains("plain.theme"))
      #expect(try client.call("GetTheme", #"{"name":"plain"}"#).error == nil)
    }
  }

  @Test func `it ends when it is told to, whatever hangs`() throws {
    try withSession { session in
      try session.configure("")
      let themed = try session.startThemed(hanging: [session.directory.path("config/themed")])
      try themed.errorLine(containing: "does not answer")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
    }
  }
}

/// Commands where files of the user's do not answer, or are no files.
@Suite(
  .ownThreads,
  .enabled(if: unsafe access("/dev/fuse", R_OK | W_OK) == 0, "a file system that hangs needs /dev/fuse"))
struct HangingCommandStories {
  @Test(arguments: ["doctor", "doctor --json", "app", "setup", "app disable kitty", "theme list"])
  func `a command says which file does not answer, and gives up`(command: String) throws {
    try withSession { session in
      _ = try session.startThemed()
      let hanging = [try session.directory.directory("config/themed"), try session.directory.directory("data/themed")]
      let words = command.split(separator: " ").map(String.init)
      let said = try session.spawn(
        "unshare",
        Session.hanging(hanging, healedBy: session.directory.path("heal"), [Products.path("themectl")] + words))
      let status = try said.wait()
      let all = said.errors + said.lines.joined(separator: "\n")
      #expect(status == .exited(command.hasPrefix("doctor") ? 1 : 2), "\(all)")
      #expect(said.errors.contains("waiting for "), "\(all)")
      let line = try #require(
        (said.lines + said.errors.components(separatedBy: "\n")).first {
          $0.contains("does not respond") || $0.contains("does not answer")
        })
      #expect(hanging.contains { line.contains($0) }, "\(all)")
      // What the doctor has found before is told, too.
      if command == "doctor" { #expect(said.lines.contains { $0.hasPrefix("fine: ") }, "\(all)") }
    }
  }
}

extension Session {
  /// Starts a process that holds the lock of the user's configuration until it gets a line.
  func lockConfiguration() throws -> ChildProcess {
    let script =
      "import fcntl, os, sys; f = os.open(sys.argv[1], 0); fcntl.flock(f, 2); print('held', flush=True); input()"
    let holder = try spawn("python3", ["-c", script, try directory.directory("config/themed")], input: [])
    #expect(try holder.line() == "held")
    return holder
  }
}

/// Commands where something else is in the way for as long as it likes.
@Suite(.ownThreads) struct WaitingCommandStories {
  /// Enables an app, and has another process hold the lock of the list.
  private func holdLock(_ session: Session) throws -> ChildProcess {
    try session.enableApp("mine", "[reload]\ncommand=true\n")
    return try session.lockConfiguration()
  }

  @Test func `a lock that another process keeps is told with that process, and given up without a change`() throws {
    try withSession { session in
      let holder = try holdLock(session)
      let disable = try session.themectl("app", "disable", "mine")
      #expect(disable.status == .exited(2))
      let words = "waiting for process \(holder.pid) (python3"
      #expect(disable.errors.contains(words), "\(disable.errors)")
      #expect(disable.errors.contains("nothing was changed, since process \(holder.pid)"), "\(disable.errors)")
      #expect(session.text("config/themed/apps.enabled") == "mine\n")
    }
  }

  @Test func `a service manager that does not answer is told once, asked no more, and everything else is said`() throws
  {
    try withSession { session in
      _ = try session.startThemed()
      // Where systemctl finds the manager.
      try session.directory.write("", to: "run/systemd/private")
      let path = try session.directory.write(
        "#!/bin/sh\necho \"$*\" >> \"$HOME/asked\"\nexec sleep 1000\n", to: "bin/systemctl")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
      let doctor = try session.themectl("doctor")
      #expect(doctor.status == .exited(1) && doctor.lines.contains { $0.hasPrefix("fine: ") }, "\(doctor)")
      #expect(
        doctor.errors.components(separatedBy: " seconds: themectl does not ask the user manager again").count == 2,
        "\(doctor)")
      #expect(session.text("home/asked")?.split(separator: "\n").count == 1, "\(session.text("home/asked") ?? "")")
    }
  }

  @Test func `a lock that is free again in time is taken`() throws {
    try withSession { session in
      let holder = try holdLock(session)
      let disable = try session.spawnThemectl("app", "disable", "mine")
      try disable.errorLine(containing: ", which has locked ")
      try holder.send(line: "")
      #expect(try disable.wait() == .exited(0), "\(disable.errors)")
      #expect(session.text("config/themed/apps.enabled")?.isEmpty != false)
    }
  }

  @Test func `a pipe where a file should be is refused at once, and one that is read is waited for and told`() throws {
    try withSession { session in
      _ = try session.startThemed()
      func pipe(_ path: String) throws {
        _ = try session.directory.directory((path as NSString).deletingLastPathComponent)
        #expect(unsafe mkfifo(session.directory.path(path), 0o600) == 0)
      }
      try pipe("repository/templates/config.yaml")
      let add = try session.themectl("app", "add", session.directory.path("repository"))
      #expect(add.status == .exited(2) && add.errors.contains("config.yaml, which is not a regular file"), "\(add)")
      for path in ["config/themed/apps.enabled", "config/themed/apps/pipe.app", "data/themed/themes/pipe.theme"] {
        try pipe(path)
      }
      for words in [["app"], ["theme", "list"], ["doctor"]] {
        let said = try session.spawn(Products.path("themectl"), words)
        guard case .exited = try said.wait() else { throw Failure("\(words): \(said.errors)") }
        // On a busy machine, the doctor may wait for the daemon's own check.
        #expect(!said.errors.contains("waiting for /"), "\(said.errors)")
      }
      // One that the user names is read: somebody may write into it.
      try pipe("home/scheme")
      let importing = try session.spawnThemectl("theme", "import", session.directory.path("home/scheme"))
      try importing.errorLine(containing: "waiting for \(session.directory.path("home/scheme"))")
      importing.send(.terminate)
      _ = try importing.wait()
    }
  }
}

extension Session {
  /// Starts the daemon where these directories hang, until ``heal()``: then they are what they are outside.
  fileprivate func startThemed(hanging directories: [String]) throws -> ChildProcess {
    try startThemed(under: ["unshare"] + Self.hanging(directories, healedBy: directory.path("heal"), []))
  }

  /// What `unshare` runs a program by, in a mount namespace where these directories hang until a file is there.
  fileprivate static func hanging(_ directories: [String], healedBy heal: String, _ words: [String]) -> [String] {
    // FUSE in the hands of a process that reads no request; it ends with the daemon.
    let program = """
      import ctypes, os, sys, time
      libc = ctypes.CDLL(None, use_errno=True)
      heal, count = sys.argv[1], int(sys.argv[2])
      hanging, words = sys.argv[3:3 + count], sys.argv[3 + count:]
      devices = []
      for directory in hanging:
        device = os.open('/dev/fuse', os.O_RDWR)
        options = f'fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}'
        if libc.mount(b'hanging', directory.encode(), b'fuse', 0, options.encode()) != 0:
          sys.exit(f'mount: {os.strerror(ctypes.get_errno())}')
        devices.append(device)
      parent = os.getpid()
      if os.fork() == 0:
        libc.prctl(1, 9)
        null = os.open('/dev/null', os.O_RDWR)
        for descriptor in range(3): os.dup2(null, descriptor)
        while os.getppid() == parent and not os.path.exists(heal): time.sleep(0.02)
        for directory in hanging: libc.umount2(directory.encode(), 2)
        os._exit(0)
      for device in devices: os.close(device)
      os.execv(words[0], words)
      """
    let user = getuid() == 0 ? [] : ["--map-root-user"]
    return ["--mount"] + user + ["python3", "-c", program, heal, "\(directories.count)"] + directories + words
  }

  /// Lets what hangs answer.
  fileprivate func heal() throws { try directory.write("", to: "heal") }
}
