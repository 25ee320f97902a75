internal import Glibc
internal import Synchronization
internal import ThemedSystem

/// Handles all items at the same time on their own threads, so that one that hangs does not delay others.
func concurrently<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ body: @escaping @Sendable (Item) -> Result
) -> [Result] {
  guard items.count > 1, let gathering = try? Gathering<Result>() else { return items.map(body) }
  for (index, item) in items.enumerated().dropFirst() {
    let work = { @Sendable in gathering.add(body(item), at: index) }
    // Where there is no room for a thread it is done by this one.
    if (try? startThread(work)) == nil { work() }
  }
  gathering.add(body(items[0]), at: 0)
  return gathering.wait(for: items.count)
}

private final class Gathering<Result: Sendable>: Sendable {
  private let results = Mutex<[Int: Result]>([:])
  private let bell: Bell

  init() throws(SystemError) { bell = try Bell() }

  func add(_ result: Result, at index: Int) {
    results.withLock { $0[index] = result }
    bell.ring()
  }

  func wait(for count: Int) -> [Result] {
    while true {
      bell.silence()
      let results = results.withLock { $0 }
      if results.count == count { return results.sorted { $0.key < $1.key }.map(\.value) }
      var entry = pollfd(fd: bell.descriptor.raw, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&entry, 1, -1)
    }
  }
}
