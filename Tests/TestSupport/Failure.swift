/// What a test's surroundings could not do, in words.
public struct Failure: Error, CustomStringConvertible {
  /// What failed, and what was seen instead.
  public let description: String

  /// Creates a failure that says `description`.
  public init(_ description: String) {
    self.description = description
  }
}
