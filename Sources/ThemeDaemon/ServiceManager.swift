internal import CGLib
internal import CLinux
internal import Glibc
internal import MainLoop
internal import Unix

/// Tells the service manager how the daemon is: the protocol of `sd_notify(3)`, a datagram to NOTIFY_SOCKET.
final class ServiceManager {
  private let address: SocketAddress?
  /// Half of the time within which the manager wants a sign of life, in milliseconds; nil where it wants none.
  private let watchdogInterval: Int?
  private var watchdog: Source?
  private var waiting: [String] = []
  private var retry: Source?

  /// The manager that NOTIFY_SOCKET names; where it names none, nobody is told.
  init() {
    watchdogInterval = Self.watchdogInterval(
      time: environment("WATCHDOG_USEC"), process: environment("WATCHDOG_PID"), own: getpid())
    for name in ["WATCHDOG_USEC", "WATCHDOG_PID"] { unsafe unsetenv(name) }
    guard let name = environment("NOTIFY_SOCKET") else {
      address = nil
      return
    }
    address =
      name.hasPrefix("@") ? try? SocketAddress(abstract: String(name.dropFirst())) : try? SocketAddress(path: name)
    unsafe unsetenv("NOTIFY_SOCKET")
  }

  /// Whether there is one.
  var isThere: Bool { address != nil }

  /// The socket is served, and what `systemctl status` shows is this.
  ///
  /// From now on signs of life are given, where the manager wants them (`sd_watchdog_enabled(3)`).
  func ready(_ status: String) {
    insist("READY=1\n" + Self.assignment(status))
    guard let watchdogInterval, watchdog == nil, isThere else { return }
    watchdog = MainLoop.timer(everyMilliseconds: watchdogInterval) { [unowned self] in
      tell("WATCHDOG=1")
      return true
    }
  }

  /// Half of the time that the manager asks for, in milliseconds; nil where it asks another process, or nobody.
  static func watchdogInterval(time: String?, process: String?, own: Int32) -> Int? {
    guard let microseconds = time.flatMap({ Int($0) }), microseconds > 0 else { return nil }
    if let process, Int32(process) != own { return nil }
    return max(1, microseconds / 2000)
  }

  /// The configuration is being read again; ``ready(_:)`` ends it.
  func reloading() {
    insist("RELOADING=1\nMONOTONIC_USEC=\(g_get_monotonic_time())")
  }

  /// The daemon ends.
  func stopping() { tell("STOPPING=1") }

  /// What `systemctl status` shows.
  func status(_ text: String) { tell(Self.assignment(text)) }

  // MARK: The file descriptor store

  /// Has the manager keep a descriptor for the next process, and waits until it does: it no longer listens to a process
  /// that has ended.
  func store(_ descriptor: borrowing FileDescriptor, as name: String) throws(SystemError) {
    guard let address else { return }
    let socket = try datagramSocket(.blocking)
    var limit = timeval(tv_sec: Limits.storing / 1000, tv_usec: 0)
    _ = unsafe setsockopt(socket.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // Not looked after: the manager would drop what has hung up, which this end of a pair has from the beginning.
    let assignments = "FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0"
    try sendMessage(Array(assignments.utf8), passing: [descriptor.raw], from: socket, to: address)
    // It closes what comes with a barrier once it has read all that was sent before.
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("making a pipe", errno) }
    let reading = FileDescriptor(owning: ends[0])
    do {
      let writing = FileDescriptor(owning: ends[1])
      try sendMessage(Array("BARRIER=1".utf8), passing: [writing.raw], from: socket, to: address)
    }
    var closed = pollfd(fd: reading.raw, events: 0, revents: 0)
    guard unsafe poll(&closed, 1, CInt(Limits.storing)) == 1 else {
      throw SystemError("waiting for the service manager", ETIMEDOUT)
    }
  }

  /// Has the manager keep no longer what was stored under this name.
  func removeStored(_ name: String) { insist("FDSTOREREMOVE=1\nFDNAME=\(name)") }

  /// One line: the protocol's assignments end with it.
  private static func assignment(_ status: String) -> String {
    "STATUS=" + String(status.map { $0.isNewline ? " " : $0 })
  }

  /// Tells what the manager acts upon, again and again while its queue is full, in order: a busy login fills it.
  private func insist(_ assignments: String) {
    waiting.append(assignments)
    if retry == nil { retryWaiting() }
  }

  private func retryWaiting() {
    while let first = waiting.first, tell(first) { waiting.removeFirst() }
    retry =
      waiting.isEmpty
      ? nil
      : MainLoop.timer(afterMilliseconds: Limits.notificationRetry) { [weak self] in
        self?.retryWaiting()
      }
  }

  /// Whether there is nothing more to do about it: not while the manager's queue is full.
  @discardableResult
  private func tell(_ assignments: String) -> Bool {
    guard let address else { return true }
    do throws(SystemError) {
      try sendMessage(Array(assignments.utf8), from: datagramSocket(.nonblocking), to: address)
      return true
    } catch {
      return error.code != EAGAIN
    }
  }
}
