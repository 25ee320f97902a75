internal import ThemedSystem
internal import ThemedVarlink

/// The rights of a connection, as decided by its socket for the connection's whole life.
///
/// There is no default anywhere, so that code that makes or hands over a connection has to consider it. The numbers are
/// for handovers, where 0 means none.
enum Rights: UInt8, Hashable, CaseIterable {
  case all = 1
  /// Read only: it changes nothing, and learns neither paths nor what other clients do.
  case reading = 2

  var limits: ServerConnection.Limits { self == .all ? Limits.connection : Limits.readersConnection }
}

/// A client's rights and subscription; it has no defaults, so that code that hands a connection over has to consider
/// every field.
struct ClientOptions: Hashable {
  let rights: Rights
  /// The name that the client gave when it subscribed.
  let app: Text?
  /// Whether it asked for the details of the theme when it subscribed.
  let wantsDetails: Bool
  /// The list that it follows; nil if it follows none, but perhaps the state.
  let list: FollowedList?

  /// Whether the client asked for the common state without details.
  var isPlain: Bool { app == nil && !wantsDetails }

  static func usual(_ rights: Rights) -> ClientOptions {
    ClientOptions(rights: rights, app: nil, wantsDetails: false, list: nil)
  }
}

/// One client's connection: its descriptor, and the pure state machine that decides what to do with it.
final class ClientConnection {
  /// The number of this connection in this process, in the order of arrival.
  let token: UInt64
  let peer: Peer
  /// The client's rights and subscription, which the next process must know.
  var options: ClientOptions { didSet { getsCommonFrame = Self.getsCommonFrame(options) } }
  /// Whether it gets the frame that nearly all clients get, so that one look is enough at a change.
  private(set) var getsCommonFrame: Bool

  /// How many calls were served.
  var calls = 0
  /// Whether the client has gone while its call was being answered, so that a later answer goes nowhere.
  var isGone = false
  /// Whether it has calls that wait for the next turn of the loop.
  var isQueued = false

  var machine: ServerConnection
  let descriptor: FileDescriptor
  /// The conditions that the epoll set waits for; nil if the connection is not in it.
  var interest: EventLoop.Condition?

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
    options.isPlain && options.rights == .all
  }

  /// The program at the other end for the log, to follow the process number; empty if it is not known.
  ///
  /// It is looked up when a client has changed something and all subscribers have been served, not when the client
  /// connects: that would delay all others.
  private(set) lazy var program: Text = programName(of: peer, at: descriptor).map { ", \($0.shown())" } ?? ""
}

/// Counts the bytes that wait for all read-only connections together: each could let a reply of a megabyte wait, and
/// there may be thousands.
///
/// Frames for subscribers and followers of lists are shared arrays, and do not count. Pure.
struct ReadersReplies {
  /// The bytes that wait for one of them.
  struct Share {
    fileprivate(set) var bytes = 0
    /// Since when it has been that much or more: a connection that has read a reply starts again.
    fileprivate(set) var since = 0
  }

  private var sum = 0
  private var time = 0

  /// Whether more than half of the limit is waiting.
  var isAboveHalf: Bool { sum > Limits.readersReplies / 2 }

  /// Takes how many bytes wait for a connection now; returns whether all together are too many.
  mutating func note(_ bytes: Int, for share: inout Share) -> Bool {
    guard bytes != share.bytes else { return false }
    time += 1
    if bytes < share.bytes || share.bytes == 0 { share.since = time }
    sum += bytes - share.bytes
    share.bytes = bytes
    return sum > Limits.readersReplies
  }

  mutating func forget(_ share: inout Share) {
    sum -= share.bytes
    share.bytes = 0
  }
}
