public import ThemeClientCore

/// Something that is drawn in the theme's colours, such as a view.
///
/// A ``ThemeCenter`` tells it the look when it registers, and again at each change.
public protocol ThemeApplying: AnyObject {
  /// Takes on a look; during a fade, this is called for each frame.
  func apply(_ look: ThemeLook)
}

/// Tells everything that is drawn in the theme's colours how to look.
///
/// ```swift
/// let center = ThemeCenter()
/// center.register(view)
/// try await center.follow(framesPerSecond: 60)
/// ```
///
/// The center holds registered objects weakly, and forgets them when nothing else holds them. It belongs to the actor
/// that made it, such as the main actor, and makes its calls there. A view of the main actor conforms with `extension
/// View: @MainActor ThemeApplying`.
public final class ThemeCenter {
  /// The last look that was told; nil before the first state.
  public private(set) var look: ThemeLook?

  private var registered: [Registration] = []
  /// How many looks were shown.
  private var shown = 0

  /// A class, so that a round of calls notices when an object unregisters during the round.
  private final class Registration {
    weak var object: (any ThemeApplying)?

    init(_ object: any ThemeApplying) { self.object = object }
  }

  /// If you give a look, the center tells it to objects that register before the first state.
  public init(_ look: ThemeLook? = nil) {
    self.look = look
  }

  /// Tells `drawn` the look now, if it is known, and at each change.
  ///
  /// An object that registers again is told the current look again, and that is all.
  public func register(_ drawn: some ThemeApplying) {
    if !registered.contains(where: { $0.object === drawn }) { registered.append(Registration(drawn)) }
    if let look { drawn.apply(look) }
  }

  /// Stops telling `drawn`, even if the center is just telling a look to others.
  public func unregister(_ drawn: some ThemeApplying) {
    for entry in registered where entry.object === drawn { entry.object = nil }
    registered.removeAll { $0.object == nil }
  }

  /// The number of registered objects.
  public var count: Int { registered.count { $0.object != nil } }

  /// Tells a look to every object, in the order in which they registered.
  ///
  /// An object may register others while it is told; they are told at once. It may also show another look: then every
  /// object is told that one, and this round stops.
  public func show(_ look: ThemeLook) {
    self.look = look
    shown += 1
    let round = shown
    registered.removeAll { $0.object == nil }
    for entry in registered where round == shown { entry.object?.apply(look) }
  }

  /// Tells every object the look now and after each change, until the task is cancelled.
  ///
  /// If no daemon runs, this waits for one. It throws only errors that trying again does not fix.
  ///
  /// - Parameters:
  ///   - app: The name of your app. The user may have chosen a theme for this app alone.
  ///   - socket: The path of the daemon's socket; nil for `THEMED_SOCKET`, or else the usual place.
  ///   - framesPerSecond: How often to tell a look during a fade; nil for no fades.
  public func follow(
    app: String? = nil, socket: String? = nil, framesPerSecond: Int? = nil
  ) async throws(ThemeClientError) {
    var looks = ThemeLooks(app: app, socket: socket, framesPerSecond: framesPerSecond).makeAsyncIterator()
    while let look = try await looks.next() { show(look) }
  }
}
