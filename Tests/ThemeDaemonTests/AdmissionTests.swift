import Glibc
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

private let own: UInt32 = 1000
private let rule = PeerRule(user: own)
private let ours = SystemError("accept", EMFILE)
private let systems = SystemError("accept", ENFILE)

/// Who is let in, and when nobody is.
@Suite struct AdmissionTests {
  private func admission(of maximum: Int, with connections: Int = 0) -> Admission {
    var admission = Admission(maximum: maximum, by: rule)
    for _ in 0..<connections { admission.admitted(.all) }
    return admission
  }

  @Test func `of the own user as many are let in as there is room for, and the first refusal alone is told`() {
    var admission = admission(of: 2, with: 1)
    #expect(admission.came(of: own, for: .all) == .admit)
    admission.admitted(.all)
    #expect(admission.came(of: own, for: .all) == .refuse(.full(connections: 2)))
    #expect(admission.came(of: own, for: .all) == .refuse(nil))
  }

  @Test func `that there is no room is told again once there was room for more than the next`() {
    var admission = admission(of: 16, with: 16)
    #expect(admission.came(of: own, for: .all) == .refuse(.full(connections: 16)))
    for _ in 0..<2 { _ = admission.ended(.all) }
    for _ in 0..<2 { admission.admitted(.all) }
    #expect(admission.came(of: own, for: .all) == .refuse(nil))
    for _ in 0..<3 { _ = admission.ended(.all) }
    for _ in 0..<3 { admission.admitted(.all) }
    #expect(admission.came(of: own, for: .all) == .refuse(.full(connections: 16)))
  }

  @Test func `those who may only read take a quarter of the room, and the others all that is left`() {
    var admission = admission(of: 16)
    for _ in 0..<4 {
      #expect(admission.came(of: own, for: .reading) == .admit)
      admission.admitted(.reading)
    }
    #expect(admission.came(of: own, for: .reading) == .refuse(.fullOfReaders(connections: 4)))
    #expect(admission.came(of: own, for: .reading) == .refuse(nil))
    for _ in 0..<12 {
      #expect(admission.came(of: own, for: .all) == .admit)
      admission.admitted(.all)
    }
    #expect(admission.came(of: own, for: .all) == .refuse(.full(connections: 16)))
    // Where one who may do all goes, his place is not a reader's.
    _ = admission.ended(.all)
    #expect(admission.came(of: own, for: .reading) == .refuse(nil))
    #expect(admission.came(of: own, for: .all) == .admit)
    _ = admission.ended(.reading)
    #expect(admission.came(of: own, for: .reading) == .admit)
    #expect(admission.came(of: 1001, for: .reading) == .refuse(.stranger(1001)))
  }

  @Test
  func `those who may only read and came before the limit was lowered hold no more places than they are given now`() {
    var admission = Admission(maximum: 64, by: rule)
    for _ in 0..<16 { admission.admitted(.reading) }
    admission.maximum = 16
    #expect(admission.came(of: own, for: .reading) == .refuse(.fullOfReaders(connections: 16)))
    for _ in 0..<12 {
      #expect(admission.came(of: own, for: .all) == .admit)
      admission.admitted(.all)
    }
    #expect(admission.came(of: own, for: .all) == .refuse(.full(connections: 28)))
    for _ in 0..<13 { _ = admission.ended(.reading) }
    #expect(admission.came(of: own, for: .all) == .admit)
  }

  @Test(arguments: 1...3)
  func `of so few connections that there is no quarter one may be of who may only read, and takes nobody's place`(
    maximum: Int
  ) {
    var admission = Admission(maximum: maximum, by: rule)
    #expect(admission.came(of: own, for: .reading) == .admit)
    admission.admitted(.reading)
    #expect(admission.came(of: own, for: .reading) == .refuse(.fullOfReaders(connections: 1)))
    for _ in 0..<maximum {
      #expect(admission.came(of: own, for: .all) == .admit)
      admission.admitted(.all)
    }
    #expect(admission.came(of: own, for: .all) == .refuse(.full(connections: maximum + 1)))
  }

  @Test func `that there is no room for readers is told again once there was room for more than the next`() {
    var admission = Admission(maximum: 64, by: rule)
    for _ in 0..<16 { admission.admitted(.reading) }
    #expect(admission.came(of: own, for: .reading) == .refuse(.fullOfReaders(connections: 16)))
    for _ in 0..<2 { _ = admission.ended(.reading) }
    for _ in 0..<2 { admission.admitted(.reading) }
    #expect(admission.came(of: own, for: .reading) == .refuse(nil))
    for _ in 0..<3 { _ = admission.ended(.reading) }
    for _ in 0..<3 { admission.admitted(.reading) }
    #expect(admission.came(of: own, for: .reading) == .refuse(.fullOfReaders(connections: 16)))
  }

  @Test func `another user is refused, which is told once of each, and of so many of them`() {
    var admission = admission(of: 100)
    var told = 0
    for user in 0..<1000 as Range<UInt32> {
      #expect(admission.came(of: user, for: .all) == .refuse(told < Limits.refusedUsers ? .stranger(user) : nil))
      #expect(admission.came(of: user, for: .all) == .refuse(nil))
      told += 1
    }
  }

  @Test func `nobody knows of whom a connection is that is refused, and it is told once`() {
    var admission = admission(of: 100)
    #expect(admission.came(of: nil, for: .all) == .refuse(.stranger(nil)))
    #expect(admission.came(of: nil, for: .all) == .refuse(nil))
  }

  @Test func `out of descriptors of its own it waits long, since the end of a connection is waited for too`() {
    var admission = admission(of: 100, with: 1)
    #expect(admission.failed(ours).milliseconds == Limits.slowAcceptRetry)
    #expect(!admission.isAccepting)
    let isNextTurn = admission.ended(.all)
    #expect(isNextTurn)
    #expect(!admission.isAccepting, "the descriptor is free in the next turn")
    admission.resumed()
    #expect(admission.isAccepting)
  }

  @Test func `where others hold the descriptors it tries again soon`() {
    var admission = admission(of: 100, with: 1)
    #expect(admission.failed(systems).milliseconds == Limits.acceptRetry)
    _ = admission.ended(.all)
    #expect(admission.failed(ours).milliseconds == Limits.acceptRetry, "there is no connection to end")
  }

  @Test func `why nobody can be accepted is told again once all who wait have been`() {
    var admission = admission(of: 100)
    #expect(admission.failed(systems).warning == .shortage(systems))
    admission.resumed()
    #expect(admission.failed(systems).warning == nil)
    admission.resumed()
    admission.queueIsEmpty()
    #expect(admission.failed(ours).warning == .shortage(ours))
  }

  @Test(.ownThreads) func `whatever happens in whatever order, who could not be accepted is accepted later`() {
    let result = explore(from: Door(), alphabet: Door.alphabet) { (door, event) throws(Broken) in
      try door.take(event)
    } invariant: { (door) throws(Broken) in
      try door.check()
    }
    print("admission: \(result)")
    #expect(result.fault == nil && result.isComplete, "\(result)")
  }
}

/// A door with its admission, and what has to be true of it.
private struct Door: Hashable {
  enum Event: Hashable {
    /// One of our user comes, or one whose connection then cannot be waited for, or one that was adopted.
    case comes, comesInVain, adopted
    /// One comes of a user who has not come before, who has, or of nobody known.
    case newStranger, oldStranger, nobodyKnown
    /// Whoever waits has been accepted.
    case allCame
    /// Somebody waits and cannot be accepted.
    case fails(CInt)
    /// A connection ends.
    case ends
    /// What is awaited comes to pass, or fails to put an end to the pause.
    case delayIsOver, turnComes, turnComesInVain
    /// How many there may be is configured anew.
    case configured(Int)
  }

  static let alphabet: [Event] = [
    .comes, .comesInVain, .adopted, .newStranger, .oldStranger, .nobodyKnown, .allCame, .fails(EMFILE), .fails(ENFILE),
    .ends, .delayIsOver, .turnComes, .turnComesInVain, .configured(16), .configured(9),
  ]

  /// What the server waits for.
  enum Awaited { case arrivals, delay, nextTurn }

  var admission = Admission(maximum: 16, by: rule)
  var awaited = Awaited.arrivals
  var connections = 0
  var strangers: UInt32 = 0
  var nobodyWasTold = false
  var fullWasTold = false
  var shortageWasTold = false

  /// Does what happens as ``Acceptor`` does; false where it cannot happen.
  mutating func take(_ event: Event) throws(Broken) -> Bool {
    switch event {
    case .comes, .comesInVain, .newStranger, .oldStranger, .nobodyKnown, .allCame, .fails:
      // Nobody is accepted who is not waited for.
      guard awaited == .arrivals else { return false }
      return try arrives(event)
    case .adopted:
      guard admission.hasRoom(for: .all) else { return false }
      enters()
    case .ends:
      guard connections > 0 else { return false }
      try leaves()
    case .delayIsOver:
      guard awaited == .delay else { return false }
      resumes()
    case .turnComes:
      guard awaited == .nextTurn else { return false }
      resumes()
    case .turnComesInVain:
      guard awaited == .nextTurn else { return false }
      try pauses(SystemError("epoll_ctl", ENOMEM))
    case .configured(let maximum): admission.maximum = maximum
    }
    return true
  }

  private mutating func arrives(_ event: Event) throws(Broken) -> Bool {
    switch event {
    case .comes, .comesInVain:
      guard try isAdmitted() else { return true }
      if event == .comes { enters() } else { try pauses(SystemError("epoll_ctl", ENOSPC)) }
    case .newStranger:
      guard strangers < Limits.refusedUsers + 2 else { return false }
      strangers += 1
      let isTold = strangers + (nobodyWasTold ? 1 : 0) <= Limits.refusedUsers
      try isRefused(own + strangers, isTold: isTold)
    case .oldStranger:
      guard strangers > 0 else { return false }
      try isRefused(own + 1, isTold: false)
    case .nobodyKnown:
      let isTold = !nobodyWasTold && strangers < Limits.refusedUsers
      try isRefused(nil, isTold: isTold)
      if isTold { nobodyWasTold = true }
    case .allCame:
      admission.queueIsEmpty()
      shortageWasTold = false
    case .fails(let code): try pauses(SystemError("accept", code))
    default: return false
    }
    return true
  }

  private mutating func isAdmitted() throws(Broken) -> Bool {
    let hasRoom = connections < admission.maximum
    switch admission.came(of: own, for: .all) {
    case .admit:
      guard hasRoom else { throw Broken("more than the maximum are let in") }
      return true
    case .refuse(let warning):
      guard !hasRoom else { throw Broken("one is refused for whom there is room") }
      guard warning == (fullWasTold ? nil : .full(connections: connections)) else {
        throw Broken("that there is no room is told \(warning == nil ? "never" : "twice")")
      }
      fullWasTold = true
      return false
    }
  }

  private mutating func enters() {
    admission.admitted(.all)
    connections += 1
  }

  private mutating func isRefused(_ user: UInt32?, isTold: Bool) throws(Broken) {
    guard admission.came(of: user, for: .all) == .refuse(isTold ? .stranger(user) : nil) else {
      throw Broken("another user is let in, or not refused with one line")
    }
  }

  private mutating func leaves() throws(Broken) {
    connections -= 1
    if connections < admission.maximum - admission.maximum / 8 { fullWasTold = false }
    guard admission.ended(.all) else {
      guard awaited != .delay else { throw Broken("a descriptor is free, and nobody is accepted for it") }
      return
    }
    guard awaited == .delay else { throw Broken("what is to be done in the next turn is put off") }
    awaited = .nextTurn
  }

  private mutating func pauses(_ error: SystemError) throws(Broken) {
    let pause = admission.failed(error)
    guard pause.warning == (shortageWasTold ? nil : .shortage(error)) else {
      throw Broken("that nobody can be accepted is told \(pause.warning == nil ? "never" : "twice")")
    }
    let isOurs = error.code == EMFILE && connections > 0
    guard pause.milliseconds == (isOurs ? Limits.slowAcceptRetry : Limits.acceptRetry) else {
      throw Broken("the delay is not the one for who holds the descriptors")
    }
    shortageWasTold = true
    awaited = .delay
  }

  private mutating func resumes() {
    admission.resumed()
    awaited = .arrivals
  }

  func check() throws(Broken) {
    guard admission.isAccepting == (awaited == .arrivals) else {
      throw Broken("nobody is accepted, and nothing is awaited that ends it")
    }
    guard admission.connections == connections else { throw Broken("connections are miscounted") }
  }
}
