internal import Synchronization
internal import ThemeClientCore
internal import ThemedSystem

/// Something that the shared thread watches: it has a descriptor, and acts when the descriptor is readable.
protocol Attended: AnyObject, Sendable {
  /// The descriptor, which never changes.
  var descriptor: CInt { get }

  /// Does the work that is due, without waiting; returns whether to keep watching.
  func process() -> Bool
}

/// The one thread that waits for everything asynchronous in a process.
///
/// It starts with the first object to watch, and ends with the last.
final class SharedThread: Sendable {
  static let shared = SharedThread()

  /// The state of a running thread.
  private final class Room: Sendable {
    let set: DescriptorSet
    let bell: Bell

    init() throws(SystemError) {
      set = try DescriptorSet()
      bell = try Bell()
      try set.add(bell.descriptor.raw, as: SharedThread.bellNumber)
    }
  }

  private struct Work {
    var room: Room?
    var attended: [UInt64: any Attended] = [:]
    var count: UInt64 = SharedThread.bellNumber
  }

  private static let bellNumber: UInt64 = 0
  private let work = Mutex(Work())

  /// Watches an object from now on; pass the returned number to ``leave(_:)``.
  func attend(to newcomer: some Attended) throws(ThemeClientError) -> UInt64 {
    do throws(SystemError) {
      return try work.withLock { (work) throws(SystemError) -> UInt64 in
        let room = if let room = work.room { room } else { try begin() }
        work.room = room
        work.count += 1
        work.attended[work.count] = newcomer
        do throws(SystemError) { try room.set.add(newcomer.descriptor, as: work.count) } catch {
          work.attended[work.count] = nil
          if work.attended.isEmpty { room.bell.ring() }
          throw error
        }
        return work.count
      }
    } catch { throw .system(error.description) }
  }

  /// Stops watching an object; does nothing if it is not watched.
  ///
  /// A call of its `process()` that has begun may still finish.
  func leave(_ number: UInt64) {
    // Released only after unlocking, because its deinit may release other watched objects.
    let left: (any Attended)? = work.withLock { work in
      guard let left = work.attended.removeValue(forKey: number), let room = work.room else { return nil }
      room.set.remove(left.descriptor)
      if work.attended.isEmpty { room.bell.ring() }
      return left
    }
    _ = left
  }

  private func begin() throws(SystemError) -> Room {
    let room = try Room()
    try startThread { [self] in run(room) }
    return room
  }

  private func run(_ room: Room) {
    while true {
      for number in room.set.ready(.blocking) {
        if number == Self.bellNumber {
          room.bell.silence()
        } else if let one = work.withLock({ $0.attended[number] }), !one.process() {
          leave(number)
        }
      }
      let isOver = work.withLock { work in
        guard work.attended.isEmpty else { return false }
        // The next object to watch starts a new thread.
        work.room = nil
        return true
      }
      if isOver { return }
    }
  }
}
