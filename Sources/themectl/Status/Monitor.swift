import ArgumentParser
import Glibc
import ThemeClientCore
import ThemeModel
import ThemedSystem

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print whether light or dark is shown, or other fields, now and after each change.",
    discussion: """
      For example:
        themectl monitor                      light or dark
        themectl monitor scheme theme         both, with a tab in between
        themectl monitor palette.background   a colour of the theme, by its role
        themectl monitor --details            all fields, and then an empty line
        themectl monitor --json --details     the state as JSON, with all colours

      If a field has no value, the command prints a hyphen ('-') for it. With --json and without a field, the command \
      prints the state as JSON; add --details for the theme's colours, images and values. If themed is not running, the \
      command waits; if themed restarts, the command reconnects.
      """)

  @Argument(help: "The fields to print, as for 'get'; without a field, light or dark.")
  var fields: [StateField] = []

  @Flag(help: "Print all fields, including the theme's colours, images and values (settings for individual programs).")
  var details = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    guard !details || fields.isEmpty else { throw ValidationError(detailsWithFields("monitor")) }
  }

  func run() throws {
    var theme = try connected()
    var printed: Text?
    while let state = try next(&theme) {
      let text = text(of: state)
      guard Text(text) != printed else { continue }
      try say(text)
      printed = Text(text)
    }
  }

  private func text(of state: State) -> String {
    guard fields.isEmpty else { return fields.line(of: state, json: format.json) }
    if format.json { return state.json }
    return details ? (state.detailedLines + [""]).joined(separator: "\n") : fields.line(of: state, json: false)
  }

  private func connected() throws -> ThemeMonitor {
    do throws(ThemeClientError) {
      var theme = try ThemeMonitor(
        app: audience.app, details: details || fields.contains(where: \.isDetail), socket: daemon.socket)
      // A bar that was started before the daemon wants its words when they come; a person wants to know why none do.
      do throws(ThemeClientError) { try theme.connect() } catch {
        if error.code == .anotherUsers { throw error }
        let socket = daemon.socket
        complain("waiting: \(FailedUnits(explaining: error, at: socket)?.text ?? error.advice(at: socket))")
      }
      return theme
    } catch { throw ended(by: error, at: daemon.socket) }
  }

  /// Exits when its reader does: the next word may be hours away, and only writing it would show that the reader is
  /// gone.
  private func next(_ theme: inout ThemeMonitor) throws -> State? {
    do throws(ThemeClientError) { return try theme.next(whileOpen: STDOUT_FILENO)?.inner } catch {
      throw ended(by: error, at: daemon.socket)
    }
  }
}
