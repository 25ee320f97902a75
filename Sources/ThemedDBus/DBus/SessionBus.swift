internal import Glibc
public import ThemedSystem

/// Keeps a connection to the session bus, whenever there is one.
public final class SessionBus {
  /// A change of the connection to the bus.
  public enum Event {
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
  public struct Trouble: Sendable, CustomStringConvertible {
    /// The problem, in words.
    public let reason: String
    /// The delay before the next attempt, in milliseconds; nil if the attempt waits for a change at the socket's path,
    /// or for ``start()``.
    public let delay: Int?

    /// The message for a person.
    public var description: String {
      guard let delay, delay >= 1000 else { return reason }
      return "\(reason) (next attempt in \(delay / 1000) s)"
    }
  }

  /// How long a connection has to last to count as stable, in milliseconds.
  private static let probation = 10_000

  private let addresses: [SocketAddress]
  private let limits: Connection.Limits
  private let handler: (Event) -> Void
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

  /// A bus at one of `addresses`, whose events go to `handler` from ``start()`` on.
  public init(at addresses: [SocketAddress], limits: Connection.Limits, _ handler: @escaping (Event) -> Void) {
    self.addresses = addresses
    self.limits = limits
    self.handler = handler
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  /// Connects now if the bus is there, or as soon as it appears; calling it more than once is harmless.
  public func start() {
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
    handler(.unreachable(Trouble(reason: "\(failure)", delay: retryLater(after: failure.code))))
  }

  private func greet(_ connection: Connection) {
    self.connection = connection
    connection.onDisconnect = { [weak self] in self?.lose(connection, $0) }
    // No time limit: a frozen bus continues some time, and a dead one hangs up.
    connection.call(.bus("Hello"), timeout: .never) { [weak self] answer in
      guard let self, self.connection === connection else { return }
      if case .failure(let failure) = answer { return lose(connection, "it refused the connection: \(failure)") }
      connected = monotonicMilliseconds()
      stopWaiting()
      handler(.connected(connection))
    }
  }

  private func lose(_ lost: Connection, _ reason: String) {
    guard connection === lost else { return }
    drop(lost)
    awaitPath()
    // A bus that answers and then hangs up is also tried at growing intervals. (Not by a timer, which would wake us for
    // nothing.)
    let stayed = connected.map { monotonicMilliseconds() - $0 >= Self.probation }
    if stayed == true { retry.reset() }
    let trouble = Trouble(reason: reason, delay: retryLater(after: socket == nil ? ENOENT : ECONNRESET))
    guard let stayed else { return handler(.unreachable(trouble)) }
    connected = nil
    defer { wasBrief = !stayed }
    handler(.disconnected(trouble, isRepeated: !stayed && wasBrief))
  }

  private func drop(_ lost: Connection) {
    connection = nil
    lost.close()
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
        watching = try MainLoop.watch(watch.descriptor.raw, for: .readable) { [weak self] _ in self?.pathChanged() }
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
    drop(connection)
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
    timer = MainLoop.timer(afterMilliseconds: delay) { [weak self] in self?.attempt() }
    return delay
  }

  private var path: String? { addresses.first { !$0.isAbstract }?.name }

  /// Stops watching the path; the delay continues.
  private func stopWaiting() {
    watching = nil
    watch = nil
  }
}

/// The name of the bus itself.
public let busName: Text = "org.freedesktop.DBus"
