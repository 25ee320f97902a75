import Foundation
import ThemeApps
import ThemeClient
import ThemeModel
import ThemeResolution
import ThemedLog
import ThemedTestSupport
import ThemedText
import Testing

@testable import ThemeApply

/// What is known of real terminals, whose other end a program of a name of its own holds.
@Suite(.ownThreads) struct TerminalsTests {
  private let palette = Palette([:], for: .dark)
  private let atOnce = TerminalFade(to: shown(.dark).state, at: 0)

  private func withTerminal(_ body: (ChildProcess, Terminals, _ name: Text) throws -> Void) throws {
    try withSession { session in
      let python = URL(fileURLWithPath: try Products.python()).resolvingSymlinksInPath()
      let name = "term-\(UInt32.random(in: 0 ... .max))"
      let path = session.directory.path(name)
      try FileManager.default.copyItem(atPath: python.path, toPath: path)
      session.environment["PYTHONHOME"] = python.deletingLastPathComponent().deletingLastPathComponent().path
      let emulator = try session.spawn(path, [Products.package + "/Tests/Terminal/windows.py"], input: [])
      #expect(try emulator.line() == "window 0")
      try eventually { !Terminal.held(by: [Text(name)]).terminals.isEmpty }
      let run = try Run(
        .terminal("app"), places: Places(), children: Children(), terminals: TerminalMemory(), mailbox: Mailbox(),
        logger: Log("test").logger)
      try body(emulator, Terminals(sequences: .all, app: "app", run: run), Text(name))
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
      #expect(terminals.takeBack(from: [name]).actions.map(\.detail) == ["given back 1"])
      #expect(try emulator.line().contains("]104"))
      #expect(terminals.takeBack(from: [name]).actions.map(\.detail) == ["none has colours of ours"])
    }
  }
}
