import Foundation
import Testing
import ThemedTestSupport

/// Terminals that are coloured by sequence, with real ones whose other end a program of a name of its own holds.
@Suite(.ownThreads) struct ApplyTerminalStories {
  /// An emulator: Python, under the name that the app's file means.
  private func emulator(_ session: Session, _ name: String, _ words: String...) throws -> ChildProcess {
    let python = URL(fileURLWithPath: try Products.python()).resolvingSymlinksInPath()
    let path = session.directory.path("tmp/\(name)")
    if !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.copyItem(atPath: python.path, toPath: path)
    }
    session.environment["PYTHONHOME"] = python.deletingLastPathComponent().deletingLastPathComponent().path
    let emulator = try session.spawn(path, [Products.package + "/Tests/Terminal/windows.py"] + words, input: [])
    #expect(try emulator.line() == "window 0")
    return emulator
  }

  private func name() -> String { "term-\(UInt32.random(in: 0 ... .max))" }

  private func terminal(_ name: String) -> String { "[terminal]\nprocess=\(name)\n" }

  /// The bytes that a window's program gets, until these have come so often; they may come in one line or in more.
  private func said(_ emulator: ChildProcess, _ window: Int, until bytes: String, times: Int = 1) throws -> String {
    var said = ""
    while said.components(separatedBy: bytes).count <= times {
      let line = try emulator.line()
      try #require(line.hasPrefix("\(window) b'"), "\(line)")
      said += content(line)
    }
    return said
  }

  /// What stands between the marks of a line.
  private func content(_ line: String) -> String { String(line.drop { $0 != "'" }.dropFirst().dropLast()) }

  /// The backgrounds that a line sets, in their order: where an emulator reads late, more than one colouring is in a line.
  private func backgrounds(_ line: String) -> [String] {
    line.components(separatedBy: "]11;").dropFirst().map { String($0.prefix(7)) }
  }

  @Test func `windows are coloured, those that are opened later too, and get their own colours back`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let name = name()
      let emulator = try emulator(session, name)
      let stranger = try self.emulator(session, self.name())
      try session.enableApp(name, terminal(name))
      try session.addHook("keep", "true")
      _ = try session.startApply()
      let first = try emulator.line()
      #expect(first.hasPrefix(#"0 b'\x1b\\\x1b]4;0;#"#))
      #expect(first.contains(#"\x1b]11;#"#) && first.contains(#"\x1b]19;#"#))
      try emulator.send(line: "new")
      #expect(try emulator.line() == "window 1")
      // The new one alone; and once more, as emulators apply settings of their own to a new window, and come late.
      let colors = content(first)
      #expect(try said(emulator, 1, until: colors, times: 2) == colors + colors)
      _ = try session.themectl("set", "light")
      let light = try [emulator.line(), emulator.line()].sorted()
      #expect(light[0].hasPrefix("0 ") && light[1].hasPrefix("1 ") && light[0] != first)
      try session.directory.write("", to: "config/themed/apps.enabled")
      let back = #"b'\x1b\\\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\\x1b]117\x1b\\\x1b]119\x1b\\'"#
      #expect(try [emulator.line(), emulator.line()].sorted() == ["0 \(back)", "1 \(back)"])
      try eventually { try session.applied(name) == nil }
      #expect(stranger.lines == ["window 0"])
    }
  }

  @Test func `a terminal whose output is stopped keeps no app enabled, and gets its own colours back later`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let name = name()
      let emulator = try emulator(session, name)
      let writing = "[write]\ntemplate=\(name).mustache\nfile=~/app.conf\n"
      try session.enableApp(name, writing + terminal(name), template: "{{scheme}}\n")
      try session.addHook("keep", "true")
      _ = try session.startApply()
      #expect(try emulator.line().contains("]11;#"))
      try session.awaitApplied(name) { $0.isDone("light") }
      try emulator.send(line: "stop 0")
      #expect(try emulator.line() == "typed")
      let disabled = try session.themectl("app", "disable", name)
      #expect(disabled.status == .exited(0), "\(disabled)")
      #expect(disabled.errors.contains("some terminals keep the colours of '\(name)' for now"), "\(disabled)")
      #expect(disabled.errors.contains("press Ctrl-Q"), "\(disabled)")
      #expect(session.text("home/app.conf") == nil)
      try emulator.send(line: "go 0")
      #expect(try emulator.line() == "typed")
      #expect(try emulator.line().contains("]104"))
      try eventually { try session.applied(name) == nil }
    }
  }

  @Test func `a terminal that is stopped is told and tried again, and the others are on time`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let name = name()
      let emulator = try emulator(session, name)
      try emulator.send(line: "new")
      #expect(try emulator.line() == "window 1")
      try emulator.send(line: "stop 0")
      #expect(try emulator.line() == "typed")
      try session.enableApp(name, terminal(name))
      _ = try session.startApply()
      let other = try emulator.line()
      #expect(other.hasPrefix("1 "))
      let waiting = try session.awaitApplied(name) { $0.state == "waiting" }
      #expect(waiting.problem?.contains("a terminal does not accept output: /dev/pts/") == true)
      #expect(waiting.advice?.contains("Ctrl-Q") == true)
      _ = try session.themectl("set", "dark")
      let light = try #require(backgrounds(other).first)
      var dark = light
      while dark == light { dark = try #require(backgrounds(emulator.line()).last) }
      try emulator.send(line: "go 0")
      // The newest alone; the other one gets its colours again with each try.
      var late = try emulator.line()
      while !late.hasPrefix("0 ") { late = try emulator.line() }
      #expect(emulator.lines.contains("typed"))
      #expect(Set(backgrounds(late)) == [dark])
      try session.awaitApplied(name) { $0.isDone("dark") }
    }
  }

  /// With an emulator of this name whose first window has been coloured so.
  private func withColoredWindow(
    _ body: (Session, ChildProcess, _ name: String, _ colors: String) throws -> Void
  ) throws {
    try withSession { session in
      _ = try session.startThemed()
      let name = name()
      let emulator = try emulator(session, name)
      try session.enableApp(name, terminal(name))
      _ = try session.startApply()
      try body(session, emulator, name, content(emulator.line()))
    }
  }

  @Test func `a window whose program comes late is coloured when it comes, and not before`() throws {
    try withColoredWindow { session, emulator, name, colors in
      try emulator.send(line: "late")
      #expect(try emulator.line() == "window 1")
      // Until it was looked at: what is opened and closed by somebody else looks like the end of its program.
      try session.awaitApplied(name) { $0.actions.contains { $0.detail == "no new terminal" } }
      try emulator.send(line: "begin 1")
      #expect(try emulator.line() == "begin 1")
      #expect(try said(emulator, 1, until: colors).hasPrefix(colors))
    }
  }

  /// Konsole holds both ends, and a program in it may open `/dev/tty` alone, of which nobody is told.
  @Test func `a window whose emulator holds both ends is coloured before its program gives a sign`() throws {
    try withColoredWindow { _, emulator, _, colors in
      try emulator.send(line: "held")
      #expect(try emulator.line() == "window 1")
      #expect(try said(emulator, 1, until: colors) == colors)
    }
  }

  @Test func `windows fade at their own pace from one theme to the next, and not where motion is reduced`() throws {
    try withSession { session in
      for (name, color) in [("one", "#000000"), ("two", "#ffffff")] {
        try session.directory.write(
          "[light.palette]\nbackground=\(color)\n[dark.palette]\nbackground=\(color)\n",
          to: "data/themed/themes/\(name).theme")
      }
      try session.configure("[appearance]\nno-desktop=dark\nlight-theme=two\ndark-theme=one\ntransition=2000\n")
      _ = try session.startThemed()
      let name = name()
      let emulator = try emulator(session, name)
      try emulator.send(line: "new")
      #expect(try emulator.line() == "window 1")
      try session.enableApp(name, terminal(name))
      let apply = try session.startApply()
      let black = try [emulator.line(), emulator.line()]
      #expect(black.allSatisfy { $0.contains("]11;#000000") }, "the first colours come at once: \(black)")
      try session.awaitApplied(name) { $0.isDone("dark") }
      try emulator.send(line: "stop 1")
      #expect(try emulator.line() == "typed")
      _ = try session.themectl("set", "light")
      // The backgrounds of each window.
      var steps: [[String]] = [[], []]
      func take(_ line: String) throws {
        let window = try #require(["0 ", "1 "].firstIndex { line.hasPrefix($0) }, "\(line)")
        steps[window] += backgrounds(line)
      }
      while steps[0].count < 2 { try take(emulator.line()) }
      let missed = try #require(steps[0].last)
      #expect(steps[1].isEmpty)
      try emulator.send(line: "go 1")
      while case let line = try emulator.line(), line != "typed" { try take(line) }
      while steps.contains(where: { $0.last != "#ffffff" }) { try take(emulator.line()) }
      #expect(steps.allSatisfy { $0 == $0.sorted() }, "from black to white: \(steps)")
      #expect(!Set(steps[0]).isSubset(of: ["#000000", "#ffffff"]), "in steps: \(steps)")
      // What it missed is not made up for, unless it was given up before it went on: the next try is a fade of its own.
      #expect(steps[1].first.map { $0 >= missed } == true || apply.errors.contains("not accept output"), "\(steps)")
      try session.awaitApplied(name) { $0.isDone("light") }
      let faded = emulator.lines.count
      try session.configure("[appearance]\nno-desktop=dark\nlight-theme=two\ndark-theme=one\ntransition=0\n")
      try eventually { try session.connect().call("GetState").int("parameters.state.transitionMilliseconds") == 0 }
      _ = try session.themectl("set", "dark")
      try session.awaitApplied(name) { $0.isDone("dark") }
      var last: [[String]] {
        ["0 ", "1 "].map { window in
          emulator.lines.dropFirst(faded).filter { $0.hasPrefix(window) }.flatMap(backgrounds)
        }
      }
      try eventually { last.allSatisfy { $0.last == "#000000" } }
      // Each gets what it has once more, as the state is another one without its time.
      #expect(last.allSatisfy { $0.drop { $0 == "#ffffff" } == ["#000000"] }, "at once: \(last)")
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may look into every program"))
  func `an emulator that nobody may look into is told, with what to do`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let name = String(name().prefix(15))
      _ = try emulator(session, name, "closed")
      try session.enableApp(name, terminal(name))
      _ = try session.startApply()
      let failed = try session.awaitApplied(name) { $0.state == "failed" }
      #expect(failed.problem?.contains("cannot tell which terminals belong to") == true)
      #expect(failed.advice?.contains("in its configuration file") == true)
    }
  }
}
