public import ThemedText

/// A template in mustache, ready to be rendered.
///
/// Everything of the specification that public templates use: variables, escaped and not, sections, inverted sections,
/// comments, changed delimiters, lines that hold nothing but a tag. A template never brings in another one and never
/// calls anything, so it always ends, and takes time linear in itself and its result.
public struct Template: Sendable, Hashable {
  /// How many bytes a template may have.
  public static let maximumSize = 256 << 10
  /// How many bytes may come of one.
  public static let maximumResult = 4 << 20

  /// What `{{ }}` does with what has a meaning in HTML.
  public enum Escape: String, Sendable, Hashable, CaseIterable {
    /// It stays what it is.
    case none
    /// It is escaped, as the builders of tinted-theming do.
    case html
  }

  /// What is wrong with a template.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1; nil where it is about the whole.
    public let line: Int?
    /// What is wrong, in one line that is fit for a terminal.
    public let text: String

    /// A problem of this line.
    public init(line: Int? = nil, text: String) {
      self.line = line
      self.text = text
    }

    /// The line and what is wrong there.
    public var description: String { line.map { "line \($0): \(text)" } ?? text }
  }

  /// A variable that a template names.
  public struct Mention: Sendable, Hashable {
    /// Its name.
    public let name: Text
    /// The line, from 1.
    public let line: Int
  }

  /// What is done, in order; a section that is not shown is jumped over.
  enum Step: Sendable, Hashable {
    case bytes(Range<Int>)
    case variable(Text, isEscaped: Bool)
    /// A section that is shown where its variable is true, or where it is not; `end` is the step behind it.
    case section(Text, isInverted: Bool, end: Int)
    /// The end of a section that was shown for a value, which `{{.}}` means within.
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

  /// What comes of it with these values; a variable that has none is empty.
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

  /// What comes of it with the variables of an app.
  public func render(_ variables: AppVariables, escape: Escape) throws(Problem) -> [UInt8] {
    try render(escape) { variables[$0] }
  }
}

extension UInt8 {
  /// As it stands in HTML.
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
