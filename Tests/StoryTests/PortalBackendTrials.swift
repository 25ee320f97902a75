import Foundation
import ThemedTestSupport
import Testing

/// Long sequences of whatever may happen to our backend, the daemon, and the real portal between them.
///
/// `THEMED_PORTAL_CHANGES` and `THEMED_PORTAL_RESTARTS` make them longer.
@Suite(.ownThreads) struct PortalBackendTrials {
  @Test func `over many changes of both sides, the last word that a program hears is right`() throws {
    try withSession { session in
      var generator = SeededGenerator()
      let chain = try session.startChain(.light)
      let (believer, connection) = (try chain.desktop.believer(), try session.connect())
      var (desktop, override, wrong, standing) = ("uint32 2", String?.none, 0, [0.0])
      var left = number("THEMED_PORTAL_CHANGES", 40)
      try chain.desktop.set(.dark)
      try chain.desktop.set(.light)
      try believer.expect("uint32 2")
      while left > 0 {
        let (before, heard) = (override ?? desktop, believer.words.count)
        let changes = Int.random(in: 1...3, using: &generator)
        for _ in 0..<changes {
          if Bool.random(using: &generator) {
            let setting = [Desktop.Setting.dark, .light, .none].randomElement(using: &generator) ?? .none
            try chain.desktop.set(setting)
            desktop = "uint32 \(setting == .dark ? 1 : setting == .light ? 2 : 0)"
          } else {
            let mode = ["dark", "light", "auto"].randomElement(using: &generator) ?? "auto"
            _ = try connection.call("SetOverride", #"{"override":{"scheme":"\#(mode)"}}"#)
            override = mode == "auto" ? nil : "uint32 \(mode == "dark" ? 1 : 2)"
          }
          Thread.sleep(forTimeInterval: .random(in: 0...0.1, using: &generator))
        }
        left -= changes
        let truth = override ?? desktop
        try rest(believer, chain.desktop, truth, before, heard)
        guard changes == 1 else { continue }
        let words = believer.words
        for index in words.indices.dropFirst(heard) where words[index].value != truth {
          wrong += 1
          standing.append((index + 1 < words.count ? words[index + 1].time : .infinity) - words[index].time)
        }
      }
      print(
        "portal trial: \(wrong) wrong words, the longest stood \((standing.max() ?? 0) * 1000) ms; \(generator.seed)")
      #expect(standing.max() != .infinity)
    }
  }

  /// Waits until nothing more is said, and what was said last is right.
  private func rest(
    _ believer: Believer, _ desktop: Desktop, _ truth: String, _ before: String, _ heard: Int
  ) throws {
    try eventually("\(truth), which was \(before), after \(believer.heard.dropFirst(heard))") {
      (believer.heard.last ?? before) == truth
    }
    let count = believer.words.count
    Thread.sleep(forTimeInterval: 0.4)
    if believer.words.count != count { return try rest(believer, desktop, truth, before, heard) }
    #expect(believer.heard.last == truth)
    #expect(try desktop.portalAnswer() == "(<<\(truth)>>,)")
  }

  @Test func `whatever is restarted in whatever order, the truth is told in the end, and then nothing more`() throws {
    try withSession { session in
      var generator = SeededGenerator()
      let chain = try session.startChain(.light)
      var (themed, backend, isOverridden) = (chain.themed, chain.backend, false)
      for round in 0..<number("THEMED_PORTAL_RESTARTS", 4) {
        isOverridden = Bool.random(using: &generator)
        _ = try session.connect().call("SetOverride", #"{"override":{"scheme":"\#(isOverridden ? "dark" : "auto")"}}"#)
        for part in ["themed", "backend", "portal"].shuffled(using: &generator) {
          let signal: ChildProcess.Signal = Bool.random(using: &generator) ? .kill : .terminate
          switch part {
          case "themed":
            themed.send(signal)
            try themed.wait()
            themed = try session.startThemed()
          case "backend":
            backend.send(signal)
            try backend.wait()
            backend = try chain.desktop.startBackend(waiting: Bool.random(using: &generator))
          default:
            try chain.desktop.killPortal()
            try chain.desktop.startPortal()
          }
        }
        try chain.desktop.awaitBackend()
        let truth = isOverridden ? 1 : 2
        try eventually { try chain.desktop.portalAnswer() == "(<<uint32 \(truth)>>,)" }
        try eventually { try session.connect().call("GetState").desktop == "light" }
        // Whatever is to be confirmed is.
        Thread.sleep(forTimeInterval: 3)
        let monitor = try session.spawn("dbus-monitor", ["--session"])
        while !(try monitor.line().contains("member=NameLost")) {}
        let lines = monitor.lines.count
        Thread.sleep(forTimeInterval: Double(number("THEMED_PORTAL_SILENCE", 2)))
        let said = monitor.lines.dropFirst(lines).filter { !$0.hasPrefix(" ") }
        monitor.stop()
        // The monitor's own coming and going, and whose calls ended before.
        #expect(said.filter { !$0.contains("NameOwnerChanged") && !$0.contains("NameLost") } == [], "round \(round)")
        #expect(try session.connect().call("GetState").desktop == "light")
      }
    }
  }

  private func number(_ name: String, _ otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? otherwise
  }
}
