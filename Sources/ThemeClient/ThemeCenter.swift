public import ThemeClientCore

/// What is drawn by the theme, such as a view: it is told how to look when it registers with a ``ThemeCenter``, and
/// again at each change.
public protocol ThemeApplying: AnyObject {
  /// Takes on a look; within a fade, for each frame.
  func apply(_ look: ThemeLook)
}

/// Tells everything that is drawn by the theme how to look.
///
/// ```swift
/// let center = ThemeCenter()
/// center.register(view)
/// try await center.follow(framesPerSecond: 60)
/// ```
///
/// What has registered is held weakly, and forgotten when nobody else holds it. It belongs to whoever made it, such as
/// the main actor, and tells from there: a view of the main actor conforms by `extension View: @MainActor
/// ThemeApplying`.
public final class ThemeCenter {
  /// What was told last; nil before the first state.
  public private(set) var look: ThemeLook?

  private var registered: [Registration] = []
  /// How often a look was shown.
  private var shown = 0

  /// Shared with the round in which everyone is told, which so notices who has left.
  private final class Registration {
    weak var object: (any ThemeApplying)?

    init(_ object: any ThemeApplying) { self.object = object }
  }

  /// With a look, what registers before the first state is told that one.
  public init(_ look: ThemeLook? = nil) {
    self.look = look
  }

  /// Tells `drawn` how to look, now, if that is known, and at each change; registering twice does no more than
  /// that.
  public func register(_ drawn: some ThemeApplying) {
    if !registered.contains(where: { $0.object === drawn }) { registered.append(Registration(drawn)) }
    if let look { drawn.apply(look) }
  }

  /// Tells `drawn` no more, not even of a look that others are being told right now.
  public func unregister(_ drawn: some ThemeApplying) {
    for entry in registered where entry.object === drawn { entry.object = nil }
    registered.removeAll { $0.object == nil }
  }

  /// How many are told.
  public var count: Int { registered.count { $0.object != nil } }

  /// Tells everyone a look, in the order in which they registered.
  ///
  /// Who is told may register others, which are told then, and may show another look: then everyone was told that one,
  /// and nobody is told this one after it.
  public func show(_ look: ThemeLook) {
    self.look = look
    shown += 1
    let round = shown
    registered.removeAll { $0.object == nil }
    for entry in registered where round == shown { entry.object?.apply(look) }
  }

  /// Tells everyone how to look, now and after each change, until the task is cancelled.
  ///
  /// Where no daemon runs it waits for one. Throws what trying again does not mend.
  ///
  /// - Parameters:
  ///   - app: The name of the calling app, for which the user may have chosen a theme of its own.
  ///   - socket: The daemon's socket; nil for where it usually is, or where `THEMED_SOCKET` says.
  ///   - framesPerSecond: How often to tell a look within a fade; nil for no fades.
  public func follow(
    app: String? = nil, socket: String? = nil, framesPerSecond: Int? = nil
  ) async throws(ThemeClientError) {
    var looks = ThemeLooks(app: app, socket: socket, framesPerSecond: framesPerSecond).makeAsyncIterator()
    while let look = try await looks.next() { show(look) }
  }
}
