internal import ThemedUnix

/// What ``ThemeSource`` is for the state, for whatever is followed.
package struct FollowingSource<Subject: Followed>: ~Copyable, Sendable {
  private let path: String
  private let parts: DescriptorSet
  private let alarm: Alarm
  private var session: FollowingSession<Subject>
  private var connection: DaemonConnection?
  /// Reports when the socket appears; there while there is no connection.
  private var watch: PathWatch?
  /// What lay at the socket's place when it was last tried.
  private var tried: FileIdentity?
  private var hasStarted = false
  private var failure: ThemeClientError?
  /// Why there is no connection, if it was tried to make one.
  private var trouble: ThemeClientError?

  /// Will follow this, from the first call of ``process()`` on, at the daemon that listens at `socket`.
  package init(_ subject: Subject, socket: String?) throws(ThemeClientError) {
    let path = try socketPath(socket)
    let parts = try ofSystem { () throws(SystemError) in try DescriptorSet() }
    let alarm = try ofSystem { () throws(SystemError) in try Alarm() }
    try ofSystem { () throws(SystemError) in try parts.add(alarm.descriptor.raw, as: Part.alarm.rawValue) }
    alarm.set(afterMilliseconds: 0)
    self.init(path: path, session: FollowingSession(subject), parts: parts, alarm: alarm)
  }

  private init(
    path: String, session: FollowingSession<Subject>, parts: consuming DescriptorSet, alarm: consuming Alarm
  ) {
    self.path = path
    self.session = session
    self.parts = parts
    self.alarm = alarm
  }

  /// Readable as long as there is something to do.
  package var descriptor: CInt { parts.descriptor.raw }

  /// Whether there is a connection to the daemon.
  package var isConnected: Bool {
    switch connection {
    case nil: false
    case _?: true
    }
  }

  /// Does what there is to do, without ever waiting, and returns the value if a new one came.
  package mutating func process() throws(ThemeClientError) -> Subject.Value? {
    // A daemon that does not stop to speak is read on in the next round of the loop.
    for _ in 0..<Self.rounds {
      let ready = parts.ready(.nonblocking)
      guard !ready.isEmpty else { break }
      for number in ready { attend(to: Part(rawValue: number)) }
    }
    if let value = session.take() {
      // What ended it is to be heard, too.
      if failure != nil { alarm.set(afterMilliseconds: 0) }
      return value
    }
    if let failure { throw failure }
    return nil
  }

  /// Connects now rather than in ``process()``, and throws where that fails.
  mutating func connect() throws(ThemeClientError) {
    start()
    if let error = failure ?? trouble { throw error }
  }

  private static var rounds: Int { 8 }
  /// How long after a directory on the way has come it is looked again, in milliseconds: as at a login, when what is made
  /// is mounted on a moment later.
  private static var mounting: Int { 1000 }
}

/// What its descriptors are, by their numbers in the set.
private enum Part: UInt64 { case alarm, watch, connection }

// MARK: Telling the session what happened

extension FollowingSource {
  private mutating func attend(to part: Part?) {
    switch part {
    case .alarm:
      alarm.set(afterMilliseconds: nil)
      if hasStarted { tell(.timePassed) } else { start() }
    case .watch:
      watch?.drain()
      let way = watch?.directories
      switch isSocketThere() {
      case true? where FileIdentity(of: path) != tried: tell(.socketAppeared)
      // A file system that is mounted on a directory that has just come is told by nobody.
      case false? where watch?.directories != way: alarm.set(afterMilliseconds: Self.mounting)
      // Nobody tells any more.
      case nil: alarm.set(afterMilliseconds: ThemeSession.longestPause.milliseconds)
      // Others' files come and go beside it: they are no reason to try now.
      default: break
      }
    case .connection: receive()
    case nil: break
    }
  }

  private mutating func start() {
    guard !hasStarted else { return }
    hasStarted = true
    alarm.set(afterMilliseconds: nil)
    tell(.started)
  }

  private mutating func tell(_ event: ThemeSession.Event) {
    switch session.handle(event)?.content {
    case .connect: open()
    case .send(let bytes): send(bytes)
    case .wait(let pause): wait(pause)
    case .giveUp(let error):
      close()
      failure = error
    case nil: break
    }
  }

  private mutating func receive() {
    switch connection?.receive() {
    case .bytes(let bytes)?:
      // Who answers is there.
      if !bytes.isEmpty { trouble = nil }
      tell(.received(bytes))
    case .lost(let reason)?: lose(reason)
    case nil: break
    }
  }
}

// MARK: Doing what it says

extension FollowingSource {
  private mutating func open() {
    close()
    tried = FileIdentity(of: path)
    do throws(ThemeClientError) {
      guard let made = try DaemonConnection(path: path) else { throw .crowded(path: path) }
      try ofSystem { () throws(SystemError) in try parts.add(made.descriptor, as: Part.connection.rawValue) }
      let stranger = made.stranger
      connection = consume made
      trouble = nil
      tell(.connected(stranger: stranger))
    } catch {
      trouble = error
      tell(.disconnected)
    }
  }

  private mutating func send(_ bytes: [UInt8]) {
    switch connection?.send(bytes[...]) {
    case .bytes(bytes.count)?: break
    case .lost(let reason)?: lose(reason)
    default: lose("it takes no call")
    }
  }

  private mutating func lose(_ reason: String) {
    trouble = .connectionLost(reason: reason)
    tell(.disconnected)
  }

  /// Waits for so long, or until the socket appears.
  ///
  /// Without a socket there is nothing to try until one appears. With one, a listener may come to stand behind it unseen;
  /// and without a watch, of which a user has only so many, nothing is seen.
  private mutating func wait(_ pause: Duration) {
    close()
    do throws(SystemError) {
      // A path that is not absolute starts here.
      let made = try PathWatch(path: path.utf8.first == UInt8(ascii: "/") ? path : "./" + path)
      try parts.add(made.descriptor.raw, as: Part.watch.rawValue)
      watch = consume made
    } catch {}
    alarm.set(afterMilliseconds: isSocketThere() == false ? nil : pause.milliseconds)
  }

  /// Whether something is at the socket's place, which is watched from now on; nil where it cannot be.
  private mutating func isSocketThere() -> Bool? { try? watch?.arm() }

  /// Out of the set, and then closed: a copy in a child of a fork would keep it there.
  private mutating func close() {
    if let connection = connection?.descriptor { parts.remove(connection) }
    if let watch = watch?.descriptor.raw { parts.remove(watch) }
    connection = nil
    watch = nil
    alarm.set(afterMilliseconds: nil)
  }
}

/// What the system gives; throws what it says where it refuses.
package func ofSystem<Value: ~Copyable, Trouble: Error & CustomStringConvertible>(
  _ ask: () throws(Trouble) -> Value
) throws(ThemeClientError) -> Value {
  do throws(Trouble) { return try ask() } catch { throw .system(error.description) }
}

extension Duration {
  /// In whole milliseconds, rounded up; a very long one is a million seconds, and what lies behind is none.
  package var milliseconds: Int {
    guard self > .zero else { return 0 }
    guard self < .seconds(1_000_000) else { return 1_000_000_000 }
    return Int((self / .milliseconds(1)).rounded(.up))
  }
}
