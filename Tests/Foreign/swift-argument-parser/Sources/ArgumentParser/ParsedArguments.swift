// swift-format-ignore-file
/// The words of a command line.
public struct ParsedArguments: Sendable {
  public let words: [String]

  public init(of line: String) { words = line.split(separator: " ").map { String($0) } }
}
