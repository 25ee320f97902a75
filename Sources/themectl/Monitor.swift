import ArgumentParser
import ForeignText
import Glibc
import ThemeClient

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print light or dark, and again whenever it changes.",
    discussion: "With --json, print every state. It waits for themed where none runs, and outlives its restarts.")

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws {
    var theme = try connected()
    var printed: Text?
    while let state = try next(&theme) {
      let line = format.json ? state.json : state.scheme.rawValue
      guard Text(line) != printed else { continue }
      try say(line)
      printed = Text(line)
    }
  }

  private func connected() throws -> ThemeMonitor {
    do throws(ThemeClientError) {
      var theme = try ThemeMonitor(app: audience.app, socket: daemon.socket)
      // A bar that was started before the daemon wants its words when they come; a person wants to know why none do.
      do throws(ThemeClientError) { try theme.connect() } catch {
        if case .anotherUsers = error { throw error }
        complain("waiting: \(FailedUnits(explaining: error, at: daemon.socket)?.text ?? error.advice)")
      }
      return theme
    } catch { throw ended(by: error) }
  }

  /// Ends with whoever reads: the next word may be hours away, and only writing it would tell otherwise.
  private func next(_ theme: inout ThemeMonitor) throws -> State? {
    do throws(ThemeClientError) { return try theme.next(whileOpen: STDOUT_FILENO) } catch { throw ended(by: error) }
  }
}
