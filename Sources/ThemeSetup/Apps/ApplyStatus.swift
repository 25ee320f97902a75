import CThemedLinux
import ThemeApps
package import ThemedInterface
package import ThemedSystem
package import ThemedVarlink

/// The results for the enabled apps, from themed-apply's file status.json.
package struct ApplyStatus {
  package struct Entry {
    /// One of done, waiting, running, failed and idle.
    package let state: Text
    /// Whether the app is disabled and its files are no longer written, although terminals may still have its colors.
    var isReleased = false
    /// The time of the last run, in seconds since the epoch.
    package let when: Int64?
    package let problem: Text?
    package let advice: Text?
    package let actions: [String]
    package let json: JSON
  }

  /// The longest file that is read, in bytes; the real one is shorter.
  private static let maximumSize = 1 << 20

  package let apps: [Text: Entry]
  /// When themed-apply began to read what is enabled, on the monotonic clock; nil from a version that does not tell.
  package let readAt: Int64?
  /// The result for the desktop's own settings; nil if the desktop is left alone.
  package let desktop: Entry?
  /// The problem with the list of enabled apps, and the advice to the user.
  package let problem: String?
  package let hooks: [(name: Text, entry: Entry)]

  package init?() {
    guard let runtime = BaseDirectory.runtime, Self.holder != nil else { return nil }
    let bytes = try? readFile("\(runtime)/themed-apply/status.json", maximum: Self.maximumSize)
    self.init(bytes ?? Array(#"{"apps":[],"read":0}"#.utf8))
  }

  /// The process of themed-apply; nil if it is not running, or its number is unknown here.
  package static var process: Int32? { holder.flatMap { $0 > 0 ? $0 : nil } }

  /// The process that holds themed-apply's lock, or 0 if that is unknown; a process that was killed leaves no lock.
  private static var holder: Int32? {
    guard let path = BaseDirectory.runtime.map({ "\($0)/themed-apply/lock" }) else { return nil }
    return lockHolder(FileNumber(of: path))
  }

  package init?(_ bytes: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: bytes), case .array(let list)? = object["apps"] else {
      return nil
    }
    apps = Dictionary(Self.entries(list)) { $1 }
    readAt = object.integer("read")
    let words = [object.text("problem"), object.text("advice")].compactMap { $0.map { printable($0) } }
    problem = words.isEmpty ? nil : words.joined(separator: "; ")
    desktop = object["desktop"].flatMap { Self.entries([$0]).first?.1 }
    if case .array(let list)? = object["hooks"] { hooks = Self.entries(list) } else { hooks = [] }
  }

  private static func entries(_ list: [JSON]) -> [(Text, Entry)] {
    list.compactMap { item in
      guard case .object(let item) = item, let name = item.text("name"), let state = item.text("state") else {
        return nil
      }
      let entry = Entry(
        state: state, isReleased: item.isTrue("released"), when: item.integer("when"), problem: item.text("problem"),
        advice: item.text("advice"),
        actions: item.actions, json: .object(item))
      return (name, entry)
    }
  }
}

extension ApplyStatus.Entry {
  package func words(_ now: Int64) -> String {
    let time = when.map { " \(clockText($0, now: now))" } ?? ""
    let problem = [problem, advice].compactMap { $0.map { printable($0) } }.joined(separator: "; ")
    return printable(state) + time + (problem.isEmpty ? "" : ": \(problem)")
  }
}

extension JSON.Object {
  /// The text of this name; nil if there is none.
  package func text(_ name: Text) -> Text? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  fileprivate func isTrue(_ name: Text) -> Bool {
    if case .bool(true)? = self[name] { true } else { false }
  }

  fileprivate var actions: [String] {
    guard case .array(let list)? = self["actions"] else { return [] }
    return list.compactMap { action in
      guard case .object(let action) = action, let name = action.text("name"), let state = action.text("state") else {
        return nil
      }
      let detail = action.text("detail").flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
      return "\(name): \(state)\(detail)"
    }
  }

  fileprivate func integer(_ name: Text) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }
}

package struct Hooks {
  package let all: [(name: Text, entry: ApplyStatus.Entry)]

  /// The hooks in themed-apply's status, and the files that it ignores, even if it is not running.
  package init(_ status: ApplyStatus?) {
    all = (status?.hooks ?? []) + Self.notExecutable
  }

  package var findings: [Finding] {
    all.filter { $0.entry.state == "failed" }.map { name, entry in
      Finding(
        "hook_failed", "the hook \(name): \(entry.problem?.string ?? "its last run failed")",
        why: "what the hook does is missing", fix: entry.advice?.string)
    }
  }

  private static var directory: Text? { BaseDirectory.configuration.map { hookDirectory(configuration: Text($0)) } }

  package static var files: [Text] {
    guard let directory else { return [] }
    return names(inDirectory: directory.string).filter {
      isHookName($0) && isRegularFile("\(directory)/\($0)") == true
    }
  }

  private static var notExecutable: [(Text, ApplyStatus.Entry)] {
    guard let directory else { return [] }
    return files.compactMap { name in
      let path: Text = "\(directory)/\(name)"
      guard !isExecutableFile(path.string) else { return nil }
      return (name, ApplyStatus.Entry(hook: name, problem: "it is not executable", advice: "'chmod +x \(path.asWord)'"))
    }
  }
}

extension ApplyStatus.Entry {
  fileprivate init(hook: Text, problem: Text, advice: Text) {
    self.init(
      state: "failed", when: nil, problem: problem, advice: advice, actions: [],
      json: .object([
        "name": .string(hook), "state": .word("failed"), "problem": .string(problem), "advice": .string(advice),
        "actions": .array([]),
      ]))
  }
}
