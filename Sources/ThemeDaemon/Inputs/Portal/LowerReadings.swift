internal import ThemeResolution
internal import ThemedText

/// What the backends below ours say together, as the portal would answer without ours: pure.
///
/// Of each setting the first that says something of it decides, of those that are there; where none is, or the first has
/// not answered yet, what was said last holds. One that is missed, since it has only just gone or may be about to come,
/// counts as there, and as saying what it said: a service that is restarted changes nothing.
struct LowerReadings: Hashable {
  private struct Backend: Hashable {
    var reading = Reading()
    var isThere = false
    var isMissed = true
    var hasWord = false
  }

  private let order: [Text]
  private var backends: [Text: Backend] = [:]

  /// What these say, the first first.
  init(_ order: [Text] = []) {
    self.order = order
    for name in order { backends[name] = Backend() }
  }

  /// One of them has come or gone.
  mutating func backend(_ name: Text, isThere: Bool) {
    guard var backend = backends[name] else { return }
    if !isThere, backend.isThere { backend.isMissed = true }
    backend.isThere = isThere
    backends[name] = backend
  }

  /// One of them has been missed long enough.
  mutating func backendIsMissedNoMore(_ name: Text) {
    backends[name]?.isMissed = false
    backends[name]?.hasWord = false
  }

  /// One of them says this.
  mutating func backend(_ name: Text, says reading: Reading) { backends[name]?.reading = reading }

  /// One of them has answered, or failed to.
  mutating func backendHasAnswered(_ name: Text) {
    guard var backend = backends[name] else { return }
    (backend.hasWord, backend.isMissed) = (true, false)
    backends[name] = backend
  }

  /// What they say; nil where that is not known.
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
