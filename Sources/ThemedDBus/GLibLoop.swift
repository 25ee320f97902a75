internal import CThemedGLib
internal import ThemedSystem

/// Runs the main loop inside GLib's, so that sources of libraries that use GLib work: GLib calls a turn of the main loop
/// where it would poll.
///
/// GLib does not know our own descriptors and timers: it would check each source in each turn, which takes longer than
/// answering a call.
@safe
package final class GLibLoop {
  nonisolated(unsafe) private static let only = GLibLoop()

  /// The descriptors that GLib asked for at last, such as the one with which other threads wake it up.
  private var asked: [(descriptor: CInt, events: gushort)] = []
  private var sources: [Source] = []
  /// The conditions that they met in this turn.
  private var met: [gushort] = []

  private init() {
    unsafe g_main_context_set_poll_func(nil) { (asked, count, timeout) in
      unsafe GLibLoop.only.poll(UnsafeMutableBufferPointer(start: asked, count: Int(count)), timeout)
    }
  }

  /// Runs until `isOver` returns true; it is called after each turn.
  package static func run(until isOver: () -> Bool) {
    while !isOver() { turn(mayWait: true) }
  }

  static func turn(mayWait: Bool) {
    withExtendedLifetime(unsafe only) { _ = g_main_context_iteration(nil, mayWait ? 1 : 0) }
  }

  /// Takes a turn of the main loop, and returns how many of the descriptors that GLib asks for are ready.
  private func poll(_ asked: UnsafeMutableBufferPointer<GPollFD>, _ timeout: CInt) -> CInt {
    if unsafe !isSame(asked) { unsafe watch(asked) }
    for index in met.indices { met[index] = 0 }
    EventLoop.main.turn(atMostMilliseconds: timeout < 0 ? nil : Int(timeout))
    var ready: CInt = 0
    for (index, conditions) in met.enumerated() {
      unsafe asked[index].revents = conditions
      if conditions != 0 { ready += 1 }
    }
    return ready
  }

  private func isSame(_ new: UnsafeMutableBufferPointer<GPollFD>) -> Bool {
    guard new.count == asked.count else { return false }
    return asked.indices.allSatisfy { unsafe new[$0].fd == asked[$0].descriptor && new[$0].events == asked[$0].events }
  }

  private func watch(_ new: UnsafeMutableBufferPointer<GPollFD>) {
    sources = []
    asked = unsafe new.map { ($0.fd, $0.events) }
    met = asked.map { _ in 0 }
    for (index, entry) in asked.enumerated() {
      let condition = EventLoop.Condition(rawValue: UInt32(entry.events))
      let source = try? EventLoop.main.watch(entry.descriptor, for: condition) { [unowned self] in
        met[index] |= gushort(truncatingIfNeeded: $0.rawValue)
      }
      guard let source else { preconditionFailure("no memory for the loop") }
      sources.append(source)
    }
  }
}
