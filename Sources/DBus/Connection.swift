internal import CDBus
internal import Glibc
internal import MainLoop
public import Unix

/// A private connection to a message bus, on the main loop, that never waits.
@safe
public final class Connection {
  /// What bounds a connection; libdbus itself would take 128 MiB and 16 descriptors.
  public struct Limits: Sendable {
    /// The longest message that is taken, in bytes; a longer one ends the connection.
    public var message: Int

    /// These limits.
    public init(message: Int) {
      self.message = message
    }
  }

  /// How long a call may take.
  public enum Timeout: Sendable {
    /// As long as the connection lives: for the bus itself, which may be frozen and thaw.
    case never
    /// So many milliseconds; then the call fails with `org.freedesktop.DBus.Error.NoReply`.
    case milliseconds(Int)
  }

  /// Called with every signal that comes, whoever sent it: match rules do not stop one that is sent to us alone.
  public var onSignal: (Message) -> Void = { _ in }
  /// Called once, when the bus is gone.
  public var onDisconnect: () -> Void = {}

  private let raw: OpaquePointer
  private var watches: [OpaquePointer: Source] = unsafe [:]
  private var timeouts: [OpaquePointer: Source] = unsafe [:]
  private var dispatching: Source?
  private var ending: Source?
  private var isClosed = false
  /// Whether a watch is being handled, which ends with a dispatch anyway.
  private var isHandlingWatch = false
  private var calls: [ObjectIdentifier: PendingCall] = [:]

  /// Connects to the bus at `address` and sends nothing yet.
  ///
  /// Throws where nothing listens there, and EAGAIN where the queue of what listens is full.
  public init(to address: SocketAddress, limits: Limits) throws(SystemError) {
    // A probe tells what is wrong, if anything is. But it takes a place in the queue, perhaps the last, and libdbus
    // connects with a socket that waits: a bus that hangs would hang us with it.
    _ = try connect(to: address, .nonblocking)
    guard let raw = unsafe interruptingWaits({ unsafe dbus_connection_open_private(BusAddress.text(address), nil) })
    else { throw SystemError("connecting to \(address)", EAGAIN) }
    unsafe self.raw = raw
    // Else libdbus ends the process when the bus does, on a private connection too.
    unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
    unsafe dbus_connection_set_max_message_size(raw, limits.message)
    unsafe dbus_connection_set_max_message_unix_fds(raw, 0)
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    // Each function is taken back in `close`, and so before this object goes: an unretained reference is enough.
    guard unsafe dbus_connection_add_filter(raw, Self.filter, this, nil) != 0,
      unsafe dbus_connection_set_timeout_functions(
        raw, Self.addTimeout, Self.removeTimeout, Self.toggleTimeout, this, nil) != 0
    else { fatalError("out of memory") }
    guard
      unsafe dbus_connection_set_watch_functions(raw, Self.addWatch, Self.removeWatch, Self.toggleWatch, this, nil) != 0
    else { throw SystemError("waiting for \(address)", ENOMEM) }
    unsafe dbus_connection_set_dispatch_status_function(raw, Self.dispatchStatus, this, nil)
    scheduleDispatch()
  }

  deinit { close() }

  /// Ends the connection: nothing is called any more.
  ///
  /// Not from within a signal or an answer of this connection: libdbus is in the midst of it then.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    for call in calls.values { call.cancel() }
    calls = [:]
    dispatching = nil
    ending = nil
    // Their closures may hold this object.
    onSignal = { _ in }
    onDisconnect = {}
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe dbus_connection_set_dispatch_status_function(raw, nil, nil, nil)
    unsafe dbus_connection_remove_filter(raw, Self.filter, this)
    unsafe dbus_connection_set_watch_functions(raw, nil, nil, nil, nil, nil)
    unsafe dbus_connection_set_timeout_functions(raw, nil, nil, nil, nil, nil)
    unsafe dbus_connection_close(raw)
    unsafe dbus_connection_unref(raw)
    unsafe watches = [:]
    unsafe timeouts = [:]
  }

  /// Calls a unique name or the bus, and hands the answer to `completion` later, unless this connection is let go before.
  ///
  /// Anyone on the bus may send an answer to our call, if only he guesses its number: one that comes neither from whom
  /// was called nor from the bus is a failure.
  public func call(
    _ message: Message, timeout: Timeout, _ completion: @escaping (Result<Message, Failure>) -> Void
  ) {
    guard !isClosed else { return }
    var pending: OpaquePointer? = nil
    let milliseconds: CInt =
      switch timeout {
      case .never: DBUS_TIMEOUT_INFINITE
      case .milliseconds(let count): CInt(clamping: count)
      }
    guard unsafe dbus_connection_send_with_reply(raw, message.raw, &pending, milliseconds) != 0 else {
      fatalError("out of memory")
    }
    guard let pending = unsafe pending else {
      // The connection is gone; its signal says so, and nobody waits for this answer any more.
      return
    }
    let call = unsafe PendingCall(owning: pending, of: message.destination) { [unowned self] call, result in
      calls[ObjectIdentifier(call)] = nil
      completion(result)
    }
    calls[ObjectIdentifier(call)] = call
    call.start()
  }

  /// Tells libdbus the unique name that Hello returned.
  func setUniqueName(_ name: String) {
    unsafe _ = dbus_bus_set_unique_name(raw, name)
  }

  // MARK: Dispatching

  /// Has what came dispatched one message a round, so that other sources have their turn between two.
  private func scheduleDispatch() {
    guard dispatching == nil, !isHandlingWatch else { return }
    dispatching = MainLoop.later { [weak self] in
      guard let self else { return false }
      if unsafe dbus_connection_dispatch(raw) == DBUS_DISPATCH_DATA_REMAINS { return true }
      dispatching = nil
      return false
    }
  }

  /// Has libdbus handle a watch, and dispatches the first message that came.
  ///
  /// In the same round of the loop: a signal is not to wait for another.
  private func handle(watch: OpaquePointer, _ flags: UInt32) {
    isHandlingWatch = true
    _ = unsafe dbus_watch_handle(watch, flags)
    if !isClosed, dispatching == nil { _ = unsafe dbus_connection_dispatch(raw) }
    isHandlingWatch = false
    guard !isClosed, unsafe dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS else { return }
    scheduleDispatch()
  }

  private func received(_ message: Message) {
    if message.isSignal(DBUS_INTERFACE_LOCAL, "Disconnected"), message.sender == nil {
      onDisconnect()
    } else {
      onSignal(message)
    }
  }

  private static let dispatchStatus: DBusDispatchStatusFunction = { (_, status, data) in
    // Not here: libdbus forbids to dispatch within this function.
    if status == DBUS_DISPATCH_DATA_REMAINS { unsafe Connection.from(data)?.scheduleDispatch() }
  }

  private static let filter: DBusHandleMessageFunction = { (_, message, data) in
    guard let message = unsafe message, let connection = unsafe Connection.from(data),
      unsafe dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_SIGNAL
    else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    connection.received(unsafe Message(owning: dbus_message_ref(message)))
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> Connection? {
    unsafe data.map { unsafe Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: libdbus's watches and timeouts, as sources of the loop

  /// Whether it is waited for, where that is asked for.
  private func add(watch: OpaquePointer) -> Bool {
    guard unsafe dbus_watch_get_enabled(watch) != 0 else { return true }
    let flags = unsafe dbus_watch_get_flags(watch)
    var condition: MainLoop.Condition = []
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { condition.insert(.readable) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { condition.insert(.writable) }
    let source = unsafe try? MainLoop.watch(dbus_watch_get_unix_fd(watch), for: condition) { [unowned self] met in
      // Handling a watch may end the connection, and with it this object.
      withExtendedLifetime(self) {
        var flags: UInt32 = 0
        if met.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if met.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if met.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
        if met.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        unsafe handle(watch: watch, flags)
      }
    }
    unsafe watches[watch] = source
    return source != nil
  }

  private func remove(watch: OpaquePointer) {
    unsafe watches.removeValue(forKey: watch)?.cancel()
  }

  private func add(timeout: OpaquePointer) {
    guard unsafe dbus_timeout_get_enabled(timeout) != 0 else { return }
    let interval = unsafe Int(dbus_timeout_get_interval(timeout))
    unsafe timeouts[timeout] = MainLoop.timer(everyMilliseconds: interval) {
      unsafe _ = dbus_timeout_handle(timeout)
      return true
    }
  }

  private func remove(timeout: OpaquePointer) {
    unsafe timeouts.removeValue(forKey: timeout)?.cancel()
  }

  private static let addWatch: DBusAddWatchFunction = { (watch, data) in
    guard let watch = unsafe watch, let connection = unsafe from(data) else { return 1 }
    return unsafe connection.add(watch: watch) ? 1 : 0
  }

  private static let removeWatch: DBusRemoveWatchFunction = { (watch, data) in
    if let watch = unsafe watch { unsafe from(data)?.remove(watch: watch) }
  }

  private static let toggleWatch: DBusWatchToggledFunction = { (watch, data) in
    guard let watch = unsafe watch, let connection = unsafe from(data) else { return }
    unsafe connection.remove(watch: watch)
    if unsafe connection.add(watch: watch) { return }
    // It would neither be read from any more nor end: it is ended, and made anew. Not here, in the midst of libdbus.
    connection.ending = MainLoop.later { [weak connection] in
      if let connection { unsafe dbus_connection_close(connection.raw) }
      return false
    }
  }

  private static let addTimeout: DBusAddTimeoutFunction = { (timeout, data) in
    if let timeout = unsafe timeout { unsafe from(data)?.add(timeout: timeout) }
    return 1
  }

  private static let removeTimeout: DBusRemoveTimeoutFunction = { (timeout, data) in
    if let timeout = unsafe timeout { unsafe from(data)?.remove(timeout: timeout) }
  }

  private static let toggleTimeout: DBusTimeoutToggledFunction = { (timeout, data) in
    guard let timeout = unsafe timeout, let connection = unsafe from(data) else { return }
    unsafe connection.remove(timeout: timeout)
    unsafe connection.add(timeout: timeout)
  }
}

/// A call that waits for its answer.
@safe
private final class PendingCall {
  private let raw: OpaquePointer
  private let called: String?
  private let completion: (PendingCall, Result<Message, Failure>) -> Void

  /// Takes over one reference; `called` is who may answer.
  init(
    owning raw: OpaquePointer, of called: String?,
    _ completion: @escaping (PendingCall, Result<Message, Failure>) -> Void
  ) {
    unsafe self.raw = raw
    self.called = called
    self.completion = completion
  }

  deinit { unsafe dbus_pending_call_unref(raw) }

  func start() {
    let notify: DBusPendingCallNotifyFunction = { (_, data) in
      guard let data = unsafe data else { return }
      unsafe Unmanaged<PendingCall>.fromOpaque(data).takeUnretainedValue().finish()
    }
    // Unretained: the connection keeps this object until `finish` or `cancel`, after which nothing is notified.
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard unsafe dbus_pending_call_set_notify(raw, notify, this, nil) != 0 else { fatalError("out of memory") }
    // The answer may have come between sending and this call.
    if unsafe dbus_pending_call_get_completed(raw) != 0 { finish() }
  }

  func cancel() {
    unsafe dbus_pending_call_cancel(raw)
  }

  private func finish() {
    guard let reply = unsafe dbus_pending_call_steal_reply(raw) else { return }
    completion(self, result(of: unsafe Message(owning: reply)))
  }

  private func result(of message: Message) -> Result<Message, Failure> {
    let sender = message.sender
    // What libdbus makes up itself, for a call that took too long, has no sender. Who answers for a well-known name is
    // the bus's to know: where it matters, its owner is asked for first, and called.
    guard called?.hasPrefix(":") != true || sender == called || sender == busName || sender == nil else {
      return .failure(Failure(name: forged, message: "the answer came from \(sender ?? ""), who was not asked"))
    }
    return message.failure.map { .failure($0) } ?? .success(message)
  }
}

private let forged = "org.themed.Error.Forged"
