internal import Glibc
internal import MainLoop
public import Unix

/// When to try a bus again that could not be reached: a pure rule.
///
/// Each time after twice the time. A socket that is there and refuses is one whose bus is just starting, or one that a
/// dead bus left behind: it is tried a few times, and then no more, for what comes later shows in the file system. What
/// would not show there – a bus that hangs with a full queue, or one without a path – is tried for ever, ever less
/// often.
struct Retry {
  private static let first = 20
  private static let attempts = 10
  /// Some two weeks, and a number that fits everywhere.
  private static let most = 26

  private var failures = 0

  /// How many milliseconds to wait after one more failure; nil: wait for the file system to change.
  ///
  /// `willShow` tells whether a bus that comes back will show there.
  mutating func next(willShow: Bool) -> Int? {
    guard failures < Self.attempts || !willShow else { return nil }
    failures = min(failures + 1, Self.most)
    return Self.first << (failures - 1)
  }

  /// The bus answered, or its socket was not there: what comes next is a new start.
  mutating func reset() {
    failures = 0
  }
}

/// The session bus, connected to whenever it is there.
public final class SessionBus {
  /// What happens to it.
  public enum Event {
    /// The bus has answered: from now on it can be called.
    case connected(Connection)
    /// The bus is gone, and is waited for.
    case disconnected
    /// It cannot be reached for now, for this reason.
    case unreachable(String)
  }

  private let addresses: [SocketAddress]
  private let limits: Connection.Limits
  private let handler: (Event) -> Void
  private var connection: Connection?
  private var isConnected = false
  private var retry = Retry()
  private var dropped: [Connection] = []
  private var closing: Source?
  private var timer: Source?
  private var watch: PathWatch?
  private var watching: Source?
  /// The socket that was at the path when it was last tried; nil where there was none.
  private var socket: FileIdentity?

  /// A bus at one of `addresses`, whose events go to `handler`, from ``start()`` on.
  public init(at addresses: [SocketAddress], limits: Connection.Limits, _ handler: @escaping (Event) -> Void) {
    self.addresses = addresses
    self.limits = limits
    self.handler = handler
  }

  /// Connects now if the bus is there, and whenever it comes; more than once does no harm.
  public func start() {
    guard connection == nil else { return }
    retry.reset()
    attempt()
  }

  private func attempt() {
    // Before the attempt, so that whatever comes to the path after it is seen.
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
    retryLater(after: failure.code)
    handler(.unreachable("\(failure)"))
  }

  private func greet(_ connection: Connection) {
    self.connection = connection
    connection.onDisconnect = { [weak self] in self?.lose(connection) }
    // However long it takes: a bus that is frozen thaws, and one that dies hangs up.
    connection.call(.bus("Hello"), timeout: .never) { [weak self] answer in
      guard let self, self.connection === connection else { return }
      guard case .success(let message) = answer, case .string(let name)? = message.arguments.first else {
        return lose(connection)
      }
      connection.setUniqueName(name)
      isConnected = true
      retry.reset()
      stopWaiting()
      handler(.connected(connection))
    }
  }

  private func lose(_ lost: Connection) {
    guard connection === lost else { return }
    drop(lost)
    awaitPath()
    retryLater(after: socket == nil ? ENOENT : ECONNRESET)
    guard isConnected else { return }
    isConnected = false
    handler(.disconnected)
  }

  private func drop(_ lost: Connection) {
    connection = nil
    dropped.append(lost)
    // libdbus is in the midst of handing over the message that brought us here.
    closing = MainLoop.later { [weak self] in
      self?.dropped.forEach { $0.close() }
      self?.dropped = []
      return false
    }
  }

  // MARK: Waiting for a bus

  /// Watches the path of the bus, and takes note of the socket that is there now.
  private func awaitPath() {
    awaitPath(keeping: path.flatMap(FileIdentity.init))
  }

  private func awaitPath(keeping known: FileIdentity?) {
    stopWaiting()
    socket = known
    guard let path else { return }
    do throws(SystemError) {
      let watch = try PathWatch(path: path)
      _ = try watch.arm()
      watching = try MainLoop.watch(watch.descriptor.raw, for: .readable) { [weak self] _ in self?.pathChanged() }
      self.watch = consume watch
    } catch {
      // Out of inotify watches, say: the delays are what is left.
    }
  }

  /// Something has changed in the directory of the bus's socket, or above it.
  private func pathChanged() {
    guard let path else { return }
    let isNew = FileIdentity(of: path) != socket
    if isNew { retry.reset() }
    guard let connection else { return attempt() }
    // It has not answered our greeting, and if another bus took its place, it never will. One whose socket was merely
    // removed may.
    guard isNew, FileIdentity(of: path) != nil else { return awaitPath(keeping: socket) }
    drop(connection)
    attempt()
  }

  /// Tries again after a delay, unless the file system will tell when.
  private func retryLater(after code: CInt) {
    let isWatched = watching != nil
    if code == ENOENT, isWatched { return retry.reset() }
    guard let delay = retry.next(willShow: isWatched && (code == ECONNREFUSED || code == EACCES)) else { return }
    timer = MainLoop.timer(afterMilliseconds: delay) { [weak self] in self?.attempt() }
  }

  private var path: String? { addresses.first { !$0.isAbstract }?.name }

  private func stopWaiting() {
    timer = nil
    watching = nil
    watch = nil
  }
}

/// The name of the bus itself.
public let busName = "org.freedesktop.DBus"
