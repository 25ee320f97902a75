import Foundation
import ThemedTestSupport

/// One attack upon a running daemon, and what was seen.
struct Trial {
  let attack: Attack
  let count: Int
  let sight: Sight
  let before: Holding
  let after: Holding
  /// What no attack may bring about, in words.
  let faults: [String]

  /// The latest answer, in milliseconds.
  var worst: Int { sight.worst / 1000 }
  /// For how long the machine itself kept somebody waiting at worst, in milliseconds.
  var floor: Int { sight["floor.worst"] / 1000 }

  /// Attacks for a time; memory may have grown by so many KiB.
  init(
    _ attack: Attack, _ body: (World, Double) throws -> Int, upon world: World, seconds: Double, growth: Int
  ) throws {
    self.attack = attack
    try world.witness.pause()
    before = try Holding(of: world.themed)
    _ = try world.witness.report()
    try world.witness.resume()
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

/// All attacks by turns, for so long, upon one and the same daemon or those that an attack starts itself.
struct Rounds {
  /// When no other attack is begun.
  private let end: Date
  /// How long an attack lasts, in seconds: a round lasts 5 minutes, or as long as was asked for.
  private let seconds: Double
  /// The latest answer, in milliseconds: THEMED_ATTACK_LIMIT, or what the project promises.
  private let limit = ProcessInfo.processInfo.environment["THEMED_ATTACK_LIMIT"].flatMap { Int($0) } ?? 100
  /// How much memory may have grown by an attack, in KiB, and from the end of the first round to the last one's.
  private let growth = 2048
  /// How often an attack is made where the machine itself stands still for longer than anybody may wait: what was late
  /// then was late of several such times, and tells nothing of the daemon.
  private static let tries = 5
  private var next = 0
  private var failures: [String] = []

  init(minutes: Double) {
    end = Date(timeIntervalSinceNow: minutes * 60)
    seconds = min(minutes, 5) * 60 * 0.8 / Double(Attack.chosen.count)
  }

  /// Attacks, prints a line for each attack of each round, and returns what went wrong.
  mutating func run() throws -> [String] {
    say(Self.heading)
    // A daemon that did not come through an attack is followed by another.
    while next == 0 || Date() < end { try withKeptSession { try live($0) } }
    return failures
  }

  /// The life of one daemon: until the time is over, or until it did not come through.
  private mutating func live(_ session: Session) throws {
    let world = try World(session)
    var settled: Holding?
    repeat {
      guard attack(world) else { return }
      guard next.isMultiple(of: Attack.chosen.count) else { continue }
      let now = try settled?.awaitAgain(in: world.themed, allowing: growth) ?? Holding(of: world.themed)
      say("Round \(next / Attack.chosen.count) ended: \(now.memory) KiB, \(now.descriptors) descriptors")
      failures += settled?.excess(of: now, allowing: growth).map { "since an earlier round \($0)" } ?? []
      settled = settled ?? now
      // Every attack is made once, however long that takes.
    } while next < Attack.chosen.count || Date() < end
    try world.restart(.terminate)
    try world.changePortal()
    failures += try world.witness.report().faults(whereCut: true)
  }

  /// Makes the next attack; whether the daemon may be attacked again.
  private mutating func attack(_ world: World) -> Bool {
    let attack = Attack.chosen[next % Attack.chosen.count]
    let round = next / Attack.chosen.count + 1
    next += 1
    let seconds = max(seconds, attack.seconds)
    do {
      switch attack.way {
      case .own(let body):
        var count = 0
        try withKeptSession { count = try body($0, seconds) }
        report(attack, String(format: "%9d", count))
      case .running(let body):
        for again in (0..<Self.tries).reversed() {
          let trial = try Trial(attack, body, upon: world, seconds: seconds, growth: growth)
          report(attack, Self.line(trial))
          let isAgain = again > 0 && isLate(trial) && trial.floor > limit
          if isAgain { say("  the machine itself stood still for \(trial.floor) ms: once more") }
          for fault in trial.faults + (isLate(trial) && !isAgain ? [Self.lateness(of: trial)] : []) {
            failures.append("round \(round), \(attack.testDescription): \(fault)")
            say("  ✘ \(fault)")
          }
          guard isAgain else { break }
        }
      }
      return true
    } catch {
      failures.append("round \(round), \(attack.testDescription): \(error)")
      report(attack, "\n  ✘ \("\(error)".prefix(300))")
      if case .own = attack.way { return true }
      return false
    }
  }

  /// Whether somebody waited for longer than may be; not ours is the time in which a processor stands still.
  private func isLate(_ trial: Trial) -> Bool { trial.worst - trial.floor > limit }

  private static func lateness(of trial: Trial) -> String {
    "somebody waited for \(trial.worst) ms, where the machine's own worst was \(trial.floor) ms"
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
