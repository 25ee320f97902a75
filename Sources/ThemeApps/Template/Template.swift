public import ThemedSystem

/// A template in mustache, ready to be rendered.
///
/// It supports what public templates use: variables, escaped and not, sections, inverted sections, comments, changed
/// delimiters, and lines with only a tag. A template never includes another one or calls anything, so rendering always
/// ends, in time linear in the template and the result.
public struct Template: Sendable, Hashable {
  /// The longest template, in bytes.
  public static let maximumSize = 256 << 10
  /// The longest result, in bytes.
  public static let maximumResult = 4 << 20

  /// How `{{ }}` treats characters with a meaning in HTML.
  public enum Escape: String, Sendable, Hashable, CaseIterable {
    /// They stay as they are.
    case none
    /// They are escaped, as by the builders of tinted-theming.
    case html
  }

  /// A problem in a template.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1; nil if the problem is about the whole template.
    public let line: Int?
    /// The problem, in one line that is safe for a terminal.
    public let text: String

    /// A problem of this line.
    public init(line: Int? = nil, text: String) {
      self.line = line
      self.text = text
    }

    /// The line and the problem.
    public var description: String { line.map { "line \($0): \(text)" } ?? text }
  }

  /// A variable that a template names.
  public struct Mention: Sendable, Hashable {
    /// Its name.
    public let name: Text
    /// The line, from 1.
    public let line: Int
  }

  /// The steps of rendering, in order.
  enum Step: Sendable, Hashable {
    case bytes(Range<Int>)
    case variable(Text, isEscaped: Bool)
    /// A section that is shown if its variable is true, or if it is not; `end` is the step after it.
    case section(Text, isInverted: Bool, end: Int)
    /// The end of a section that was shown for a value, to which `{{.}}` refers within it.
    case endOfValue
  }

  let source: [UInt8]
  private let steps: [Step]
  /// The variables that it names, in order.
  public let mentions: [Mention]

  /// Reads a template.
  public init(parsing source: [UInt8]) throws(Problem) {
    guard source.count <= Self.maximumSize else {
      throw Problem(line: nil, text: "the template is longer than \(Self.maximumSize >> 10) KiB")
    }
    var parser = TemplateParser(source)
    try parser.parse()
    (self.source, steps, mentions) = (source, parser.steps, parser.mentions)
  }

  /// The result with these values; a variable without a value is empty.
  public func render(_ escape: Escape, _ value: (Text) -> Text?) throws(Problem) -> [UInt8] {
    var result: [UInt8] = []
    var values: [Text] = []
    var index = 0
    func find(_ name: Text) -> Text? { name == "." ? values.last : value(name) }
    while index < steps.count {
      switch steps[index] {
      case .bytes(let range): result += source[range]
      case .variable(let name, let isEscaped):
        let bytes = (find(name) ?? "").utf8
        if isEscaped, escape == .html { result += bytes.flatMap(\.escapedForHTML) } else { result += bytes }
      case .section(let name, let isInverted, let end):
        let value = find(name).flatMap { $0.isEmpty ? nil : $0 }
        guard (value == nil) == isInverted else {
          index = end
          continue
        }
        if let value { values.append(value) }
      case .endOfValue: values.removeLast()
      }
      guard result.count <= Self.maximumResult else {
        throw Problem(line: nil, text: "the result is longer than \(Self.maximumResult >> 20) MiB")
      }
      index += 1
    }
    return result
  }

  /// The result with the variables of an app.
  public func render(_ variables: AppVariables, escape: Escape) throws(Problem) -> [UInt8] {
    try render(escape) { variables[$0] }
  }
}

extension UInt8 {
  /// The bytes, escaped for HTML.
  fileprivate var escapedForHTML: [UInt8] {
    switch self {
    case UInt8(ascii: "&"): Array("&amp;".utf8)
    case UInt8(ascii: "<"): Array("&lt;".utf8)
    case UInt8(ascii: ">"): Array("&gt;".utf8)
    case UInt8(ascii: "\""): Array("&quot;".utf8)
    case UInt8(ascii: "'"): Array("&#39;".utf8)
    default: [self]
    }
  }
}
