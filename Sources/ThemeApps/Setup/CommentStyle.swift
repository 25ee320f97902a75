package import ThemedSystem

package struct CommentStyle: Sendable, Hashable {
  /// The characters before the comment's text.
  package let start: Text
  /// The characters after the comment's text; nil if the end of the line ends it.
  package var end: Text?

  /// `#`, which most formats have.
  package static let hash = CommentStyle(start: "#")

  /// The comments that app files can name, as they write them.
  static let known: [(word: Text, comment: CommentStyle)] =
    ["#", "//", "!", "\"", ";", "--", "%"].map { ($0, CommentStyle(start: $0)) } + [
      ("/* */", CommentStyle(start: "/*", end: "*/")), ("<!-- -->", CommentStyle(start: "<!--", end: "-->")),
    ]

  /// The text in a comment of this style; nil if the line is not one.
  func text(of line: Text) -> Text? {
    let rest = line.dropping(prefix: "\(start) ")
    guard let end else { return rest }
    let text = rest?.dropping(suffix: " \(end)")
    return hasNoDoubleDash ? text?.replacing("- -", with: "--").replacing("- -", with: "--") : text
  }

  /// A line with this comment, without a line end.
  package func line(_ text: Text) -> Text {
    // Three dashes in a row need the second time.
    let text = hasNoDoubleDash ? text.replacing("--", with: "- -").replacing("--", with: "- -") : text
    return end.map { "\(start) \(text) \($0)" } ?? "\(start) \(text)"
  }

  /// Whether a comment cannot contain two dashes, as in XML, though the name of an app can.
  private var hasNoDoubleDash: Bool { start == "<!--" }
}

/// The first line of a file that themed-apply writes: it names the app.
///
/// A file with another first line is never overwritten, and never removed.
package struct TargetMark: Sendable, Hashable {
  /// The line, without a line end.
  package let line: Text

  package init(app: Text, comment: CommentStyle) {
    line = comment.line("Written by themed-apply for '\(app)', and overwritten at each change.")
  }

  /// Whether a file that begins with these bytes belongs to that app.
  package func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: Array(line.utf8) + [0x0A]) }

  /// The content below the mark; an XML declaration goes, because nothing may be above it.
  package func marking(_ bytes: [UInt8]) -> [UInt8] {
    let declares = line.hasPrefix("<!--") && bytes.starts(with: "<?xml ".utf8)
    let rest = declares ? bytes.firstIndex(of: UInt8(ascii: ">")).map { bytes[($0 + 1)...] } : nil
    return Array(line.utf8) + [0x0A] + (rest.map(Array.init) ?? bytes)
  }
}

extension CommentStyle {
  /// The style of a template's first comment, and its name in app files; nil if the first line is not a comment.
  package static func guessed(from template: [UInt8]) -> (word: Text, comment: CommentStyle)? {
    for line in template.split(separator: 0x0A) {
      let text = Text(decoding: line.trimmed)
      guard !text.isEmpty, !text.hasPrefix("{{!") else { continue }
      return known.first { word, comment in
        guard var rest = text.dropping(prefix: comment.start) else { return false }
        // `##` and `;;` begin comments, `#!` and `#282828` do not.
        if comment.start.count == 1 { while let next = rest.dropping(prefix: comment.start) { rest = next } }
        return rest.isEmpty || rest.hasPrefix(" ")
      }
    }
    return nil
  }
}

/// A comment that a block of ours begins or ends with.
struct BlockMark {
  /// The state of the file before the block was added.
  enum Before {
    case whole
    case unended
    case absent
    /// The file did not exist, and was created with more than the block, such as a copy of the system's file; `sum` is
    /// the checksum of the rest.
    case created(sum: Text)

    fileprivate static let plain: [Before] = [.whole, .unended, .absent]
    fileprivate static let createdWords: Text = " (there was no such file; sum of the rest:"

    fileprivate var words: Text {
      switch self {
      case .whole: ""
      case .unended: " (the line above had no end)"
      case .absent: " (there was no such file)"
      case .created(let sum): "\(Self.createdWords) \(sum))"
      }
    }
  }

  enum Kind {
    case begin(Before)
    /// Lines of the user's follow, as comments; `isUnended` says that the last of them had no line end.
    case replaced(isUnended: Bool)
    /// The end, and the sum of the lines above it.
    case end(sum: Text)

    fileprivate static let replacedWords: Text = " replaced these lines"
    fileprivate static let unendedWords: Text = " (the last one had no end)"
  }

  /// The prefix of a replaced line, inside its comment.
  static let replacedPrefix: Text = "|"

  let subject: Text
  let kind: Kind
  /// The style of the comment; nil if the mark was not read from a file.
  private(set) var comment: CommentStyle?

  var isBegin: Bool { if case .end = kind { false } else { true } }

  init(subject: Text, kind: Kind) {
    self.subject = subject
    self.kind = kind
  }

  /// The mark in a line without blanks around it, in any style of comments; nil if the line is not a mark.
  init?(_ line: Text) {
    for style in CommentStyle.known.map(\.comment) {
      guard let words = style.text(of: line)?.dropping(prefix: "themed: ") else { continue }
      for before in Before.plain {
        guard let subject = words.dropping(suffix: " begins\(before.words)") else { continue }
        self.init(subject: subject, kind: .begin(before))
        comment = style
        return
      }
      if let (rest, sum) = words.dropping(suffix: ")")?.splitAtLast(" "),
        let subject = rest.dropping(suffix: " begins\(Before.createdWords)")
      {
        self.init(subject: subject, kind: .begin(.created(sum: sum)))
        comment = style
        return
      }
      for isUnended in [false, true] {
        let suffix: Text = "\(Kind.replacedWords)\(isUnended ? Kind.unendedWords : "")"
        guard let subject = words.dropping(suffix: suffix) else { continue }
        self.init(subject: subject, kind: .replaced(isUnended: isUnended))
        comment = style
        return
      }
      if let (rest, sum) = words.splitAtLast(" "), let subject = rest.dropping(suffix: " ends,") {
        self.init(subject: subject, kind: .end(sum: sum))
        comment = style
        return
      }
    }
    return nil
  }

  func line(_ style: CommentStyle) -> Text {
    switch kind {
    case .begin(let before): style.line("themed: \(subject) begins\(before.words)")
    case .replaced(let isUnended):
      style.line("themed: \(subject)\(Kind.replacedWords)\(isUnended ? Kind.unendedWords : "")")
    case .end(let sum): style.line("themed: \(subject) ends, \(sum)")
    }
  }

  /// The checksum of a file's lines, which shows whether they were changed: FNV-1a, of 32 bits.
  static func sum(of file: [UInt8]) -> Text { sum(FileLines(file).all.map { file[$0.content] }) }

  /// The checksum of these lines.
  static func sum(_ lines: [ArraySlice<UInt8>]) -> Text {
    var sum: UInt32 = 2_166_136_261
    for line in lines {
      for byte in line + [0x0A] { sum = (sum ^ UInt32(byte)) &* 16_777_619 }
    }
    return Text(sum.hexadecimal(8))
  }
}

/// The lines of a file, however they end.
struct FileLines {
  struct Line {
    /// The line with its line end.
    let range: Range<Int>
    /// The line without its line end.
    let content: Range<Int>
    /// The text without blanks around it.
    let text: Text
  }

  /// The byte order mark that some editors write at the start of a UTF-8 file; it is part of no line.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  let all: [Line]

  init(_ file: [UInt8]) {
    var lines: [Line] = []
    var start = file.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    while start < file.count {
      let end = file[start...].firstIndex(of: 0x0A) ?? file.count
      let isReturned = end > start && file[end - 1] == 0x0D
      lines.append(
        Line(
          range: start..<min(end + 1, file.count), content: start..<(isReturned ? end - 1 : end),
          text: Text(decoding: file[start..<end].trimmed)))
      start = end + 1
    }
    all = lines
  }
}
