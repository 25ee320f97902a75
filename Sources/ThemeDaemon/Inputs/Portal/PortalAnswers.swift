internal import ThemedDBus

/// The answers to a read of the portal: a value or a failure for each setting.
struct PortalAnswers: Hashable {
  /// The values.
  private(set) var values: [Setting: Value] = [:]
  private var failures: [Setting: Failure] = [:]
  private var unanswered: Set<Setting>

  /// Waits for the answers for these settings; for none if nothing is being read.
  init(awaiting settings: Set<Setting> = []) {
    unanswered = settings
  }

  /// Whether the answer for this setting is still missing.
  func awaits(_ setting: Setting) -> Bool { unanswered.contains(setting) }

  /// Whether all answers have come.
  var areComplete: Bool { unanswered.isEmpty }

  /// Takes an awaited answer.
  mutating func note(_ setting: Setting, _ answer: Result<Value, Failure>) {
    unanswered.remove(setting)
    switch answer {
    case .success(let value): values[setting] = value
    case .failure(let failure): failures[setting] = failure
    }
  }

  /// The settings that a working portal does not have; the previous desktop may have had them.
  ///
  /// If the color scheme is missing too, the backend itself is missing, and the last good values stay in force.
  var missing: [Setting] {
    guard values[.colorScheme] != nil else { return [] }
    return failures.filter { $0.value.name == notFound }.map(\.key)
  }

  /// Why the read failed, if it did; the color scheme's failure comes first, so that the result is always the same.
  ///
  /// A setting that the portal does not have is not a failure.
  var failure: Failure? {
    Setting.allCases.compactMap { failures[$0] }.first { $0.name != notFound }
  }
}

/// The delays before a failed read is repeated: a few short ones, and then growing ones, because a portal that hung may
/// recover without a signal.
struct PortalRetries: Hashable {
  private var quick = 0
  private var slow = 0

  /// The delay before the next attempt in milliseconds, and whether that is one of the slow ones.
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

  /// The quick retries start again; the slow ones continue where they were.
  mutating func beSoon() { quick = 0 }

  /// The next delay is a slow one.
  mutating func beSlow() { quick = Limits.portalRetries.count }
}
