import Foundation
import Testing
import ThemedTestSupport

/// A real program that is made to follow by its app file, in a session with the daemon and themed-apply.
final class FollowingApp {
  let session: Session
  private let app: String
  private var own: [String: Data] = [:]

  /// Starts the daemon, writes the files that a user has already, and enables the app with the line that it needs.
  init(_ session: Session, _ app: String, own files: [String: String] = [:]) throws {
    self.session = session
    self.app = app
    _ = try TriedPrograms.row(app, under: "Apps")
    _ = try session.startThemed()
    try set("light", theme: nil)
    session.environment["SHELL"] = "/bin/bash"
    for (file, text) in files {
      try session.directory.write(text, to: file)
      own[file] = Data(text.utf8)
    }
    let enabled = try session.themectl("app", "enable", app, "--yes")
    guard enabled.status == .exited(0) else { throw Failure("enable \(app): \(enabled.output)\n\(enabled.errors)") }
    _ = try session.spawnApply()
    try settle()
  }

  /// Shows light, dark, a theme's dark side and light again, and expects `sees` to become true of each palette.
  func follow(_ sees: ([String: String]) throws -> Bool) throws {
    for (scheme, theme) in [("light", nil), ("dark", nil), ("dark", "80s"), ("light", "80s"), ("light", nil)] {
      try set(scheme, theme: theme)
      let palette = try palette(theme ?? "default", scheme)
      do {
        try eventually("\(app) in \(theme ?? "default"), \(scheme)") { try sees(palette) }
      } catch {
        let account = try session.themectl("app", "show", app)
        throw Failure("\(error)\n\(account.output)\n\(account.errors)")
      }
    }
  }

  /// Waits until themed-apply has done what the newest state asks for.
  func settle() throws {
    let status = session.directory.path("run/themed-apply/status.json")
    try eventually("\(app) done") {
      guard let text = try? String(contentsOfFile: status, encoding: .utf8) else { return false }
      return text.contains("\"name\":\"\(app)\"") && text.contains("\"state\":\"done\"")
    }
  }

  /// Disables the app: every file that the user had is as it was, byte for byte, and none of ours is left.
  func disable() throws {
    let targets = try targets()
    #expect(!targets.isEmpty || own.isEmpty)
    let disabled = try session.themectl("app", "disable", app)
    #expect(disabled.status == .exited(0), "\(disabled.output)\n\(disabled.errors)")
    for (file, bytes) in own {
      #expect(try Data(contentsOf: URL(filePath: session.directory.path(file))) == bytes, "\(app): \(file)")
    }
    for target in targets { #expect(!FileManager.default.fileExists(atPath: target), "\(app): \(target)") }
  }

  /// The files that begin with the mark of whose they are.
  private func targets() throws -> [String] {
    var found: [String] = []
    for place in ["config", "home", "data", "state"] {
      let root = session.directory.path(place)
      for file in try FileManager.default.subpathsOfDirectory(atPath: root) {
        // The daemon's own lie there, too.
        let isOurs = file.hasPrefix("themed/")
        guard own[place + "/" + file] == nil, !isOurs || place == "state" else { continue }
        let text = try? String(contentsOfFile: root + "/" + file, encoding: .utf8)
        let first = text?.split(separator: "\n", maxSplits: 1).first ?? ""
        if first.contains(isOurs ? "Written by themed-apply" : "themed") { found.append(root + "/" + file) }
      }
    }
    return found
  }

  private func set(_ scheme: String, theme: String?) throws {
    let words = theme.map { ["set", "theme", $0] } ?? ["unset", "theme"]
    for words in [words, ["set", scheme]] {
      let finished = try session.themectl(words)
      guard finished.status == .exited(0) else { throw Failure("themectl \(words): \(finished.errors)") }
    }
  }

  private func palette(_ theme: String, _ scheme: String) throws -> [String: String] {
    struct Theme: Decodable {
      struct Side: Decodable { let palette: [String: String] }
      let light: Side?
      let dark: Side?
    }
    let text = try session.themectl("theme", "show", theme, "--json").output
    let shown = try JSONDecoder().decode(Theme.self, from: Data(text.utf8))
    return try #require(scheme == "light" ? shown.light : shown.dark).palette
  }
}

extension Session {
  /// Starts themed-apply.
  func spawnApply() throws -> ChildProcess { try spawn(Products.path("themed-apply")) }

  /// Starts ask.py in a terminal, by the words before it; returns what it has been told last.
  func askTerminal(_ program: String, _ words: [String]) throws -> TerminalAnswers {
    let answers = TerminalAnswers(path: directory.path("tmp/answers-" + UUID().uuidString))
    let script = Products.package + "/Tests/Terminal/ask.py"
    _ = try spawn(program, words + [Products.system("python3"), script, answers.path])
    return answers
  }
}

/// What a terminal has told of its colours.
struct TerminalAnswers {
  let path: String

  /// The newest answer to each question.
  func now() -> [String: String] {
    var answers: [String: String] = [:]
    for line in ((try? String(contentsOfFile: path, encoding: .ascii)) ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ").map(String.init)
      if parts.count == 2 { answers[parts[0]] = parts[1] }
    }
    return answers
  }

  /// Whether text, background and two of the sixteen are this palette's.
  func show(_ palette: [String: String]) -> Bool {
    let now = now()
    return [("10", "text"), ("11", "background"), ("4;1", "ansi1"), ("4;12", "ansi12")].allSatisfy {
      now[$0.0] == palette[$0.1]
    }
  }
}
