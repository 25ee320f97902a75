internal import ThemeClientCore

/// How far terminals are on their way from one palette to the next: pure.
struct TerminalFade: Sendable, Hashable {
  let start: Int
  /// In milliseconds; 0: at once.
  let duration: Int

  /// The fade to a state, from a time on; none where motion is reduced, or where the state has no time for it.
  init(to state: ThemeState, at start: Int) {
    self.start = start
    let milliseconds = state.fadeDuration / .milliseconds(1)
    let isOn = state.reducedMotion != true && milliseconds > 0
    duration = isOn ? Int(min(milliseconds.rounded(.up), Double(Limits.fade))) : 0
  }

  /// How much of the way is behind at a time, below 1; nil where only the end is left.
  func fraction(at now: Int) -> Double? {
    guard duration > 0, now < start + duration else { return nil }
    return Double(max(0, now - start)) / Double(duration)
  }
}
