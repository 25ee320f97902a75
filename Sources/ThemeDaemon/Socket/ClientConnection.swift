internal import ForeignText
internal import MainLoop
internal import Unix
internal import Varlink

/// One client's connection: its descriptor, and the pure state machine that says what to do with it.
final class ClientConnection {
  /// Names this connection among all of this process's life, in the order in which they came.
  let token: UInt64
  /// Who is at the other end.
  let peer: Peer
  /// The name that the client gave when it began to monitor.
  private(set) var app: Text?
  /// Whether it asked for the details of the theme when it began to monitor.
  private(set) var wantsDetails = false
  /// Whether it did neither, as nearly all: they are told of a change by one look at each.
  private(set) var isPlain = true

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

  /// Where it is among the subscribers; nil where it is none.
  var place: Int?

  /// A connection; by itself, one of which nothing was read yet.
  init(
    token: UInt64, peer: Peer, descriptor: consuming FileDescriptor,
    machine: ServerConnection = ServerConnection(limits: Limits.connection)
  ) {
    self.token = token
    self.peer = peer
    self.descriptor = descriptor
    self.machine = machine
  }

  /// Takes note of what the client asked for when it began to monitor.
  func monitors(as app: Text?, details: Bool) {
    (self.app, wantsDetails, isPlain) = (app, details, app == nil && !details)
  }

  /// Who is at the other end, in words: its process, and the program that this runs.
  ///
  /// The name is read when somebody first changes something, not when he connects, which all others would pay for: who
  /// asks waits for the answer.
  private(set) lazy var caller: String = {
    let program = programName(of: peer, at: descriptor).map { ", \($0.shown())" } ?? ""
    return "process \(peer.pid)\(program)"
  }()
}
