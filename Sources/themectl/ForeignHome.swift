import ArgumentParser
import Glibc
import ThemedText
import ThemedUnix

/// A command that writes below the user's directories.
///
/// ``Main`` asks before it runs one whether those directories are this user's.
protocol WritingCommand: ParsableCommand {}

extension EnableApp: WritingCommand {}
extension DisableApp: WritingCommand {}
extension AddApp: WritingCommand {}
extension Setup: WritingCommand {}
extension NewTheme: WritingCommand {}
extension ImportSchemes: WritingCommand {}
extension PortalEnable: WritingCommand {}
extension PortalDisable: WritingCommand {}

extension WritingCommand {
  /// Refuses root in somebody else's home, as `sudo -E` has it: files of root's there would lock the user out.
  static func refuseForeignHome() throws {
    guard geteuid() == 0 else { return }
    let directories = [BaseDirectory.home, BaseDirectory.configuration, BaseDirectory.state, BaseDirectory.data.first]
    for directory in directories.compactMap(\.self) {
      var status = stat()
      guard unsafe stat(directory, &status) == 0, status.st_uid != 0 else { continue }
      var owner: Text = "user \(status.st_uid)"
      if let entry = unsafe getpwuid(status.st_uid), let name = unsafe entry.pointee.pw_name {
        owner = unsafe Text(String(cString: name))
      }
      let typed = CommandLine.arguments.dropFirst().map { Text($0).asWord }.joined(separator: " ")
      complain(
        "\(directory) belongs to \(owner), who could not change the files that root writes there; run this as \(owner): "
          + "themectl \(typed)")
      throw ExitCode.failed
    }
  }
}
