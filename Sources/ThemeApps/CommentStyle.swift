public import ThemedText

/// How a comment of a line looks in a file.
public struct CommentStyle: Sendable, Hashable {
  /// What stands before it.
  public let start: Text
  /// What stands behind it; nil where the line's end does.
  public let end: Text?

  /// A comment between these.
  public init(start: Text, end: Text? = nil) {
    self.start = start
    self.end = end
  }

  /// `#`, as most have it.
  public static let hash = CommentStyle(start: "#")

  /// The comments that app files know, as they write them.
  static let known: [(word: Text, comment: CommentStyle)] =
    ["#", "//", "!", "\"", ";", "--", "%"].map { ($0, CommentStyle(start: $0)) } + [
      ("/* */", CommentStyle(start: "/*", end: "*/")), ("<!-- -->", CommentStyle(start: "<!--", end: "-->")),
    ]

  /// What stands in a comment of this style; nil where a line is none.
  func text(of line: Text) -> Text? {
    let rest = line.dropping(prefix: "\(start) ")
    guard let end else { return rest }
    return rest?.dropping(suffix: " \(end)")
  }

  /// A line of this comment, without what ends it.
  public func line(_ text: Text) -> Text { end.map { "\(start) \(text) \($0)" } ?? "\(start) \(text)" }
}

/// The first line of a file that themed-apply writes: it says whose the file is.
///
/// A file that begins otherwise is never written over, and never removed.
public struct TargetMark: Sendable, Hashable {
  /// The line, without what ends it.
  public let line: Text

  /// The line of an app's file with such comments.
  public init(app: Text, comment: CommentStyle) {
    line = comment.line("Written by themed-apply for '\(app)', and overwritten at each change.")
  }

  /// Whether a file that begins with these bytes is that app's.
  public func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: Array(line.utf8) + [0x0A]) }

  /// The file of these bytes: the line, and they.
  public func marking(_ bytes: [UInt8]) -> [UInt8] { Array(line.utf8) + [0x0A] + bytes }
}

extension CommentStyle {
  /// The comments that a template's first line of text is one of, and how an app file writes them; nil where it is none.
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
