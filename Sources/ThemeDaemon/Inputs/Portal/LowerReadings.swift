internal import ThemeModel
internal import ThemedSystem

/// Merges what the backends after ours say, as the portal would without ours: pure.
///
/// For each setting, the first running backend that has a value decides. If no backend runs, or the first one has not
/// answered yet, the last reading stays in force. A backend that has just gone or may be about to come counts as
/// running with its last values, so that the restart of a service changes nothing.
struct LowerReadings: Hashable {
  private struct Backend: Hashable {
    var reading = Reading()
    var isThere = false
    var isMissed = true
    var hasWord = false
  }

  private let order: [Text]
  private var backends: [Text: Backend] = [:]

  /// The merged readings of these backends, in order.
  init(_ order: [Text] = []) {
    self.order = order
    for name in order { backends[name] = Backend() }
  }

  /// A backend has appeared or gone.
  mutating func backend(_ name: Text, isThere: Bool) {
    guard var backend = backends[name] else { return }
    if !isThere, backend.isThere { backend.isMissed = true }
    backend.isThere = isThere
    backends[name] = backend
  }

  /// A backend has been away for too long.
  mutating func backendIsMissedNoMore(_ name: Text) {
    backends[name]?.isMissed = false
    backends[name]?.hasWord = false
  }

  /// A backend has this reading.
  mutating func backend(_ name: Text, says reading: Reading) { backends[name]?.reading = reading }

  /// A backend has answered, or failed to.
  mutating func backendHasAnswered(_ name: Text) {
    guard var backend = backends[name] else { return }
    (backend.hasWord, backend.isMissed) = (true, false)
    backends[name] = backend
  }

  /// The merged reading; nil if it is not known.
  var merged: Reading? {
    let there = order.compactMap { backends[$0] }.filter { $0.isThere || $0.isMissed }
    guard let first = there.firstIndex(where: { !$0.hasWord || $0.reading.scheme != .unavailable }),
      there[first].hasWord
    else { return nil }
    return Reading(
      scheme: there[first].reading.scheme, highContrast: there.lazy.compactMap(\.reading.highContrast).first,
      reducedMotion: there.lazy.compactMap(\.reading.reducedMotion).first,
      accentColor: there.lazy.compactMap(\.reading.accentColor).first)
  }
}
