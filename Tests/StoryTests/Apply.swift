import Foundation
import ThemedTestSupport

/// What themed-apply is given in a session, and what it says.
extension Session {
  /// Writes an app's file and its template, and enables it beside those that are enabled.
  func enableApp(_ name: String, _ text: String, template: String? = nil) throws {
    try directory.write("[app]\ntitle=\(name)\nprogram=\(name)\n\(text)", to: "config/themed/apps/\(name).app")
    if let template { try directory.write(template, to: "config/themed/templates/\(name).mustache") }
    let path = directory.path("config/themed/apps.enabled")
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try directory.write(old + name + "\n", to: "config/themed/apps.enabled")
  }

  /// Writes a hook.
  func addHook(_ name: String, _ script: String) throws {
    let path = "config/themed/hooks.d/\(name)"
    // Made executable before it is there: what is no hook yet would be told.
    try directory.write("#!/bin/sh\n\(script)\n", to: "tmp/\(name)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path("tmp/\(name)"))
    _ = try directory.directory("config/themed/hooks.d")
    try? FileManager.default.removeItem(atPath: directory.path(path))
    try FileManager.default.moveItem(atPath: directory.path("tmp/\(name)"), toPath: directory.path(path))
  }

  /// Starts themed-apply.
  func startApply(_ arguments: String...) throws -> ChildProcess {
    try spawn(Products.path("themed-apply"), ["--verbose"] + arguments)
  }

  /// What `status.json` says of an app or a hook; nil where it says nothing of it.
  func applied(_ name: String, in list: String = "apps") throws -> Applied? {
    guard let data = FileManager.default.contents(atPath: directory.path("run/themed-apply/status.json")) else {
      return nil
    }
    let all = try JSONDecoder().decode(AllApplied.self, from: data)
    return (list == "apps" ? all.apps : all.hooks).first { $0.name == name }
  }

  /// Waits until an app or a hook is so.
  @discardableResult
  func awaitApplied(_ name: String, in list: String = "apps", _ isSo: (Applied) -> Bool) throws -> Applied {
    try eventually("\(name) as expected; it is \(String(describing: try? applied(name, in: list)))") {
      try applied(name, in: list).flatMap { isSo($0) ? $0 : nil }
    }
  }

  /// The processes of this session that are called so.
  func processes(called name: String) -> [Int32] {
    processes { (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == name + "\n" }
  }

  /// The processes of this session with this in their command line.
  func processes(with words: String) -> [Int32] {
    processes { FileManager.default.contents(atPath: "/proc/\($0)/cmdline")?.range(of: Data(words.utf8)) != nil }
  }

  private func processes(_ isMeant: (Int32) -> Bool) -> [Int32] {
    let home = Data(("HOME=" + directory.path("home")).utf8)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    return all.filter {
      isMeant($0) && FileManager.default.contents(atPath: "/proc/\($0)/environ")?.range(of: home) != nil
    }
  }

  /// What is in a file of the session; nil where there is none.
  func text(_ relative: String) -> String? { try? String(contentsOfFile: directory.path(relative), encoding: .utf8) }
}

/// What `status.json` has.
private struct AllApplied: Decodable {
  let apps, hooks: [Applied]
}

/// An entry of `status.json`.
struct Applied: Decodable {
  struct Action: Decodable {
    let name, state: String
    let detail: String?
  }

  let name, state: String
  let scheme, theme, problem, advice: String?
  let actions: [Action]

  func isDone(_ scheme: String) -> Bool { state == "done" && self.scheme == scheme }
}
