import ArgumentParser
import Glibc
import ThemeSetup
import ThemedSystem

/// A command that writes into the user's directories.
///
/// Before ``Main`` runs such a command, it checks that the directories belong to this user.
protocol WritingCommand: ParsableCommand {}

extension EnableApp: WritingCommand {}
extension DisableApp: WritingCommand {}
extension UseApp: WritingCommand {}
extension AddApp: WritingCommand {}
extension Setup: WritingCommand {}
extension SetConfig: WritingCommand {}
extension UnsetConfig: WritingCommand {}
extension NewTheme: WritingCommand {}
extension ImportSchemes: WritingCommand {}
extension DesktopEnable: WritingCommand {}
extension DesktopDisable: WritingCommand {}
extension PortalEnable: WritingCommand {}
extension PortalDisable: WritingCommand {}

/// Whether a command that shows what it would change then asks, carries it out, or does neither.
struct Consent: ParsableArguments {
  @Flag(name: .customLong("print"), help: "Only show what would be changed.")
  var isPrintedOnly = false

  @Flag(help: "Do not ask.")
  var yes = false

  /// Refuses both flags together; `example` is the command to try.
  func check(example: String) throws {
    guard isPrintedOnly, yes else { return }
    throw ValidationError("--print changes nothing, so it cannot be used with --yes; try: \(example)")
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
