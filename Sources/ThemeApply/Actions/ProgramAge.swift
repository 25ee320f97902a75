internal import Synchronization
internal import ThemedText
internal import ThemedUnix

/// How long processes run the program that they run: at least so long.
///
/// The kernel tells nobody: an exec, as at the end of a script that waits first, leaves a process its start. It ends the
/// other threads, so the oldest one has begun behind it. Where there is none, it is as long as the same stack was seen,
/// which an exec draws anew; one that was never seen before may just have begun.
final class ProgramAge: Sendable {
  private let seen = Mutex<[[Text]: [ProcessIdentity: Int]]>([:])

  /// How long this process runs this program, in milliseconds, at a time.
  func age(of process: ProcessStat, _ identity: ProcessIdentity, running programs: [Text], now: Int) -> Int {
    let threads = names(inDirectory: "/proc/\(identity.number)/task").filter { $0 != Text("\(identity.number)") }
    let ages = threads.compactMap { name in
      (try? readFile("/proc/\(identity.number)/task/\(name)/stat", maximum: 4096)).flatMap { ProcessStat($0)?.age }
    }
    return min(process.age, age(threads: ages, of: identity, running: programs, now: now))
  }

  /// The same by what is known of its other threads, and of what was seen before.
  func age(threads: [Int], of identity: ProcessIdentity, running programs: [Text], now: Int) -> Int {
    let since = seen.withLock { seen in
      let since = seen[programs]?[identity] ?? now
      seen[programs, default: [:]][identity] = since
      return since
    }
    return max(threads.max() ?? 0, now - since)
  }

  /// Forgets those of these programs that are gone.
  func keep(_ processes: Set<ProcessIdentity>, running programs: [Text]) {
    seen.withLock { seen in
      seen[programs] = processes.isEmpty ? nil : seen[programs]?.filter { processes.contains($0.key) }
    }
  }
}
