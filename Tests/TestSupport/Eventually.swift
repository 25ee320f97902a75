import Foundation

/// Waits until something is so that nobody tells of, such as a file of the kernel's: the last resort of a test.
///
/// `what` is it in words, for the failure.
public func eventually(_ what: @autoclosure () -> String = "it", _ isSo: () throws -> Bool) throws {
  try eventually(what()) { try isSo() ? () : nil }
}

/// Waits until `look` finds something, and returns it.
@discardableResult
public func eventually<Found>(
  _ what: @autoclosure () -> String = "it", _ look: () throws -> Found?
) throws -> Found {
  var allowance = Allowance()
  while true {
    if let found = try look() { return found }
    guard allowance.next() != nil else { throw Failure("never came: \(what())") }
    Thread.sleep(forTimeInterval: 0.02)
  }
}
