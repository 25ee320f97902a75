import Foundation
import Testing
import ThemedTestSupport

/// Colours in a terminal: as many as it has, and none where none are wanted, without which the rest stays as it is.
@Suite(.ownThreads) struct ThemeColorStories {
  private func start(_ session: Session) throws {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    let text = "[theme]\ntitle=The ant\n[light.palette]\nbase0D=#808080\n[dark.palette]\nbase0D=#808080\n"
    try session.directory.write(text, to: "share/themed/themes/ant.theme")
    _ = try session.startThemed()
    _ = try session.themectl("set", "theme", "ant")
    session.environment["TERM"] = "xterm"
  }

  /// What a command prints to a terminal.
  private func unstyled(_ text: String) -> String {
    text.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
  }

  @Test func `in a terminal both sides are shown in as many colours as the terminal has`() throws {
    try withSession { session in
      try start(session)
      for (variable, value, code) in [
        ("COLORTERM", "truecolor", "48;2;128;128;128m"), ("COLORTERM", "24bit", "48;2;128;128;128m"),
        ("TERM", "xterm-direct", "48;2;128;128;128m"), ("TERM", "xterm-256color", "48;5;244m"),
        ("TERM", "xterm", "[100m"),
      ] {
        session.environment["COLORTERM"] = nil
        session.environment["TERM"] = "xterm"
        session.environment[variable] = value
        for words in ["theme", "theme show ant"] {
          let text = try session.inTerminal(words)
          #expect(text.contains(code), "\(variable)=\(value): \(text.debugDescription)")
          #expect(["48;2;", "48;5;"].allSatisfy { !text.contains($0) || code.contains($0) }, "\(variable)=\(value)")
        }
      }
    }
  }

  @Test func `NO_COLOR takes the colours away and nothing else, and --color=never what is bold as well`() throws {
    try withSession { session in
      try start(session)
      session.environment["COLORTERM"] = "truecolor"
      for words in ["theme list", "theme show ant", "status"] {
        session.environment["NO_COLOR"] = nil
        let colored = try session.inTerminal(words)
        #expect(colored.contains("\u{1B}[1m"))
        let never = try session.inTerminal(words + " --color never")
        session.environment["NO_COLOR"] = "1"
        let plain = try session.inTerminal(words)
        #expect(never == unstyled(plain))
        #expect(!plain.contains("\u{1B}[38;") && !plain.contains("\u{1B}[48;") && plain.contains("\u{1B}[1m"))
        #expect(try session.inTerminal(words + " --color always") == colored)
      }
      let table = try session.inTerminal("theme list")
      #expect(table.contains("light") && table.contains("> \u{1B}[1mant"), "\(table.debugDescription)")
      session.environment["TERM"] = "dumb"
      let dumb = try session.inTerminal("theme list")
      #expect(!dumb.contains("\u{1B}"))
      #expect(dumb == unstyled(table))
    }
  }

  @Test func `elsewhere than in a terminal there are colours where they are asked for`() throws {
    try withSession { session in
      try start(session)
      session.environment["COLORTERM"] = "truecolor"
      session.environment["NO_COLOR"] = "1"
      #expect(try session.themectl("theme", "list").lines == ["ant\tlight,dark\tlight,dark\tThe ant"])
      let colored = try session.themectl("theme", "list", "--color", "always")
      #expect(colored.output.contains("\u{1B}[48;2;128;128;128m"))
      #expect(try session.themectl("status", "--color", "always").output.contains("\u{1B}[1m"))
      #expect(try session.themectl("theme", "list", "--color", "purple").status == .exited(64))
    }
  }
}

extension Session {
  /// What a command of themectl's prints to a terminal.
  func inTerminal(_ words: String) throws -> String {
    try run(
      "script", ["--quiet", "--return", "--command", "\(shellWord(Products.path("themectl"))) \(words)", "/dev/null"]
    ).output.replacing("\r", with: "")
  }
}
