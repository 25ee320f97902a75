import Foundation
import Testing
import ThemedTestSupport

/// A login to a desktop whose portal starts later than the services.
@Suite(.ownThreads) struct FirstWordStories {
  @Test func `after a boot the desktop's last word is shown, told as remembered, and hooks do not run with a guess`()
    throws
  {
    try withSession { session in
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      let first = try Following.settled(session, scheme: 1)
      let apply = try session.startApply()
      try eventually { session.text("home/said") == "dark\n" }
      try eventually("what the next boot finds") { session.text("state/themed/desktop.json")?.contains("dark") == true }
      #expect(try !session.themectl("status").output.contains("last asked"))
      for process in [apply, first.themed, first.portal.process] {
        process.send(.terminate)
        _ = try process.wait()
      }
      for directory in ["run/themed", "run/themed-apply"] {
        try FileManager.default.removeItem(atPath: session.directory.path(directory))
      }

      // The next boot: the runtime directory is empty, and the portal is not there yet.
      _ = try session.startThemed()
      let watch = try session.subscribe()
      let guess = try watch.frame()
      #expect(guess.scheme == "dark" && guess.string("parameters.state.origins.scheme.rule") == "portal")
      #expect(guess.bool("parameters.state.origins.scheme.remembered") == true, "\(guess.text)")
      #expect(
        try session.themectl("status").lines.first
          == "Dark, as the desktop last asked; it has not answered yet in this session.")
      let next = try session.startApply()
      try next.errorLine(containing: "waiting for the desktop")
      // It has changed meanwhile, as by another login to it.
      let portal = try session.startFakePortal(scheme: 2, "version 2")
      let known = try watch.frame()
      #expect(known.scheme == "light", "\(known.text)")
      #expect(known.bool("parameters.state.origins.scheme.remembered") == nil, "\(known.text)")
      try eventually { session.text("home/said") == "dark\nlight\n" }
      try eventually("the next boot's") { session.text("state/themed/desktop.json")?.contains("light") == true }
      _ = portal
    }
  }

  /// How a dark login comes to be dark.
  enum DarkLogin: CaseIterable { case desktop, usualDirectories, schedule, inStep, override }

  @Test(arguments: DarkLogin.allCases)
  func `a dark login, whose real portal starts late, writes nothing again, runs no hook again, and nothing light`(
    _ login: DarkLogin
  ) throws {
    try withSession { session in
      let hour = Calendar.current.component(.hour, from: Date())
      switch login {
      case .desktop: break
      case .usualDirectories: session.environment["XDG_STATE_HOME"] = nil
      case .schedule:
        let (dark, light) = ((hour + 23) % 24, (hour + 6) % 24)
        try session.configure("[schedule]\nmode=times\nlight=\(light):00\ndark=\(dark):00\n")
      case .inStep: try session.configure("[desktop]\nin-step=yes\n")
      case .override: break
      }
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      try session.addHook("wallpaper.login", #"echo "$1" >> "$HOME/wallpapers""#)
      let note = """
        [write]
        template=note.mustache
        file=~/note
        comment=none
        [reload]
        command=sh -c "cat ~/note >> ~/told"

        """
      try session.enableApp("note", note, template: "{{scheme}}\n")
      let desktop = try session.startDesktop([.schedule, .override].contains(login) ? .light : .dark)
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == (login == .schedule || login == .override ? "light" : "dark") }
      if login == .override { _ = try session.themectl("set", "dark") }
      let apply = try session.startApply()
      let state = login == .usualDirectories ? "home/.local/state/themed" : "state/themed"
      try session.awaitApplied("say", in: "hooks") { $0.isDone("dark") }
      try session.awaitApplied("wallpaper.login", in: "hooks") { $0.isDone("dark") }
      try session.awaitApplied("note") { $0.isDone("dark") }
      try eventually("what the next login finds") {
        session.text("\(state)/hooks.done")?.contains(" say\n") == true && session.text("\(state)/desktop.json") != nil
      }
      for process in [apply, themed] {
        process.send(.terminate)
        _ = try process.wait()
      }
      try desktop.bus.kill()
      try desktop.bus.removeSocket()
      for directory in ["run/themed", "run/themed-apply"] {
        try FileManager.default.removeItem(atPath: session.directory.path(directory))
      }
      func file() throws -> [String] {
        let values = try FileManager.default.attributesOfItem(atPath: session.directory.path("home/note"))
        return ["\(values[.systemFileNumber] ?? "")", "\(values[.modificationDate] ?? "")"]
      }
      let before = try file()

      // The next login: the runtime directory is empty, and there is no bus yet.
      _ = try session.startThemed()
      let begin = ContinuousClock.now
      let next = try session.startApply()
      #expect(try session.themectl("get").lines == ["dark"])
      if login != .schedule && login != .override { try next.errorLine(containing: "waiting for the desktop") }
      sleep(1)
      let wallpapers = session.text("home/wallpapers")
      // After three seconds a guess counts.
      if login == .desktop || login == .inStep, ContinuousClock.now - begin < .seconds(3) {
        #expect(wallpapers == "dark\n", "a guess")
      }
      try desktop.bus.start()
      let asked = try session.subscribe()
      _ = try asked.frame {
        $0.desktop != "unavailable" && $0.bool("parameters.state.origins.desktop.remembered") != true
      }
      try session.awaitApplied("wallpaper.login", in: "hooks") { $0.isDone("dark") }
      try session.awaitApplied("note") { $0.isDone("dark") }
      sleep(1)
      #expect(session.text("home/said") == "dark\n", "a hook ran again")
      #expect(session.text("home/wallpapers") == "dark\ndark\n")
      #expect(try file() == before, "the file was written again")
      #expect(session.text("home/told") == "dark\ndark\n")

      // What has changed runs everything once.
      if login == .desktop {
        try desktop.set(.light)
        try eventually { session.text("home/said") == "dark\nlight\n" }
        try session.awaitApplied("wallpaper.login", in: "hooks") { $0.isDone("light") }
        #expect(session.text("home/wallpapers") == "dark\ndark\nlight\n")
      }
    }
  }

  @Test func `at the first login of all nothing runs by default before the desktop is heard`() throws {
    try withSession { session in
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      _ = try session.startBus()
      _ = try session.startThemed()
      let watch = try session.subscribe()
      let portal = try session.startStranger()
      for command in ["set color-scheme u:1", "version 2"] { try portal.tell(command) }
      let begin = ContinuousClock.now
      let apply = try session.startApply()
      try apply.errorLine(containing: "waiting for the desktop")
      try portal.tell("own")
      _ = try watch.frame { $0.scheme == "dark" }
      // Three seconds after themed-apply's start, what is shown by default counts.
      let isInTime = ContinuousClock.now - begin < .milliseconds(2500)
      try eventually("dark") { session.text("home/said")?.hasSuffix("dark\n") == true }
      if isInTime { #expect(session.text("home/said") == "dark\n") }
    }
  }

  @Test func `a desktop that is never heard keeps nothing from being applied`() throws {
    try withSession { session in
      try session.directory.write(#"{"scheme":"dark"}"#, to: "state/themed/desktop.json")
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      _ = try session.startThemed()
      _ = try session.startApply()
      try eventually { session.text("home/said") == "dark\n" }
    }
  }

  @Test(arguments: ["", "{", #"{"scheme":"unavailable"}"#, #"{"scheme":"dark","upstream":{}}"#])
  func `what is damaged is not remembered`(kept: String) throws {
    try withSession { session in
      try session.directory.write(kept, to: "state/themed/desktop.json")
      _ = try session.startThemed()
      let state = try session.connect().call("GetState")
      #expect(state.scheme == "light" && state.desktop == "unavailable")
    }
  }

  @Test func `what another daemon shows is not kept for a boot`() throws {
    try withSession { session in
      let following = try Following.settled(session, scheme: 1)
      let place = try session.directory.directory("other")
      session.environment["XDG_STATE_HOME"] = session.directory.path("other/state")
      _ = try session.startThemed(["--socket", "\(place)/socket", "--upstream", session.socketPath])
      let other = try VarlinkConnection(path: "\(place)/socket")
      try eventually { try other.call("GetState").scheme == "dark" }
      try eventually("what a restart finds") { session.text("other/socket.desktop")?.contains("upstream") == true }
      #expect(session.text("other/state/themed/desktop.json") == nil)
      #expect(following.themed.isRunning)
    }
  }
}
