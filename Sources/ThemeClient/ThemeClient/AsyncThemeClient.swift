internal import Synchronization
internal import ThemedClientCore
internal import ThemedSystem
internal import ThemedVarlink

/// A client of the daemon, for asynchronous programs.
///
/// ```swift
/// let client = AsyncThemeClient(app: "editor")
/// for try await state in client.states() {
///   show(state.scheme)
/// }
/// ```
///
/// No call blocks your thread: the library waits for answers on a thread of its own. This thread exists only while there
/// is something to wait for, and all clients of a process share it.
///
/// All calls of one client share one connection, and run in the order in which they were made. The first call opens the
/// connection. If the connection is lost, the next call opens a new one. The connection is closed when the client is
/// released. Each iteration of ``states()`` or ``themeLists()`` has its own connection.
///
/// If you cancel a task, its call throws ``ThemeError/Code/cancelled`` at once. The daemon may already have carried out
/// this call.
public final class AsyncThemeClient: Sendable {
  private let app: String?
  private let details: Bool
  private let socket: String?
  private let timeout: Duration
  private let content = Mutex(Content())

  private struct Content {
    var line: CallLine?
    var count: UInt64 = 0
  }

  /// Prepares for calls; the first call connects.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The states are then those for this app, and the user can override them for this app alone.
  ///   - details: Whether the states include the colours, images and values of the theme.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - timeout: The longest time from a call to its answer. Time that the call spends waiting for earlier calls
  ///     counts, too.
  public init(
    app: String? = nil, details: Bool = false, socket: String? = nil, timeout: Duration = .seconds(25)
  ) {
    (self.app, self.details, self.socket, self.timeout) = (app, details, socket, timeout)
  }

  deinit { content.withLock { $0.line }?.close() }
}

// MARK: Following

extension AsyncThemeClient {
  /// The daemon's state, now and after each change.
  ///
  /// The first element is the current state. A slow consumer gets the newest state, not the states that it missed. If no
  /// daemon is running or the daemon stops, the sequence waits without using the processor, and connects again by
  /// itself. The sequence ends when the task is cancelled. It throws only errors that retrying cannot fix, and at its
  /// start ``ThemeError/Code/system`` if the process has no descriptors left.
  public func states() -> Values<ThemeState> {
    Values { [app, details, socket] in
      Steps(FollowedState(app: app, details: details), socket: socket) { ThemeState($0) }
    }
  }

  /// The list of installed themes, now and after each change.
  ///
  /// Each element is a whole list, as ``themes()`` returns it. In all other respects, the sequence behaves like
  /// ``states()``.
  public func themeLists() -> Values<[ThemeSummary]> {
    Values { [socket] in
      Steps(FollowedCatalog(), socket: socket) { $0.map { ThemeSummary($0) } }
    }
  }

  /// Values of the daemon, now and after each change.
  public struct Values<Element: Sendable>: AsyncSequence, Sendable {
    fileprivate let start: @Sendable () -> any Stepping<Element>

    /// Starts to follow.
    public func makeAsyncIterator() -> Iterator { Iterator(steps: start()) }

    /// The iterator of the sequence; it returns the values in order.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var steps: any Stepping<Element>

      /// The next value that differs from the previous one; nil once the task is cancelled.
      public mutating func next() async throws(ThemeError) -> Element? { try await next(isolation: #isolation) }

      /// The next value that differs from the previous one; nil once the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeError) -> Element? {
        try await steps.next(isolation: actor)
      }
    }
  }
}

/// Values of any subject, one after the other.
private protocol Stepping<Element> {
  associatedtype Element

  mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeError) -> Element?
}

private struct Steps<Subject: Followed, Element>: Stepping {
  private var following: FollowingIterator<Subject>
  private let convert: (Subject.Value) -> Element

  init(_ subject: Subject, socket: String?, _ convert: @escaping (Subject.Value) -> Element) {
    following = FollowingIterator(subject, socket: socket)
    self.convert = convert
  }

  mutating func next(isolation actor: isolated (any Actor)?) async throws(ThemeError) -> Element? {
    do throws(CallError) { return try await following.next(isolation: actor).map(convert) } catch {
      throw ThemeError(error)
    }
  }
}

// MARK: Calls

extension AsyncThemeClient {
  /// Returns the current state.
  public func state() async throws(ThemeError) -> ThemeState {
    ThemeState(try await call(.state(app: app, details: details)))
  }

  /// Returns the installed themes, sorted by name.
  ///
  /// If several themes have the same name, the list has only the theme that is used. A list of several thousand themes
  /// may not fit into the daemon's answer; the last ones are then left out.
  public func themes() async throws(ThemeError) -> [ThemeSummary] {
    try await call(.themes).map { ThemeSummary($0) }
  }

  /// Returns the theme with this name.
  public func theme(named name: String) async throws(ThemeError) -> ThemeDescription {
    ThemeDescription(try await call(.theme(named: name)))
  }

  /// Returns the current overrides, those for all apps first.
  public func overrides() async throws(ThemeError) -> [ThemeOverride] {
    try await call(.overrides).map { ThemeOverride($0) }
  }

  /// Overrides each field that has a value or is pinned, for one app or for all apps.
  ///
  /// The new override of a field replaces the earlier override of this field. The other fields keep their overrides,
  /// unless you list them in `clearing`.
  ///
  /// - Parameters:
  ///   - override: The app, the fields and the end.
  ///   - fields: The fields whose overrides the call removes. A field cannot be both set and listed here.
  @discardableResult
  public func setOverride(
    _ override: ThemeOverride, clearing fields: [ThemeState.Field] = []
  ) async throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(try await call(.setOverride(override.inner, clearing: fields.map(\.inner))))
  }

  /// Removes these fields from the override for one app, or from the override that is for all apps.
  ///
  /// - Parameters:
  ///   - app: The app; nil for the override that is for all apps. Individual apps then keep their own overrides. To
  ///     remove those, too, use ``clearEveryOverride(fields:)``.
  ///   - fields: The fields; nil for every field.
  @discardableResult
  public func clearOverride(
    app: String? = nil, fields: [ThemeState.Field]? = nil
  ) async throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(try await call(.clearOverride(app: app, fields: fields?.map(\.inner))))
  }

  /// Removes the override for all apps and the overrides for individual apps.
  ///
  /// - Parameter fields: The fields whose overrides to remove; nil for every field.
  @discardableResult
  public func clearEveryOverride(
    fields: [ThemeState.Field]? = nil
  ) async throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(try await call(.clearEveryOverride(fields: fields?.map(\.inner))))
  }

  /// Switches from light to dark, or from dark to light.
  ///
  /// A second call restores what was shown before.
  ///
  /// - Parameters:
  ///   - app: The app; nil for all apps.
  ///   - expiresAt: When to switch back; nil for no set time.
  ///   - untilDesktopChanges: Whether to switch back when the desktop's own preference changes, or at the schedule's
  ///     next switch.
  @discardableResult
  public func toggle(
    app: String? = nil, expiresAt: ThemeTime? = nil, untilDesktopChanges: Bool = false
  ) async throws(ThemeError) -> ThemeOverride.Change {
    ThemeOverride.Change(
      try await call(
        .toggle(app: app, expiresAt: expiresAt?.secondsSinceEpoch, untilDesktopChanges: untilDesktopChanges)))
  }

  /// Makes a call, and returns when its answer arrives.
  func call<Value>(_ request: ThemeRequest<Value>) async throws(ThemeError) -> Value {
    guard !Task.isCancelled else { throw ThemeError(.cancelled) }
    let (line, number) = try publicly(begin)
    let (frame, time) = (request.call.frame, timeout.milliseconds)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        line.call(number, frame, within: time) { continuation.resume(returning: $0) }
        // The task may have been cancelled before its call was in the queue.
        if Task.isCancelled { line.cancel(number) }
      }
    } onCancel: {
      line.cancel(number)
    }
    return try publicly { () throws(CallError) in try request.value(of: result.get()) }
  }

  private func begin() throws(CallError) -> (CallLine, UInt64) {
    try content.withLock { (content) throws(CallError) -> (CallLine, UInt64) in
      let line = if let line = content.line { line } else { try CallLine(path: socketPath(socket), timeout: timeout) }
      content.line = line
      content.count += 1
      return (line, content.count)
    }
  }
}
