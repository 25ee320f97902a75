import Foundation
import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// What is known of real terminals, whose other end a program of a name of its own holds.
@Suite(.ownThreads) struct TerminalsTests {
  private let palette = Palette([:], for: .dark)
  private let atOnce = TerminalFade(to: shown(.dark).state, at: 0)

  private func withTerminal(_ body: (ChildProcess, TerminalColoring, _ name: Text) throws -> Void) throws {
    try withSession { session in
      let python = URL(fileURLWithPath: try Products.python()).resolvingSymlinksInPath()
      let name = "term-\(UInt32.random(in: 0 ... .max))"
      let path = session.directory.path(name)
      try FileManager.default.copyItem(atPath: python.path, toPath: path)
      session.environment["PYTHONHOME"] = python.deletingLastPathComponent().deletingLastPathComponent().path
      let emulator = try session.spawn(path, [Products.package + "/Tests/Terminal/windows.py"], input: [])
      #expect(try emulator.line() == "window 0")
      try eventually { !Terminal.held(by: [Text(name)]).terminals.isEmpty }
      let run = try Run(.terminal("app"), Surroundings(logger: Log("test").logger), mailbox: Mailbox())
      try body(emulator, TerminalColoring(sequences: .all, app: "app", run: run), Text(name))
    }
  }

  @Test func `a new window that is another user's before its second colours is due no longer`() throws {
    try withTerminal { emulator, terminals, name in
      let first = terminals.color(palette, atOnce, of: [name], onlyNew: true)
      #expect(first.comesAgain != nil && first.actions.map(\.detail) == ["coloured 1"])
      #expect(try emulator.line().contains("]11;#"))
      let path = try #require(Terminal.held(by: [name]).terminals.first).path
      // Nobody but root may give it away; root may open it whatever its mode is.
      #expect(unsafe geteuid() == 0 ? chown(path, 65534, 65534) == 0 : chmod(path, 0) == 0)
      let second = terminals.color(palette, atOnce, of: [name], onlyNew: false)
      #expect(second.problem == nil && second.comesAgain == nil, "\(second)")
      #expect(second.actions.map(\.state) == [.unchanged])
    }
  }

  @Test func `a new window that takes nothing before its second colours is tried by itself, not without a pause`()
    throws
  {
    try withTerminal { emulator, terminals, name in
      #expect(terminals.color(palette, atOnce, of: [name], onlyNew: true).comesAgain != nil)
      #expect(try emulator.line().contains("]11;#"))
      let path = try #require(Terminal.held(by: [name]).terminals.first).path
      let terminal = unsafe open(path, O_RDWR | O_NOCTTY)
      defer { close(terminal) }
      #expect(tcflow(terminal, TCOOFF) == 0)
      let second = terminals.color(palette, atOnce, of: [name], onlyNew: false)
      #expect(second.problem != nil && second.mendsItself && second.comesAgain == nil, "\(second)")
      #expect(tcflow(terminal, TCOON) == 0)
      let third = terminals.color(palette, atOnce, of: [name], onlyNew: false)
      #expect(third.problem == nil, "\(third)")
    }
  }

  @Test func `a fade that is superseded writes its end no more, and one that is ended does`() throws {
    try withTerminal { emulator, terminals, name in
      _ = terminals.color(palette, atOnce, of: [name], onlyNew: false)
      #expect(try emulator.line().contains("]11;#"))
      let identity = try #require(Terminal.held(by: [name]).terminals.first).identity
      let (run, light) = (terminals.run, Palette([:], for: .light))
      // One that is at its beginning for an hour.
      let fading = State(scheme: .light, theme: "mint", transition: 1_000)
      let hour = TerminalFade(to: fading, at: monotonicMilliseconds() + 3_600_000)
      run.supersede()
      let cut = terminals.color(light, hour, of: [name], onlyNew: false)
      #expect(cut.actions.map(\.state) == [.left] && cut.actions.map(\.detail) == ["newer colours follow"])
      #expect(run.terminals.palette(of: identity, "app") == palette)
      // Where nothing newer comes, it has what is shown.
      run.end()
      #expect(terminals.color(light, hour, of: [name], onlyNew: false).actions.map(\.detail) == ["coloured 1"])
      #expect(run.terminals.palette(of: identity, "app") == light)
      let end = "]11;\(light[.background].hexadecimal)"
      #expect(try emulator.line().components(separatedBy: "]11;#").count == 2)
      #expect(emulator.lines.last?.contains(end) == true)
    }
  }

  @Test func `a terminal that is written to for ever and belongs to nobody is soon looked at for openings alone`() {
    var unopened = UnopenedTerminals()
    let (foot, kitty) = (LaneName.terminal("foot"), LaneName.terminal("kitty"))
    for _ in 0..<Limits.looksForOutput {
      #expect(unopened.take([7, 8], by: foot) == [7: .openedOrWritten, 8: .openedOrWritten])
    }
    #expect(unopened.take([7, 9], by: foot) == [7: .opened, 9: .openedOrWritten])
    #expect(unopened.take([7], by: kitty) == [7: .openedOrWritten])
    // One that was opened meanwhile begins anew, and so do all where one was made that may have a number of theirs.
    #expect(unopened.take([8], by: foot) == [8: .openedOrWritten])
    for _ in 0..<Limits.looksForOutput { _ = unopened.take([7], by: kitty) }
    #expect(unopened.take([7], by: kitty) == [7: .opened])
    unopened.forget()
    #expect(unopened.take([7], by: kitty) == [7: .openedOrWritten])
  }

  @Test func `a terminal that takes nothing has colours of ours until they are taken back`() throws {
    try withTerminal { emulator, terminals, name in
      _ = terminals.color(palette, atOnce, of: [name], onlyNew: false)
      #expect(try emulator.line().contains("]11;#"))
      try emulator.send(line: "stop 0")
      #expect(try emulator.line() == "typed")
      for _ in 0..<2 {
        let failed = terminals.takeBack(from: [name])
        #expect(failed.problem != nil && failed.mendsItself, "\(failed)")
      }
      try emulator.send(line: "go 0")
      #expect(try emulator.line() == "typed")
      #expect(terminals.takeBack(from: [name]).actions.map(\.detail) == ["reset 1"])
      // What was torn before is ended first.
      #expect(try emulator.line().contains(#"b'\x1b\\\x1b]104"#))
      #expect(terminals.takeBack(from: [name]).actions.map(\.detail) == ["no terminal has these colours"])
    }
  }
}
