import Foundation
import Testing
import ThemedTestSupport

/// A program in the terminal of Tests/Terminal/terminal.py, which a test looks at and types in while it runs.
final class OpenTerminal {
  /// What is seen.
  struct Screen: Decodable {
    /// The lines that were drawn at once.
    let screen: [String]
    /// The terminal's.
    let background: String
  }

  /// What the terminal has seen at the end.
  struct End: Decodable {
    let first: [String: String]
    let last: [String: String]
    /// Those that a program has set: the terminal's settings do not change these.
    let set: [String]
    let output: String
    let settings: Bool?
    let status: Int32
  }

  private let process: ChildProcess

  init(_ session: Session, _ words: [String]) throws {
    let script = Products.package + "/Tests/Terminal/terminal.py"
    process = try session.spawn(Products.python(), [script, "live"] + words, input: [])
  }

  /// Types these keys; `\\n` is Enter.
  func type(_ keys: String) throws { try process.send(line: keys) }

  /// Waits for a screen that is as expected.
  func await(_ isExpected: (Screen) -> Bool) throws {
    var last = ""
    while true {
      do { last = try process.line() } catch { throw Failure("\(error); it showed: \(last)") }
      guard let screen = try? JSONDecoder().decode(Screen.self, from: Data(last.utf8)) else {
        throw Failure("it has ended: \(last)")
      }
      if isExpected(screen) { return }
    }
  }

  /// How many threads the program has.
  func threads() throws -> Int {
    let children = try String(contentsOfFile: "/proc/\(process.pid)/task/\(process.pid)/children", encoding: .utf8)
    let program = try #require(children.split(separator: " ").first)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program)/task").count
  }

  /// Waits for the program's end.
  func end() throws -> End {
    while true {
      let line = Data(try process.line().utf8)
      if let end = try? JSONDecoder().decode(End.self, from: line) { return end }
    }
  }
}
