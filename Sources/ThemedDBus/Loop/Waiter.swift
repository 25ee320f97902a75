internal import CThemedGLib
internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// How the loop waits for descriptors: with one epoll set, in one system call per round.
///
/// GLib does not know the descriptors: it would poll each of them and check each source before and after, which takes
/// longer than answering a call. When GLib wants to poll, this waits in its place and calls the handlers at once; then
/// GLib runs its timers.
@safe
final class Waiter {
  /// The maximum number of events in one round, so that the loop's other sources get their turn.
  private static let batch = 256
  /// The token of the descriptor with which other threads wake GLib.
  private static let wakeUpToken: UInt64 = 1 << 62
  /// Marks the token of a watch; smaller tokens belong to the ``EpollSet``.
  private static let watchToken: UInt64 = 1 << 63

  private nonisolated(unsafe) static var only: Waiter?
  /// Whether descriptors' handlers are being called.
  static var isHandling: Bool { unsafe only?.isHandling ?? false }

  /// The only waiter of the loop.
  static func shared() throws(SystemError) -> Waiter {
    if let only = unsafe only { return only }
    let waiter = try Waiter()
    unsafe only = waiter
    unsafe g_main_context_set_poll_func(nil) { (asked, count, timeout) in
      unsafe Waiter.only!.wait(UnsafeMutableBufferPointer(start: asked, count: Int(count)), timeout)
    }
    return waiter
  }

  /// Receives the events of the ``EpollSet``.
  var handler: ((EpollSet.Event) -> Void)?

  let descriptor: FileDescriptor
  private var wakeUp: CInt = -1
  private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: batch)
  private var watched: [CInt: Watched] = [:]
  private var generation: UInt64 = 0
  private var isHandling = false

  /// A descriptor and its watchers: one may wait to read while another one waits to write.
  private struct Watched {
    /// Distinguishes it from an earlier descriptor with the same number.
    let token: UInt64
    var watches: [Watch] = []

    /// The bits of poll, which are the same for epoll.
    var events: UInt32 { watches.reduce(0) { $0 | $1.condition.rawValue } }
  }

  private init() throws(SystemError) {
    let raw = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw SystemError("epoll_create1", errno) }
    descriptor = FileDescriptor(owning: raw)
  }

  // MARK: Waiting

  /// Changes what to wait for on a descriptor of the ``EpollSet``.
  func control(_ operation: CInt, _ raw: CInt, _ token: UInt64, _ events: UInt32) -> CInt {
    var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: token))
    return unsafe epoll_ctl(descriptor.raw, operation, raw, &event)
  }

  func add(_ watch: Watch) throws(SystemError) {
    let known = watched[watch.descriptor]
    if known == nil { generation = (generation + 1) & 0x3FFF_FFFF }
    var entry = known ?? Watched(token: Self.watchToken | generation << 32 | UInt64(watch.descriptor))
    entry.watches.append(watch)
    let operation = known == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    guard control(operation, watch.descriptor, entry.token, entry.events) == 0 else {
      throw SystemError("epoll_ctl", errno)
    }
    watched[watch.descriptor] = entry
  }

  func remove(_ watch: Watch) {
    guard !watch.isOver else { return }
    watch.isOver = true
    guard var entry = watched[watch.descriptor] else { return }
    entry.watches.removeAll { $0 === watch }
    let operation = entry.watches.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
    // Neither call needs memory. Events that are reported anyway are dropped in dispatch.
    _ = control(operation, watch.descriptor, entry.token, entry.events)
    watched[watch.descriptor] = entry.watches.isEmpty ? nil : entry
  }

  // MARK: One round

  /// Called by GLib in place of poll, with GLib's own descriptor, by which other threads wake it up.
  private func wait(_ asked: UnsafeMutableBufferPointer<GPollFD>, _ timeout: CInt) -> CInt {
    precondition(!isHandling, "the loop runs within a handler")
    if unsafe asked.count != 1 || asked[0].fd != wakeUp { unsafe hold(asked) }
    let count = unsafe epoll_wait(descriptor.raw, events.baseAddress, CInt(Self.batch), timeout)
    // An interrupted call is repeated in the next round.
    guard count > 0 else { return count }
    isHandling = true
    defer { isHandling = false }
    var answered: CInt = 0
    for index in 0..<Int(count) {
      let (token, met) = unsafe (events[index].data.u64, events[index].events)
      if token & Self.watchToken != 0 {
        dispatch(token, MainLoop.Condition(rawValue: met))
      } else if token == Self.wakeUpToken {
        unsafe asked[0].revents = gushort(truncatingIfNeeded: met)
        answered = 1
      } else {
        handler?(EpollSet.Event(token: token, bits: met))
      }
    }
    return answered
  }

  private func hold(_ asked: UnsafeMutableBufferPointer<GPollFD>) {
    precondition(asked.count == 1 && wakeUp < 0, "a descriptor in GLib's loop that MainLoop.watch does not know of")
    wakeUp = unsafe asked[0].fd
    precondition(control(EPOLL_CTL_ADD, wakeUp, Self.wakeUpToken, EPOLLIN.rawValue) == 0, "no memory for the loop")
  }

  private func dispatch(_ token: UInt64, _ met: MainLoop.Condition) {
    // A handler of this round may have cancelled its source, and another descriptor may have its number.
    guard let entry = watched[CInt(truncatingIfNeeded: token & 0xFFFF_FFFF)], entry.token == token else { return }
    for watch in entry.watches where !watch.isOver {
      let condition = met.intersection(watch.condition.union([.hangUp, .error]))
      if !condition.isEmpty { watch.handler(condition) }
    }
  }
}

/// One watcher of a descriptor.
final class Watch {
  let descriptor: CInt
  let condition: MainLoop.Condition
  let handler: (MainLoop.Condition) -> Void
  /// Whether the wait is over.
  fileprivate(set) var isOver = false

  init(_ descriptor: CInt, _ condition: MainLoop.Condition, _ handler: @escaping (MainLoop.Condition) -> Void) {
    self.descriptor = descriptor
    self.condition = condition
    self.handler = handler
  }
}
