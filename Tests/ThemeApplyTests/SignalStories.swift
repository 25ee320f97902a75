import Foundation
import Glibc
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// The signals of the shipped app files against real programs, from the first moment of their life: none is ended.
///
/// Each is asked as themed-apply asks it, again and again; the signal goes only to what the test has started.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries them")) struct SignalStories {
  /// How long themed-apply leaves a program alone that has been started.
  private let youth = 4.0

  /// Where a program finds what it needs.
  enum Place { case terminal, display, sway }

  // i3 and bash are not among them: they catch both signals to end by them, and no app file sends them any.
  static let programs: [(name: String, words: [String], place: Place)] = [
    ("kitty", ["kitty", "-o", "update_check_interval=0", "sleep", "1000"], .display),
    ("btop", ["btop", "--utf-force"], .terminal),
    ("waybar", ["waybar"], .sway),
    ("foot", ["foot", "sleep", "1000"], .sway),
    ("alacritty", ["alacritty", "-e", "sleep", "1000"], .display),
    ("xterm", ["xterm", "-e", "sleep", "1000"], .display),
    ("urxvt", ["urxvt", "-e", "sleep", "1000"], .display),
    ("konsole", ["konsole", "--nofork", "-e", "sleep", "1000"], .display),
    ("zsh", ["zsh", "-f", "-i"], .terminal),
    ("fish", ["fish", "--no-config"], .terminal),
    ("mako", ["mako"], .sway),
    ("dunst", ["dunst"], .display),
    ("zathura", ["zathura"], .display),
    ("sway", ["sway"], .sway),
    ("rofi", ["rofi", "-show", "run"], .display),
    ("fuzzel", ["fuzzel"], .sway),
    ("fzf", ["bash", "-c", "sleep 1000 | fzf"], .terminal),
    ("tmux", ["tmux", "-D"], .terminal),
  ]

  @Test(arguments: programs.indices)
  func `a program lives through every signal of the shipped app files, sent from its first moment`(
    index: Int
  ) throws {
    let (name, words, place) = Self.programs[index]
    try withSession { session in
      try session.bringApps()
      if place == .display { try session.startDisplay() }
      if place == .display || place == .sway { _ = try session.startBus() }
      if place == .sway { try session.startSway() }
      session.environment["TERM"] = "xterm-256color"
      session.environment["TMUX_TMPDIR"] = try session.directory.directory("tmux")
      if name == "waybar" {
        // Where it was unpacked it finds no others.
        try session.directory.write(#"{"modules-center": ["clock"]}"#, to: "config/waybar/config")
        try session.directory.write("* { font-size: 12px; }\n", to: "config/waybar/style.css")
      }
      let row = try TriedPrograms.row(name, under: "Signals")
      let program = try session.realApp(words[0])
      let line = ([program] + words.dropFirst()).map { "'\($0)'" }.joined(separator: " ")
      let process =
        if place == .terminal {
          // A program of the whole screen ends where it has no size; tmux writes a log where it is.
          try session.spawn(
            "script", ["--quiet", "--command", "cd; stty cols 80 rows 24; exec " + line, "/dev/null"], input: [])
        } else {
          // sway does not run as root.
          try session.spawn(
            name == "sway" ? "unshare" : program,
            (name == "sway" ? ["--user", program] : []) + words.dropFirst())
        }
      var told: [CInt: Int] = [:]
      var ready: [Bool?] = []
      var looked = 0
      var seen: pid_t?
      // Waybar 0.9 does its work in the handler and ends by that where a signal comes amid other work, as at its start.
      let isToldAtRest = name == "waybar"
      let isTold = Date(timeIntervalSinceNow: isToldAtRest ? youth : 0)
      let end = Date(timeIntervalSinceNow: isTold.timeIntervalSinceNow + 4)
      // On a busy machine some take longer until they are ready.
      func isReadyAsKnown() -> Bool {
        row.map { ready.map { $0 == true ? "told" : "left" } == Array($0[1...2]) } ?? (seen != nil)
      }
      while Date() < end || (!isReadyAsKnown() && Date() < end.addingTimeInterval(60)) {
        guard process.isRunning else { break }
        let candidates = place == .terminal ? descendants(of: process.pid) : [process.pid]
        for number in candidates {
          guard let one = ThemeApply.Process(number), one.program.map({ $0.string == name }) == true else { continue }
          let answers = [SIGUSR1, SIGUSR2].map { one.isReady(for: $0) }
          if number == seen ?? number {
            seen = number
            looked += 1
            ready = answers
          } else if let seen {
            // What a shell starts is the shell until it is another program.
            #expect(
              ThemeApply.Process(seen)?.program.map { $0.string == name } == true,
              "\(name) has ended, and another one has begun")
          }
          guard Date() >= isTold else { continue }
          for (signal, isReady) in zip([SIGUSR1, SIGUSR2], answers) where isReady == true {
            if isToldAtRest { waitForRest(of: number) }
            if one.send(signal) == nil { told[signal, default: 0] += 1 }
          }
        }
      }
      #expect(process.isRunning, "\(name) was ended; told \(told)\n\(process.account)")
      let number = try #require(seen, "\(name) was never there: \(process.account)")
      #expect(kill(number, 0) == 0, "\(name) was ended; told \(told)")
      #expect(!ready.contains(true) || !told.isEmpty, "\(name) is ready, and was told nothing")
      #expect(looked > 20, "it was looked at \(looked) times only")
      #expect(isReadyAsKnown(), "docs/tested.md says \(row ?? []) of \(name), and it is ready: \(ready)")
    }
  }

  /// Waits until a process has slept for half a second without a pause, or ten have passed.
  private func waitForRest(of number: pid_t) {
    // Its state, and what it has run in nanoseconds: one that waits for a processor runs no more than one that sleeps.
    func moment() -> [String] {
      let stat = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .ascii)) ?? ""
      let state = stat.split(separator: ")").last?.split(separator: " ").first ?? ""
      return [String(state), (try? String(contentsOfFile: "/proc/\(number)/schedstat", encoding: .ascii)) ?? ""]
    }
    let end = Date(timeIntervalSinceNow: 10)
    var last = moment()
    var since = Date()
    while Date() < end, Date().timeIntervalSince(since) < 0.5 {
      usleep(10_000)
      let now = moment()
      if now != last || now[0] != "S" { (last, since) = (now, Date()) }
    }
  }

  /// What this process has started, and what that has started.
  private func descendants(of number: pid_t) -> [pid_t] {
    let text = try? String(contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .ascii)
    let children = (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    return children + children.flatMap(descendants)
  }
}
