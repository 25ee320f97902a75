internal import CGLib

/// The process's main loop: GLib's.
///
/// It belongs to one thread, and so does everything that its handlers touch: no class of this module is `Sendable`, so
/// the compiler lets none of it reach another thread.
public enum MainLoop {
  /// What a descriptor is, or is waited to be.
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
    /// The other end has hung up; reported unasked.
    public static let hangUp = Condition(rawValue: G_IO_HUP.rawValue)
    /// The descriptor is broken; reported unasked.
    public static let error = Condition(rawValue: G_IO_ERR.rawValue)
  }

  /// Runs until `isOver` says so; asked after each round.
  public static func run(until isOver: () -> Bool) {
    while !isOver() { g_main_context_iteration(nil, 1) }
  }

  /// Calls `handler` each time round while `descriptor` is as asked for.
  ///
  /// The descriptor stays the caller's, and has to outlive the source.
  public static func watch(
    _ descriptor: CInt, for condition: Condition, _ handler: @escaping (Condition) -> Void
  ) -> Source {
    unsafe Source { met in
      handler(met)
      return true
    } attach: { data in
      // A descriptor's source calls a function with arguments of its own, hence the cast.
      let function: GUnixFDSourceFunc = { (_, met, data) in
        unsafe Callback.run(data, MainLoop.Condition(rawValue: met.rawValue))
      }
      let asked = GIOCondition(rawValue: condition.union([.hangUp, .error]).rawValue)
      let id = unsafe g_unix_fd_add_full(G_PRIORITY_DEFAULT, descriptor, asked, function, data, Callback.release)
      // Else GLib takes the descriptor out of the loop while its handler runs, and wakes itself for that by three calls
      // of the system each time. No handler runs the loop, so none is called within itself.
      unsafe g_source_set_can_recurse(g_main_context_find_source_by_id(nil, id), 1)
      return id
    }
  }

  /// Calls `handler` once, after so many milliseconds of the monotonic clock.
  public static func timer(afterMilliseconds delay: Int, _ handler: @escaping () -> Void) -> Source {
    timer(everyMilliseconds: delay) {
      handler()
      return false
    }
  }

  /// Calls `handler` every so many milliseconds of the monotonic clock, while it returns true.
  public static func timer(everyMilliseconds delay: Int, _ handler: @escaping () -> Bool) -> Source {
    unsafe Source { _ in
      handler()
    } attach: { data in
      unsafe g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(clamping: delay), { unsafe Callback.run($0, []) }, data, Callback.release)
    }
  }

  /// Calls `handler` each time round while it returns true, after what else there is to do in a round.
  public static func later(_ handler: @escaping () -> Bool) -> Source {
    unsafe Source { _ in
      handler()
    } attach: { data in
      unsafe g_idle_add_full(G_PRIORITY_DEFAULT, { unsafe Callback.run($0, []) }, data, Callback.release)
    }
  }
}

/// Something that the loop waits for.
///
/// It is waited for no longer once its owner cancels it or lets it go.
public final class Source {
  private let callback: Callback
  private let id: guint

  fileprivate init(
    _ handler: @escaping (MainLoop.Condition) -> Bool, attach: (UnsafeMutableRawPointer) -> guint
  ) {
    callback = Callback(handler)
    // GLib owns this reference until it calls `release`.
    id = unsafe attach(Unmanaged.passRetained(callback).toOpaque())
  }

  deinit { cancel() }

  /// Waits no longer; allowed at any time, within the handler too, and more than once.
  public func cancel() {
    guard !callback.isOver else { return }
    callback.isOver = true
    g_source_remove(id)
  }
}

/// What a source calls.
private final class Callback {
  private let handler: (MainLoop.Condition) -> Bool
  /// Whether the source is no more, so that its id may mean another one.
  var isOver = false

  init(_ handler: @escaping (MainLoop.Condition) -> Bool) {
    self.handler = handler
  }

  static func run(_ data: UnsafeMutableRawPointer?, _ met: MainLoop.Condition) -> gboolean {
    guard let data = unsafe data else { return 0 }
    let callback = unsafe Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue()
    guard !callback.isOver, callback.handler(met) else { return 0 }
    return 1
  }

  static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    guard let data = unsafe data else { return }
    unsafe Unmanaged<Callback>.fromOpaque(data).takeRetainedValue().isOver = true
  }
}
