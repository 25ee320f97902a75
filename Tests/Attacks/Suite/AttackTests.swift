import Foundation
import Testing
import ThemedTestSupport

/// How many minutes of attacks were asked for; none in `make test`.
private let minutes = ProcessInfo.processInfo.environment["THEMED_ATTACK_MINUTES"].flatMap { Double($0) }

/// The daemon under attack: its well-behaved clients notice nothing, nothing is lost, and it holds what it held before.
@Suite(.ownThreads) struct AttackTests {
  @Test(.enabled(if: minutes == nil), arguments: Attack.chosen)
  func `nothing is lost, wrong, cut or kept under attack by`(attack: Attack) throws {
    try withKeptSession { session in
      switch attack.way {
      case .own(let body): _ = try body(session, attack.seconds)
      case .running(let body):
        let world = try World(session)
        let trial = try Trial(attack, body, upon: world, seconds: attack.seconds, growth: 8192)
        #expect(trial.faults.isEmpty, "\(world.witness.complaints)\n\(world.themed.account)")
      }
    }
  }

  @Test(.enabled(if: minutes != nil, "make attack MINUTES=30 attacks for so long"))
  func `by turns for as long as was asked, no answer is late`() throws {
    var rounds = Rounds(minutes: minutes ?? 0)
    let failures = try rounds.run()
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }
}
