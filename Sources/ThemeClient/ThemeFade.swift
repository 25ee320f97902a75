internal import ThemeClientCore

/// Leads from each look to the next over a time, for a program that draws frames of its own: pure.
///
/// The program says what time it is, by whichever clock it draws by.
///
/// ```swift
/// var fade = ThemeFade(look)
/// fade.show(next, over: .milliseconds(200), at: clock.now)
/// while fade.isUnderWay(at: clock.now) { draw(fade.look(at: clock.now)) }
/// ```
///
/// A change within a fade starts from what is shown then, so that nothing jumps.
public struct ThemeFade<Time: InstantProtocol>: Sendable where Time: Sendable, Time.Duration == Duration {
  private var from: ThemeLook
  private var to: ThemeLook
  private var start: Time?
  private var duration = Duration.zero

  /// Shows a look, at rest.
  public init(_ look: ThemeLook) {
    from = look
    to = look
  }

  /// Leads to a look over a time, from what is shown at `now`; with no time, or where motion is reduced, at once.
  ///
  /// The look that it leads to already begins nothing anew.
  public mutating func show(_ look: ThemeLook, over duration: Duration, at now: Time) {
    guard look != to || duration <= .zero else { return }
    from = self.look(at: now)
    to = look
    self.duration = duration
    start = duration > .zero && !look.reducedMotion ? now : nil
  }

  /// What is shown at a time.
  public func look(at now: Time) -> ThemeLook {
    guard let start else { return to }
    return from.interpolated(to: to, fraction: start.duration(to: now) / duration)
  }

  /// Whether it changes still.
  public func isUnderWay(at now: Time) -> Bool {
    guard let start else { return false }
    return start.duration(to: now) < duration
  }
}
