internal import Synchronization
internal import ThemedSystem

/// How long processes have been running their current program, at least.
///
/// The kernel does not report it, because an exec, as at the end of a script, keeps a process's start time. An exec ends
/// the other threads, so the oldest other thread is younger than the exec. Without other threads, the age counts from when
/// the same stack address was first seen, which an exec changes; a process that was never seen may just have started.
final class ProgramAge: Sendable {
  private let seen = Mutex<[[Text]: [ProcessIdentity: Int]]>([:])

  /// How long this process has run this program at a time, in milliseconds.
  func age(of process: ProcessStat, _ identity: ProcessIdentity, running programs: [Text], now: Int) -> Int {
    let threads = names(inDirectory: "/proc/\(identity.number)/task").filter { $0 != Text("\(identity.number)") }
    let ages = threads.compactMap { name in
      (try? readFile("/proc/\(identity.number)/task/\(name)/stat", maximum: 4096)).flatMap { ProcessStat($0)?.age }
    }
    return min(process.age, age(threads: ages, of: identity, running: programs, now: now))
  }

  /// The same from the age of its other threads, and from what was seen before.
  func age(threads: [Int], of identity: ProcessIdentity, running programs: [Text], now: Int) -> Int {
    let since = seen.withLock { seen in
      let since = seen[programs]?[identity] ?? now
      seen[programs, default: [:]][identity] = since
      return since
    }
    return max(threads.max() ?? 0, now - since)
  }

  /// Forgets processes of these programs that are gone.
  func keep(_ processes: Set<ProcessIdentity>, running programs: [Text]) {
    seen.withLock { seen in
      seen[programs] = processes.isEmpty ? nil : seen[programs]?.filter { processes.contains($0.key) }
    }
  }
}
