internal import Glibc
internal import ThemedSystem

/// Decides which connections to accept, and when to accept none for a while: a pure state machine that ``Acceptor``
/// carries out.
///
/// If a connection cannot be accepted because descriptors or memory have run out, none is accepted for a while;
/// otherwise the loop would report it again and again. Accepting continues in the turn after a connection has ended,
/// because its descriptor is free then. Otherwise it continues after a delay, because nothing reports what other
/// programs free.
struct Admission: Hashable {
  enum Answer: Hashable {
    /// Accept it, and then call ``admitted()``, or ``failed(_:)`` if that fails.
    case admit
    /// Close it, and log the warning, if there is one.
    case refuse(Warning?)
  }

  struct Pause: Hashable {
    /// After how long to call ``resumed()``, instead of any earlier request.
    let milliseconds: Int
    let warning: Warning?
  }

  enum Warning: Hashable, CustomStringConvertible {
    /// A connection of another user; nil if the kernel does not name the user.
    case stranger(UInt32?)
    case full(connections: Int)
    case fullOfReaders(connections: Int)
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
    case accepting
    case paused
    case aboutToAccept
  }

  var maximum: Int
  private let rule: PeerRule
  private(set) var connections = 0
  /// How many of them are read-only.
  private(set) var readers = 0
  private var phase = Phase.accepting
  /// For which rights it was logged that there is no room, and there has been none since.
  private var full: Set<Rights> = []
  /// Whether it was logged that no connection can be accepted, and some are still waiting.
  private var isShort = false
  /// The users whose refusal was logged.
  private var strangers: Set<UInt32?> = []

  /// Accepts at most this many connections of the users that the rule allows.
  init(maximum: Int, by rule: PeerRule) {
    (self.maximum, self.rule) = (maximum, rule)
  }

  var isAccepting: Bool { phase == .accepting }

  /// How many connections may be read-only, so that there is always room for others.
  ///
  /// At least one: a socket that accepts nothing is useless.
  private var maximumOfReaders: Int { max(1, maximum / Limits.readersShare) }

  /// How many places are taken; if the maximum was lowered, read-only connections count only up to their new share.
  private var taken: Int { connections - readers + min(readers, maximum / Limits.readersShare) }

  func hasRoom(for rights: Rights) -> Bool {
    taken < maximum && (rights == .all || readers < maximumOfReaders)
  }

  /// A connection arrived at a socket with these rights; the user is nil if the kernel does not name it.
  mutating func came(of user: UInt32?, for rights: Rights) -> Answer {
    guard rule.admits(user) else { return .refuse(stranger(user)) }
    guard !hasRoom(for: rights) else { return .admit }
    // If clients keep coming at the limit, one line is enough until there is room for more than one again.
    guard full.insert(rights).inserted else { return .refuse(nil) }
    let isFull = taken >= maximum
    return .refuse(isFull ? .full(connections: connections) : .fullOfReaders(connections: readers))
  }

  /// Returns a warning once per user, because a client that keeps trying must not fill the log.
  private mutating func stranger(_ user: UInt32?) -> Warning? {
    guard strangers.count < Limits.refusedUsers, strangers.insert(user).inserted else { return nil }
    return .stranger(user)
  }

  mutating func admitted(_ rights: Rights) {
    connections += 1
    if rights == .reading { readers += 1 }
  }

  mutating func queueIsEmpty() { isShort = false }

  /// A connection could not be accepted or served, or the socket cannot be watched.
  ///
  /// It is logged once, until all waiting connections have been accepted.
  mutating func failed(_ error: SystemError) -> Pause {
    phase = .paused
    // The end of a connection frees a descriptor. If the whole system has none left, or hanging files of this daemon
    // hold them, nothing reports when one is free.
    let isOurs = error.code == EMFILE && connections > 0
    defer { isShort = true }
    return Pause(
      milliseconds: isOurs ? Limits.slowAcceptRetry : Limits.acceptRetry, warning: isShort ? nil : .shortage(error))
  }

  /// A connection has ended.
  ///
  /// Returns whether to call ``resumed()`` in the next turn, instead of after the delay. This happens once; further
  /// ends do not postpone it.
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

  mutating func resumed() { phase = .accepting }
}

/// Decides whose connections are accepted; the rule is the same for both sockets.
///
/// ``Rights`` decides which calls a client may make.
///
/// The kernel reports the user of a connection (SO_PEERCRED) when it was made, as numbered in this daemon's user
/// namespace. Only this daemon's own user is accepted:
///
/// - not root, through sudo or as a service, because overrides belong to one user;
/// - from a container of this user, only the user that is this user outside: usually its root, or with
///   `--userns=keep-id` the user with the same number. Its other users have other numbers outside, and are refused;
/// - anyone that this user's `ssh`, `socat` or the like connects for. They cannot be told apart here; the read-only
///   socket is for them.
///
/// In a user namespace that does not map all users, all strangers have the same number, the overflow number. A daemon
/// that has this number itself could not tell them from its own user, and accepts no connections.
struct PeerRule: Hashable {
  /// The user whose connections are accepted; nil: nobody's.
  let user: UInt32?

}

extension PeerRule {
  /// Accepts this user of a namespace with this `/proc/self/uid_map`.
  init(user: UInt32, ofMap map: Text, overflow: UInt32) {
    let isWhole = map.split("\n").contains { line in
      line.split(" ", omittingEmpty: true) == ["0", "0", "4294967295"]
    }
    self.user = user == overflow && !isWhole ? nil : user
  }

  /// Accepts this process's effective user; it reads only files in memory.
  static let own = PeerRule(
    user: Peer.ownUser, ofMap: text(of: "/proc/self/uid_map") ?? "",
    overflow: text(of: "/proc/sys/kernel/overflowuid").flatMap { UInt32($0.string) } ?? 65_534)

  private static func text(of path: String) -> Text? {
    guard let bytes = try? readFile(path, maximum: 4096) else { return nil }
    return Text(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
  }

  /// Whether a peer is accepted; nil if the kernel does not name its user.
  func admits(_ peer: UInt32?) -> Bool {
    guard let user else { return false }
    return peer == user
  }
}
