internal import Glibc
package import ThemedSystem

/// Uses a connection to the session bus, and receives what other programs send over it.
package protocol BusClient: AnyObject {
  /// The connection was made, lost, or cannot be made for now.
  func busChanged(_ event: SessionBus.Event)
  /// A signal came from another program: match rules do not stop a signal that is sent directly to us.
  func received(_ signal: Message)
  /// A name that a match rule of ours asks for has got an owner.
  func arrived(_ name: Text)
  /// Another program calls: returns the reply; nil if there is no such method.
  func answer(_ call: Message) -> Message?
  /// A warning about the bus or other programs that a user may want to see.
  func warned(_ text: String)
}

extension BusClient {
  package func received(_ signal: Message) {}
  package func arrived(_ name: Text) {}
  package func answer(_ call: Message) -> Message? { nil }
  package func warned(_ text: String) {}
}

/// Keeps a connection to the session bus, whenever there is one.
package final class SessionBus: ConnectionOwner {
  package enum Event {
    /// The bus has answered and can be called.
    case connected(Connection)
    /// The connection was lost, and a new one is attempted.
    ///
    /// `isRepeated` is true if neither this connection nor the one before it lasted long.
    case disconnected(Trouble, isRepeated: Bool)
    /// It cannot be reached for now.
    case unreachable(Trouble)
  }

  /// Why there is no connection, and when the next attempt is.
  package struct Trouble: Sendable, CustomStringConvertible {
    package let reason: String
    /// The delay before the next attempt, in milliseconds; nil if the attempt waits for a change at the socket's path,
    /// or for ``start()``.
    package let delay: Int?

    package var description: String {
      guard let delay, delay >= 1000 else { return reason }
      return "\(reason) (next attempt in \(delay / 1000) s)"
    }
  }

  /// How long a connection has to last to count as stable, in milliseconds.
  private static let probation = 10_000

  private let addresses: [SocketAddress]
  private let limits: Connection.Limits
  private weak var client: (any BusClient)?
  private var connection: Connection?
  /// When the bus answered, by ``monotonicMilliseconds()``; nil if it has not.
  private var connected: Int?
  private var retry = Retry()
  /// Whether the last connection ended before it was stable.
  private var wasBrief = false
  private var timer: Source?
  private var watch: PathWatch?
  private var watching: Source?
  /// The socket at the path at the last attempt; nil if there was none.
  private var socket: FileIdentity?

  /// A bus at one of `addresses`, which `client` uses from ``start()`` on.
  package init(at addresses: [SocketAddress], limits: Connection.Limits, for client: any BusClient) {
    (self.addresses, self.limits, self.client) = (addresses, limits, client)
  }

  deinit { watching?.cancel() }

  /// Connects now if the bus is there, or as soon as it appears; calling it more than once is harmless.
  package func start() {
    guard connection == nil else { return }
    retry.reset()
    attempt()
  }

  private func attempt() {
    timer = nil
    // Before the attempt, so that no later change at the path is missed.
    awaitPath()
    var failure: SystemError?
    for address in addresses {
      do throws(SystemError) {
        try greet(Connection(to: address, limits: limits))
        return
      } catch {
        failure = error
      }
    }
    guard let failure else { return }
    client?.busChanged(.unreachable(Trouble(reason: "\(failure)", delay: retryLater(after: failure.code))))
  }

  private func greet(_ connection: Connection) {
    self.connection = connection
    connection.owner = self
    // No time limit: a frozen bus continues some time, and a dead one hangs up.
    connection.call(.bus("Hello"), timeout: .never) { [weak self] answer in
      guard let self, self.connection === connection else { return }
      if case .failure(let failure) = answer { return lost(connection, "it refused the connection: \(failure)") }
      connected = monotonicMilliseconds()
      stopWaiting()
      connection.client = client
      client?.busChanged(.connected(connection))
    }
  }

  /// Says that the connection was lost, and plans the next attempt.
  package func lost(_ connection: Connection, _ reason: String) {
    guard self.connection === connection else { return }
    self.connection = nil
    connection.close()
    awaitPath()
    // A bus that answers and then hangs up is also tried at growing intervals. (Not by a timer, which would wake us for
    // nothing.)
    let stayed = connected.map { monotonicMilliseconds() - $0 >= Self.probation }
    if stayed == true { retry.reset() }
    let trouble = Trouble(reason: reason, delay: retryLater(after: socket == nil ? ENOENT : ECONNRESET))
    guard let stayed else { return client?.busChanged(.unreachable(trouble)) ?? () }
    connected = nil
    defer { wasBrief = !stayed }
    client?.busChanged(.disconnected(trouble, isRepeated: !stayed && wasBrief))
  }

  // MARK: Waiting for a bus

  /// Watches the path of the bus, and notes the current socket there.
  private func awaitPath() {
    watchPath()
    // Compare after the watch is set: earlier changes are seen here, later ones by the watch.
    socket = path.flatMap(FileIdentity.init)
  }

  /// Keeps the same watch during the whole wait, because closing one takes the kernel tens of milliseconds.
  private func watchPath() {
    guard let path else { return }
    do throws(SystemError) {
      if watching == nil {
        let watch = try PathWatch(path: path)
        watching = try EventLoop.main.watch(watch.descriptor, for: .readable) { [weak self] _ in self?.pathChanged() }
        self.watch = consume watch
      }
      watch?.drain()
      _ = try watch?.arm()
    } catch {
      // Without a watch, such as if inotify watches have run out, only the delays remain.
      stopWaiting()
    }
  }

  /// Something has changed in the directory of the bus's socket, or above it.
  private func pathChanged() {
    watchPath()
    guard let path else { return }
    let now = FileIdentity(of: path)
    let isNew = now != socket
    if isNew { retry.reset() }
    guard let connection else {
      // Changes of other files beside it are no reason to try earlier.
      if isNew || timer == nil { attempt() }
      return
    }
    // It has not answered, and if another bus has taken its place, it never will. A bus whose socket was only removed
    // may still answer.
    guard isNew, now != nil else { return }
    self.connection = nil
    connection.close()
    attempt()
  }

  /// Schedules the next attempt and returns its delay, unless the file system will show the return of the bus.
  private func retryLater(after code: CInt) -> Int? {
    timer = nil
    let isWatched = watching != nil
    if code == ENOENT, isWatched {
      retry.reset()
      return nil
    }
    guard let delay = retry.next(willShow: isWatched && (code == ECONNREFUSED || code == EACCES)) else { return nil }
    timer = EventLoop.main.timer(afterMilliseconds: delay) { [weak self] in self?.attempt() }
    return delay
  }

  private var path: String? { addresses.first { !$0.isAbstract }?.name }

  /// Stops watching the path; the delay continues.
  private func stopWaiting() {
    watching = nil
    watch = nil
  }
}

/// Decides when to try a bus again that could not be reached or that hung up: a pure rule.
///
/// The delay doubles each time. If the socket exists but refuses, either its bus is just starting, or a dead bus left
/// the socket behind. It is tried a few times and then no more, because a new bus changes the file system. Some cases
/// do not change the file system: a bus that hangs with a full queue, a bus that hangs up, and an address without a
/// path. They are tried for ever, at growing intervals.
struct Retry {
  private static let first = 20
  private static let attempts = 10
  /// About eleven minutes.
  private static let most = 16

  private var failures = 0

  /// How many milliseconds to wait after one more failure; nil: wait for a change of the file system.
  ///
  /// `willShow` says whether the return of the bus would be visible there.
  mutating func next(willShow: Bool) -> Int? {
    guard failures < Self.attempts || !willShow else { return nil }
    failures = min(failures + 1, Self.most)
    return Self.first << (failures - 1)
  }

  /// The bus stayed connected, or its socket was missing: the next failure starts with the shortest delay again.
  mutating func reset() { failures = 0 }
}

package let busName: Text = "org.freedesktop.DBus"
