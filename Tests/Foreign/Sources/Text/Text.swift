// swift-format-ignore-file
/// A descriptor of the foreign project's.
public struct FileDescriptor: Sendable {
  public let raw: CInt

  public init(raw: CInt) { self.raw = raw }
}

public struct Text: Sendable, Hashable {
  public let letters: String

  public init(_ letters: String) { self.letters = letters }
}
