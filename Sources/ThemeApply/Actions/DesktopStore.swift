internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedModel
internal import ThemedSystem

/// Keeps what is remembered of desktops in `desktop-settings.json`, which is written whole before anything else is.
final class DesktopStore: Sendable {
  private struct State {
    var memories: DesktopMemories?
    /// When each desktop was switched, by this process.
    var switched: [Text: Int] = [:]
    /// Why earlier values are lost, if they are.
    var lost: Fault?
    var isLossReported = false
    /// When the scheme was written last, by this process.
    var schemeWrittenAt: Int?
    /// The last attempt to make a theme from a picture that failed, and why.
    var failedPicture: (attempt: PictureAttempt, problem: Problem)?
    /// The settings that this process has written and cannot read.
    var written: Set<[Text]> = []
  }

  /// Making a side of a theme from a picture.
  struct PictureAttempt: Sendable, Hashable {
    let theme: Text
    let side: ColorScheme
    let picture: Text
    /// The file as it is now; nil if it is missing.
    let file: FileIdentity?
  }

  private let path: String?
  private let state = Mutex(State())

  init(_ places: Places) { path = places.directories.state.map { DesktopMemories.path(state: $0).string } }

  /// Whether there is a file.
  var isThere: Bool { path.map { isRegularFile($0) == true } ?? false }

  /// Why the values from before the first switch cannot be restored; nil if they can.
  var lost: Fault? { state.withLock(\.lost) }

  /// Forgets the loss, because the desktop is kept in step again.
  func forgetLoss() { state.withLock { ($0.lost, $0.isLossReported) = (nil, false) } }

  func lossWasReported() { state.withLock { $0.isLossReported = true } }

  var isLossReported: Bool { state.withLock(\.isLossReported) }

  /// Everything that is remembered; a damaged file is moved away.
  func memories(_ run: Run) throws(Fault) -> DesktopMemories {
    if let known = state.withLock(\.memories) { return known }
    let read = try read(run)
    state.withLock { $0.memories = read }
    return read
  }

  private func read(_ run: Run) throws(Fault) -> DesktopMemories {
    guard let path else { throw Fault("the state directory is unknown", "set HOME or XDG_STATE_HOME") }
    let shown = Text(path).shown(atMost: 300)
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try readFile(path, maximum: DesktopMemories.maximumSize) } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return DesktopMemories() }
      throw Fault(
        "cannot read \(shown): \(SystemError.text(error.code))", "see 'ls -l \(shown)'", mendsItself: error.isTemporary)
    }
    removeTemporaryFiles(beside: path)
    do throws(DesktopMemories.Refusal) { return try DesktopMemories(reading: bytes) } catch {
      switch error {
      case .newer:
        throw Fault("\(shown) was written by a newer version of themed", "upgrade themed, or remove the file")
      case .damaged(let reason):
        guard unsafe rename(path, path + ".damaged") == 0 else {
          throw Fault("\(shown) is damaged: \(reason)", "remove it: 'rm \(shown)'")
        }
        let lost = Fault(
          "the values from before 'themectl desktop enable' are lost, because \(shown) was damaged (\(reason))",
          "choose the desktop's theme, icons and wallpaper again; the damaged file is now \(shown).damaged")
        run.log("\(lost.problem.text); \(lost.problem.advice)")
        state.withLock { $0.lost = lost }
        return DesktopMemories()
      }
    }
  }

  /// Writes everything that is remembered; an empty file is removed.
  func save(_ memories: DesktopMemories) throws(Fault) {
    guard let path, state.withLock({ $0.memories }) != memories else { return }
    let shown = Text(path).shown(atMost: 300)
    do throws(SystemError) {
      if memories.desktops.isEmpty {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SystemError("removing it", errno) }
      } else {
        try replaceFile(path, with: memories.bytes)
      }
    } catch {
      throw Fault(
        "cannot write \(shown), so the desktop's settings stay as they are: \(SystemError.text(error.code))",
        "see 'ls -l \(shown)', and 'df -h' for the space on its disk", mendsItself: true)
    }
    state.withLock { $0.memories = memories }
  }

  /// Records that the scheme was written now.
  func schemeWasWritten(at now: Int) { state.withLock { $0.schemeWrittenAt = now } }

  /// How much of a pause after the last write of the scheme is left, in milliseconds.
  func pause(_ time: Int, now: Int) -> Int {
    state.withLock { state in state.schemeWrittenAt.map { max(0, $0 + time - now) } ?? 0 }
  }

  /// Records that a theme could not be made from a picture.
  func failed(_ attempt: PictureAttempt, _ problem: Problem) {
    state.withLock { $0.failedPicture = (attempt, problem) }
  }

  func forgetFailedPicture() { state.withLock { $0.failedPicture = nil } }

  /// Why this attempt failed; nil if it is not the one that failed last.
  func problem(of attempt: PictureAttempt) -> Problem? {
    state.withLock { $0.failedPicture.flatMap { $0.attempt == attempt ? $0.problem : nil } }
  }

  /// Records that a desktop is switched now.
  func switched(_ app: Text, at now: Int) { state.withLock { $0.switched[app] = now } }

  /// Whether a desktop was switched this many milliseconds ago at most.
  func wasSwitched(_ app: Text, within time: Int, now: Int) -> Bool {
    state.withLock { $0.switched[app].map { now - $0 <= time } ?? false }
  }

  /// Records that a setting that cannot be read was written; returns whether it was before.
  func isWritten(_ app: Text, _ setting: Text) -> Bool { state.withLock { $0.written.contains([app, setting]) } }

  func wrote(_ app: Text, _ setting: Text) { state.withLock { _ = $0.written.insert([app, setting]) } }
}
