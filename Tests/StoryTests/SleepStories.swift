import Foundation
import Testing
import ThemedTestSupport

/// While nothing happens the daemon sleeps, whatever is gone for good; and whatever happened while it was stopped, it
/// knows when it goes on.
@Suite(.ownThreads) struct SleepStories {
  @Test func `what is gone for good wakes nobody, and is followed when it is back all the same`() throws {
    try withDeserted(Loss.allCases[...]) { all in
      // Each is tried again some times at first, ever later: then no more often than this.
      for deserted in all { try deserted.awaitSleep(seconds: 100) }
      for deserted in all { try deserted.restore() }
    }
  }

  @Test func `what changed while the daemon was stopped is known when it goes on, and only its end is told`() throws {
    try withSession { session in
      // The first of many changes goes out at once, when they come at last: here that is the last one too.
      try session.configure("[portal]\nsettle-time=2000\n")
      let following = try Following.settled(session)
      following.themed.send(.stop)
      for scheme in [1, 0, 2, 1, 0, 2, 0] {
        try following.portal.tell("set color-scheme u:\(scheme)")
        try following.portal.tell("emit color-scheme u:\(scheme)")
      }
      following.themed.send(.continue)
      try following.expect("dark")
      try following.expect("none")
      for _ in 0..<2 { try following.portal.awaitRead() }
      try following.expectNothing()
    }
  }

  @Test func `a portal that was replaced while the daemon was stopped is asked when it goes on`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      following.themed.send(.stop)
      try following.portal.crash()
      let second = try session.startFakePortal(scheme: 0)
      try second.crash()
      _ = try session.startFakePortal(scheme: 1)
      following.themed.send(.continue)
      try following.expect("dark")
    }
  }

  @Test func `a bus that was restarted while the daemon was stopped is followed when it goes on`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      following.themed.send(.stop)
      try following.bus.kill()
      try following.portal.process.wait()
      try following.bus.start()
      _ = try session.startFakePortal(scheme: 1)
      following.themed.send(.continue)
      try following.expect("dark")
    }
  }

  @Test func `a read that was under way when the daemon was stopped for long is not lost`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("manner held")
      try following.portal.tell("set color-scheme u:1")
      try following.portal.tell("emit color-scheme u:2")
      try following.portal.awaitRead()
      following.themed.send(.stop)
      // Longer than a call may take.
      Thread.sleep(forTimeInterval: 6)
      try following.portal.tell("manner answered")
      try following.portal.tell("flush")
      following.themed.send(.continue)
      try following.expect("dark")
    }
  }
}

/// What may be gone.
private enum Loss: CaseIterable {
  case nothingEver, schedule, portal, answers, bus, busBehindItsSocket, frozenBus, muteBus
}

/// A daemon that has lost something.
private struct Deserted {
  let loss: Loss
  let themed: ChildProcess
  private let session: Session
  private let bus: SessionBus
  private let watch: VarlinkConnection
  private var portal: FakePortal?
  private var mute: Listener?

  init(_ session: Session, _ loss: Loss) throws {
    (self.session, self.loss) = (session, loss)
    bus = SessionBus(session)
    // What others install on this machine is none of its business: it would wake for new themes, and a new time zone.
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    session.environment["TZ"] = "UTC"
    session.environment["TZDIR"] = session.directory.path("zoneinfo")
    switch loss {
    case .nothingEver: break
    case .schedule:
      // By the sun it is noon there.
      let longitude = 180 - Int(Date().timeIntervalSince1970) % 86_400 / 240
      try session.configure("[schedule]\nmode=sun\nlatitude=0\nlongitude=\(longitude)\n")
    case .muteBus: mute = try Listener(path: session.directory.path("run/bus"))
    default:
      try bus.start()
      portal = try session.startFakePortal(scheme: 2)
    }
    themed = try session.startThemed()
    watch = try session.subscribe()
    if portal != nil { _ = try watch.frame { $0.desktop == "light" } }
    switch loss {
    case .nothingEver, .schedule, .muteBus: break
    case .portal: try portal?.crash()
    case .answers:
      // The first read, and the one that confirms it.
      for _ in 0..<2 { try portal?.awaitRead() }
      try portal?.tell("manner refused org.freedesktop.DBus.Error.Failed")
      try portal?.tell("emit color-scheme u:2")
    case .bus:
      try bus.kill()
      try bus.removeSocket()
    case .busBehindItsSocket: try bus.kill()
    case .frozenBus: bus.freeze()
    }
  }

  /// Waits until the daemon sleeps for so long, as nothing happens.
  func awaitSleep(seconds: Double) throws {
    var allowance = Allowance(seconds: 4 * patience)
    while try (sleepLeft(of: themed) ?? 0) < seconds {
      guard allowance.next() != nil else { throw Failure("\(loss): it never comes to rest") }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  /// Gives back what was lost, and expects it to be followed.
  func restore() throws {
    switch loss {
    case .answers:
      // Two before the portal failed, then the one for the signal and the quick retries.
      #expect(portal?.calls("color-scheme") == 2 + 1 + 3)
      try portal?.tell("manner answered")
      try portal?.tell("set color-scheme u:1")
      try portal?.tell("emit color-scheme u:2")
    case .frozenBus:
      try portal?.process.send(line: "set color-scheme u:1")
      try portal?.process.send(line: "emit color-scheme u:1")
      bus.thaw()
    case .portal: _ = try session.startFakePortal(scheme: 1)
    case .nothingEver, .schedule, .bus, .busBehindItsSocket, .muteBus:
      try mute?.unlink()
      try bus.start()
      _ = try session.startFakePortal(scheme: 1)
    }
    _ = try watch.frame { $0.desktop == "dark" }
  }
}

/// A session for each loss, all at the same time: each needs its while.
private func withDeserted(
  _ losses: ArraySlice<Loss>, _ all: [Deserted] = [], _ body: ([Deserted]) throws -> Void
) throws {
  guard let loss = losses.first else { return try body(all) }
  try withSession { session in
    try withDeserted(losses.dropFirst(), all + [Deserted(session, loss)], body)
  }
}
