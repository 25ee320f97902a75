internal import ThemedDBus

/// What has come of a read of the portal: of each setting what it said, or why it said nothing.
struct PortalAnswers: Hashable {
  /// What it said.
  private(set) var values: [Setting: Value] = [:]
  private var failures: [Setting: Failure] = [:]
  private var unanswered: Set<Setting>

  /// Answers that are awaited of these settings; of none where nothing is read.
  init(awaiting settings: Set<Setting> = []) {
    unanswered = settings
  }

  /// Whether the answer of this setting has not come yet.
  func awaits(_ setting: Setting) -> Bool { unanswered.contains(setting) }

  /// Whether none is awaited any more.
  var areComplete: Bool { unanswered.isEmpty }

  /// Takes note of an answer that is awaited.
  mutating func note(_ setting: Setting, _ answer: Result<Value, Failure>) {
    unanswered.remove(setting)
    switch answer {
    case .success(let value): values[setting] = value
    case .failure(let failure): failures[setting] = failure
    }
  }

  /// The settings that a portal in order does not have: another desktop's may have had them.
  ///
  /// Where the color scheme is missing too, it is the backend that is missing, and the last good values stand.
  var missing: [Setting] {
    guard values[.colorScheme] != nil else { return [] }
    return failures.filter { $0.value.name == notFound }.map(\.key)
  }

  /// Why the read has failed, if it has: of several failures always the same one, the color scheme's first.
  ///
  /// A setting that the portal does not have is no failure: it says nothing of it.
  var failure: Failure? {
    Setting.allCases.compactMap { failures[$0] }.first { $0.name != notFound }
  }
}

/// After how long a failed read is made again: soon some times, then ever less often, for a portal that hung may be itself
/// again without a word.
struct PortalRetries: Hashable {
  private var quick = 0
  private var slow = 0

  /// How many milliseconds to wait before the next, and whether that is one of the slow ones.
  mutating func next() -> (delay: Int, isSlow: Bool) {
    guard quick == Limits.portalRetries.count else {
      defer { quick += 1 }
      return (Limits.portalRetries[quick], false)
    }
    let (first, most) = (Limits.portalSlowRetries.lowerBound, Limits.portalSlowRetries.upperBound)
    let delay = min(first << slow, most)
    if delay < most { slow += 1 }
    return (delay, true)
  }

  /// The quick ones begin anew, and those after them go on.
  mutating func beSoon() { quick = 0 }

  /// The next one is slow.
  mutating func beSlow() { quick = Limits.portalRetries.count }
}
