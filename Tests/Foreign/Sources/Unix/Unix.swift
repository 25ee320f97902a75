// swift-format-ignore-file: a stranger's style is none of ours.
/// A descriptor of the foreign project's.
public struct FileDescriptor: Sendable {
  public let raw: CInt

  public init(raw: CInt) { self.raw = raw }
}

public struct Text: Sendable, Hashable {
  public let letters: String

  public init(_ letters: String) { self.letters = letters }
}
