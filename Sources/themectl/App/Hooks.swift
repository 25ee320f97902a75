import Glibc
import ThemeApps
import ThemeInterface
import ThemedSystem
import ThemedVarlink

/// The user's hooks: their results, and the files that are not executable.
struct Hooks {
  /// The hooks and their results, by name.
  let all: [(name: Text, entry: ApplyStatus.Entry)]

  /// The hooks in themed-apply's status, and the files that it ignores, even if it is not running.
  init(_ status: ApplyStatus?) {
    all = (status?.hooks ?? []) + Self.notExecutable
  }

  /// The hooks that failed or cannot start.
  var findings: [Finding] {
    all.filter { $0.entry.state == "failed" }.map { name, entry in
      Finding(
        "hook_failed", "the hook \(name): \(entry.problem?.string ?? "its last run failed")",
        why: "what the hook does is missing", fix: entry.advice?.string)
    }
  }

  private static var directory: Text? { BaseDirectory.configuration.map { hookDirectory(configuration: Text($0)) } }

  /// The names of the files in the directory of hooks.
  static var files: [Text] {
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
  /// The entry of a hook that cannot start.
  fileprivate init(hook: Text, problem: Text, advice: Text) {
    self.init(
      state: "failed", when: nil, problem: problem, advice: advice, actions: [],
      json: .object([
        "name": .string(hook), "state": .word("failed"), "problem": .string(problem), "advice": .string(advice),
        "actions": .array([]),
      ]))
  }
}
