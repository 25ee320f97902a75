// swift-format-ignore-file
/// The foreign project's event loop.
public struct EventLoop: Sendable {
  public init() {}

  public func run<Value>(_ body: () async throws -> Value) async rethrows -> Value { try await body() }
}
