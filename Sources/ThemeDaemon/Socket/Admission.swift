internal import Glibc
internal import ThemedUnix

/// Decides who is let in, and when nobody is for a while: a pure state machine, which ``Entrance`` carries out.
///
/// Nobody is accepted for a while where somebody could not be, for want of a descriptor or of memory: what waits would be
/// reported for ever. Accepting goes on when a connection has ended, whose descriptor is free by the next turn of the
/// loop, or else after a delay, since nothing tells of what others set free.
struct Admission: Hashable {
  /// What to do about somebody who has come.
  enum Answer: Hashable {
    /// Let him in, and say so by ``admitted()``; where that fails, by ``failed(_:)``.
    case admit
    /// Close his connection, and warn where there is something to say.
    case refuse(Warning?)
  }

  /// Nobody is to be accepted for a while.
  struct Pause: Hashable {
    /// After how long to call ``resumed()``, and not for any earlier request.
    let milliseconds: Int
    /// What to warn of, where there is something to say.
    let warning: Warning?
  }

  /// What a user may want to know.
  enum Warning: Hashable, CustomStringConvertible {
    /// Somebody of another user; nil where the kernel does not say of whom.
    case stranger(UInt32?)
    /// There are so many connections, and no room for more.
    case full(connections: Int)
    /// There are so many connections that may only read, and no room for more of these.
    case fullOfReaders(connections: Int)
    /// Why nobody can be accepted.
    case shortage(SystemError)

    var description: String {
      switch self {
      case .stranger(nil): "refused a connection from an unknown peer (further ones are not logged)"
      case .stranger(let user?):
        "refused a connection from user \(user) (further ones of this user are not logged)"
      case .full(let connections): "refusing new connections: there are already \(connections) connections"
      case .fullOfReaders(let connections):
        "refusing new connections to the read-only socket: there are already \(connections) connections"
      case .shortage(let error): "cannot accept connections for now: \(error)"
      }
    }
  }

  private enum Phase {
    /// Whoever comes is accepted.
    case accepting
    /// Nobody is, until a delay is over.
    case paused
    /// Nobody is, until the next turn.
    case aboutToAccept
  }

  /// How many connections there may be.
  var maximum: Int
  /// Whose connections are let in.
  private let rule: PeerRule
  /// How many have been let in and not ended.
  private(set) var connections = 0
  /// How many of them may only read.
  private(set) var readers = 0
  private var phase = Phase.accepting
  /// For whom it was said that there is no room, and there has not been some since.
  private var full: Set<Rights> = []
  /// Whether it was said that nobody can be accepted, and not all who wait have been since.
  private var isShort = false
  /// Who was refused, and told of.
  private var strangers: Set<UInt32?> = []

  /// Lets in at most so many connections of whom the rule admits.
  init(maximum: Int, by rule: PeerRule) {
    self.maximum = maximum
    self.rule = rule
  }

  /// Whether who comes is to be waited for.
  var isAccepting: Bool { phase == .accepting }

  /// How many of the connections may be of those who may only read: however many these are, there is room for others.
  ///
  /// One in any case: a socket that lets nobody in is of no use.
  private var maximumOfReaders: Int { max(1, maximum / Limits.readersShare) }

  /// How many of the places are taken: where the maximum was lowered, those who may only read hold no more of them than
  /// they are given now.
  private var taken: Int { connections - readers + min(readers, maximum / Limits.readersShare) }

  /// Whether there is room for one more with these rights.
  func hasRoom(for rights: Rights) -> Bool {
    taken < maximum && (rights == .all || readers < maximumOfReaders)
  }

  /// Somebody has come through a socket that gives these rights; nil where the kernel does not say of which user.
  mutating func came(of user: UInt32?, for rights: Rights) -> Answer {
    guard rule.admits(user) else { return .refuse(stranger(user)) }
    guard !hasRoom(for: rights) else { return .admit }
    // Where clients keep coming at the limit, one line says so until there is room again for more than the next.
    guard full.insert(rights).inserted else { return .refuse(nil) }
    let isFull = taken >= maximum
    return .refuse(isFull ? .full(connections: connections) : .fullOfReaders(connections: readers))
  }

  /// Says so once: somebody who tries for ever is not to fill the log.
  private mutating func stranger(_ user: UInt32?) -> Warning? {
    guard strangers.count < Limits.refusedUsers, strangers.insert(user).inserted else { return nil }
    return .stranger(user)
  }

  /// One more is in.
  mutating func admitted(_ rights: Rights) {
    connections += 1
    if rights == .reading { readers += 1 }
  }

  /// All who waited have been accepted.
  mutating func nobodyWaits() {
    isShort = false
  }

  /// Somebody could not be accepted, or not be let in, or nobody can be waited for.
  ///
  /// Said once, until all who wait have been accepted.
  mutating func failed(_ error: SystemError) -> Pause {
    phase = .paused
    // The end of a connection frees a descriptor, and is waited for. Where it is the whole system that has none left, or
    // others here hold them, as files that hang do, nothing tells when.
    let isOurs = error.code == EMFILE && connections > 0
    defer { isShort = true }
    return Pause(
      milliseconds: isOurs ? Limits.slowAcceptRetry : Limits.acceptRetry, warning: isShort ? nil : .shortage(error))
  }

  /// One who was in has gone.
  ///
  /// Whether to call ``resumed()`` in the next turn, and no more after the delay. Once: others that end meanwhile put off
  /// nothing.
  mutating func ended(_ rights: Rights) -> Bool {
    connections -= 1
    if rights == .reading { readers -= 1 }
    if taken < maximum - maximum / 8 {
      full.remove(.all)
      if readers < maximumOfReaders - maximumOfReaders / 8 { full.remove(.reading) }
    }
    guard phase == .paused else { return false }
    phase = .aboutToAccept
    return true
  }

  /// Who comes is waited for again.
  mutating func resumed() {
    phase = .accepting
  }
}
