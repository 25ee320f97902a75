internal import ThemedText
internal import ThemedLoop
internal import ThemedUnix
internal import ThemedVarlink

/// What a connection is told, and as whom; without defaults, so that whoever hands one on has to think of all of it.
struct Standing: Hashable {
  /// What it may do.
  let rights: Rights
  /// The name that the client gave when it began to monitor.
  let app: Text?
  /// Whether it asked for the details of the theme when it began to monitor.
  let wantsDetails: Bool
  /// The list that it follows; nil where it follows none, but may monitor.
  let list: FollowedList?

  /// Whether it is told the state of all, without details.
  var isToldTheCommon: Bool { app == nil && !wantsDetails }

  /// That of one who has asked for nothing in particular.
  static func usual(_ rights: Rights) -> Standing {
    Standing(rights: rights, app: nil, wantsDetails: false, list: nil)
  }
}

/// One client's connection: its descriptor, and the pure state machine that says what to do with it.
final class ClientConnection {
  /// Names this connection among all of this process's life, in the order in which they came.
  let token: UInt64
  /// Who is at the other end.
  let peer: Peer
  /// What it is told, and as whom: what the next process has to know of it.
  var standing: Standing {
    didSet { isToldTheCommon = Self.isToldTheCommon(standing) }
  }
  /// Whether it is told what nearly all are, who are told of a change by one look at each.
  private(set) var isToldTheCommon: Bool

  /// How many calls were served.
  var calls = 0
  /// Whether the peer has gone while a call of it was being answered: answers that come later go nowhere.
  var isGone = false
  /// Whether it has calls that wait for the next turn of the loop.
  var isUnserved = false

  /// What to do next.
  var machine: ServerConnection
  /// Its socket.
  let descriptor: FileDescriptor
  /// What the epoll set waits for; nil where the connection is not in it.
  var interest: EpollSet.Interest?

  /// What waits to be taken by it, where it is one of those who may only read.
  var waiting = ReadersReplies.Share()

  /// Where it is among those who monitor, or among those who follow a list; nil where it is neither.
  var place: Int?
  /// Which version of the list it was told last; 0: none by this process.
  var toldVersion = 0

  /// A connection; by itself, one of which nothing was read yet.
  init(
    token: UInt64, peer: Peer, standing: Standing, descriptor: consuming FileDescriptor,
    machine: ServerConnection? = nil
  ) {
    self.token = token
    self.peer = peer
    self.standing = standing
    isToldTheCommon = Self.isToldTheCommon(standing)
    self.descriptor = descriptor
    self.machine = machine ?? ServerConnection(limits: standing.rights.limits)
  }

  /// Who may only read is told less.
  private static func isToldTheCommon(_ standing: Standing) -> Bool {
    standing.isToldTheCommon && standing.rights == .all
  }

  /// What the log says of the program at the other end, behind its process; nothing where it is not known.
  ///
  /// The name is read when somebody has changed something and all have heard of it, not when he connects, which all
  /// others would pay for: who asks waits for the answer.
  private(set) lazy var program: Text = programName(of: peer, at: descriptor).map { ", \($0.shown())" } ?? ""
}
