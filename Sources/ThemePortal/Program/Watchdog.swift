internal import ThemedDBus
internal import ThemedSystem

/// Starts a process that kills this one if it stops answering the bus, for whatever cause: the portal would wait for
/// it, and every program that asks for light or dark would wait for the portal.
///
/// The service manager's watchdog does not help: it would wake this process regularly, and with a long interval it
/// would react too late.
final class Watchdog {
  /// The argument with which this program is started as the watchdog, followed by four descriptors.
  static let word: Text = "--watchdog"

  private let socket: CInt
  private let own: FileDescriptor
  /// Rings during a turn.
  private let bell: Bell
  /// Counts the finished turns.
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
    connection.onTurn = { [weak self] in self?.turn($0) }
    try start()
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  /// The order matters: see ``Suspicion``.
  private func turn(_ isBegun: Bool) {
    if isBegun { return bell.ring() }
    bell.silence()
    turns.add()
  }

  private func start() throws(SystemError) {
    starts += 1
    let descriptors = [socket, own.raw, bell.descriptor.raw, turns.descriptor.raw]
    let process = try RunningProgram(
      itself: ["themed-portal", Self.word.string] + descriptors.map { "\($0)" }, handing: descriptors)
    watching = try MainLoop.watch(process.endDescriptor, for: .readable) { [unowned self] _ in hasEnded() }
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
