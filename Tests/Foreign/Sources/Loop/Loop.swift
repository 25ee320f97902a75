// swift-format-ignore-file
extension Duration {
  public var milliseconds: Int { -1 }
}

/// The foreign project's event loop.
public struct EventLoop: Sendable {
  public init() {}

  public var isRunning: Bool { true }
}
