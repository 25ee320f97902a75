internal import Glibc
internal import ThemedDBus
internal import ThemedSystem

/// Starts a process that kills this one if it stops answering the bus, for whatever cause: the portal would wait for
/// it, and every program that asks for light or dark would wait for the portal.
///
/// The service manager's watchdog does not help: it would wake this process regularly, and with a long interval it
/// would react too late.
final class Watchdog: TurnObserver {
  /// The argument with which this program is started as the watchdog, followed by four descriptors.
  static let word: Text = "--watchdog"

  private let socket: CInt
  private let own: FileDescriptor
  /// Rings during a turn.
  private let bell: Bell
  private let turns: SharedCount
  private var process: RunningProgram?
  private var watching: Source?
  private var starts = 0

  /// Watches this connection as long as both exist.
  init(over connection: Connection) throws(SystemError) {
    socket = connection.descriptor
    own = try ownProcess()
    bell = try Bell()
    turns = try SharedCount()
    connection.observer = self
    try start()
  }

  deinit { watching?.cancel() }

  func turnBegan() { bell.ring() }

  /// The order matters: see ``Suspicion``.
  func turnEnded() {
    bell.silence()
    turns.add()
  }

  private func start() throws(SystemError) {
    starts += 1
    let descriptors = [socket, own.raw, bell.descriptor.raw, turns.descriptor.raw]
    let process = try RunningProgram(
      itself: ["themed-portal", Self.word.string] + descriptors.map { "\($0)" }, handing: descriptors)
    watching = try EventLoop.main.watch(process.endDescriptor, for: .readable) { [unowned self] _ in hasEnded() }
    self.process = process
  }

  /// Something killed the watchdog, which never exits before this process.
  private func hasEnded() {
    // The result stays available until the process has been waited for.
    guard let ending = process?.result() else { return }
    (watching, process) = (nil, nil)
    let end = "the watchdog that ends this process if it hangs has exited (\(ending))"
    guard starts < Limits.watchdogs else { return log("\(end) too often, and is not started again") }
    do throws(SystemError) {
      try start()
      log("\(end), and was started again")
    } catch {
      log("\(end), and cannot be started again: \(error)")
    }
  }
}

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
      case .sleep: wait(forReadable: [parent.raw, bus.raw, bell.raw])
      case .wait(let milliseconds):
        wait(forReadable: [parent.raw], atMostMilliseconds: milliseconds)
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
}
