internal import ThemedSystem

/// Decides when to bind a socket again whose file has gone: a pure rule.
///
/// The first attempts come at once. It does not race with a program that keeps removing the file, or that keeps it from
/// being bound.
struct BindRule {
  private let delays: [Int]
  private let quiet: Int
  private var attempts = 0
  private var last: Int?

  /// A rule with these delays in milliseconds, which starts again after a quiet time; the first three attempts are made
  /// at once.
  init(delays: [Int], quiet: Int) {
    (self.delays, self.quiet) = (delays, quiet)
  }

  /// An attempt is due at `now`; returns the delay in milliseconds.
  mutating func delay(now: Int) -> Int {
    if let last, now - last > quiet { attempts = 0 }
    last = now
    attempts += 1
    return attempts <= 3 ? 0 : delays[min(attempts - 4, delays.count - 1)]
  }
}

protocol SocketBinder: AnyObject {
  /// Binds a socket again whose file has gone.
  func rebind(_ listener: Listener) throws(StartFailure)
  /// Clients cannot find a socket, or can again.
  func statusChanged()
}

/// Makes sure that clients find the socket: if its file is removed or replaced, the socket is bound again.
///
/// This never waits for a disk, because the runtime directory is in memory.
final class SocketWatch {
  /// Why clients cannot find the socket.
  private(set) var problem: String? {
    didSet { if problem != oldValue { binder?.statusChanged() } }
  }

  private let listener: Listener
  private let log: Log
  private weak var binder: (any SocketBinder)?
  private var rule = BindRule(delays: Limits.bindRetries, quiet: Limits.bindQuiet)
  private var files: FileWatch?
  private var ways = FileWatch.Ways()
  /// Why a removal of the file would not be noticed.
  private var blindness: SystemError?
  private var watching: Source?
  private var retrying: Source?

  init(_ listener: Listener, log: Log, binder: any SocketBinder) {
    self.listener = listener
    self.log = log
    self.binder = binder
    // The file may have gone before the watch was set.
    look(isAtOnce: false)
  }

  /// Watches the path of the file in its current state.
  private func watch(_ path: String) {
    do throws(SystemError) {
      if files == nil {
        let files = try FileWatch()
        watching = try EventLoop.main.watch(files.descriptor, for: .readable) { [unowned self] _ in changed() }
        self.files = files
      }
      let before = ways
      ways = files?.watch([Text(path)]) ?? ways
      files?.unwatch(before.names.keys.filter { ways.names[$0] == nil })
      if let problem = ways.problem { throw problem }
      if blindness != nil { log.notice("watching the socket file again") }
      blindness = nil
    } catch {
      if blindness != error {
        let advice = "if it is removed, 'systemctl --user reload themed' recreates it"
        log.warning("cannot watch the socket file: \(error); \(advice)")
      }
      blindness = error
    }
  }

  private func changed() {
    guard let events = files?.events(), events.contains(where: { !$0.isEnd && ways.concerns($0) }) else { return }
    // If it is waiting for another daemon to go, an event is a reason to try.
    look(isAtOnce: problem != nil)
  }

  deinit { watching?.cancel() }

  func retry() { look(isAtOnce: true) }

  private func look(isAtOnce: Bool) {
    guard let path = listener.path, path.utf8.first == UInt8(ascii: "/") else { return }
    watch(path)
    guard !listener.isInPlace else {
      retrying = nil
      found()
      // The path changes faster than it can be checked; and without a watch, only checks from time to time are left.
      if !ways.isSettled { wait(Limits.configurationQuiet) }
      if blindness != nil { wait(Limits.bindRetries.last ?? 0) }
      return
    }
    guard listener.isOwn else {
      return warn(
        "the socket file \(path) is gone, and only the service manager can recreate it; run "
          + "'systemctl --user stop themed.socket themed-readonly.socket themed.service; "
          + "systemctl --user start themed.service'")
    }
    let isNew = !listener.isBound
    let delay = rule.delay(now: monotonicMilliseconds())
    guard isAtOnce || delay == 0 else { return wait(delay) }
    do throws(StartFailure) {
      try binder?.rebind(listener)
      retrying = nil
      problem = nil
      watch(path)
      log.notice("the socket file \(path) was \(isNew ? "created" : "removed or replaced, and recreated")")
    } catch {
      let words = isNew ? "cannot be created, will retry" : "was removed or replaced, and cannot be recreated"
      warn("the socket file \(path) \(words): \(error)")
      wait(max(delay, Limits.bindRetries[0]))
    }
  }

  private func wait(_ delay: Int) {
    retrying = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in
      retrying = nil
      look(isAtOnce: true)
    }
  }

  private func found() {
    guard problem != nil else { return }
    problem = nil
    log.notice("the socket file is back in its place")
  }

  private func warn(_ text: String) {
    if problem != text { log.warning(text) }
    problem = text
  }
}
