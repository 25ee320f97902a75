internal import CThemedLinux
internal import Glibc
internal import ThemedUnix

/// The daemon's state, and each change of it, for asynchronous programs.
///
/// ```swift
/// for try await state in ThemeStates() {
///   show(state.scheme)
/// }
/// ```
///
/// It starts with the state now. A slow consumer gets the newest state, not those that it missed. The sequence
/// outlives the daemon: where none runs it waits for one, asleep, and it connects again by itself. It ends by throwing
/// what trying again does not mend, and with the cancellation of the task. Each iterator has a connection and a thread
/// of its own, which end with it.
public struct ThemeStates: AsyncSequence, Sendable {
  private let app: String?
  private let details: Bool
  private let socket: String?

  /// The states of the daemon.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have set an override of its own.
  ///   - details: Whether the states are to hold the palette, assets and values of the theme.
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  public init(app: String? = nil, details: Bool = false, socket: String? = nil) {
    self.app = app
    self.details = details
    self.socket = socket
  }

  /// Connects, in a thread of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(app: app, details: details, socket: socket)
  }

  /// Gives the states in turn.
  public struct Iterator: AsyncIteratorProtocol {
    private var states: AsyncThrowingStream<State, any Error>.Iterator
    private var changes = Changes()
    private var hasThrown = false

    fileprivate init(app: String?, details: Bool, socket: String?) {
      let (stream, continuation) = AsyncThrowingStream<State, any Error>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      states = stream.makeAsyncIterator()
      do throws(ThemeClientError) {
        try follow(app: app, details: details, socket: socket, into: continuation)
      } catch { continuation.finish(throwing: error) }
    }

    /// The next state that differs from the one before; nil once the task is cancelled.
    public mutating func next() async throws(ThemeClientError) -> State? {
      try await next(isolation: #isolation)
    }

    /// The next state that differs from the one before; nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeClientError) -> State? {
      // A stream that threw while it was waited for would throw again.
      guard !hasThrown else { return nil }
      do {
        while let state = try await states.next(isolation: actor) {
          // States that were conflated away may have led back to the one that the consumer saw last.
          if changes.isNew(state) { return state }
        }
        return nil
      } catch {
        hasThrown = true
        throw error as? ThemeClientError ?? .system("\(error)")
      }
    }
  }
}

/// Starts a thread that feeds `states` until nobody wants them any more.
private func follow(
  app: String?, details: Bool, socket: String?, into states: AsyncThrowingStream<State, any Error>.Continuation
) throws(ThemeClientError) {
  let following = Following(
    path: try socketPath(socket), app: app, details: details, states: states, cancellation: try Cancellation())
  // The task was cancelled, or the iterator dropped.
  states.onTermination = { [cancellation = following.cancellation] _ in cancellation.cancel() }
  try following.start()
}

/// What the thread of one iterator does.
private final class Following: Sendable {
  let path: String
  let app: String?
  let details: Bool
  let states: AsyncThrowingStream<State, any Error>.Continuation
  let cancellation: Cancellation

  init(
    path: String, app: String?, details: Bool, states: AsyncThrowingStream<State, any Error>.Continuation,
    cancellation: Cancellation
  ) {
    self.path = path
    self.app = app
    self.details = details
    self.states = states
    self.cancellation = cancellation
  }

  /// Starts the thread, which keeps this object as long as it runs.
  func start() throws(ThemeClientError) {
    // The program's signals are none of this thread's business, which inherits the mask.
    var every = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&every)
    unsafe pthread_sigmask(SIG_SETMASK, &every, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    var thread = pthread_t()
    let object = unsafe Unmanaged.passRetained(self)
    let status = unsafe pthread_create(
      &thread, nil,
      { object in
        if let object = unsafe object { unsafe Unmanaged<Following>.fromOpaque(object).takeRetainedValue().run() }
        return nil
      }, object.toOpaque())
    guard status == 0 else {
      unsafe object.release()
      throw .system("starting a thread: \(SystemError.text(status))")
    }
    pthread_detach(thread)
  }

  private func run() {
    do throws(ThemeClientError) {
      var monitor = try ThemeMonitor(app: app, details: details, socket: path)
      while let state = try monitor.next(or: cancellation.stop) { states.yield(state) }
      states.finish()
    } catch { states.finish(throwing: error) }
  }
}

/// Tells a thread that waits to end.
private final class Cancellation: Sendable {
  private let event: FileDescriptor

  init() throws(ThemeClientError) {
    let raw = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw .system("eventfd: \(SystemError.text(errno))") }
    event = FileDescriptor(owning: raw)
  }

  var stop: Stop { .onceReadable(event.raw) }

  func cancel() {
    // Fails only where it was told as often as 64 bits count.
    _ = eventfd_write(event.raw, 1)
  }
}
