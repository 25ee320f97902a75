import Foundation
import Testing
import ThemedTestSupport

/// The main job, with the real portal, its GTK backend, and programs that know nothing of each other.
@Suite(.ownThreads) struct PortalStories {
  @Test func `every subscriber sees the desktop turn dark, light and the configured default`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-preference=dark\n")
      let desktop = try session.startDesktop(.light)
      let themed = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop == "light" }

      let subscribers = try Subscribers(session)
      try subscribers.expect("light")
      for (setting, word) in [(Desktop.Setting.dark, "dark"), (.light, "light"), (.none, "dark"), (.light, "light")] {
        try desktop.set(setting)
        try subscribers.expect(word)
      }
      let set = try session.themectl("set", "dark")
      #expect(set.lines == ["dark"])
      #expect(set.status == .exited(0))
      try subscribers.expect("dark")
      let words = ["light", "dark", "light", "dark", "light", "dark"]
      #expect(try subscribers.words == [words, words, words])

      themed.send(.kill)
      #expect(try themed.wait() == .signaled(9))
      _ = try session.startThemed()
      let watch = try session.subscribe()
      let restored = try watch.frame { $0.desktop == "light" }
      #expect(restored.scheme == "dark")
      #expect(restored.string("parameters.state.origins.scheme.rule") == "override")

      #expect(try session.themectl("set", "auto").lines == ["light"])
      #expect(try subscribers.themectl.line() == "light")
      try desktop.set(.dark)
      #expect(try subscribers.themectl.line() == "dark")
      #expect(subscribers.themectl.lines == words + ["light", "dark"])
    }
  }

  @Test func `the first change goes out at once, however long the desktop may take to settle`() throws {
    try withSession { session in
      // Twice as long as the patience of these tests, on a machine with time for them: a change that waited for it would
      // not come.
      try session.configure("[portal]\nsettle-time=60000\n")
      let desktop = try session.startDesktop(.light)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "light" }
      try desktop.set(.dark)
      let changed = try watch.frame()
      #expect(changed.scheme == "dark")
      #expect(changed.string("parameters.state.origins.scheme.rule") == "portal")
    }
  }

  @Test func `who subscribes before there is a bus gets the default, then what the desktop asks for`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      try desktop.bus.kill()
      try desktop.bus.removeSocket()

      _ = try session.startThemed()
      let watch = try session.subscribe()
      let monitor = try session.spawnThemectl("monitor")
      let first = try watch.frame()
      #expect(first.scheme == "light")
      #expect(first.desktop == "unavailable")
      #expect(first.string("parameters.state.origins.scheme.rule") == "default")
      #expect(try monitor.line() == "light")

      try desktop.bus.start()
      let second = try watch.frame()
      #expect(second.scheme == "dark")
      #expect(second.desktop == "dark")
      #expect(try monitor.line() == "dark")
    }
  }

  @Test func `a daemon that is restarted shows what the desktop last asked for from its first moment`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      let themed = try session.startThemed()
      let monitor = try session.spawnThemectl("monitor")
      while try monitor.line() != "dark" {}
      // It is kept a moment after it was told.
      let kept = session.socketPath + ".desktop"
      try awaitFile(kept)
      themed.send(.kill)
      _ = try themed.wait()
      try desktop.bus.kill()
      _ = try session.startThemed()
      #expect(try session.connect().call("GetState").scheme == "dark")
      try desktop.bus.start()
      try desktop.set(.light)
      #expect(try monitor.line() == "light")
      #expect(monitor.lines.suffix(2) == ["dark", "light"])
    }
  }

  @Test func `a bus that crashes leaves the last value standing, and is followed again when it is back`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.dark)
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "dark" }
      try desktop.bus.kill()
      #expect(try session.connect().call("GetState").scheme == "dark")
      try desktop.bus.start()
      try desktop.set(.light)
      let next = try watch.frame()
      #expect(next.desktop == "light", "never unavailable in between: \(next.text)")
      #expect(next.scheme == "light")
      #expect(themed.isRunning)
    }
  }

  @Test func `the desktop of these tests is real: another program reads the same portal`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
      try desktop.set(.dark)
      #expect(try desktop.portalAnswer() == "(<<uint32 1>>,)")
      try desktop.set(.none)
      #expect(try desktop.portalAnswer() == "(<<uint32 0>>,)")
    }
  }
}

/// One subscriber of each kind: our command, a raw socket in a shell's hands, and a Python program.
private struct Subscribers {
  let themectl: ChildProcess
  let socat: ChildProcess
  let python: ChildProcess

  init(_ session: Session) throws {
    themectl = try session.spawnThemectl("monitor")
    let call = #"{"method":"org.themed.theme.Monitor","more":true}"#
    socat = try session.spawn(
      "socat", ["-t", "999", "-", "UNIX-CONNECT:" + session.socketPath], separator: 0,
      input: Array(call.utf8) + [0])
    let script = """
      import sys, varlink
      client = varlink.Client.new_with_address("unix:" + sys.argv[1])
      with client.open("org.themed.theme") as theme:
          for reply in theme.Monitor(_more=True):
              print(reply["state"]["scheme"], flush=True)
      """
    python = try session.spawnPython(["-c", script, session.socketPath])
  }

  /// Everything that each of them has seen.
  var words: [[String]] {
    get throws { [themectl.lines, try socat.lines.map(schemeOf), python.lines] }
  }

  /// Expects this word of each of them next.
  func expect(_ word: String) throws {
    #expect(try themectl.line() == word)
    #expect(try schemeOf(socat.line()) == word)
    #expect(try python.line() == word)
  }
}

private func schemeOf(_ text: String) throws -> String {
  try Frame(text: text).scheme ?? text
}
