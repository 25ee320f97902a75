internal import Glibc
internal import ThemedSystem

/// A descriptor that is shared, and closed with its last owner.
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
  /// How many bytes each has written since its last rest.
  private var flows: [UInt64: Int] = [:]
  /// When to read again from the pipes of programs that write too much, and those that could not be watched.
  private var resting: [UInt64: Int] = [:]

  /// No pipes yet; each is watched under its own number after this one.
  init(numberedBehind number: UInt64, watch: @escaping (CInt, UInt64) -> Bool, unwatch: @escaping (CInt) -> Void) {
    self.watch = watch
    self.unwatch = unwatch
    last = number
  }

  /// When to call this again without an event.
  var deadline: Int? { resting.values.min() }

  /// Whether no program writes any more.
  var isEmpty: Bool { all.isEmpty }

  /// Takes over a pipe.
  func add(_ leftover: Leftover, now: Int) {
    _ = fcntl(leftover.descriptor.raw, F_SETFL, O_NONBLOCK)
    last += 1
    all[last] = leftover
    begin(last, now: now)
  }

  /// Reads a pipe, and drops the bytes.
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
