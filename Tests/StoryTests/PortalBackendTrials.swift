import Foundation
import Testing
import ThemedTestSupport

/// Long sequences of whatever may happen to our backend, the daemon, and the real portal between them.
///
/// `THEMED_PORTAL_CHANGES`, `THEMED_PORTAL_RESTARTS` and `THEMED_PORTAL_SILENCE` make them longer, as `make test-portal`
/// does; THEMED_PORTAL_LOG is where what a program hears is written down.
@Suite(.ownThreads) struct PortalBackendTrials {
  @Test func `over many changes of both sides, the last word that a program hears is right`() throws {
    try withSession { session in
      var generator = SeededGenerator()
      let chain = try session.startChain(.light)
      let (believer, connection) = (try chain.desktop.believer(), try session.connect())
      var (desktop, override, standing) = ("uint32 2", String?.none, [Double]())
      var left = number("THEMED_PORTAL_CHANGES", 40)
      let changes = left
      var log: [String] = []
      try chain.desktop.set(.dark)
      try chain.desktop.set(.light)
      try believer.expect("uint32 2")
      while left > 0 {
        let (before, heard) = (override ?? desktop, believer.words.count)
        let count = Int.random(in: 1...3, using: &generator)
        for _ in 0..<count {
          let when = Date.now.timeIntervalSince1970
          if Bool.random(using: &generator) {
            let setting = [Desktop.Setting.dark, .light, .none].randomElement(using: &generator) ?? .none
            try chain.desktop.set(setting)
            desktop = "uint32 \(setting == .dark ? 1 : setting == .light ? 2 : 0)"
            log.append("\(when) the desktop says \(desktop)")
          } else {
            let mode = ["dark", "light", "auto"].randomElement(using: &generator) ?? "auto"
            let fields = mode == "auto" ? #""auto":["scheme"]"# : #""scheme":"\#(mode)""#
            _ = try connection.call("SetOverride", #"{"override":{\#(fields)}}"#)
            override = mode == "auto" ? nil : "uint32 \(mode == "dark" ? 1 : 2)"
            log.append("\(when) the override is \(override ?? "none")")
          }
          Thread.sleep(forTimeInterval: .random(in: 0...0.1, using: &generator))
        }
        left -= count
        let truth = override ?? desktop
        try rest(believer, chain.desktop, truth, before, heard)
        let words = believer.words
        log += words.dropFirst(heard).map { "\($0.time) a program hears \($0.value)" }
        guard count == 1 else { continue }
        for index in words.indices.dropFirst(heard) where words[index].value != truth {
          standing.append((index + 1 < words.count ? words[index + 1].time : .infinity) - words[index].time)
        }
      }
      let trips = try roundTrips(chain.desktop, session)
      print(
        "portal trial: \(changes) changes, \(believer.words.count) words heard, the last always right; "
          + "\(standing.count) wrong ones after a single change, which stood \(summary(standing)); "
          + "a round trip to the portal takes \(summary(trips)); \(generator)")
      if let path = ProcessInfo.processInfo.environment["THEMED_PORTAL_LOG"] {
        try log.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      }
      #expect(standing.max() != .infinity)
    }
  }

  /// The middle one and the longest.
  private func summary(_ times: [Double]) -> String {
    let sorted = times.sorted().map { String(format: "%.1f", $0 * 1000) }
    return sorted.isEmpty ? "not" : "\(sorted[sorted.count / 2]) ms, at most \(sorted[sorted.count - 1]) ms"
  }

  /// How long the portal takes to answer, by the bus's monitor.
  private func roundTrips(_ desktop: Desktop, _ session: Session) throws -> [Double] {
    let monitor = try session.spawn("dbus-monitor", ["--session"])
    while !(try monitor.line().contains("member=NameLost")) {}
    for _ in 0..<20 { _ = try desktop.portalAnswer() }
    func field(_ name: String, _ line: String) -> String? {
      line.split(separator: " ").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    func times() -> [Double] {
      let heads = monitor.lines.filter { $0.hasPrefix("method ") }
      return heads.compactMap { call in
        guard call.hasPrefix("method call"), call.contains("interface=org.freedesktop.portal.Settings; member=Read"),
          let serial = field("serial", call), let caller = field("sender", call), let begun = field("time", call),
          let answer = heads.first(where: {
            $0.hasPrefix("method return") && $0.contains("-> destination=\(caller) ")
              && field("reply_serial", $0) == serial
          }), let ended = field("time", answer), let from = Double(begun), let until = Double(ended)
        else { return nil }
        return until - from
      }
    }
    try eventually("20 round trips") { times().count >= 20 }
    monitor.stop()
    return times()
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
        let override = isOverridden ? #""scheme":"dark""# : #""auto":["scheme"]"#
        _ = try session.connect().call("SetOverride", #"{"override":{\#(override)}}"#)
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
        let monitor = try session.spawn("dbus-monitor", ["--session"])
        while !(try monitor.line().contains("member=NameLost")) {}
        var lines = 0
        // Whatever is to be confirmed is, within a second, or five if the portal was not there then.
        try eventually("it is confirmed") {
          lines = monitor.lines.count
          Thread.sleep(forTimeInterval: 6)
          return monitor.lines.count == lines
        }
        Thread.sleep(forTimeInterval: Double(number("THEMED_PORTAL_SILENCE", 2)))
        let said = monitor.lines.dropFirst(lines).filter { !$0.hasPrefix(" ") }
        monitor.stop()
        // The monitor's own coming and going, and whose calls ended before.
        #expect(said.filter { !$0.contains("NameOwnerChanged") && !$0.contains("NameLost") } == [], "round \(round)")
        #expect(try session.connect().call("GetState").desktop == "light")
        #expect(try chain.desktop.portalAnswer() == "(<<uint32 \(truth)>>,)")
      }
    }
  }

  private func number(_ name: String, _ otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? otherwise
  }
}
