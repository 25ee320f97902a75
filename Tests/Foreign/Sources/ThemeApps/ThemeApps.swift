// swift-format-ignore-file
/// A caller of the foreign project's.
public struct Client: Sendable {
  public let name: String

  public init(name: String) { self.name = name }
}

public enum Mode: Sendable { case day, night }

public struct Override: Sendable { public init() {} }
