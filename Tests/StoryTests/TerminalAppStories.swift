import Foundation
import Testing
import ThemedTestSupport

/// Real terminals that follow by their app files: a program in each asks for the colours.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries them")) struct TerminalAppStories {
  /// Follows with a window that was opened before its app was enabled, one opened after that, and a later one.
  ///
  /// Trials of one terminal follow each other: `themed-apply` colours all of its windows, those of other tests, too.
  private func trial(
    _ app: String, own: [String: String] = [:], words: [String], wayland: Bool = false
  ) throws {
    try withSession { session in
      try session.bringApps()
      if wayland { try session.startSway() } else { try session.startDisplay() }
      for (file, text) in own { try session.directory.write(text, to: file) }
      func open() throws -> TerminalAnswers {
        try session.askTerminal(session.realApp(words[0]), Array(words.dropFirst()))
      }
      let before = try open()
      // It has read its files when it answers.
      try eventually("an answer of \(app)") { !before.now().isEmpty }
      let following = try FollowingApp(session, app, own: own)
      let answers = try open()
      try following.follow { before.show($0) && answers.show($0) }
      // A window that is opened later begins with the same.
      let later = try open()
      try following.follow { later.show($0) && answers.show($0) && before.show($0) }
      try following.disable()
    }
  }

  @Test(.enabled(if: areAlone("kitty"), "kitty runs here, and would be coloured, too"))
  func `kitty follows by a file that it reads at a signal, and an older one by sequences`() throws {
    try trial("kitty", own: ["config/kitty/kitty.conf": "font_size 9\nupdate_check_interval 0"], words: ["kitty"])
    // Before 0.32, a window that was opened without a file of the user's does not look for a new one.
    try trial("kitty", words: ["kitty", "--override", "update_check_interval=0"])
  }

  @Test(.enabled(if: areAlone("alacritty"), "Alacritty runs here, and would be coloured, too"))
  func `Alacritty follows by sequences`() throws {
    let own = [
      "config/alacritty/alacritty.yml": "font:\n  size: 9\n", "config/alacritty/alacritty.toml": "[font]\nsize = 9\n",
    ]
    try trial("alacritty", own: own, words: ["alacritty", "-e"])
    // By its file, such a window would not follow.
    try trial("alacritty", words: ["alacritty", "-e"])
    try trial("alacritty", words: ["alacritty", "--config-file", "/dev/null", "-e"])
  }

  @Test(.enabled(if: areAlone("foot"), "foot runs here, and would be coloured, too"))
  func `foot follows by sequences`() throws {
    try trial(
      "foot", own: ["config/foot/foot.ini": "pad=3x3\n\n[cursor]\nstyle=beam\n"], words: ["foot"], wayland: true)
  }

  @Test(.enabled(if: areAlone("xterm"), "xterm runs here, and would be coloured, too"))
  func `xterm follows by sequences`() throws { try trial("xterm", words: ["xterm", "-e"]) }

  @Test(.enabled(if: areAlone("urxvt"), "urxvt runs here, and would be coloured, too"))
  func `rxvt follows by sequences`() throws {
    try withSession { session in
      try session.bringApps()
      try session.startDisplay()
      let following = try FollowingApp(session, "rxvt")
      let answers = try session.askTerminal(session.realApp("urxvt"), ["-e"])
      // It tells the sixteen colours alone; text and background are seen.
      try following.follow { palette in
        let (now, pixels) = (answers.now(), try session.pixels())
        return now["4;1"] == palette["ansi1"] && now["4;12"] == palette["ansi12"]
          && pixels[palette["background"] ?? "", default: 0] > 10_000
      }
      try following.disable()
    }
  }

  @Test(.enabled(if: areAlone("konsole"), "konsole runs here, and would be coloured, too"))
  func `Konsole follows by sequences`() throws {
    try trial("konsole", words: ["konsole", "--nofork", "-e"])
  }
}
