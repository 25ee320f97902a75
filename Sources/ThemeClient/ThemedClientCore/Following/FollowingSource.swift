internal import ThemedSystem

/// Follows the daemon in the caller's event loop: one descriptor to watch, and one call that never waits.
///
/// The descriptor stays the same as long as the source lives, even if the daemon restarts. The descriptor is readable
/// from the start. While the source cannot connect, it returns nothing and tries again by itself. Programs that the
/// caller starts do not inherit its descriptors.
public struct FollowingSource<Subject: Followed>: ~Copyable, Sendable {
  private let path: String
  private let parts: DescriptorSet
  private let alarm: Alarm
  private var session: FollowingSession<Subject>
  private var connection: DaemonConnection?
  /// Reports when the socket appears; present only while there is no connection.
  private var watch: PathWatch?
  /// The file at the socket's path at the last attempt to connect.
  private var tried: FileIdentity?
  private var hasStarted = false
  private var failure: CallError?
  /// Why there is no connection; nil before the first attempt.
  private var trouble: CallError?

  /// A source that will follow this subject at the daemon that listens at `socket`; the first call of ``process()``
  /// connects.
  public init(_ subject: Subject, socket: String?) throws(CallError) {
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

  /// Readable as long as there is work to do.
  public var descriptor: CInt { parts.descriptor.raw }

  /// Whether there is a connection to the daemon.
  public var isConnected: Bool {
    switch connection {
    case nil: false
    case _?: true
    }
  }

  /// Does the work that is due, without waiting, and returns a value if a new value has arrived.
  public mutating func process() throws(CallError) -> Subject.Value? {
    // Limited, so that a daemon that never stops sending cannot hold up the caller's loop.
    for _ in 0..<Self.rounds {
      let ready = parts.ready(.nonblocking)
      guard !ready.isEmpty else { break }
      for number in ready { attend(to: Part(rawValue: number)) }
    }
    if let value = session.take() {
      // The next call must report the error that ended the stream.
      if failure != nil { alarm.set(afterMilliseconds: 0) }
      return value
    }
    if let failure { throw failure }
    return nil
  }

  /// Connects now instead of in ``process()``, and throws if that fails.
  mutating func connect() throws(CallError) {
    start()
    if let error = failure ?? trouble { throw error }
  }

  private static var rounds: Int { 8 }
  /// After a directory of the path appeared, how long to wait before looking for the socket again, in milliseconds.
  ///
  /// At a login, a file system is mounted on this directory a moment later.
  private static var mounting: Int { 1000 }
}

/// The numbers of its descriptors in the set.
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
      // No event reports a file system that is mounted on a directory that has just appeared.
      case false? where watch?.directories != way: alarm.set(afterMilliseconds: Self.mounting)
      // The watch is broken, so look again after a pause.
      case nil: alarm.set(afterMilliseconds: FollowingSession<Subject>.longestPause.milliseconds)
      // Other files in the directory changed, which is no reason to try now.
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

  private mutating func tell(_ event: FollowingEvent) {
    switch session.handle(event) {
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
      // The daemon has answered, so nothing is wrong.
      if !bytes.isEmpty { trouble = nil }
      tell(.received(bytes))
    case .lost(let reason)?: lose(reason)
    case nil: break
    }
  }
}

// MARK: Carrying out the actions

extension FollowingSource {
  private mutating func open() {
    close()
    tried = FileIdentity(of: path)
    do throws(CallError) {
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
    default: lose("it does not read the call")
    }
  }

  private mutating func lose(_ reason: String) {
    trouble = .connectionLost(reason: reason)
    tell(.disconnected)
  }

  /// Waits for this long, or until the socket appears.
  ///
  /// If there is no socket file, a connection cannot succeed until the file appears. If there is a file, a daemon may
  /// start to listen without any change of the file. If the user has no watches left, changes of the file go unnoticed.
  private mutating func wait(_ pause: Duration) {
    close()
    do throws(SystemError) {
      // A path that is not absolute is relative to the current directory.
      let made = try PathWatch(path: path.utf8.first == UInt8(ascii: "/") ? path : "./" + path)
      try parts.add(made.descriptor, as: Part.watch.rawValue)
      watch = consume made
    } catch {}
    alarm.set(afterMilliseconds: isSocketThere() == false ? nil : pause.milliseconds)
  }

  /// Whether there is a file at the socket's path, which is watched from now on; nil if it cannot be watched.
  private mutating func isSocketThere() -> Bool? { try? watch?.arm() }

  /// Removes the descriptors from the set before it closes them: a copy in a forked child would keep them in the set.
  private mutating func close() {
    if let connection = connection?.descriptor { parts.remove(connection) }
    if let watch = watch?.descriptor { parts.remove(watch) }
    connection = nil
    watch = nil
    alarm.set(afterMilliseconds: nil)
  }
}

/// Makes a system call, and turns its error into a ``CallError``.
public func ofSystem<Value: ~Copyable, Trouble: Error & CustomStringConvertible>(
  _ ask: () throws(Trouble) -> Value
) throws(CallError) -> Value {
  do throws(Trouble) { return try ask() } catch { throw .system(error.description) }
}

extension Duration {
  /// The duration in whole milliseconds, rounded up; at most a million seconds, and 0 for a negative duration.
  public var milliseconds: Int {
    guard self > .zero else { return 0 }
    guard self < .seconds(1_000_000) else { return 1_000_000_000 }
    return Int((self / .milliseconds(1)).rounded(.up))
  }
}
