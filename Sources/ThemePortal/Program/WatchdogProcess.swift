internal import Glibc
internal import ThemedSystem

/// The watchdog process: it kills the process that started it if that hangs.
///
/// It sleeps while there is no input, and exits with the other process.
struct WatchdogProcess: ~Copyable {
  /// Only waited for: the other process reads it.
  private let bus: FileDescriptor
  private let parent: FileDescriptor
  private let bell: FileDescriptor
  private let turns: SharedCount

  /// A watchdog with these descriptors, as ``Watchdog`` passes them; nil if the arguments are invalid.
  init?(_ words: ArraySlice<Text>) {
    let numbers = words.compactMap { CInt($0.string) }
    guard words.count == 4, numbers.count == 4, numbers.allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else { return nil }
    bus = FileDescriptor(owning: numbers[0])
    parent = FileDescriptor(owning: numbers[1])
    bell = FileDescriptor(owning: numbers[2])
    turns = SharedCount(FileDescriptor(owning: numbers[3]))
  }

  /// Watches until the other process has exited, by itself or not.
  func run() {
    nameProcess("portal-watchdog")
    var suspicion = Suspicion()
    var step = Suspicion.Step.sleep
    while step != .end {
      let begun = monotonicMilliseconds()
      var end = Int.max
      switch step {
      case .sleep: wait(for: [parent.raw, bus.raw, bell.raw], milliseconds: -1)
      case .wait(let milliseconds):
        wait(for: [parent.raw], milliseconds: CInt(milliseconds))
        end = begun + milliseconds + Limits.lateness
      case .look, .end: break
      }
      let before = turns.value
      let isAwaited = isReadable(bus) || isReadable(bell)
      guard !isReadable(parent) else { return }
      let after = turns.value
      // Last, because the watchdog may be frozen while it looks.
      let isLate = monotonicMilliseconds() > end
      step = suspicion.looked(count: before, isAwaited: isAwaited, count: after, isLate: isLate)
    }
    // The bus then treats the process as gone and tells its callers, even if a hanging disk keeps the process from
    // exiting.
    _ = shutdown(bus.raw, CInt(SHUT_RDWR))
    kill(process: parent)
    log("themed-portal did not answer the bus for \(Limits.patience) ms: its watchdog killed it")
  }

  /// Waits until one of them is readable, or the time is over.
  private func wait(for descriptors: [CInt], milliseconds: CInt) {
    var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while unsafe poll(&waited, nfds_t(waited.count), milliseconds) < 0, errno == EINTR {}
  }
}
