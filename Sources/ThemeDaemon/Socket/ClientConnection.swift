internal import ThemedDBus
internal import ThemedSystem
internal import ThemedVarlink

/// A client's rights and subscription; it has no defaults, so that code that hands a connection over has to consider
/// every field.
struct ClientOptions: Hashable {
  /// The calls that the client may make.
  let rights: Rights
  /// The name that the client gave when it subscribed.
  let app: Text?
  /// Whether it asked for the details of the theme when it subscribed.
  let wantsDetails: Bool
  /// The list that it follows; nil if it follows none, but perhaps the state.
  let list: FollowedList?

  /// Whether it gets the common state without details.
  var getsCommonFrame: Bool { app == nil && !wantsDetails }

  /// The options of a client that has not asked for anything special.
  static func usual(_ rights: Rights) -> ClientOptions {
    ClientOptions(rights: rights, app: nil, wantsDetails: false, list: nil)
  }
}

/// One client's connection: its descriptor, and the pure state machine that decides what to do with it.
final class ClientConnection {
  /// The number of this connection in this process, in the order of arrival.
  let token: UInt64
  /// The process at the other end.
  let peer: Peer
  /// The client's rights and subscription, which the next process must know.
  var options: ClientOptions {
    didSet { getsCommonFrame = Self.getsCommonFrame(options) }
  }
  /// Whether it gets the frame that nearly all clients get, so that one look is enough at a change.
  private(set) var getsCommonFrame: Bool

  /// How many calls were served.
  var calls = 0
  /// Whether the client has gone while its call was being answered, so that a later answer goes nowhere.
  var isGone = false
  /// Whether it has calls that wait for the next turn of the loop.
  var isUnserved = false

  /// The state machine.
  var machine: ServerConnection
  /// Its socket.
  let descriptor: FileDescriptor
  /// The conditions that the epoll set waits for; nil if the connection is not in it.
  var interest: EpollSet.Interest?

  /// The replies that wait, if it is read-only.
  var waiting = ReadersReplies.Share()

  /// Its index among the subscribers or the followers of lists; nil if it is neither.
  var place: Int?
  /// The version of the list that it got last; 0: none from this process.
  var sentVersion = 0

  /// A connection; without a machine, nothing has been read from it yet.
  init(
    token: UInt64, peer: Peer, options: ClientOptions, descriptor: consuming FileDescriptor,
    machine: ServerConnection? = nil
  ) {
    self.token = token
    self.peer = peer
    self.options = options
    getsCommonFrame = Self.getsCommonFrame(options)
    self.descriptor = descriptor
    self.machine = machine ?? ServerConnection(limits: options.rights.limits)
  }

  /// Read-only clients get less.
  private static func getsCommonFrame(_ options: ClientOptions) -> Bool {
    options.getsCommonFrame && options.rights == .all
  }

  /// The program at the other end for the log, to follow the process number; empty if it is not known.
  ///
  /// It is looked up when a client has changed something and all subscribers have been served, not when the client
  /// connects: that would delay all others.
  private(set) lazy var program: Text = programName(of: peer, at: descriptor).map { ", \($0.shown())" } ?? ""
}
