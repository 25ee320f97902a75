internal import CThemedGLib
public import ThemedSystem

/// The process's main loop, which is GLib's.
///
/// It belongs to one thread, and so does everything that its handlers use: no class of this module is `Sendable`, so
/// the compiler keeps them on that thread.
public enum MainLoop {
  /// The conditions to wait for on a descriptor, or those that it is in.
  public struct Condition: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// A set of these bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Bytes can be read.
    public static let readable = Condition(rawValue: G_IO_IN.rawValue)
    /// Bytes can be written.
    public static let writable = Condition(rawValue: G_IO_OUT.rawValue)
    /// The other end has hung up; always reported.
    public static let hangUp = Condition(rawValue: G_IO_HUP.rawValue)
    /// The descriptor is broken; always reported.
    public static let error = Condition(rawValue: G_IO_ERR.rawValue)
  }

  /// Runs until `isOver` returns true; it is called after each round.
  public static func run(until isOver: () -> Bool) {
    while !isOver() { g_main_context_iteration(nil, 1) }
  }

  /// Calls `handler` in each round while `descriptor` meets the condition.
  ///
  /// The descriptor belongs to the caller, and has to outlive the source.
  public static func watch(
    _ descriptor: CInt, for condition: Condition, _ handler: @escaping (Condition) -> Void
  ) throws(SystemError) -> Source {
    let waiter = try Waiter.shared()
    let watch = Watch(descriptor, condition, handler)
    try waiter.add(watch)
    return Source { waiter.remove(watch) }
  }

  /// Calls `handler` once, after this many milliseconds of the monotonic clock.
  public static func timer(afterMilliseconds delay: Int, _ handler: @escaping () -> Void) -> Source {
    timer(everyMilliseconds: delay) {
      handler()
      return false
    }
  }

  /// Calls `handler` at this interval in milliseconds of the monotonic clock, while it returns true.
  public static func timer(everyMilliseconds delay: Int, _ handler: @escaping () -> Bool) -> Source {
    unsafe source(handler) { data in
      unsafe g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(clamping: delay), Callback.run, data, Callback.release)
    }
  }

  /// Calls `handler` once per round from the next round on, while it returns true.
  public static func later(_ handler: @escaping () -> Bool) -> Source {
    // GLib runs its sources after the descriptors' handlers, so a source that such a handler adds would run in the same
    // round.
    var isSameRound = Waiter.isHandling
    return unsafe source {
      guard !isSameRound else {
        isSameRound = false
        return true
      }
      return handler()
    } attach: { data in
      unsafe g_idle_add_full(G_PRIORITY_DEFAULT, Callback.run, data, Callback.release)
    }
  }

  private static func source(
    _ handler: @escaping () -> Bool, attach: (UnsafeMutableRawPointer) -> guint
  ) -> Source {
    let callback = Callback(handler)
    // GLib owns this reference until it calls `release`.
    let id = unsafe attach(Unmanaged.passRetained(callback).toOpaque())
    return Source {
      guard !callback.isOver else { return }
      callback.isOver = true
      g_source_remove(id)
    }
  }
}

/// Something that the loop waits for.
///
/// The wait ends when its owner cancels it or drops it.
public final class Source {
  private var end: (() -> Void)?

  init(end: @escaping () -> Void) {
    self.end = end
  }

  deinit { cancel() }

  /// Ends the wait; allowed at any time, even in the handler, and more than once.
  public func cancel() {
    // The handler may drop the source itself.
    let end = end
    self.end = nil
    end?()
  }
}

/// The handler that a GLib source calls.
private final class Callback {
  private let handler: () -> Bool
  /// Whether the source is gone, so that its id may belong to another one.
  var isOver = false

  init(_ handler: @escaping () -> Bool) {
    self.handler = handler
  }

  static let run: GSourceFunc = { data in
    guard let data = unsafe data else { return 0 }
    let callback = unsafe Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue()
    return !callback.isOver && callback.handler() ? 1 : 0
  }

  static let release: GDestroyNotify = { data in
    guard let data = unsafe data else { return }
    unsafe Unmanaged<Callback>.fromOpaque(data).takeRetainedValue().isOver = true
  }
}
