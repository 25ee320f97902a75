import Foundation
import Testing
import ThemedTestSupport

/// Anything at any time, while the real desktop is kept in step.
@Suite(.ownThreads) struct DesktopRandomStories {
  /// `THEMED_TEST_SEED` repeats a run, as far as processes let themselves be repeated; `THEMED_DESKTOP_EVENTS` makes it
  /// longer (`make soak-desktop`).
  @Test func `whatever happens, the last wish holds, nothing fights, and the desktop gets back what it asked for`()
    throws
  {
    let wanted = ProcessInfo.processInfo.environment["THEMED_DESKTOP_EVENTS"].flatMap(Int.init) ?? 40
    let start = Date()
    var seed = chosenSeed
    var (events, rests, writes) = (0, 0, 0)
    while events < wanted {
      try withSession { session in
        let trial = try DesktopTrial(session, SeededGenerator(seed: seed))
        while trial.events < min(400, wanted - events) { try trial.step() }
        try trial.finish()
        events += trial.events
        rests += trial.rests
        writes += trial.writes
      }
      let seconds = Int(Date().timeIntervalSince(start))
      print("desktop stories: \(events) events, \(rests) rests, \(writes) writes, \(seconds) s; seed \(seed)")
      seed &+= 1
    }
    #expect(rests > 1)
  }
}
