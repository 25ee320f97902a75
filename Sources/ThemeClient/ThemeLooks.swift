internal import Synchronization
public import ThemeClientCore

/// The look of your program, now and after each change.
///
/// If you give a frame rate, each frame of a fade is an element, too.
///
/// ```swift
/// for try await look in ThemeLooks(framesPerSecond: 60) {
///   draw(on: look[.background], with: look[.text])
/// }
/// ```
///
/// If the daemon stops, the sequence waits and connects again, as ``ThemeStates`` does. Both types of sequences share
/// one thread. A slow consumer misses frames but never falls behind. The last frame of a fade is exactly the look to
/// which the fade leads. A change that does not alter the look gives no element.
public struct ThemeLooks: AsyncSequence, Sendable {
  private let app: String?
  private let socket: String?
  private let framesPerSecond: Int?

  /// Creates a sequence that turns each state of the daemon into a look.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can choose a theme for this app alone.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - framesPerSecond: How many looks to give in each second of a fade; less than 1 counts as 1. Nil means no fades.
  public init(app: String? = nil, socket: String? = nil, framesPerSecond: Int? = nil) {
    self.app = app
    self.socket = socket
    self.framesPerSecond = framesPerSecond.map { Swift.max(1, $0) }
  }

  /// Starts to follow the state.
  public func makeAsyncIterator() -> Iterator {
    Iterator(Newest(app: app, socket: socket), framesPerSecond: framesPerSecond)
  }

  /// The iterator of the sequence; it returns the looks in order.
  public struct Iterator: AsyncIteratorProtocol {
    private let newest: Newest
    private var bell: AsyncStream<Void>.Iterator
    private let frame: Duration?
    private var fade: ThemeFade<ContinuousClock.Instant>?
    private var isMoving = false
    private var last: ThemeLook?
    private var hasThrown = false

    fileprivate init(_ newest: Newest, framesPerSecond: Int?) {
      self.newest = newest
      bell = newest.bell.makeAsyncIterator()
      frame = framesPerSecond.map { .seconds(1) / $0 }
    }

    /// The next look; nil once the task is cancelled.
    public mutating func next() async throws(ThemeClientError) -> ThemeLook? {
      try await next(isolation: #isolation)
    }

    /// The next look; nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeClientError) -> ThemeLook? {
      while !Task.isCancelled, !hasThrown {
        if isMoving, let frame {
          try? await Task.sleep(for: frame, clock: .continuous)
        } else if !newest.isThere, await bell.next(isolation: actor) == nil {
          return nil
        }
        if let state = try take() {
          show(state)
        } else if !isMoving {
          continue
        }
        let now = ContinuousClock.now
        isMoving = fade?.isUnderWay(at: now) ?? false
        // Skips a state with the same look, such as after the user renewed an override.
        guard let look = fade?.look(at: now), look != last else { continue }
        last = look
        return look
      }
      return nil
    }

    private mutating func take() throws(ThemeClientError) -> ThemeState? {
      do throws(ThemeClientError) { return try newest.take() } catch {
        hasThrown = true
        throw error
      }
    }

    private mutating func show(_ state: ThemeState) {
      guard var fade else { return fade = ThemeFade(ThemeLook(state)) }
      fade.show(ThemeLook(state), over: frame == nil ? .zero : state.fadeDuration, at: ContinuousClock.now)
      self.fade = fade
    }
  }
}

/// Keeps the newest state for one iterator, until that iterator is released.
private final class Newest: Sendable {
  /// Yields when there is something to take.
  let bell: AsyncStream<Void>
  private let box = Box()

  /// The newest state that the caller has not taken yet, and the error that ended the states after it.
  private struct Content {
    var state: ThemeState?
    var failure: ThemeClientError?
  }

  private final class Box: Sendable {
    let content = Mutex(Content())
  }

  init(app: String?, socket: String?) {
    let (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.bell = bell
    let tell: Following.Tell<ThemeState> = { [box] result in
      box.content.withLock { content in
        switch result {
        case .success(let state): content.state = state
        case .failure(let error): content.failure = error
        }
      }
      ring.yield()
      if case .failure = result { ring.finish() }
    }
    do throws(ThemeClientError) {
      let following = try Following(
        FollowedState(app: app, details: true), socket: socket, tell: tell)
      // Runs when the task is cancelled or the iterator is dropped.
      ring.onTermination = { _ in following.cancel() }
    } catch { tell(.failure(error)) }
  }

  /// Whether there is a state to take or an error to throw.
  var isThere: Bool { box.content.withLock { $0.state != nil || $0.failure != nil } }

  /// The newest state that was not taken yet; without one, throws the error that ended the states.
  func take() throws(ThemeClientError) -> ThemeState? {
    let content = box.content.withLock { content in
      defer { content.state = nil }
      return content
    }
    if case nil = content.state, let failure = content.failure { throw failure }
    return content.state
  }
}

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
    (from, to) = (look, look)
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
