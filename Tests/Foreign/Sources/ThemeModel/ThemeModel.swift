// swift-format-ignore-file
/// What the foreign project knows of its own window.
public struct State: Sendable, Equatable {
  public var isOpen: Bool

  public init(isOpen: Bool) { self.isOpen = isOpen }
}

public struct Color: Sendable, Equatable {
  public var name: String

  public init(name: String) { self.name = name }
}

public struct Palette: Sendable { public init() {} }
public enum ColorScheme: Sendable { case garish }
public struct Theme: Sendable { public init() {} }

public func resolve(_ name: String) -> String { "resolved \(name)" }

public let themedVersion = "ours"
