import Foundation
import TestSupport

/// One attack upon a running daemon, and what was seen.
struct Trial {
  let attack: Attack
  let count: Int
  let sight: Sight
  let before: Holding
  let after: Holding
  /// What no attack may bring about, in words.
  let faults: [String]

  /// Attacks for a time; memory may have grown by so many KiB.
  init(
    _ attack: Attack, _ body: (World, Double) throws -> Int, upon world: World, seconds: Double, growth: Int
  ) throws {
    self.attack = attack
    // The clients stay connected: only what the attack itself adds is counted.
    Thread.sleep(forTimeInterval: 0.3)
    before = try Holding(of: world.themed)
    _ = try world.witness.report()
    count = try body(world, seconds)
    try world.changePortal()
    try world.witness.pause()
    sight = try world.witness.report()
    after = try before.awaitAgain(in: world.themed, allowing: growth)
    try world.witness.resume()
    var faults = sight.faults() + before.excess(of: after, allowing: growth)
    if !world.themed.isRunning { faults.append("the daemon ended") }
    self.faults = faults
  }
}

/// All attacks by turns, for so long; each round begins with those upon one and the same daemon.
struct Rounds {
  let minutes: Double
  /// The latest answer, in milliseconds: THEMED_ATTACK_LIMIT, or what the project promises.
  private let limit = ProcessInfo.processInfo.environment["THEMED_ATTACK_LIMIT"].flatMap { Int($0) } ?? 100
  /// How much memory may have grown by an attack, in KiB, and from the end of the first round to the last one's.
  private let growth = 2048

  /// Attacks, prints a line for each attack of each round, and returns what went wrong.
  func run(_ session: Session) throws -> [String] {
    let begin = Date()
    let end = begin.addingTimeInterval(minutes * 60)
    // A round of 5 minutes, or as much of it as was asked for.
    let seconds = min(minutes, 5) * 60 * 0.8 / Double(Attack.chosen.count)
    let world = try World(session)
    var failures: [String] = []
    var settled: Holding?
    var round = 0
    say(Self.heading)
    repeat {
      round += 1
      for attack in Attack.chosen {
        do {
          switch attack.way {
          case .own(let body):
            var count = 0
            try withSession { count = try body($0, max(seconds, attack.seconds)) }
            report(attack, "\(count)")
          case .running(let body):
            let trial = try Trial(attack, body, upon: world, seconds: max(seconds, attack.seconds), growth: growth)
            failures += faults(of: trial).map { "round \(round), \(attack.testDescription): \($0)" }
            report(attack, Self.line(trial))
            if !faults(of: trial).isEmpty { say("    ✘ " + faults(of: trial).joined(separator: "; ")) }
          }
        } catch {
          failures.append("round \(round), \(attack.testDescription): \(error)")
          say("    ✘ \(attack.testDescription): \("\(error)".prefix(300))")
          guard world.themed.isRunning else { return failures + ["the daemon ended: \(world.themed.account)"] }
        }
      }
      let now = try Holding(of: world.themed)
      say("round \(round) ended after \(Int(Date().timeIntervalSince(begin))) s: \(now.memory) KiB")
      if let settled { failures += settled.excess(of: now, allowing: growth).map { "since the first round \($0)" } }
      settled = settled ?? now
    } while Date() < end
    try world.restart(.terminate)
    try world.changePortal()
    failures += try world.witness.report().faults(whereCut: true)
    return failures
  }

  private func faults(of trial: Trial) -> [String] {
    guard trial.sight.worst > limit * 1000 else { return trial.faults }
    let (worst, floor) = (trial.sight.worst / 1000, trial.sight["floor.worst"] / 1000)
    return trial.faults + ["somebody waited for \(worst) ms, where the machine's own worst was \(floor) ms"]
  }

  /// At once, also into a pipe.
  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private func report(_ attack: Attack, _ line: String) {
    say(attack.testDescription.padding(toLength: 60, withPad: " ", startingAt: 0) + " " + line)
  }

  private static let heading = """
    Times in ms: of answers on a connection that stays, on a new one, of changes to a subscriber, of the machine alone.
    \(String(repeating: " ", count: 60))   attacks answers    p99  worst |    p99  worst |    p99  worst |  floor | changes | KiB
    """

  private static func line(_ trial: Trial) -> String {
    let sight = trial.sight
    func time(_ name: String) -> String { String(format: "%6.1f", Double(sight[name]) / 1000) }
    func pair(_ name: String) -> String { "\(time(name + ".p99")) \(time(name + ".worst")) |" }
    let counts = String(format: "%9d %7d ", trial.count, sight["steady"] + sight["passing"])
    let times = "\(pair("steady")) \(pair("passing")) \(pair("heard")) \(time("floor.worst")) |"
    let changes = String(format: " %7d | ", sight["told"])
    return counts + times + changes + "\(trial.before.memory) to \(trial.after.memory)"
  }
}
