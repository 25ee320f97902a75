import Foundation
import Testing
import ThemedTestSupport

/// `themectl theme choose`, in a terminal that is followed while it is open: what becomes of the themes shows in the list.
@Suite(.ownThreads) struct ChooseStories {
  /// A daemon with three themes of the user's own, each with its number for a background.
  private func start(_ session: Session) throws -> ChildProcess {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    for (index, name) in ["ant", "bee", "cow"].enumerated() { try write(session, name, background: "#00000\(index)") }
    return try session.startThemed()
  }

  private func write(_ session: Session, _ name: String, background: String) throws {
    let sides = ["light", "dark"].map { "[\($0).palette]\nbackground=\(background)\n" }.joined()
    try session.directory.write(sides, to: "data/themed/themes/\(name).theme")
  }

  private func remove(_ session: Session, _ name: String) throws {
    try FileManager.default.removeItem(atPath: session.directory.path("data/themed/themes/\(name).theme"))
  }

  @Test func `a theme that is added, edited or removed is so in the open list, which stays at its theme`() throws {
    try withSession { session in
      var themed = try start(session)
      let list = try OpenList(session)
      try list.await { $0.names == ["ant", "bee", "cow"] && $0.selected == "ant" && $0.background == "rgb:00/00/00" }
      try list.terminal.type("j")
      try list.await { $0.selected == "bee" && $0.background == "rgb:00/00/01" }

      try write(session, "asp", background: "#000009")
      try list.await { $0.names == ["ant", "asp", "bee", "cow"] && $0.selected == "bee" }
      try write(session, "bee", background: "#0000bb")
      try list.await { $0.selected == "bee" && $0.background == "rgb:00/00/bb" }
      try remove(session, "asp")
      try list.await { $0.names == ["ant", "bee", "cow"] && $0.selected == "bee" }

      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      themed = try session.startThemed()
      try write(session, "dog", background: "#00000d")
      try list.await { $0.names == ["ant", "bee", "cow", "dog"] && $0.selected == "bee" }

      // What took its place is shown until it is back.
      try remove(session, "bee")
      try list.await { $0.names == ["ant", "cow", "dog"] && $0.selected == "cow" && $0.background == "rgb:00/00/02" }
      try write(session, "bee", background: "#000001")
      try list.await { $0.selected == "bee" && $0.background == "rgb:00/00/01" }

      try list.terminal.type("\\n")
      let end = try list.terminal.end()
      #expect(end.status == 0 && end.settings == true)
      #expect(end.last == end.first && end.set == [])
      #expect(end.output.hasSuffix("bee\r\n"), "\(end.output)")
      #expect(try session.themectl("get", "theme").lines == ["bee"])
      #expect(themed.isRunning)
    }
  }

  @Test func `the list may become empty and fill again, outlives a daemon that is gone, and Escape puts all back`()
    throws
  {
    try withSession { session in
      let themed = try start(session)
      let list = try OpenList(session)
      try list.await { $0.names == ["ant", "bee", "cow"] }
      for name in ["ant", "bee", "cow"] { try remove(session, name) }
      try list.await { $0.names == [] && $0.selected == nil }
      try list.terminal.type("j\\n")
      // Which it draws again: the keys have met the empty list, and not what comes.
      try list.await { $0.names == [] }
      try write(session, "elk", background: "#00000e")
      try list.await { $0.names == ["elk"] && $0.selected == "elk" && $0.background == "rgb:00/00/0e" }
      // It has two connections, of which the one that asked is closed, and no thread but its own: the one that watches for
      // files that do not respond ends a moment after the last file was read.
      try eventually("it has one thread") { try list.terminal.threads() == 1 }
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      try list.terminal.type("\u{1B}")
      let end = try list.terminal.end()
      #expect(end.status == 0 && end.settings == true)
      #expect(end.last == end.first && end.set == [])
      _ = try session.startThemed()
      #expect(try session.themectl("get", "theme").lines == ["-"])
    }
  }
}

/// `themectl theme choose`, open in a terminal.
private final class OpenList {
  /// What it shows.
  struct Screen {
    /// The themes, in their order.
    var names: [String] = []
    /// The theme at which it is.
    var selected: String?
    /// The terminal's.
    var background = ""

    /// Between a line of heads and one of keys stand the themes: the mark of where it is, that of the chosen one, the
    /// name.
    init(_ seen: OpenTerminal.Screen) {
      background = seen.background
      for row in seen.screen.dropFirst().dropLast() {
        guard let name = row.dropFirst(4).split(separator: " ").first.map(String.init) else { continue }
        names.append(name)
        if !row.hasPrefix(" ") { selected = name }
      }
    }
  }

  let terminal: OpenTerminal

  init(_ session: Session) throws {
    terminal = try OpenTerminal(session, [Products.path("themectl"), "theme", "choose"])
  }

  /// Waits for a screen that is as expected.
  func await(_ isExpected: (Screen) -> Bool) throws { try terminal.await { isExpected(Screen($0)) } }
}
