import Glibc
import ThemeApps
import ThemeInterface
import ThemedText
import ThemedUnix
import ThemedVarlink

/// The user's hooks: what has come of them, and those that nobody can start.
struct Hooks {
  /// By name.
  let all: [(name: Text, entry: ApplyStatus.Entry)]

  /// Those that themed-apply tells of, and those that it passes over, also where it does not run.
  init(_ status: ApplyStatus?) {
    all = (status?.hooks ?? []) + Self.notExecutable
  }

  /// What can be wrong with them.
  var findings: [Finding] {
    all.filter { $0.entry.state == "failed" }.map { name, entry in
      Finding(
        "hook_failed", "the hook \(name): \(entry.problem?.string ?? "its last run failed")",
        why: "what the hook does is missing", fix: entry.advice?.string)
    }
  }

  private static var directory: Text? { BaseDirectory.configuration.map { hookDirectory(configuration: Text($0)) } }

  /// The names of the files that are there to be started.
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
  /// What there is to say of a hook that was not started.
  fileprivate init(hook: Text, problem: Text, advice: Text) {
    self.init(
      state: "failed", when: nil, problem: problem, advice: advice, actions: [],
      json: .object([
        "name": .string(hook), "state": .word("failed"), "problem": .string(problem), "advice": .string(advice),
        "actions": .array([]),
      ]))
  }
}
