import ArgumentParser
import CThemedLinux
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

/// The home of somebody else that root's variables name, as `sudo -E` has it.
enum ForeignHome {
  /// The first of the user's directories that is somebody else's, and the number of its owner; nil unless this is root.
  static var found: (directory: String, owner: uid_t)? {
    guard geteuid() == 0 else { return nil }
    let directories = [BaseDirectory.home, BaseDirectory.configuration, BaseDirectory.state, BaseDirectory.data.first]
    return directories.lazy.compactMap(\.self).compactMap { directory in
      owner(of: directory).flatMap { $0 == 0 ? nil : (directory, $0) }
    }.first
  }

  private static func owner(of path: String) -> uid_t? {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_uid : nil
  }
}

extension WritingCommand {
  /// Refuses root in somebody else's home: files of root's there would lock the user out.
  static func refuseForeignHome() throws {
    guard let (directory, number) = ForeignHome.found else { return }
    var owner: Text = "user \(number)"
    if let entry = unsafe getpwuid(number), let name = unsafe entry.pointee.pw_name {
      owner = unsafe Text(String(cString: name))
    }
    let typed = CommandLine.arguments.dropFirst().map { Text($0).asWord }.joined(separator: " ")
    complain(
      "you are root, and \(directory) belongs to \(owner), who could not change what root writes there; as \(owner), type: "
        + "themectl \(typed)")
    throw ExitCode.failed
  }
}
