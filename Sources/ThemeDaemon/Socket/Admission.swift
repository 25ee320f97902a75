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
    /// Why nobody can be accepted.
    case shortage(SystemError)

    var description: String {
      switch self {
      case .stranger(nil): "a connection of nobody known was refused; so will be others"
      case .stranger(let user?):
        "a connection of another user, number \(user), was refused; so will be others of that user"
      case .full(let connections): "there are \(connections) connections: more are refused"
      case .shortage(let error): "no connection can be accepted for now: \(error)"
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
  private let user: UInt32
  /// How many have been let in and not ended.
  private(set) var connections = 0
  private var phase = Phase.accepting
  /// Whether it was said that there is no room, and there has not been some since.
  private var isFull = false
  /// Whether it was said that nobody can be accepted, and not all who wait have been since.
  private var isShort = false
  /// Who was refused, and told of.
  private var strangers: Set<UInt32?> = []

  /// Lets in at most so many connections of this user.
  init(maximum: Int, of user: UInt32) {
    self.maximum = maximum
    self.user = user
  }

  /// Whether who comes is to be waited for.
  var isAccepting: Bool { phase == .accepting }

  /// Whether there is room for one more.
  var hasRoom: Bool { connections < maximum }

  /// Somebody has come; nil where the kernel does not say of which user.
  mutating func came(of user: UInt32?) -> Answer {
    guard user == self.user else { return .refuse(stranger(user)) }
    guard !hasRoom else { return .admit }
    // Where clients keep coming at the limit, one line says so until there is room again for more than the next.
    defer { isFull = true }
    return .refuse(isFull ? nil : .full(connections: connections))
  }

  /// Says so once: somebody who tries for ever is not to fill the log.
  private mutating func stranger(_ user: UInt32?) -> Warning? {
    guard strangers.count < Limits.refusedUsers, strangers.insert(user).inserted else { return nil }
    return .stranger(user)
  }

  /// One more is in.
  mutating func admitted() {
    connections += 1
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
  mutating func ended() -> Bool {
    connections -= 1
    if connections < maximum - maximum / 8 { isFull = false }
    guard phase == .paused else { return false }
    phase = .aboutToAccept
    return true
  }

  /// Who comes is waited for again.
  mutating func resumed() {
    phase = .accepting
  }
}
