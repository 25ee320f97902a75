import Foundation
import Testing
import ThemedTestSupport

/// Anything at any time, with the real daemon on a real bus.
@Suite(.ownThreads) struct RandomStories {
  /// `THEMED_TEST_SEED` repeats a run, as far as processes let themselves be repeated; `THEMED_RANDOM_SECONDS` makes
  /// it longer.
  @Test func `whatever happens, at rest the daemon shows what the portal's read says, merged by the rules`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["THEMED_RANDOM_SECONDS"].flatMap(Double.init) ?? 10
    let end = Date(timeIntervalSinceNow: seconds)
    var seed = chosenSeed
    var (events, rests) = (0, 0)
    repeat {
      try withSession { session in
        let trial = try RandomTrial(session, SeededGenerator(seed: seed))
        repeat {
          // While all is well: in the midst of the rest it is seldom.
          try trial.overtake()
          for _ in 0..<25 { try trial.step() }
          try trial.rest()
        } while trial.rests < 40 && Date() < end
        events += trial.events
        rests += trial.rests
      }
      seed &+= 1
    } while Date() < end
    print("random stories: \(events) events, \(rests) rests")
    #expect(rests > 1)
  }
}
