internal import CThemedGLib
internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// Notifies the service manager of the daemon's state: the protocol of `sd_notify(3)`, datagrams to NOTIFY_SOCKET.
final class ServiceManager {
  private let address: SocketAddress?
  /// Half of the manager's watchdog time, in milliseconds; nil if it has no watchdog.
  private let watchdogInterval: Int?
  private var watchdog: Source?
  private let sender: NotificationSender?
  private var notifications = Notifications()
  private var retry: Source?

  /// The manager at NOTIFY_SOCKET; if that is not set, nothing is sent.
  convenience init() {
    let supervision = Supervision.takeFromEnvironment()
    self.init(at: supervision.address, watchdogInterval: supervision.watchdogInterval)
  }

  /// The manager at this address, if there is one.
  init(at address: SocketAddress?, watchdogInterval: Int? = nil) {
    self.address = address
    sender = address.map { NotificationSender(to: $0) }
    self.watchdogInterval = watchdogInterval
  }

  var isThere: Bool { address != nil }

  /// The socket is served with the current configuration.
  ///
  /// From now on the watchdog is notified, if the manager has one (`sd_watchdog_enabled(3)`).
  func ready() {
    tell { $0.ready() }
    guard let watchdogInterval, watchdog == nil, isThere else { return }
    watchdog = EventLoop.main.timer(everyMilliseconds: watchdogInterval) { [unowned self] in
      tell { $0.alive() }
      return true
    }
  }

  /// The configuration is being read again; ``ready()`` ends that.
  func reloading() { tell { $0.reloading(at: Int64(g_get_monotonic_time())) } }

  func stopping() { tell { $0.stopping() } }

  /// Sets the text that `systemctl status` shows.
  func status(_ text: String) { tell { $0.status(text) } }

  // MARK: The file descriptor store

  /// Stores a descriptor for the next process, and waits until the manager has it, because the manager ignores messages
  /// of a process that has exited.
  ///
  /// It waits at most `limit` milliseconds: a manager without this part of the protocol may never answer.
  func store(
    _ descriptor: borrowing FileDescriptor, as name: String, withinMilliseconds limit: Int = Limits.storing
  ) throws(SystemError) {
    guard let address else { return }
    let deadline = monotonicMilliseconds() + limit
    let socket = try datagramSocket(.blocking)
    // FDPOLL=0: the manager would drop a descriptor that has hung up, as this end of the pair has from the beginning.
    let assignments = "FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0"
    try limitSending(from: socket, until: deadline)
    try sendMessage(Array(assignments.utf8), passing: [descriptor.raw], from: socket, to: address)
    // The manager closes the descriptor of a barrier after it has read everything that was sent before.
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("cannot create a pipe", errno) }
    let reading = FileDescriptor(owning: ends[0])
    do {
      let writing = FileDescriptor(owning: ends[1])
      try limitSending(from: socket, until: deadline)
      try sendMessage(Array("BARRIER=1".utf8), passing: [writing.raw], from: socket, to: address)
    }
    guard wait(for: 0, of: [reading.raw], atMostMilliseconds: max(0, deadline - monotonicMilliseconds())) else {
      throw SystemError("no answer from the service manager", ETIMEDOUT)
    }
  }

  private func limitSending(from socket: borrowing FileDescriptor, until deadline: Int) throws(SystemError) {
    // Zero would mean no limit.
    let rest = max(1, deadline - monotonicMilliseconds())
    var limit = timeval(tv_sec: rest / 1000, tv_usec: rest % 1000 * 1000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    guard unsafe setsockopt(socket.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0 else {
      throw SystemError("cannot limit the wait for the service manager", errno)
    }
  }

  /// Makes the manager drop what was stored under this name.
  func removeStored(_ name: String) { tell { $0.removeStored(name) } }

  // MARK: Sending

  /// Adds a notification, and sends what is waiting, unless a retry is scheduled anyway.
  private func tell(_ change: (inout Notifications) -> Void) {
    change(&notifications)
    if retry == nil { tell(retryingAfterMilliseconds: Limits.notificationRetry) }
  }

  /// Sends what is waiting; while the manager's queue is full, as during a busy login, or memory is short, it retries.
  private func tell(retryingAfterMilliseconds delay: Int) {
    retry = nil
    while let (kind, assignments) = notifications.next {
      guard send(assignments) else {
        retry = EventLoop.main.timer(afterMilliseconds: delay) { [weak self] in
          self?.tell(retryingAfterMilliseconds: min(2 * delay, Limits.longestNotificationRetry))
        }
        return
      }
      notifications.wasTold(kind)
    }
  }

  /// Sends a notification; returns false if it has to be tried again.
  private func send(_ assignments: String) -> Bool {
    do throws(SystemError) {
      try sender?.send(assignments)
      return true
    } catch {
      return !error.isTemporary
    }
  }
}

/// The messages for the service manager, and their order: a pure rule.
///
/// It keeps only the newest notification of each kind. So however long the manager does not read, nothing piles up, and
/// it never gets an older state after a newer one.
struct Notifications: Equatable {
  /// The kinds of notifications, in the order in which they are sent.
  enum Kind: Int, CaseIterable {
    /// A stored descriptor is no longer needed.
    case removal
    case reload
    /// The socket is served with the current configuration.
    case readiness
    case end
    case life
    /// The line that describes the state that is shown.
    case status
  }

  /// Indexed by the kinds' numbers.
  private var waiting = [String?](repeating: nil, count: Kind.allCases.count)
  private var isStopping = false

  private subscript(kind: Kind) -> String? {
    get { waiting[kind.rawValue] }
    set { waiting[kind.rawValue] = newValue }
  }

  /// The next notification; nil if the manager knows everything.
  var next: (kind: Kind, assignments: String)? {
    for kind in Kind.allCases {
      if let assignments = self[kind] { return (kind, assignments) }
    }
    return nil
  }

  /// The manager was notified, or cannot be.
  mutating func wasTold(_ kind: Kind) { self[kind] = nil }

  /// The socket is served.
  ///
  /// This datagram contains nothing else: one that is too long would be lost, and the start would fail.
  mutating func ready() {
    if !isStopping { self[.readiness] = "READY=1" }
  }

  /// The configuration is being read again, until ``ready()``; `time` is in microseconds of the monotonic clock.
  mutating func reloading(at time: Int64) {
    guard !isStopping else { return }
    self[.readiness] = nil
    self[.reload] = "RELOADING=1\nMONOTONIC_USEC=\(time)"
  }

  /// From now on the daemon is neither ready nor reloading.
  mutating func stopping() {
    isStopping = true
    (self[.reload], self[.readiness], self[.life]) = (nil, nil, nil)
    self[.end] = "STOPPING=1"
  }

  mutating func alive() {
    if !isStopping { self[.life] = "WATCHDOG=1" }
  }

  /// One line of limited length, whatever it quotes.
  mutating func status(_ text: String) {
    self[.status] = "STATUS=" + Text(text).shown(atMost: Limits.statusText)
  }

  /// The descriptor that the daemon stored under this name is no longer needed.
  mutating func removeStored(_ name: String) { self[.removal] = "FDSTOREREMOVE=1\nFDNAME=\(name)" }
}
