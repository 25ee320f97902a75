internal import ThemeClientCore

/// Computes the looks of a fade, for a program that draws its own frames.
///
/// A fade reads no clock: the program passes in the time of each frame.
///
/// ```swift
/// let clock = ContinuousClock()
/// var fade = ThemeFade<ContinuousClock.Instant>(look)
/// fade.show(next, over: .milliseconds(200), at: clock.now)
/// while fade.isUnderWay(at: clock.now) { draw(fade.look(at: clock.now)) }
/// draw(next)
/// ```
///
/// If the look changes again during a fade, the new fade starts from the colours at that moment, so that no colour
/// jumps.
public struct ThemeFade<Time: InstantProtocol>: Sendable where Time: Sendable, Time.Duration == Duration {
  private var from: ThemeLook
  private var to: ThemeLook
  private var start: Time?
  private var duration = Duration.zero

  /// Creates a value that shows this look, without a fade.
  public init(_ look: ThemeLook) {
    from = look
    to = look
  }

  /// Starts a fade at the time `now`, from the look at that time to this look.
  ///
  /// If the duration is zero or the look has reduced motion, there is no fade: the new look is shown at once. If a fade
  /// to the same look is already under way, that fade continues.
  public mutating func show(_ look: ThemeLook, over duration: Duration, at now: Time) {
    guard look != to || duration <= .zero else { return }
    from = self.look(at: now)
    to = look
    self.duration = duration
    start = duration > .zero && !look.reducedMotion ? now : nil
  }

  /// The look to draw at this time.
  public func look(at now: Time) -> ThemeLook {
    guard let start else { return to }
    return from.interpolated(to: to, fraction: start.duration(to: now) / duration)
  }

  /// Whether the fade is still under way.
  public func isUnderWay(at now: Time) -> Bool {
    guard let start else { return false }
    return start.duration(to: now) < duration
  }
}
