public import ThemeClientCore

/// An object that draws in the theme's colours, such as a view.
///
/// Register the object with a ``ThemeCenter``. The center applies the current look to the object at once, and each new
/// look after a change.
public protocol ThemeApplying: AnyObject {
  /// Draws with this look from now on.
  ///
  /// If you gave ``ThemeCenter/follow(app:socket:framesPerSecond:)`` a frame rate, the center calls this for each frame
  /// of a fade.
  func apply(_ look: ThemeLook)
}

/// Applies the current look to every object that draws in the theme's colours.
///
/// ```swift
/// let center = ThemeCenter()
/// center.register(view)
/// try await center.follow(app: "editor", framesPerSecond: 60)
/// ```
///
/// The center holds registered objects weakly, and forgets an object that nothing else holds. The center belongs to the
/// actor that made it, such as the main actor, and makes its calls there. If a view is isolated to the main actor, make
/// it conform with `extension View: @MainActor ThemeApplying`.
public final class ThemeCenter {
  /// The current look; nil before the first state arrives, unless you gave a look to ``init(_:)``.
  public private(set) var look: ThemeLook?

  private var registered: [Registration] = []
  /// How many looks were shown.
  private var shown = 0

  /// A class, so that a round of calls notices when an object unregisters during the round.
  private final class Registration {
    weak var object: (any ThemeApplying)?

    init(_ object: any ThemeApplying) { self.object = object }
  }

  /// Creates a center.
  ///
  /// - Parameter look: The look to apply to objects that register before the first state arrives.
  public init(_ look: ThemeLook? = nil) { self.look = look }

  /// Applies the current look to `drawn` now, and each new look after a change.
  ///
  /// If there is no look yet, `drawn` gets the first look when it arrives. If you register an object again, the center
  /// only applies the current look to the object again.
  public func register(_ drawn: some ThemeApplying) {
    if !registered.contains(where: { $0.object === drawn }) { registered.append(Registration(drawn)) }
    if let look { drawn.apply(look) }
  }

  /// Stops applying looks to `drawn`; an object may call this in its `apply`.
  public func unregister(_ drawn: some ThemeApplying) {
    for entry in registered where entry.object === drawn { entry.object = nil }
    registered.removeAll { $0.object == nil }
  }

  /// The number of registered objects.
  public var count: Int { registered.count { $0.object != nil } }

  /// Applies a look to every object, in the order in which they registered.
  ///
  /// In its `apply`, an object may register other objects, which get the look at once. In its `apply`, an object may
  /// also call this method with another look. Every object then gets the other look. Objects that have not received the
  /// earlier look by then do not get it.
  public func show(_ look: ThemeLook) {
    self.look = look
    shown += 1
    let round = shown
    registered.removeAll { $0.object == nil }
    for entry in registered where round == shown { entry.object?.apply(look) }
  }

  /// Applies the look of the daemon's state to every object, now and after each change.
  ///
  /// When the task is cancelled, this method returns. If no daemon is running, it waits for a daemon. It throws only
  /// errors that retrying cannot fix.
  ///
  /// - Parameters:
  ///   - app: The name of your app: its desktop file ID if it has one, or another name of 1 to 255 bytes without
  ///     control characters. The user can choose a theme for this app alone.
  ///   - socket: The path of the daemon's socket; nil for the path in `THEMED_SOCKET`, or the default path.
  ///   - framesPerSecond: How many looks to apply in each second of a fade; nil for no fades.
  public func follow(
    app: String? = nil, socket: String? = nil, framesPerSecond: Int? = nil
  ) async throws(ThemeClientError) {
    var looks = ThemeLooks(app: app, socket: socket, framesPerSecond: framesPerSecond).makeAsyncIterator()
    while let look = try await looks.next() { show(look) }
  }
}
