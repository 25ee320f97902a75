internal import CDBus

/// A D-Bus message.
@safe
public final class Message {
  /// The C library's message, of which this object holds one reference.
  let raw: OpaquePointer

  /// Takes over one reference.
  init(owning raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit { unsafe dbus_message_unref(raw) }

  /// A call with strings and unsigned numbers as arguments, which never starts the service that it goes to.
  public static func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = []
  ) -> Message {
    guard let raw = unsafe dbus_message_new_method_call(destination, path, interface, member) else {
      fatalError("out of memory")
    }
    unsafe dbus_message_set_auto_start(raw, 0)
    let message = unsafe Message(owning: raw)
    for argument in arguments { message.append(argument) }
    return message
  }

  /// A call of the bus itself.
  public static func bus(_ member: String, _ arguments: [Value] = []) -> Message {
    call(busName, "/org/freedesktop/DBus", busName, member, arguments)
  }

  private func append(_ argument: Value) {
    var iterator = unsafe DBusMessageIter()
    unsafe dbus_message_iter_init_append(raw, &iterator)
    switch argument {
    case .string(let text):
      unsafe text.withCString { text in
        var text: UnsafePointer<CChar>? = unsafe text
        unsafe dbus_message_iter_append_basic(&iterator, themed_dbus_type_string, &text)
      }
    case .uint32(var number):
      unsafe dbus_message_iter_append_basic(&iterator, themed_dbus_type_uint32, &number)
    default: preconditionFailure("no call of ours has such an argument")
    }
  }

  /// The arguments.
  public var arguments: [Value] {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(raw, &iterator) != 0 else { return [] }
    return unsafe Value.list(&iterator)
  }

  /// The unique name of the connection that sent it, as the bus vouches; nil for what libdbus itself made up.
  public var sender: String? { unsafe string(dbus_message_get_sender(raw)) }
  /// Who it is sent to; nil for everybody.
  var destination: String? { unsafe string(dbus_message_get_destination(raw)) }
  /// The object that it is about.
  public var path: String? { unsafe string(dbus_message_get_path(raw)) }

  /// Whether it is this signal.
  public func isSignal(_ interface: String, _ member: String) -> Bool {
    unsafe dbus_message_is_signal(raw, interface, member) != 0
  }

  /// The error that it is, if it is one.
  var failure: Failure? {
    guard unsafe dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_ERROR else { return nil }
    var text = ""
    // Its beginning: it goes to the log and the diagnostics, and is of whatever length the sender likes.
    if case .string(let first)? = arguments.first { text = String(first.prefix(200)) }
    return unsafe Failure(name: string(dbus_message_get_error_name(raw)) ?? "", message: text)
  }

  private func string(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}

/// A D-Bus error.
public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
  /// Its name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
  public let name: String
  /// What it says.
  public let message: String

  /// An error of this name.
  public init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// For a person.
  public var description: String { message.isEmpty ? name : "\(message) (\(name))" }
}
