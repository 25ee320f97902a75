import Foundation
import Testing
import ThemedTestSupport

/// What programs print, word for word: a file of `Tests/Goldens` for each story, so that a change of a word is seen.
///
/// `make goldens` writes the files anew; what they say is then for people to read, in the change that they are part of.
struct Golden {
  private let session: Session
  private let name: String
  private var text = ""

  /// An empty transcript in this session, to be compared with `Tests/Goldens/NAME.txt`.
  init(_ name: String, _ session: Session) {
    (self.name, self.session) = (name, session)
  }

  /// Runs `themectl`, or another program of ours, and writes down the command, what it prints (each line of errors after
  /// `!`), and its status where that is not 0.
  ///
  /// - Parameter isDetached: Whether it runs without a terminal, even if the tests have one.
  mutating func run(_ words: [String], of program: String = "themectl", isDetached: Bool = false) throws {
    let path = try Products.path(program)
    let finished = try isDetached ? session.run("setsid", ["--wait", path] + words) : session.run(path, words)
    note(program, words)
    text += finished.lines.map { $0 + "\n" }.joined()
    text += finished.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { "! \($0)\n" }
      .joined()
    note(finished.status)
  }

  /// Runs `themectl` in a terminal of so many columns, with all the colours there are.
  mutating func run(_ words: [String], columns: Int) throws {
    session.environment["TERM"] = "xterm-256color"
    session.environment["COLORTERM"] = "truecolor"
    let command = ([try Products.path("themectl")] + words).map { "'\($0)'" }.joined(separator: " ")
    let finished = try session.run(
      "script",
      ["--quiet", "--return", "--command", "stty cols \(columns) rows 50; exec \(command)", "/dev/null"])
    note("themectl", words)
    text += finished.lines.map { $0.filter { $0 != "\r" && $0 != "\r\n" } + "\n" }.joined()
    note(finished.status)
  }

  private mutating func note(_ program: String, _ words: [String]) {
    let words = words.map { $0.contains { " '#".contains($0) } || $0.isEmpty ? "'\($0)'" : $0 }
    text += "$ " + ([program] + words).joined(separator: " ") + "\n"
  }

  private mutating func note(_ status: ThemedTestSupport.ExitStatus) {
    switch status {
    case .exited(0): text += "\n"
    case .exited(let status): text += "[status \(status)]\n\n"
    case .signaled(let signal): text += "[signal \(signal)]\n\n"
    }
  }

  /// Compares the transcript with its file, or writes the file if THEMED_WRITE_GOLDENS is set.
  func expect(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try Self.expect(anywhere, in: "Tests/Goldens/\(name).txt", sourceLocation: sourceLocation)
  }

  /// Compares a text with a file of the project, or writes the file if THEMED_WRITE_GOLDENS is set.
  static func expect(_ text: String, in file: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let path = "\(Products.package)/\(file)"
    guard ProcessInfo.processInfo.environment["THEMED_WRITE_GOLDENS", default: ""] == "" else {
      return try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let kept = try? String(contentsOfFile: path, encoding: .utf8)
    guard Array(text.utf8) != kept.map({ Array($0.utf8) }) else { return }
    let (new, old) = (lines(text), lines(kept ?? ""))
    let first = zip(new, old).prefix { $0 == $1 }.count
    Issue.record(
      """
      \(file), line \(first + 1)
        has \(first < old.count ? old[first] : "its end")
        now \(first < new.count ? new[first] : "its end")
      If you meant this change: make goldens, and read git diff
      """, sourceLocation: sourceLocation)
  }

  /// The same on any machine, at any time: without the names of places, processes and connections, and without times.
  private var anywhere: String {
    var text = text.replacingOccurrences(of: "\u{1B}", with: "\\e")
    // The longest first: one may lie in the other.
    let places = [session.directory.path(""), Products.package, (try? Products.path("themed")) ?? ""]
    for (place, word) in zip(places, ["SCRATCH", "PROJECT", "THEMED"]).sorted(by: { $0.0.count > $1.0.count })
    where !place.isEmpty {
      text = text.replacingOccurrences(of: place.hasSuffix("/") ? String(place.dropLast()) : place, with: word)
    }
    for (pattern, word) in [
      (#"process [0-9]+"#, "process PID"), (#":1\.[0-9]+"#, ":1.N"), (#"[0-9]{4}-[0-9]{2}-[0-9]{2}"#, "DATE"),
      (#"\b[0-9]{2}:[0-9]{2}(:[0-9]{2})?\b"#, "TIME"),
    ] {
      text = text.replacingOccurrences(of: pattern, with: word, options: .regularExpression)
    }
    return text
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
