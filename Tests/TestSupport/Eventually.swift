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
  let end = Date(timeIntervalSinceNow: patience)
  while true {
    // Looked at once more after the end: a busy machine may have let the time pass between two looks.
    let isLate = Date() > end
    if let found = try look() { return found }
    guard !isLate else { throw Failure("never came: \(what())") }
    Thread.sleep(forTimeInterval: 0.02)
  }
}
