internal import ThemeClientCore

/// The progress of terminals from one palette to the next: pure.
struct TerminalFade: Sendable, Hashable {
  let start: Int
  /// The duration in milliseconds; 0 for at once.
  let duration: Int

  /// The fade to a state from a time on; none if motion is reduced, or the state has no transition.
  init(to state: ThemeState, at start: Int) {
    self.start = start
    let milliseconds = state.fadeDuration / .milliseconds(1)
    let isOn = state.reducedMotion != true && milliseconds > 0
    duration = isOn ? Int(min(milliseconds.rounded(.up), Double(Limits.fade))) : 0
  }

  /// The progress at a time, below 1; nil at the end.
  func fraction(at now: Int) -> Double? {
    guard duration > 0, now < start + duration else { return nil }
    return Double(max(0, now - start)) / Double(duration)
  }
}
