internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedSystem

/// The versions of programs; each is asked once, and again when one of the program's files has changed.
final class Versions: Sendable {
  private struct Key: Hashable {
    let words: [Text]
    let files: [FileIdentity?]
  }

  private let known = Mutex<[Key: Version?]>([:])

  /// The version of a program that a command prints; nil if it is unknown.
  ///
  /// - Parameter programs: The names of the program. The command may be a shell's, whose own file says nothing.
  func version(of programs: [Text], toldBy words: [Text], _ run: Run) -> Version? {
    guard let command = words.first else { return nil }
    let key = Key(words: words, files: ([command] + programs).map { file(of: $0, run.environment) })
    if let version = known.withLock({ $0[key] }) { return version }
    let asking = Command(
      words: words, time: Limits.version, kept: Limits.versionOutput, startsPrograms: false, dropsErrors: true)
    guard let result = try? asking.perform(run), case .exited(let status) = result.end else { return nil }
    let version = Version(toldBy: Text(decoding: result.output))
    // A program that fails, such as one that wants a display while the session starts, is asked again.
    if version == nil, status != 0 { return nil }
    known.withLock { $0 = $0.filter { $0.key.words != words }.merging([key: version]) { $1 } }
    return version
  }

  private func file(of program: Text, _ environment: [Text: Text]) -> FileIdentity? {
    environment.file(ofProgram: program).flatMap { FileIdentity(of: $0.string) }
  }
}

extension [Text: Text] {
  /// The first of these programs that is installed, or else the first.
  func first(of programs: [Text]) -> Text? {
    programs.first { file(ofProgram: $0).map { isExecutableFile($0.string) } ?? false } ?? programs.first
  }
}
