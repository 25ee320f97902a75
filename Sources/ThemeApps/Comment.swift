public import ThemedText

/// How a comment of a line looks in a file.
public struct Comment: Sendable, Hashable {
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
  public static let hash = Comment(start: "#")

  /// The comments that app files know, as they write them.
  static let known: [(word: Text, comment: Comment)] =
    ["#", "//", "!", "\"", ";", "--", "%"].map { ($0, Comment(start: $0)) } + [
      ("/* */", Comment(start: "/*", end: "*/")), ("<!-- -->", Comment(start: "<!--", end: "-->")),
    ]

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
  public init(app: Text, comment: Comment) {
    line = comment.line("Written by themed-apply for '\(app)', and overwritten at each change.")
  }

  /// Whether a file that begins with these bytes is that app's.
  public func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: Array(line.utf8) + [0x0A]) }

  /// The file of these bytes: the line, and they.
  public func marking(_ bytes: [UInt8]) -> [UInt8] { Array(line.utf8) + [0x0A] + bytes }
}

extension Comment {
  /// How an app file writes the comments that a template's first line of text is one of; nil where it is none.
  public static func guessed(from template: [UInt8]) -> Text? {
    for line in template.split(separator: 0x0A) {
      let text = Text(decoding: line.trimmed)
      guard !text.isEmpty, !text.hasPrefix("{{!") else { continue }
      // The longer ones come first: `--` is none of `-`.
      return known.sorted { $0.comment.start.count > $1.comment.start.count }
        .first { text.hasPrefix($0.comment.start) }?.word
    }
    return nil
  }
}
