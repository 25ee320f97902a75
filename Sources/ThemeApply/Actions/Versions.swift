internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedSystem

/// The versions of programs; each program file is asked once.
final class Versions: Sendable {
  private struct Key: Hashable {
    let words: [Text]
    let file: FileIdentity?
  }

  private let known = Mutex<[Key: Version?]>([:])

  /// The version that a command prints; nil if it is unknown.
  func version(toldBy words: [Text], _ run: Run) -> Version? {
    guard let program = words.first else { return nil }
    let key = Key(words: words, file: file(of: program, run.environment))
    if let version = known.withLock({ $0[key] }) { return version }
    let command = Command(words: words, time: Limits.version, kept: Limits.versionOutput, dropsErrors: true)
    guard let result = try? command.perform(run), case .exited(let status) = result.end else { return nil }
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
