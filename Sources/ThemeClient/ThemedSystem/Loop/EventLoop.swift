internal import CThemedLinux
internal import Glibc

/// An event loop: it waits for descriptors, timers and work for later, in one system call per turn, and calls their
/// handlers in this order.
///
/// It belongs to one thread, and so does everything that the handlers use: none of these classes is `Sendable`, so the
/// compiler keeps them there.
@safe
public final class EventLoop {
  /// The conditions to wait for on a descriptor, or those that it is in.
  public struct Condition: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = Condition(rawValue: EPOLLIN.rawValue)
    public static let writable = Condition(rawValue: EPOLLOUT.rawValue)
    /// The other end has hung up; always reported.
    public static let hangUp = Condition(rawValue: EPOLLHUP.rawValue)
    /// The descriptor is broken; always reported.
    public static let error = Condition(rawValue: EPOLLERR.rawValue)
  }

  nonisolated(unsafe) private static let only = EventLoop()
  /// The loop of the program's main thread.
  public static var main: EventLoop { unsafe only }

  /// The maximum number of events in one turn, so that timers and work for later get their turn.
  private static let batch = 256
  /// Marks the token of a watch; smaller tokens belong to the ``EpollSet``.
  private static let watchToken: UInt64 = 1 << 63
  /// How long the loop sleeps if there is no memory for its epoll set, in milliseconds.
  private static let shortage = 10

  /// Receives the events of the ``EpollSet``.
  var handler: ((EpollSet.Event) -> Void)?

  private var set: DescriptorSet?
  private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: batch)
  private var watched: [CInt: Watched] = [:]
  private var generation: UInt64 = 0
  /// The timers in the order of their deadlines.
  private var timers: [Timer] = []
  private var work: [Work] = []
  private var isTurning = false

  /// A loop for this thread, which waits for nothing yet.
  public init() {}

  deinit { unsafe events.deallocate() }

  /// A descriptor and its watches: one may wait to read while another one waits to write.
  private struct Watched {
    /// Distinguishes it from an earlier descriptor with the same number.
    let token: UInt64
    var watches: [Watch] = []

    var events: UInt32 { watches.reduce(0) { $0 | $1.condition.rawValue } }
  }

  // MARK: One turn

  /// Waits until something happens, for at most this many milliseconds, and calls the handlers.
  public func turn(atMostMilliseconds limit: Int? = nil) {
    precondition(!isTurning, "the loop runs within a handler")
    isTurning = true
    defer { isTurning = false }
    // Work that a handler adds belongs to the next turn.
    let work = work
    let count = wait(atMostMilliseconds: limit)
    for index in 0..<count {
      let (token, met) = unsafe (events[index].data.u64, events[index].events)
      if token & Self.watchToken != 0 {
        dispatch(token, Condition(rawValue: met))
      } else {
        handler?(EpollSet.Event(token: token, condition: Condition(rawValue: met)))
      }
    }
    runTimers()
    for item in work where !item.isOver {
      if !item.handler() { cancel(item) }
    }
  }

  /// The same until a time by ``monotonicMilliseconds()``, for a program that has one earliest deadline; nil: for ever.
  public func turn(until deadline: Int?) {
    turn(atMostMilliseconds: deadline.map { max(0, $0 - monotonicMilliseconds()) })
  }

  /// Whether a turn would call a handler now.
  var isDue: Bool { patience == 0 || (try? withSet { isReadable($0.descriptor) }) == true }

  /// Waits for descriptors until the next timer is due; returns the number of events.
  private func wait(atMostMilliseconds limit: Int?) -> Int {
    let patience = patience.map { min($0, limit ?? $0) } ?? limit
    if set == nil { set = try? DescriptorSet() }
    guard let count = unsafe set?.wait(events, atMostMilliseconds: patience) else {
      usleep(useconds_t(1000 * min(patience ?? Self.shortage, Self.shortage)))
      return 0
    }
    return count
  }

  /// How many milliseconds remain until the loop has something to do without an event; nil: for ever.
  private var patience: Int? {
    guard work.isEmpty else { return 0 }
    // Up to a millisecond later than requested, but never earlier.
    return timers.first.map { max(0, ($0.deadline - monotonicNanoseconds() + 999_999) / 1_000_000) }
  }

  // MARK: Descriptors

  /// The epoll set, which is created with the first descriptor.
  func withSet<Result>(_ body: (borrowing DescriptorSet) -> Result) throws(SystemError) -> Result {
    if set == nil { set = try DescriptorSet() }
    return body(set!)
  }

  /// Calls `handler` in each turn while `descriptor` meets the condition.
  ///
  /// The descriptor belongs to the caller, who has to cancel the source before closing it: an owner of both does so in
  /// its deinit.
  public func watch(
    _ descriptor: CInt, for condition: Condition, _ handler: @escaping (Condition) -> Void
  ) throws(SystemError) -> Source {
    let watch = Watch(descriptor, condition, handler)
    let known = watched[descriptor]
    if known == nil { generation = (generation + 1) & 0x3FFF_FFFF }
    var entry = known ?? Watched(token: Self.watchToken | generation << 32 | UInt64(descriptor))
    entry.watches.append(watch)
    let (operation, token, events) = (known == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, entry.token, entry.events)
    let code = try withSet { set in set.control(operation, descriptor, as: token, events) ? 0 : errno }
    guard code == 0 else { throw SystemError("epoll_ctl", code) }
    watched[descriptor] = entry
    return Source { [self] in cancel(watch) }
  }

  private func cancel(_ watch: Watch) {
    guard !watch.isOver else { return }
    watch.isOver = true
    guard var entry = watched[watch.descriptor] else { return }
    entry.watches.removeAll { $0 === watch }
    let operation = entry.watches.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
    // Neither call needs memory. Events that are reported anyway are dropped in dispatch.
    _ = set?.control(operation, watch.descriptor, as: entry.token, entry.events)
    watched[watch.descriptor] = entry.watches.isEmpty ? nil : entry
  }

  private func dispatch(_ token: UInt64, _ met: Condition) {
    // A handler of this turn may have cancelled its source, and another descriptor may have its number.
    guard let entry = watched[CInt(truncatingIfNeeded: token & 0x7FFF_FFFF)], entry.token == token else { return }
    for watch in entry.watches where !watch.isOver {
      let condition = met.intersection(watch.condition.union([.hangUp, .error]))
      if !condition.isEmpty { watch.handler(condition) }
    }
  }

  // MARK: Timers

  /// Calls `handler` once, after this many milliseconds of the monotonic clock.
  public func timer(afterMilliseconds delay: Int, _ handler: @escaping () -> Void) -> Source {
    timer(everyMilliseconds: delay) {
      handler()
      return false
    }
  }

  /// Calls `handler` at this interval in milliseconds of the monotonic clock, while it returns true.
  public func timer(everyMilliseconds delay: Int, _ handler: @escaping () -> Bool) -> Source {
    let timer = Timer(interval: max(0, delay) * 1_000_000, handler)
    insert(timer)
    return Source { [self] in
      timer.isOver = true
      timers.removeAll { $0 === timer }
    }
  }

  private func insert(_ timer: Timer) {
    timer.deadline = monotonicNanoseconds() + timer.interval
    // Timers of the same time fire in the order in which they were set.
    let index = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.endIndex
    timers.insert(timer, at: index)
  }

  private func runTimers() {
    guard !timers.isEmpty else { return }
    let now = monotonicNanoseconds()
    // A timer that a handler sets belongs to the next turn.
    for timer in timers.prefix(while: { $0.deadline <= now }) where !timer.isOver {
      timers.removeAll { $0 === timer }
      if timer.handler(), !timer.isOver { insert(timer) }
    }
  }

  // MARK: Work for later

  /// Calls `handler` once per turn from the next turn on, while it returns true.
  public func later(_ handler: @escaping () -> Bool) -> Source {
    let item = Work(handler)
    work.append(item)
    return Source { [self] in cancel(item) }
  }

  private func cancel(_ item: Work) {
    item.isOver = true
    work.removeAll { $0 === item }
  }
}

/// Something that the loop waits for.
///
/// The wait ends when its owner cancels it or drops it.
public final class Source {
  private var end: (() -> Void)?

  init(end: @escaping () -> Void) { self.end = end }

  deinit { cancel() }

  /// Ends the wait; allowed at any time, even in the handler, and more than once.
  public func cancel() {
    // The handler may drop the source itself.
    let end = end
    self.end = nil
    end?()
  }
}

private final class Watch {
  let descriptor: CInt
  let condition: EventLoop.Condition
  let handler: (EventLoop.Condition) -> Void
  var isOver = false

  init(_ descriptor: CInt, _ condition: EventLoop.Condition, _ handler: @escaping (EventLoop.Condition) -> Void) {
    (self.descriptor, self.condition, self.handler) = (descriptor, condition, handler)
  }
}

/// A handler that is called at its deadline, and again after each interval while it returns true.
private final class Timer {
  let interval: Int
  let handler: () -> Bool
  /// By ``monotonicNanoseconds()``.
  var deadline = 0
  /// Whether its owner has cancelled it.
  var isOver = false

  init(interval: Int, _ handler: @escaping () -> Bool) {
    (self.interval, self.handler) = (interval, handler)
  }
}

/// A handler that is called in each turn while it returns true.
private final class Work {
  let handler: () -> Bool
  var isOver = false

  init(_ handler: @escaping () -> Bool) { self.handler = handler }
}
