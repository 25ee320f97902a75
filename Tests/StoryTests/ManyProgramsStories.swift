import Foundation
import Testing
import ThemedTestSupport

/// Many real programs that are open at once, while the desktop changes again and again.
@Suite(.ownThreads, .serialized) struct ManyProgramsStories {
  @Test(.enabled(if: areAlone("fish"), "fish runs here, and would be told, too"))
  func `seven programs are right after twenty changes, were set at most once for each, and sleep`() throws {
    try follow(["nvim", "vim", "zsh", "kakoune", "fish", "bash", "tmux"], changes: 20)
  }

  @Test(
    .enabled(if: triesPrograms, "make test-programs tries them"),
    .enabled(
      if: areAlone("kitty", "alacritty", "foot", "xterm", "urxvt", "konsole", "waybar", "zathura", "fish"),
      "one of them runs here, and would be told, too"))
  func `twenty programs are right after 200 changes, were set at most once for each, and sleep`() throws {
    let programs = [
      "nvim", "vim", "emacs", "zsh", "kakoune", "fish", "bash", "tmux", "kitty", "alacritty", "xterm", "rxvt",
      "konsole",
      "xresources", "i3", "zathura", "sway", "foot", "waybar", "mako-whole",
    ]
    #expect(programs.count == 20)
    try follow(programs, changes: 200)
  }

  /// Opens programs, has the real portal tell of so many changes, and looks at what became of them.
  private func follow(_ names: [String], changes: Int) throws {
    try withSession { session in
      let programs = try OpenPrograms(session)
      defer { programs.close() }
      try programs.open(names)
      var palettes = try ["light": programs.palette("light"), "dark": programs.palette("dark")]
      for scheme in palettes.keys { palettes[scheme]?["scheme"] = scheme }
      func awaitAll(in scheme: String) throws {
        let (palette, other) = (try #require(palettes[scheme]), palettes.first { $0.key != scheme }?.value ?? [:])
        for program in programs.all {
          try eventually("\(program.name) in \(scheme)") { try program.shows(palette, other) }
        }
      }
      try awaitAll(in: "light")
      let watch = try session.subscribe()
      let first = try #require(try watch.frame().int("parameters.state.serial"))
      let before = try programs.settings()

      var last = first
      for number in 1...changes {
        let scheme = number % 2 == 1 ? "dark" : "light"
        try programs.desktop.set(scheme == "dark" ? .dark : .light)
        let frame = try watch.frame { $0.scheme == scheme }
        last = try #require(frame.int("parameters.state.serial"))
      }
      try awaitAll(in: "light")
      // The daemon told nothing in between, and nobody was set to the same state twice.
      #expect(last - first == changes)
      let after = try programs.settings()
      #expect(Set(names).isSubset(of: after.keys), "\(after)")
      for (name, count) in after {
        let times = count - before[name, default: 0]
        #expect((1...changes).contains(times), "\(name) was set \(times) times")
      }

      // Until the last of all this is over, and the daemon has given back what only work needs.
      var awake = try programs.wakeUps()
      try eventually("sleep; awake are \(awake)") {
        Thread.sleep(forTimeInterval: 5)
        let now = try programs.wakeUps()
        defer { awake = now }
        return now == awake
      }
      Thread.sleep(forTimeInterval: 5)
      #expect(try programs.wakeUps() == awake, "something of ours wakes up while nothing changes")
      try awaitAll(in: "light")
    }
  }
}
