import ArgumentParser
import Glibc
import ThemeSetup
import ThemedSystem
import ThemedVarlink

/// A command that writes into the user's directories.
///
/// Before ``Main`` runs such a command, it checks that the directories belong to this user.
protocol WritingCommand: ParsableCommand {}

extension Setup: WritingCommand {}
extension SetConfig: WritingCommand {}
extension UnsetConfig: WritingCommand {}

/// A writing command that says in lines for people what it changes.
///
/// With --json, it prints one object instead, which has these lines.
protocol TellingCommand: WritingCommand {
  var format: Format { get }
  /// Whether the command only shows what it would change.
  var isPrintedOnly: Bool { get }
}

/// A command that can show what it would change, instead of changing it.
protocol PlanningCommand: TellingCommand {
  var consent: Consent { get }
}

extension PlanningCommand {
  var isPrintedOnly: Bool { consent.isPrintedOnly }
}

extension EnableApp: PlanningCommand {}
extension UseApp: PlanningCommand {}
extension DesktopEnable: PlanningCommand {}
extension DesktopDisable: PlanningCommand {}
extension DisableApp: TellingCommand {}
extension AddApp: TellingCommand {}
extension NewTheme: TellingCommand {}
extension ImportSchemes: TellingCommand {}
extension PortalEnable: TellingCommand {}
extension PortalDisable: TellingCommand {}

extension TellingCommand {
  var isPrintedOnly: Bool { false }

  /// Runs the command; with --json, prints whether everything was done, the lines for people, and the notes.
  mutating func runTelling() throws {
    guard format.json else { return try run() }
    var status = ExitCode.success
    let (lines, notes) = try recording {
      do { try run() } catch let error as ValidationError { throw error } catch { status = ended(by: error) }
    }
    func array(_ lines: [String]) -> JSON { .array(lines.map { .string(Text($0)) }) }
    let isDone = status == .success && !isPrintedOnly
    try say(JSON.object(["done": .bool(isDone), "lines": array(lines), "notes": array(notes)]).text)
    if status != .success { throw status }
  }
}

/// Whether a command that shows what it would change then asks, carries it out, or does neither.
struct Consent: ParsableArguments {
  @Flag(name: .customLong("print"), help: "Only show what would be changed.")
  var isPrintedOnly = false

  @Flag(help: "Do not ask.")
  var yes = false

  /// Refuses both flags together; `example` is the command to try.
  func check(example: String) throws {
    guard isPrintedOnly, yes else { return }
    throw ValidationError(
      "--print changes nothing, so it cannot be used with --yes: leave out one of them, as in '\(example)'")
  }
}

extension ForeignHome {
  /// Refuses to run as root in another user's home, as with `sudo -E`, because the user could not change root's files.
  static func refuse() throws {
    guard let (directory, number) = found else { return }
    let owner = userName(number)
    let typed = CommandLine.arguments.dropFirst().map { Text($0).asWord }.joined(separator: " ")
    throw failed(
      "\(directory) belongs to \(owner), who could not change the files that root writes there; run this as \(owner): "
        + "themectl \(typed)")
  }
}
