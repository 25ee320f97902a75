internal import Glibc
internal import ThemedUnix

/// A descriptor that is shared, and closed with the last who has it.
final class Leftover: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// The output of programs that runs have left in the background: it is read and dropped, for as long as they write.
///
/// A program that floods its pipe is blocked by it, and does not delay any other.
final class Leftovers {
  private let watch: (CInt, UInt64) -> Bool
  private let unwatch: (CInt) -> Void
  private var all: [UInt64: Leftover] = [:]
  private var last: UInt64
  /// How much each has written since it was let be.
  private var flows: [UInt64: Int] = [:]
  /// When those are read again that write too much, or could not be watched.
  private var resting: [UInt64: Int] = [:]

  /// None yet; each is watched under a number of its own behind this one.
  init(numberedBehind number: UInt64, watch: @escaping (CInt, UInt64) -> Bool, unwatch: @escaping (CInt) -> Void) {
    self.watch = watch
    self.unwatch = unwatch
    last = number
  }

  /// When to go on by itself.
  var deadline: Int? { resting.values.min() }

  /// Whether nobody writes any more.
  var isEmpty: Bool { all.isEmpty }

  /// Takes one over.
  func add(_ leftover: Leftover, now: Int) {
    _ = fcntl(leftover.descriptor.raw, F_SETFL, O_NONBLOCK)
    last += 1
    all[last] = leftover
    begin(last, now: now)
  }

  /// Reads what was written to one, and drops it.
  func read(_ number: UInt64, now: Int) {
    guard let leftover = all[number] else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(leftover.descriptor.raw, &buffer, buffer.count)
    guard count == 0 || count < 0 && errno != EAGAIN && errno != EINTR else {
      flows[number, default: 0] += max(0, count)
      guard flows[number, default: 0] > Limits.leftoverBytes else { return }
      unwatch(leftover.descriptor.raw)
      rest(number, now: now)
      return
    }
    unwatch(leftover.descriptor.raw)
    (all[number], flows[number]) = (nil, nil)
  }

  func timePassed(now: Int) {
    for (number, time) in resting where time <= now {
      resting[number] = nil
      begin(number, now: now)
    }
  }

  private func begin(_ number: UInt64, now: Int) {
    guard let leftover = all[number], !watch(leftover.descriptor.raw, number) else { return }
    rest(number, now: now)
  }

  private func rest(_ number: UInt64, now: Int) {
    (flows[number], resting[number]) = (nil, now + Limits.leftoverRest)
  }
}
