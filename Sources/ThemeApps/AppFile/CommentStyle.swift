public import ThemedSystem

/// The style of a comment in a file.
public struct CommentStyle: Sendable, Hashable {
  /// The characters before the comment's text.
  public let start: Text
  /// The characters after the comment's text; nil if the end of the line ends it.
  public let end: Text?

  /// A style of comments with these characters around the text.
  public init(start: Text, end: Text? = nil) {
    self.start = start
    self.end = end
  }

  /// `#`, which most formats have.
  public static let hash = CommentStyle(start: "#")

  /// The comments that app files can name, as they write them.
  static let known: [(word: Text, comment: CommentStyle)] =
    ["#", "//", "!", "\"", ";", "--", "%"].map { ($0, CommentStyle(start: $0)) } + [
      ("/* */", CommentStyle(start: "/*", end: "*/")), ("<!-- -->", CommentStyle(start: "<!--", end: "-->")),
    ]

  /// The text in a comment of this style; nil if the line is not one.
  func text(of line: Text) -> Text? {
    let rest = line.dropping(prefix: "\(start) ")
    guard let end else { return rest }
    return rest?.dropping(suffix: " \(end)")
  }

  /// A line with this comment, without a line end.
  public func line(_ text: Text) -> Text { end.map { "\(start) \(text) \($0)" } ?? "\(start) \(text)" }
}

/// The first line of a file that themed-apply writes: it names the app.
///
/// A file with another first line is never overwritten, and never removed.
public struct TargetMark: Sendable, Hashable {
  /// The line, without a line end.
  public let line: Text

  /// The line in the file of this app, in this style.
  public init(app: Text, comment: CommentStyle) {
    line = comment.line("Written by themed-apply for '\(app)', and overwritten at each change.")
  }

  /// Whether a file that begins with these bytes belongs to that app.
  public func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: Array(line.utf8) + [0x0A]) }

  /// The content of a file: the line, followed by these bytes.
  public func marking(_ bytes: [UInt8]) -> [UInt8] { Array(line.utf8) + [0x0A] + bytes }
}

extension CommentStyle {
  /// The style of a template's first comment, and its name in app files; nil if the first line is not a comment.
  public static func guessed(from template: [UInt8]) -> (word: Text, comment: CommentStyle)? {
    for line in template.split(separator: 0x0A) {
      let text = Text(decoding: line.trimmed)
      guard !text.isEmpty, !text.hasPrefix("{{!") else { continue }
      return known.first { word, comment in
        guard var rest = text.dropping(prefix: comment.start) else { return false }
        // `##` and `;;` are comments, `#!` and `#282828` are none.
        if comment.start.count == 1 {
          while let next = rest.dropping(prefix: comment.start) { rest = next }
        }
        return rest.isEmpty || rest.hasPrefix(" ")
      }
    }
    return nil
  }
}
