import ThemedSystem

/// Decides when to connect to the other machine, and what the end of a connection means: pure.
///
/// Times are in milliseconds, by a clock that runs on while this machine sleeps.
struct ShareLink: Hashable {
  /// Something that happened.
  enum Event: Hashable {
    /// There is something to share.
    case started
    /// themed on the other machine follows us.
    case ready
    /// themed on the other machine follows another share instead of us.
    case taken
    /// The other machine sends too much that does not come from themed.
    case noisy
    /// The connection has ended.
    case ended(ShareEnd)
    /// The deadline has passed.
    case timePassed
    /// The network has changed.
    case network(Set<NetworkChange>)
    /// This machine has woken from sleep.
    case woke
  }

  /// A task for the caller.
  enum Action: Hashable {
    /// Connect.
    case connect
    /// End the connection, and report its end.
    case disconnect
    /// Kill the connection, which did not end when asked.
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

  /// How long a new network may take to work, in milliseconds.
  private static let quick: Int64 = 500
  /// How long a connection has to last to count as a success, in milliseconds.
  private static let lasting: Int64 = 30_000
  /// The shortest time between two attempts, in milliseconds, whatever the network does.
  private static let leastPause: Int64 = 1_000
  /// The longest such time: it doubles each time that a change of network did not help.
  private static let mostPause: Int64 = 60_000
  /// After this many milliseconds ssh notices a lost route by itself, so a connection that still lives has another one.
  private static let doubt: Int64 = 60_000
  /// How long ssh may take to exit, in milliseconds.
  private static let ending: Int64 = 2_000

  /// Why the last attempt failed; nil if none failed.
  private(set) var failure: ShareEnd?
  /// The name of the other machine.
  private let name: String
  private let once: Bool
  private let patience: Int64
  private var phase = Phase.new
  private var backoff = Backoff()
  private var lastTry: Int64 = 0
  /// Whether the share has ever worked, so that failures pass by waiting.
  private var hasShared = false
  /// When an address or a route was last lost since the connection began.
  private var doubtful: Int64?
  /// How often changes of network caused an early attempt since the last long connection.
  private var hastened = 0

  /// A link that is tried once or repeatedly; an attempt to connect may take `patience` milliseconds.
  init(to name: String = "it", once: Bool = false, patience: Int64) {
    (self.name, self.once, self.patience) = (name, once, patience)
  }

  /// When to send ``Event/timePassed``; nil for never.
  var deadline: Int64? {
    switch phase {
    case .waiting(let time), .connecting(let time), .disconnecting(_, let time): time
    case .new, .over, .sharing: nil
    }
  }

  /// Handles an event at `now`; `chance`, at least 0 and below 1, varies the pauses at random.
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
      // A connection that lost its address may take minutes to notice, so a new network means a new connection.
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
      if once { return end(ShareEnd(.unreachable, "the connection to \(name) ended")) }
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

  /// Forgets earlier failures after a long connection.
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

/// The pause before the next attempt: it doubles after each failure, up to five minutes, and varies at random, so that
/// machines do not try in step.
struct Backoff: Hashable {
  /// The first pause, in milliseconds, and the longest.
  static let pauses: ClosedRange<Int64> = 1_000...300_000

  private var failures = 0

  /// No failure yet.
  init() {}

  /// The pause after one more failure, in milliseconds; `chance` is at least 0 and below 1.
  mutating func fail(chance: Double) -> Int64 {
    let doublings = min(failures, 16)
    failures = doublings + 1
    let pause = min(Self.pauses.lowerBound << Int64(doublings), Self.pauses.upperBound)
    return Int64(Double(pause) * (0.75 + chance / 2))
  }
}
