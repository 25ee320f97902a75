import ThemedTestSupport

/// The well-behaved clients: they ask, subscribe and change throughout, and tell what they saw.
final class Witness {
  private let process: ChildProcess

  /// Watches the daemon of a session from now on.
  init(_ session: Session) throws {
    process = try session.spawn(Products.path("themed-attacker"), ["witness", session.socketPath], input: [])
    // Said by the witness itself, before the test's own patience ends.
    try tell("patience \(Int(patience - 5) * 1000)", "ok")
  }

  /// Has a change made every so many microseconds; 0: as soon as the last is through.
  func pace(_ microseconds: Int) throws { try tell("pace \(microseconds)", "ok") }

  /// Waits until the subscriber was told that contrast is high, or is not.
  func hear(highContrast: Bool) throws { try tell("hear \(highContrast)", "heard") }

  /// Waits for the last change to be through, and makes no other.
  func pause() throws { try tell("pause", "paused") }

  /// Makes changes again.
  func resume() throws { try tell("go", "ok") }

  /// What was seen since the last report.
  func report() throws -> Sight {
    try process.send(line: "report")
    let pairs = try process.line().split(separator: " ").map { $0.split(separator: "=") }
    return Sight(numbers: Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int($0[1]) ?? -1) }))
  }

  /// What the witness complained of, the first lines.
  var complaints: String { process.errors.split(separator: "\n").prefix(4).joined(separator: "\n") }

  private func tell(_ command: String, _ expected: String) throws {
    try process.send(line: command)
    let answer = try process.line()
    guard answer == expected else { throw Failure("the witness, told to \(command): \(answer)\n\(complaints)") }
  }
}

/// What the witness saw: times are in microseconds.
struct Sight {
  let numbers: [String: Int]

  subscript(name: String) -> Int { numbers[name] ?? -1 }

  /// The latest answer or change that any of the clients had to wait for; what is to be on the disk first not counted.
  var worst: Int { max(self["steady.worst"], self["passing.worst"], self["heard.worst"]) }

  /// What no attack may bring about, in words; `whereCut`: the attack ends the daemon.
  func faults(whereCut: Bool = false) -> [String] {
    var faults: [String] = []
    if self["wrong"] != 0 { faults.append("\(self["wrong"]) answers or states were wrong, late or lost") }
    if self["steady"] == 0 || self["passing"] == 0 { faults.append("nobody was answered") }
    if self["unsaved"] != 0 { faults.append("\(self["unsaved"]) overrides were not saved") }
    if whereCut { return faults }
    if self["cut"] != 0 { faults.append("\(self["cut"]) connections were cut") }
    if self["told"] != self["made"] { faults.append("\(self["told"]) of \(self["made"]) changes were heard") }
    return faults
  }
}
