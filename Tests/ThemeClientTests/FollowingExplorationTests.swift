import Testing
import ThemedClientCore
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// Every sequence of what can happen to who follows the daemon.
@Suite struct FollowingExplorationTests {
  @Test(
    "Whatever happens, it asks once per connection, waits no longer than it may, and goes on until it has to give up")
  func everything() {
    let result = explore(from: Follower(), alphabet: Follower.alphabet, states: 60_000) {
      (follower, event) throws(Broken) in
      try follower.take(event)
    } invariant: { (follower) throws(Broken) in
      try follower.check()
    }
    #expect(result.fault == nil, "\(result)")
    #expect(result.depth >= 8, "\(result)")
  }
}

/// A session, and what its caller knows of it.
private struct Follower: Hashable {
  private enum Stands: Hashable { case new, connecting, connected, waiting, over }

  private var session = FollowingSession(FollowedState(app: nil, details: false), limit: limit)
  private var stands = Stands.new
  private var last: ColorScheme?

  private static let limit = 400

  enum Event {
    case happens(FollowingEvent)
    case take
  }

  static let alphabet: [Event] = {
    let light = frame(sample(.light)), dark = frame(sample(.dark))
    let bytes: [ArraySlice<UInt8>] = [
      light, dark, dark + light, light.dropLast(20), light.suffix(20), frame(sample(.dark), continues: false),
      [0x5B, 0x5D, 0], Reply(.invalidParameter("app")).frame[...], [],
    ]
    return bytes.map { .happens(.received($0)) } + [
      .happens(.started), .happens(.connected(stranger: nil)), .happens(.connected(stranger: 7)),
      .happens(.disconnected),
      .happens(.timePassed), .happens(.socketAppeared), .take,
    ]
  }()

  /// Any event may occur anywhere.
  mutating func take(_ event: Event) throws(Broken) -> Bool {
    guard case .happens(let event) = event else {
      guard let state = session.take() else { return true }
      guard state.scheme != last else { throw Broken("it gives a state twice") }
      last = state.scheme
      return true
    }
    let before = (stands, session)
    let action = session.handle(event)
    switch action {
    case .connect:
      guard stands == .new || stands == .waiting else { throw Broken("it connects while it \(stands)") }
      stands = .connecting
    case .send(let bytes):
      guard stands == .connecting, !bytes.isEmpty else { throw Broken("it sends where it \(stands)") }
      stands = .connected
    case .wait(let pause):
      guard stands == .connecting || stands == .connected else { throw Broken("it waits where it \(stands)") }
      guard FollowingSession<FollowedState>.shortestPause...FollowingSession<FollowedState>.longestPause ~= pause else {
        throw Broken("it waits \(pause)")
      }
      stands = .waiting
    case .giveUp(let error):
      guard stands == .connected else { throw Broken("it gives up where it \(stands): \(error)") }
      stands = .over
    case nil:
      if stands == .connected, event == .disconnected { throw Broken("it does not hear of the end") }
    }
    if before.0 == .over, session != before.1 { throw Broken("it goes on after it gave up") }
    return true
  }

  func check() throws(Broken) {
    guard session.heldBytes <= Self.limit else { throw Broken("it keeps \(session.heldBytes) bytes") }
    guard stands == .connected || session.heldBytes == 0 else {
      throw Broken("it keeps bytes of a connection that is over")
    }
    // It can always go on.
    var session = session
    switch stands {
    case .new: guard session.handle(.started) == .connect else { throw Broken("it cannot begin") }
    case .waiting: guard session.handle(.timePassed) == .connect else { throw Broken("it waits for ever") }
    case .connecting:
      guard case .wait? = session.handle(.disconnected) else { throw Broken("it fails for ever") }
    case .connected, .over: break
    }
  }
}
