package import ThemedSystem

/// A template in mustache, ready to be rendered.
///
/// It supports what public templates use: variables, escaped and not, sections, inverted sections, comments, changed
/// delimiters, and lines with only a tag. A template never includes another one or calls anything, so rendering always
/// ends, in time linear in the template and the result.
///
/// It is our own because the libraries that we tried differ from mustache's specification, lack a maintainer (kainjow's,
/// mstch) or need Foundation (swift-mustache). The tests compare it with another project's renderer.
package struct Template: Sendable, Hashable {
  /// The longest template, in bytes.
  package static let maximumSize = 256 << 10
  /// The longest result, in bytes.
  package static let maximumResult = 4 << 20

  /// How `{{ }}` treats characters with a meaning in HTML.
  package enum Escape: String, Sendable, Hashable, CaseIterable {
    case none
    /// They are escaped, as by the builders of tinted-theming.
    case html
  }

  package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1; nil if the problem is about the whole template.
    package let line: Int?
    /// The problem, in one line that is safe for a terminal.
    package let text: String

    package init(line: Int? = nil, text: String) {
      self.line = line
      self.text = text
    }

    package var description: String { line.map { "line \($0): \(text)" } ?? text }
  }

  package struct Mention: Sendable, Hashable {
    package let name: Text
    /// The line, from 1.
    package let line: Int
  }

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
  package let mentions: [Mention]

  package init(parsing source: [UInt8]) throws(Problem) {
    guard source.count <= Self.maximumSize else {
      throw Problem(line: nil, text: "the template is longer than \(Self.maximumSize >> 10) KiB")
    }
    var parser = TemplateParser(source)
    try parser.parse()
    (self.source, steps, mentions) = (source, parser.steps, parser.mentions)
  }

  /// The result with these values; a variable without a value is empty.
  package func render(_ escape: Escape, _ value: (Text) -> Text?) throws(Problem) -> [UInt8] {
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

  package func render(_ variables: AppVariables, escape: Escape) throws(Problem) -> [UInt8] {
    try render(escape) { variables[$0] }
  }
}

extension UInt8 {
  /// The byte as markup that shows it, for HTML and Pango.
  package var escapedForHTML: [UInt8] {
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

struct TemplateParser {
  private struct Open {
    let name: Text
    let line: Int
    let step: Int
    let isInverted: Bool
  }

  private let source: [UInt8]
  private(set) var steps: [Template.Step] = []
  private(set) var mentions: [Template.Mention] = []
  private var open: [Open] = []
  private var delimiters = (begin: Array("{{".utf8), end: Array("}}".utf8))
  private var line = 1
  /// The start of the text that is not a step yet.
  private var start = 0

  init(_ source: [UInt8]) { self.source = source }

  mutating func parse() throws(Template.Problem) {
    var index = 0
    while let begin = find(delimiters.begin, from: index) {
      line += source[index..<begin].count { $0 == UInt8(ascii: "\n") }
      index = try readTag(at: begin)
      line += source[begin..<index].count { $0 == UInt8(ascii: "\n") }
    }
    addText(to: source.count)
    if let section = open.last {
      throw Template.Problem(line: section.line, text: "the section \(quote(section.name)) is never closed")
    }
  }

  /// Reads the tag that begins at `begin`, and returns the position after it.
  private mutating func readTag(at begin: Int) throws(Template.Problem) -> Int {
    let inside = begin + delimiters.begin.count
    let first = source[inside...].first
    // A tag that begins with three braces ends with three.
    let close =
      switch first {
      case UInt8(ascii: "{"): [UInt8(ascii: "}")] + delimiters.end
      case UInt8(ascii: "="): [UInt8(ascii: "=")] + delimiters.end
      default: delimiters.end
      }
    let hasMark = first.map { "{=&#^/!><$".utf8.contains($0) } ?? false
    let from = inside + (hasMark ? 1 : 0)
    guard let end = find(close, from: from) else { throw problem("a tag that begins here is never closed") }
    let content = source[from..<end].trimmed
    let after = end + close.count
    let name = Text(decoding: content)
    switch hasMark ? first : nil {
    case UInt8(ascii: "!"): return finish(begin, after)
    case UInt8(ascii: "="):
      let parts = content.split(whereSeparator: \.isBlank)
      // Each byte is compared with all delimiters.
      guard parts.count == 2, !content.contains(UInt8(ascii: "=")), parts.allSatisfy({ $0.count <= 16 }) else {
        throw problem("write new delimiters, of 16 bytes at most each, between equals signs, as in {{=<% %>=}}")
      }
      let next = finish(begin, after)
      delimiters = (Array(parts[0]), Array(parts[1]))
      return next
    case UInt8(ascii: "#"), UInt8(ascii: "^"):
      try check(name)
      let next = finish(begin, after)
      mention(name)
      open.append(Open(name: name, line: line, step: steps.count, isInverted: first == UInt8(ascii: "^")))
      // The end is not known yet.
      steps.append(.section(name, isInverted: first == UInt8(ascii: "^"), end: 0))
      return next
    case UInt8(ascii: "/"):
      let next = finish(begin, after)
      try closeSection(name)
      return next
    case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "$"):
      throw problem("a template cannot include another one such as \(quote(name)); copy its text instead")
    default:
      // The builders print nothing for unknown names, whatever they look like.
      guard name.count <= 255 else {
        throw problem("\(quote(name)) should be the name of a variable, 255 bytes at most")
      }
      addText(to: begin)
      start = after
      mention(name)
      steps.append(.variable(name, isEscaped: !hasMark))
      return after
    }
  }

  private mutating func closeSection(_ name: Text) throws(Template.Problem) {
    guard let section = open.popLast() else {
      throw problem("this closes the section \(quote(name)), which is not open")
    }
    guard section.name == name else {
      throw problem("the section \(quote(section.name)) of line \(section.line) should be closed before \(quote(name))")
    }
    if !section.isInverted { steps.append(.endOfValue) }
    steps[section.step] = .section(section.name, isInverted: section.isInverted, end: steps.count)
  }

  /// Adds the text before a tag without output, and returns the position at which to continue.
  ///
  /// A line that contains nothing else is dropped.
  private mutating func finish(_ begin: Int, _ after: Int) -> Int {
    var lineStart = begin
    while lineStart > start, source[lineStart - 1].isBlankInLine { lineStart -= 1 }
    let isFirst = lineStart == 0 || source[lineStart - 1] == UInt8(ascii: "\n")
    let rest = source[after...].prefix(while: \.isBlankInLine)
    let lineEnd =
      switch source[rest.endIndex...].prefix(2) {
      case let end where end.isEmpty: rest.endIndex
      case let end where end.first == UInt8(ascii: "\n"): rest.endIndex + 1
      case let end where end.elementsEqual([UInt8(ascii: "\r"), UInt8(ascii: "\n")]): rest.endIndex + 2
      default: after
      }
    let isAlone = isFirst && (lineEnd > after || after == source.count)
    addText(to: isAlone ? lineStart : begin)
    start = isAlone ? lineEnd : after
    return after
  }

  private mutating func addText(to end: Int) { if start < end { steps.append(.bytes(start..<end)) } }

  private mutating func mention(_ name: Text) { mentions.append(Template.Mention(name: name, line: line)) }

  private func check(_ name: Text) throws(Template.Problem) {
    guard !name.isEmpty, name.count <= 255, !name.utf8.contains(where: \.isBlank) else {
      throw problem("\(quote(name)) should be the name of a variable")
    }
  }

  private func find(_ bytes: [UInt8], from start: Int) -> Int? {
    guard let first = bytes.first, source.count - start >= bytes.count else { return nil }
    var index = start
    while let next = source[index...].firstIndex(of: first) {
      if source[next...].starts(with: bytes) { return next }
      index = next + 1
    }
    return nil
  }

  private func quote(_ name: Text) -> String { "'\(name.shown(atMost: 80))'" }

  private func problem(_ text: String) -> Template.Problem { Template.Problem(line: line, text: text) }
}

extension UInt8 {
  fileprivate var isBlankInLine: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  fileprivate var isBlank: Bool { isBlankInLine || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension ArraySlice<UInt8> {
  /// Without white space at either end.
  var trimmed: ArraySlice { trimming(\.isBlank) }
}
