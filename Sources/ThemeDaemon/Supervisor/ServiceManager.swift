internal import CThemedGLib
internal import CThemedLinux
internal import Glibc
internal import ThemedLoop
internal import ThemedUnix

/// Tells the service manager how the daemon is: the protocol of `sd_notify(3)`, a datagram to NOTIFY_SOCKET.
final class ServiceManager {
  private let address: SocketAddress?
  /// Half of the time within which the manager wants a sign of life, in milliseconds; nil where it wants none.
  private let watchdogInterval: Int?
  private var watchdog: Source?
  /// Kept open: signs of life are needed where clients or the system have used up all descriptors, too.
  private var sender: Sender?
  private var notifications = Notifications()
  private var retry: Source?

  /// The manager that NOTIFY_SOCKET names; where it names none, nobody is told.
  convenience init() {
    let supervision = Supervision.takeFromEnvironment()
    self.init(at: supervision.address, watchdogInterval: supervision.watchdogInterval)
  }

  /// The manager at this address, if any.
  init(at address: SocketAddress?, watchdogInterval: Int? = nil) {
    self.address = address
    self.watchdogInterval = watchdogInterval
  }

  /// Whether there is one.
  var isThere: Bool { address != nil }

  /// The socket is served, by the configuration as it is.
  ///
  /// From now on signs of life are given, where the manager wants them (`sd_watchdog_enabled(3)`).
  func ready() {
    notifications.ready()
    tell()
    guard let watchdogInterval, watchdog == nil, isThere else { return }
    watchdog = MainLoop.timer(everyMilliseconds: watchdogInterval) { [unowned self] in
      notifications.alive()
      tell()
      return true
    }
  }

  /// The configuration is being read again; ``ready()`` ends it.
  func reloading() {
    notifications.reloading(at: Int64(g_get_monotonic_time()))
    tell()
  }

  /// The daemon ends.
  func stopping() {
    notifications.stopping()
    tell()
  }

  /// What `systemctl status` shows.
  func status(_ text: String) {
    notifications.status(text)
    tell()
  }

  // MARK: The file descriptor store

  /// Has the manager keep a descriptor for the next process, and waits until it does: it no longer listens to a process
  /// that has ended.
  ///
  /// It waits at most `limit` milliseconds: who does not know this part of the protocol may never answer.
  func store(
    _ descriptor: borrowing FileDescriptor, as name: String, withinMilliseconds limit: Int = Limits.storing
  ) throws(SystemError) {
    guard let address else { return }
    let deadline = monotonicMilliseconds() + limit
    let socket = try datagramSocket(.blocking)
    // Not looked after: the manager would drop what has hung up, which this end of a pair has from the beginning.
    let assignments = "FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0"
    try limitSending(from: socket, until: deadline)
    try sendMessage(Array(assignments.utf8), passing: [descriptor.raw], from: socket, to: address)
    // It closes what comes with a barrier once it has read all that was sent before.
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("cannot create a pipe", errno) }
    let reading = FileDescriptor(owning: ends[0])
    do {
      let writing = FileDescriptor(owning: ends[1])
      try limitSending(from: socket, until: deadline)
      try sendMessage(Array("BARRIER=1".utf8), passing: [writing.raw], from: socket, to: address)
    }
    var closed = pollfd(fd: reading.raw, events: 0, revents: 0)
    guard unsafe poll(&closed, 1, CInt(clamping: max(0, deadline - monotonicMilliseconds()))) == 1 else {
      throw SystemError("no answer from the service manager", ETIMEDOUT)
    }
  }

  private func limitSending(from socket: borrowing FileDescriptor, until deadline: Int) throws(SystemError) {
    // Zero would be no limit.
    let rest = max(1, deadline - monotonicMilliseconds())
    var limit = timeval(tv_sec: rest / 1000, tv_usec: rest % 1000 * 1000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    guard unsafe setsockopt(socket.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0 else {
      throw SystemError("cannot limit the wait for the service manager", errno)
    }
  }

  /// Has the manager keep no longer what was stored under this name.
  func removeStored(_ name: String) {
    notifications.removeStored(name)
    tell()
  }

  // MARK: Telling

  /// Tells what waits, unless it is being tried again anyway.
  private func tell() {
    if retry == nil { tell(retryingAfterMilliseconds: Limits.notificationRetry) }
  }

  /// Tells what waits; while the manager's queue is full, as in a busy login, or memory is short, again and again.
  private func tell(retryingAfterMilliseconds delay: Int) {
    retry = nil
    while let (kind, assignments) = notifications.next {
      guard send(assignments) else {
        retry = MainLoop.timer(afterMilliseconds: delay) { [weak self] in
          self?.tell(retryingAfterMilliseconds: min(2 * delay, Limits.longestNotificationRetry))
        }
        return
      }
      notifications.wasTold(kind)
    }
  }

  /// Whether there is nothing more to do about it.
  private func send(_ assignments: String) -> Bool {
    guard let address else { return true }
    do throws(SystemError) {
      let sender = if let sender { sender } else { try Sender() }
      self.sender = sender
      try sendMessage(Array(assignments.utf8), from: sender.socket, to: address)
      return true
    } catch {
      return !error.isTemporary
    }
  }

  private final class Sender {
    let socket: FileDescriptor

    init() throws(SystemError) {
      socket = try datagramSocket(.nonblocking)
    }
  }
}
