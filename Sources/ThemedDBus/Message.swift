internal import CThemedDBus
package import ThemedSystem

@safe
package final class Message {
  /// The C library's message, of which this object holds one reference.
  private let raw: OpaquePointer

  /// Takes over one reference.
  private init(owning raw: OpaquePointer) { unsafe self.raw = raw }

  /// The message with these bytes, in the specification's format; nil if they are not a message.
  init?(_ bytes: [UInt8]) {
    let raw = unsafe bytes.withUnsafeBytes { bytes in
      unsafe dbus_message_demarshal(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: bytes.count), nil)
    }
    guard let raw = unsafe raw else { return nil }
    unsafe self.raw = raw
  }

  deinit { unsafe dbus_message_unref(raw) }

  /// Whether these are valid names, for a call with names from outside: libdbus ends a process that uses invalid ones.
  package static func canCall(_ destination: Text, _ path: Text, _ interface: Text, _ member: Text) -> Bool {
    unsafe dbus_validate_bus_name(destination.string, nil) != 0 && isPath(path)
      && dbus_validate_interface(interface.string, nil) != 0 && dbus_validate_member(member.string, nil) != 0
  }

  /// Whether this is a valid path of an object.
  package static func isPath(_ path: Text) -> Bool { unsafe dbus_validate_path(path.string, nil) != 0 }

  /// A call whose arguments are strings, flags, 32-bit numbers and empty dictionaries.
  ///
  /// Only with `starting` may the bus start the service.
  package static func call(
    _ destination: Text, _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = [],
    starting: Bool = false
  ) -> Message {
    guard let raw = unsafe dbus_message_new_method_call(destination.string, path, interface, member) else {
      fatalError("out of memory")
    }
    unsafe dbus_message_set_auto_start(raw, starting ? 1 : 0)
    let message = unsafe Message(owning: raw)
    for argument in arguments { message.append(argument) }
    return message
  }

  package static func bus(_ member: String, _ arguments: [Value] = []) -> Message {
    call(busName, "/org/freedesktop/DBus", busName.string, member, arguments)
  }

  /// A broadcast signal with values of these types.
  package static func signal(
    _ path: String, _ interface: String, _ member: String, _ signature: Text, _ values: [Value]
  ) -> Message {
    guard let raw = unsafe dbus_message_new_signal(path, interface, member) else { fatalError("out of memory") }
    let message = unsafe Message(owning: raw)
    message.append(values, signature)
    return message
  }

  /// The reply to this call, with values of these types.
  package func reply(_ signature: Text, _ values: [Value]) -> Message {
    guard let raw = unsafe dbus_message_new_method_return(self.raw) else { fatalError("out of memory") }
    let message = unsafe Message(owning: raw)
    message.append(values, signature)
    return message
  }

  package func failure(_ failure: Failure) -> Message {
    guard
      let raw = unsafe dbus_message_new_error(self.raw, failure.name.string, failure.message.string)
    else { fatalError("out of memory") }
    return unsafe Message(owning: raw)
  }

  /// The standard reply: the answer to a ping, or that there is no such method.
  var reply: Message {
    if isCall(of: DBUS_INTERFACE_PEER, "Ping") { return reply("", []) }
    return failure(Failure(name: Text(DBUS_ERROR_UNKNOWN_METHOD), message: "there is no such method"))
  }

  /// Whether it is a call that expects a reply.
  var wantsReply: Bool { unsafe kind == .call && dbus_message_get_no_reply(raw) == 0 }

  private func append(_ argument: Value) {
    switch argument {
    case .string: append([argument], "s")
    case .uint32: append([argument], "u")
    case .int32: append([argument], "i")
    case .boolean: append([argument], "b")
    case .array: append([argument], "a{sv}")
    default: preconditionFailure("no call of ours has such an argument")
    }
  }

  private func append(_ values: [Value], _ signature: Text) {
    var iterator = unsafe DBusMessageIter()
    unsafe dbus_message_iter_init_append(raw, &iterator)
    var writer = ValueWriter(signature)
    for value in values { unsafe writer.write(value, to: &iterator) }
  }

  /// Its bytes, with this serial number.
  func bytes(serial: UInt32) -> [UInt8] {
    unsafe dbus_message_set_serial(raw, serial)
    var start: UnsafeMutablePointer<CChar>?
    var count: CInt = 0
    guard unsafe dbus_message_marshal(raw, &start, &count) != 0, let start = unsafe start else {
      fatalError("out of memory")
    }
    defer { unsafe dbus_free(start) }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  // MARK: Output

  enum Kind {
    case call, answer, signal, other
  }

  var kind: Kind {
    switch unsafe dbus_message_get_type(raw) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: .answer
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: .other
    }
  }

  /// The serial number of the call that it answers.
  var answered: UInt32 { unsafe dbus_message_get_reply_serial(raw) }

  /// The arguments, within the limits of `extent`; read them only after checking the sender.
  package func arguments(_ extent: Extent = .small) -> [Value] {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(raw, &iterator) != 0 else { return [] }
    var reader = ValueReader(extent: extent)
    return unsafe reader.list(&iterator)
  }

  /// The sender's unique name, or the bus's own name; the bus guarantees it.
  package var sender: Text? { unsafe text(dbus_message_get_sender(raw)) }
  /// The receiver; nil if the message is a broadcast.
  var destination: Text? { unsafe text(dbus_message_get_destination(raw)) }
  package var path: Text? { unsafe text(dbus_message_get_path(raw)) }

  /// Whether it is a call of this method; the caller may omit the interface.
  package func isCall(of interface: String, _ member: String) -> Bool {
    guard kind == .call, let called = unsafe text(dbus_message_get_member(raw)), called == Text(member) else {
      return false
    }
    return unsafe text(dbus_message_get_interface(raw)).map { $0 == Text(interface) } ?? true
  }

  package func isSignal(_ interface: String, _ member: String) -> Bool {
    unsafe dbus_message_is_signal(raw, interface, member) != 0
  }

  var failure: Failure? {
    guard unsafe dbus_message_get_type(raw) == DBUS_MESSAGE_TYPE_ERROR else { return nil }
    var message: Text = ""
    // Only the beginning, because it goes to the log and the diagnostics, and the sender may make it as long as it
    // likes.
    if case .string(let first)? = arguments(Extent(values: 1, text: 200)).first { message = first }
    return unsafe Failure(name: text(dbus_message_get_error_name(raw)) ?? "", message: message)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> Text? {
    unsafe pointer.map { unsafe Text(String(cString: $0)) }
  }
}

package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
  package let name: Text
  package let message: Text

  package init(name: Text, message: Text) {
    (self.name, self.message) = (name, message)
  }

  package var description: String {
    let (name, message) = (name.shown(atMost: 255), message.shown(atMost: 200))
    return message.isEmpty ? name : "\(message) (\(name))"
  }
}
