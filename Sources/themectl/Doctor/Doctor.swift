import ArgumentParser
import Glibc
import Synchronization
import ThemedInterface
import ThemeSetup
import ThemedSystem

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out why programs do not switch between light and dark, and say what to do.",
    discussion: """
      Prints a line for each finding. Below each problem it says why the problem matters, what to do, and what to type. \
      A hint says how more programs can follow. The exit status is 1 if there is a problem. The command changes nothing.

      With --json, each finding is a line of JSON. In a problem, 'why' says why it matters, 'fix' says what to do, and \
      'commands' lists what to type. 'fix' or 'commands' may be missing, but not both. A hint has no 'why'.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let seen = Mutex<[Finding]>([])
    let isJSON = format.json
    // If a file does not respond, the earlier findings are still printed.
    FileWaits.watch {
      complain("waiting for \($0)")
    } end: { path in
      let (found, last) = (seen.withLock { $0 }, Finding(unanswered: path))
      for finding in found.filter({ $0 != last }) + [last] where isJSON || !finding.isForPrograms {
        try? say(isJSON ? finding.json : finding.text)
      }
      _exit(ExitCode.failure.rawValue)
    }
    let examination = Examination(socket: daemon.socket) { found in seen.withLock { $0 = found } }
    let findings = examination.findings.filter { isJSON || !$0.isForPrograms }
    for finding in findings { try say(isJSON ? finding.json : finding.text) }
    if findings.contains(where: \.isProblem) { throw ExitCode.failure }
    if !isJSON {
      try say(
        examination.hasSource ? "No problems found." : "No problems found, but there is no desktop to follow.")
    }
  }
}
