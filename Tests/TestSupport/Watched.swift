import Foundation
import Synchronization

/// A value that one thread changes and another waits upon.
final class Watched<Value: Sendable>: Sendable {
  private let condition = NSCondition()
  private let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// Changes or reads the value, and wakes everybody who waits for something in it.
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    let result = value.withLock { body(&$0) }
    condition.broadcast()
    return result
  }

  /// Waits until `look` finds what it looks for, and returns it; nil when `seconds` have passed, as ``Allowance`` counts.
  func wait<Result: Sendable>(seconds: Double = patience, _ look: (inout Value) -> Result?) -> Result? {
    var allowance = Allowance(seconds: seconds)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let found = value.withLock({ look(&$0) }) { return found }
      guard let next = allowance.next() else { return nil }
      _ = condition.wait(until: Date(timeIntervalSinceNow: next))
    }
  }
}
