import Foundation
import Testing
import ThemedTestSupport

/// Real terminals that follow by their app files: a program in each asks for the colours.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries them")) struct TerminalAppStories {
  private func trial(
    _ app: String, own: [String: String] = [:], words: [String], wayland: Bool = false
  ) throws {
    try withSession { session in
      try session.bringApps()
      if wayland { try session.startSway() } else { try session.startDisplay() }
      let following = try FollowingApp(session, app, own: own)
      let answers = try session.askTerminal(session.realApp(words[0]), Array(words.dropFirst()))
      try following.follow(answers.show)
      // A window that is opened later begins with the same.
      let later = try session.askTerminal(session.realApp(words[0]), Array(words.dropFirst()))
      try following.follow { later.show($0) && answers.show($0) }
      try following.disable()
    }
  }

  @Test(.enabled(if: areAlone("kitty"), "kitty runs here, and would be coloured, too"))
  func `kitty follows by a file that it reads at a signal`() throws {
    try trial("kitty", own: ["config/kitty/kitty.conf": "font_size 9\nupdate_check_interval 0"], words: ["kitty"])
  }

  @Test func `Alacritty follows by a file that it watches`() throws {
    let own = [
      "config/alacritty/alacritty.yml": "font:\n  size: 9\n", "config/alacritty/alacritty.toml": "[font]\nsize = 9\n",
    ]
    try trial("alacritty", own: own, words: ["alacritty", "-e"])
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
