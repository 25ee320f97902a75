import ThemedUnix

/// Decides when another machine is connected to, and what the end of a connection means: pure.
///
/// Times are in milliseconds, by a clock that goes on while this machine sleeps.
struct ShareLink: Hashable {
  /// Something that happened.
  enum Event: Hashable {
    /// There is something to share.
    case started
    /// The themed over there hears us.
    case ready
    /// It hears another one in our place.
    case taken
    /// It sends without end what is no word of themed's.
    case noisy
    /// The connection has ended.
    case ended(ShareEnd)
    /// The time is over that was to be waited.
    case timePassed
    /// The network is another one.
    case network(Set<NetworkChange>)
    /// This machine has slept.
    case woke
  }

  /// What is to be done.
  enum Action: Hashable {
    /// Connect.
    case connect
    /// End the connection; its end is to be told.
    case disconnect
    /// End the connection, which was asked to end and has not.
    case kill
    /// End the command.
    case end(ShareEnd)
  }

  private enum Phase: Hashable {
    case new, over
    case waiting(until: Int64)
    case connecting(until: Int64)
    case sharing(since: Int64)
    case disconnecting(ShareEnd?, until: Int64)
  }

  /// How long a network that has come may take to work, in milliseconds.
  private static let quick: Int64 = 500
  /// How long a connection has to last, in milliseconds, to be none of those that fail.
  private static let lasting: Int64 = 30_000
  /// Between two tries there is as much time, in milliseconds, whatever the network does.
  private static let leastPause: Int64 = 1_000
  /// The same, where the network has changed again and again and it was of no use: twice as long each time, up to this.
  private static let mostPause: Int64 = 60_000
  /// After so many milliseconds ssh has noticed by itself when the way has gone: one that lives on goes another way.
  private static let doubt: Int64 = 60_000
  /// How long ssh may take to end, in milliseconds.
  private static let ending: Int64 = 2_000

  /// Why it waits until it connects again; nil where nothing has failed.
  private(set) var failure: ShareEnd?
  /// What the other machine is called.
  private let name: String
  private let once: Bool
  private let patience: Int64
  private var phase = Phase.new
  private var backoff = Backoff()
  private var lastTry: Int64 = 0
  /// Whether it has ever worked: then what fails is mended by waiting.
  private var hasShared = false
  /// When an address or a route has last gone since it was connected.
  private var doubtful: Int64?
  /// How often the network's changes have made it try earlier, since it was last connected for long.
  private var hastened = 0

  /// A link that is tried once, or again and again; a connection is made within `patience` milliseconds, or ended.
  init(to name: String = "it", once: Bool = false, patience: Int64) {
    (self.name, self.once, self.patience) = (name, once, patience)
  }

  /// When ``Event/timePassed`` is to come; nil: not at all.
  var deadline: Int64? {
    switch phase {
    case .waiting(let time), .connecting(let time), .disconnecting(_, let time): time
    case .new, .over, .sharing: nil
    }
  }

  /// Takes what happened at `now`; `chance`, at least 0 and below 1, keeps it from being in step with others.
  mutating func handle(_ event: Event, at now: Int64, chance: Double) -> Action? {
    switch (phase, event) {
    case (.new, .started): return connect(now)
    case (.waiting(let time), .timePassed): return now >= time ? connect(now) : nil
    case (.waiting(let time), .network(let changes)) where changes.contains(.gained):
      let pause = min(Self.leastPause << Int64(min(hastened, 16)), Self.mostPause)
      hastened += 1
      return hasten(time, now, lastTry + pause)
    case (.waiting(let time), .woke): return hasten(time, now, lastTry + Self.leastPause)
    case (.connecting(let time), .timePassed):
      guard now >= time else { return nil }
      return disconnect(now, because: ShareEnd(.unreachable, "\(name) does not answer"))
    case (.connecting, .ready):
      (phase, hasShared, doubtful, failure) = (.sharing(since: now), true, nil, nil)
      return nil
    case (.sharing, .network(let changes)):
      // A connection whose address went may wait for minutes until it notices; over a new network it is made anew.
      if changes.contains(.lost) { doubtful = now }
      let isDoubtful = doubtful.map { now - $0 < Self.doubt } == true
      return isDoubtful && changes.contains(.gained) ? disconnect(now) : nil
    case (.sharing, .woke): return disconnect(now)
    case (.sharing, .noisy), (.connecting, .noisy):
      return disconnect(now, because: ShareEnd(.refused, "\(name) sends too much that does not come from themed"))
    case (.disconnecting(let reason, let time), .timePassed):
      guard now >= time else { return nil }
      phase = .disconnecting(reason, until: now + Self.ending)
      return .kill
    case (.sharing, .taken), (.connecting, .taken): return end(ShareEnd(.taken, "another share has taken over"))
    case (.disconnecting(let reason, _), .ended):
      if let reason { return fail(reason, now, chance) }
      phase = .waiting(until: max(now, lastTry + Self.leastPause))
      return nil
    case (.sharing, .ended(let reason)):
      forget(now)
      return fail(reason, now, chance)
    case (.connecting, .ended(let reason)): return fail(reason, now, chance)
    default: return nil
    }
  }

  private mutating func connect(_ now: Int64) -> Action {
    (phase, lastTry) = (.connecting(until: now + patience), now)
    return .connect
  }

  private mutating func hasten(_ time: Int64, _ now: Int64, _ earliest: Int64) -> Action? {
    phase = .waiting(until: min(time, max(now + Self.quick, earliest)))
    return nil
  }

  /// Forgets what has failed, where it was connected for long.
  private mutating func forget(_ now: Int64) {
    if case .sharing(let time) = phase, now - time >= Self.lasting { (backoff, hastened) = (Backoff(), 0) }
  }

  private mutating func disconnect(_ now: Int64, because reason: ShareEnd? = nil) -> Action {
    forget(now)
    phase = .disconnecting(reason, until: now + Self.ending)
    return .disconnect
  }

  private mutating func fail(_ reason: ShareEnd, _ now: Int64, _ chance: Double) -> Action? {
    if once || (reason.kind != .unreachable && !hasShared) { return end(reason) }
    failure = reason
    phase = .waiting(until: now + backoff.fail(chance: chance))
    return nil
  }

  private mutating func end(_ reason: ShareEnd) -> Action {
    phase = .over
    return .end(reason)
  }
}
