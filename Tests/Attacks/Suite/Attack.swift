import Foundation
import Testing
import ThemedTestSupport

/// One attack: what is done to a daemon, for how long, and how often it was done in the end.
struct Attack: Sendable, CustomTestStringConvertible {
  /// How an attack is made.
  enum Way: Sendable {
    /// Upon a daemon that runs, and is held to what it held before.
    case running(@Sendable (World, _ seconds: Double) throws -> Int)
    /// Upon daemons that it starts itself, and whose behaviour it checks.
    case own(@Sendable (Session, _ seconds: Double) throws -> Int)
  }

  /// What is done, in words.
  let testDescription: String
  /// How long it lasts in `make test`, in seconds; those of their own last as long as they need.
  let seconds: Double
  let way: Way

  /// All of them, or those whose description has the words of THEMED_ATTACK_ONLY.
  static let chosen: [Attack] = {
    let all = bus + portal + socket + files + restarts + surroundings + starts + places
    guard let words = ProcessInfo.processInfo.environment["THEMED_ATTACK_ONLY"], !words.isEmpty else { return all }
    return all.filter { $0.testDescription.contains(words) }
  }()

  /// An attack that `attacker` makes upon a running daemon, which meanwhile tells every change of the desktop.
  static func flood(
    _ description: String, _ words: @escaping @Sendable (World) throws -> [String]
  ) -> Attack {
    running(description) { world, seconds in
      try world.attack(words(world), seconds: seconds) { try $0.changePortal() }
    }
  }

  static func running(
    _ description: String, seconds: Double = 1.5, _ body: @escaping @Sendable (World, Double) throws -> Int
  ) -> Attack {
    Attack(testDescription: description, seconds: seconds, way: .running(body))
  }

  static func own(
    _ description: String, seconds: Double = 1.5, _ body: @escaping @Sendable (Session, Double) throws -> Int
  ) -> Attack {
    Attack(testDescription: description, seconds: seconds, way: .own(body))
  }
}
