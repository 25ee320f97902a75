internal import ThemeClientCore
internal import Synchronization
internal import ThemedUnix

/// Who is attended to by the one thread: has a descriptor, and does what there is to do when that is readable.
protocol Attended: AnyObject, Sendable {
  /// The same for as long as it lives.
  var descriptor: CInt { get }

  /// Does what there is to do, without waiting; whether it goes on.
  func process() -> Bool
}

/// The one thread that waits, for all that is asynchronous in a process: it starts with the first whom it attends to, and
/// ends with the last.
final class SharedThread: Sendable {
  static let shared = SharedThread()

  /// What a running thread has.
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

  /// Attends to somebody from now on; ``leave(_:)`` takes the number.
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

  /// Attends to somebody no more; nothing where that is so already.
  ///
  /// What is under way for it may still come to its end.
  func leave(_ number: UInt64) {
    // Held until the lock is free: its end may be that of others, too.
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
        // Who comes next has a thread of its own.
        work.room = nil
        return true
      }
      if isOver { return }
    }
  }
}
