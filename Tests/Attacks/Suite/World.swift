import Foundation
import ThemedTestSupport

/// A daemon as it is attacked: on a bus of its own with a portal, watched by well-behaved clients.
final class World {
  let session: Session
  let portal: FakePortal
  let witness: Witness
  private(set) var themed: ChildProcess
  private var highContrast = false
  private var edits = 0

  /// Starts all of it; the daemon in surroundings that `attacker under` makes, if any are named.
  init(_ session: Session, under surroundings: String? = nil) throws {
    self.session = session
    _ = try session.startBus()
    portal = try session.startFakePortal(scheme: 1, "set contrast u:0")
    try session.configure(Self.configuration(transition: 200))
    try session.directory.write(Self.theme("111111"), to: "data/themed/themes/attack.theme")
    themed = try surroundings.map { try session.startThemed(inSurroundings: $0) } ?? session.startThemed()
    witness = try Witness(session)
    try changePortal()
    // Threads that come with the first read and the first save are there from now on.
    try edit()
    try witness.pause()
    try witness.resume()
  }

  /// Changes what the desktop asks for, and waits until it has been heard.
  func changePortal() throws {
    highContrast.toggle()
    try portal.tell("set contrast u:\(highContrast ? 1 : 0)")
    try portal.tell("emit contrast u:\(highContrast ? 1 : 0)")
    try witness.hear(highContrast: highContrast)
  }

  /// Has `attacker` attack for so many seconds, and at least until what is done `meanwhile` is done; how often it was.
  ///
  /// What is done meanwhile, such as a change of the desktop, has to come through while the attack goes on.
  func attack(_ words: [String], seconds: Double, meanwhile: (World) throws -> Void) throws -> Int {
    // It is told to end; this is for one that nobody can tell any more.
    let attacker = try session.spawnAttacker(words + ["\(seconds + 60 * patience)"])
    let end = Date(timeIntervalSinceNow: seconds)
    repeat {
      try meanwhile(self)
      guard attacker.isRunning else { break }
      // Longer than the desktop has to be quiet to count as settled.
      Thread.sleep(forTimeInterval: 0.2)
    } while Date() < end
    attacker.send(.terminate)
    return try attacker.count()
  }

  /// Edits the configuration, and waits until it is in force.
  func edit() throws {
    edits += 1
    try session.configure(Self.configuration(transition: 200 + edits))
    try awaitState("the edited configuration", #"{"app":"witness"}"#) {
      $0.int("parameters.state.transitionMilliseconds") == 200 + edits
    }
  }

  /// Edits the theme that is shown, and waits until it is.
  func editTheme() throws {
    edits += 1
    let color = String(format: "%06x", 0x111111 + edits)
    try session.directory.write(Self.theme(color), to: "data/themed/themes/attack.theme")
    try awaitState("the edited theme", #"{"app":"witness","details":true}"#) {
      $0.string("parameters.state.palette.primary") == "#\(color)"
    }
  }

  /// Ends the daemon in this way and starts another; the witness looks whether it has what was saved.
  func restart(_ signal: ChildProcess.Signal) throws {
    themed.send(signal)
    try themed.wait()
    themed = try session.startThemed()
  }

  private func awaitState(_ what: String, _ parameters: String, _ isThere: (Frame) -> Bool) throws {
    let connection = try session.connect()
    try eventually(what) { isThere(try connection.call("GetState", parameters)) }
  }

  private static func configuration(transition: Int) -> String {
    "[appearance]\nlight-theme=attack\ndark-theme=attack\ntransition=\(transition)\n"
  }

  private static func theme(_ color: String) -> String {
    "[light.palette]\ntint=\(color)\n[dark.palette]\ntint=\(color)\n"
  }
}

/// What a daemon holds of the machine.
struct Holding {
  /// Memory that is its alone and written to, in KiB.
  let memory: Int
  let descriptors: Int
  let threads: Int

  // What may come with the first need of it and stays. What an attack makes leak, it makes leak by the hundred.
  private static let lateDescriptors = 4
  private static let lateThreads = 1

  init(of process: ChildProcess) throws {
    memory = try process.privateMemory()
    threads = try process.kernelNumber("Threads:", in: "status")
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/fd").count
  }

  /// Waits until a process holds no more than this again, but for so much memory, and returns what it holds then.
  func awaitAgain(in process: ChildProcess, allowing memory: Int) throws -> Holding {
    var now = try Holding(of: process)
    var allowance = Allowance()
    while !excess(of: now, allowing: memory).isEmpty, allowance.next() != nil {
      Thread.sleep(forTimeInterval: 0.1)
      now = try Holding(of: process)
    }
    return now
  }

  /// In what a process holds more now than this, in words.
  func excess(of now: Holding, allowing memory: Int) -> [String] {
    var excess: [String] = []
    if now.memory > self.memory + memory { excess.append("memory grew from \(self.memory) to \(now.memory) KiB") }
    if now.descriptors > descriptors + Self.lateDescriptors {
      excess.append("descriptors grew from \(descriptors) to \(now.descriptors)")
    }
    if now.threads > threads + Self.lateThreads { excess.append("threads grew from \(threads) to \(now.threads)") }
    return excess
  }
}

/// Runs an attack in a session of its own, of which nothing is left whatever ends the test.
func withKeptSession(_ body: (Session) throws -> Void) throws {
  try withSession { session in
    let directory = (session.environment["HOME", default: ""] as NSString).deletingLastPathComponent
    _ = try session.spawn(Products.path("themed-attacker"), ["keep", directory], input: [])
    try body(session)
  }
}

extension Session {
  /// Starts the daemon in surroundings that `attacker under` makes, and waits until it answers.
  func startThemed(inSurroundings surroundings: String) throws -> ChildProcess {
    let themed = try spawn(Products.path("themed-attacker"), ["under", surroundings, Products.path("themed")])
    try eventually("the first answer") {
      guard themed.isRunning else { throw Failure("the daemon ended: \(themed.account)") }
      return (try? connect().call("GetState")) != nil
    }
    return themed
  }

  /// Starts an attack.
  func spawnAttacker(_ words: [String]) throws -> ChildProcess {
    let attacker = try spawn(Products.path("themed-attacker"), words)
    // Told to end before, it would end without a word.
    guard try attacker.line() == "attacking" else { throw Failure("no attack has begun: \(attacker.account)") }
    return attacker
  }
}

extension ChildProcess {
  /// How often an attack was made, which is all that it prints besides.
  func count() throws -> Int {
    let line = try line()
    guard try wait() == .exited(0), let count = Int(line) else { throw Failure("an attack failed: \(account)") }
    return count
  }
}
