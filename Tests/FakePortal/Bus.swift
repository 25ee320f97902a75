import CThemedDBus

/// A private connection to the session bus, that waits where it likes.
@safe
final class Bus {
  private let raw: OpaquePointer

  init?() {
    guard let raw = unsafe dbus_bus_get_private(DBUS_BUS_SESSION, nil) else { return nil }
    unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
    unsafe self.raw = raw
  }

  var isConnected: Bool { unsafe dbus_connection_get_is_connected(raw) != 0 }

  var uniqueName: String { unsafe String(cString: dbus_bus_get_unique_name(raw)) }

  var descriptor: CInt {
    var descriptor: CInt = -1
    unsafe dbus_connection_get_unix_fd(raw, &descriptor)
    return descriptor
  }

  func own(_ name: String) -> Bool {
    let flags = DBUS_NAME_FLAG_ALLOW_REPLACEMENT | DBUS_NAME_FLAG_REPLACE_EXISTING | DBUS_NAME_FLAG_DO_NOT_QUEUE
    let answer = unsafe dbus_bus_request_name(raw, name, UInt32(flags), nil)
    return answer == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER || answer == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
  }

  func release(_ name: String) {
    _ = unsafe dbus_bus_release_name(raw, name, nil)
  }

  func read() { unsafe _ = dbus_connection_read_write(raw, 0) }

  func flush() { unsafe dbus_connection_flush(raw) }

  func send(_ message: Outgoing) {
    unsafe _ = dbus_connection_send(raw, message.raw, nil)
  }

  /// The next call that came.
  func next() -> Incoming? {
    while let message = unsafe dbus_connection_pop_message(raw) {
      guard unsafe dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else {
        unsafe dbus_message_unref(message)
        continue
      }
      return unsafe Incoming(owning: message)
    }
    return nil
  }
}

/// A call that came.
@safe
final class Incoming {
  let raw: OpaquePointer

  init(owning raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit { unsafe dbus_message_unref(raw) }

  var member: String { unsafe dbus_message_get_member(raw).map { unsafe String(cString: $0) } ?? "" }
  var interface: String { unsafe dbus_message_get_interface(raw).map { unsafe String(cString: $0) } ?? "" }
  var sender: String { unsafe dbus_message_get_sender(raw).map { unsafe String(cString: $0) } ?? "" }

  /// Its arguments, as far as they are strings.
  var strings: [String] {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(raw, &iterator) != 0 else { return [] }
    var strings: [String] = []
    while unsafe dbus_message_iter_get_arg_type(&iterator) == themed_dbus_type_string {
      var text: UnsafePointer<CChar>? = nil
      unsafe dbus_message_iter_get_basic(&iterator, &text)
      unsafe strings.append(text.map { unsafe String(cString: $0) } ?? "")
      unsafe dbus_message_iter_next(&iterator)
    }
    return strings
  }
}

/// A message to be sent.
@safe
final class Outgoing {
  let raw: OpaquePointer

  private init(_ raw: OpaquePointer?, _ arguments: [String]) {
    guard let raw = unsafe raw else { fail("such a message cannot be made") }
    unsafe self.raw = raw
    var iterator = unsafe DBusMessageIter()
    unsafe dbus_message_iter_init_append(raw, &iterator)
    for argument in arguments where !argument.isEmpty { unsafe append(argument, to: &iterator) }
  }

  deinit { unsafe dbus_message_unref(raw) }

  static func reply(to call: Incoming, _ value: String) -> Outgoing {
    unsafe Outgoing(dbus_message_new_method_return(call.raw), [value])
  }

  static func error(to call: Incoming, _ name: String) -> Outgoing {
    unsafe Outgoing(dbus_message_new_error(call.raw, name, "as the test wants it"), [])
  }

  static func signal(
    _ path: String, _ interface: String, _ member: String, to destination: String?, _ arguments: [String]
  ) -> Outgoing {
    let message = unsafe Outgoing(dbus_message_new_signal(path, interface, member), arguments)
    if let destination { unsafe _ = dbus_message_set_destination(message.raw, destination) }
    return message
  }

  /// An answer to a call that was made to somebody else.
  static func answer(to destination: String, serial: UInt32, _ value: String) -> Outgoing {
    let message = unsafe Outgoing(dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN), [value])
    unsafe _ = dbus_message_set_destination(message.raw, destination)
    unsafe _ = dbus_message_set_reply_serial(message.raw, serial)
    return message
  }
}
