internal import CThemedDBus
internal import ThemeApps
internal import ThemedSystem

/// Messages on the session bus: builds calls and reads answers.
enum BusMessage {
  /// A call, which the caller has to release, and its description.
  static func call(
    _ destination: Text, _ path: Text, _ interface: Text, _ member: Text,
    _ arguments: [(App.BusCall.ArgumentType, Text)]
  ) throws(Fault) -> (message: OpaquePointer, words: String) {
    let call =
      "\(destination.shown(atMost: 255)) \(path.shown(atMost: 255)) \(interface.shown(atMost: 255)).\(member.shown())"
    // libdbus ends a process that calls what has no valid name.
    guard unsafe dbus_validate_bus_name(destination.string, nil) != 0, unsafe dbus_validate_path(path.string, nil) != 0,
      unsafe dbus_validate_interface(interface.string, nil) != 0, unsafe dbus_validate_member(member.string, nil) != 0,
      let message = unsafe dbus_message_new_method_call(
        destination.string, path.string, interface.string, member.string)
    else { throw Fault("invalid call '\(call)'", "correct it in the app file") }
    unsafe dbus_message_set_auto_start(message, 0)
    for (type, value) in arguments {
      guard unsafe Self.append(type, value, to: message) else {
        unsafe dbus_message_unref(message)
        throw Fault(
          "invalid argument '\(value.shown(atMost: 200))' of type \(type.rawValue)", "correct it in the app file")
      }
    }
    return unsafe (message, call)
  }

  private static func append(_ type: App.BusCall.ArgumentType, _ value: Text, to message: OpaquePointer) -> Bool {
    var iterator = unsafe DBusMessageIter()
    unsafe dbus_message_iter_init_append(message, &iterator)
    switch type {
    case .string:
      // libdbus ends a process that sends what is no UTF-8, and a String always is.
      return unsafe value.string.withCString { text in
        var text: UnsafePointer<CChar>? = unsafe text
        return unsafe dbus_message_iter_append_basic(&iterator, themed_dbus_type_string, &text) != 0
      }
    case .boolean:
      guard value == "true" || value == "false" else { return false }
      var flag: dbus_bool_t = value == "true" ? 1 : 0
      return unsafe dbus_message_iter_append_basic(&iterator, themed_dbus_type_boolean, &flag) != 0
    case .int32:
      guard var number = Int32(value.string) else { return false }
      return unsafe dbus_message_iter_append_basic(&iterator, themed_dbus_type_int32, &number) != 0
    case .uint32:
      guard var number = UInt32(value.string) else { return false }
      return unsafe dbus_message_iter_append_basic(&iterator, themed_dbus_type_uint32, &number) != 0
    }
  }

  private static func string(_ iterator: inout DBusMessageIter) -> Text {
    var text: UnsafePointer<CChar>?
    unsafe withUnsafeMutablePointer(to: &text) { unsafe dbus_message_iter_get_basic(&iterator, $0) }
    return unsafe text.map { unsafe Text(String(cString: $0)) } ?? ""
  }

  static func fault(_ what: String, _ error: inout DBusError) -> Fault {
    defer { unsafe dbus_error_free(&error) }
    let name = unsafe error.name.map { unsafe Text(String(cString: $0)) } ?? ""
    let said = unsafe error.message.map { unsafe Text(String(cString: $0)).shown(atMost: 300) } ?? "no reason given"
    // What has gone meanwhile needs nothing; what is busy may answer later.
    let mends = ["NoReply", "ServiceUnknown", "NoServer", "Disconnected", "Timeout"].contains {
      name == "org.freedesktop.DBus.Error.\($0)"
    }
    return Fault("\(what): \(said)", "check whether this version of the program has the call", mendsItself: mends)
  }

  /// The strings in an answer, as a list or as the value of a property.
  static func strings(in answer: OpaquePointer) -> [Text] {
    var (iterator, value, list) = unsafe (DBusMessageIter(), DBusMessageIter(), DBusMessageIter())
    guard unsafe dbus_message_iter_init(answer, &iterator) != 0 else { return [] }
    if unsafe dbus_message_iter_get_arg_type(&iterator) == themed_dbus_type_variant {
      unsafe dbus_message_iter_recurse(&iterator, &value)
    } else {
      unsafe value = unsafe iterator
    }
    guard unsafe dbus_message_iter_get_arg_type(&value) == themed_dbus_type_array else { return [] }
    unsafe dbus_message_iter_recurse(&value, &list)
    var strings: [Text] = []
    while unsafe dbus_message_iter_get_arg_type(&list) == themed_dbus_type_string {
      strings.append(unsafe string(&list))
      unsafe dbus_message_iter_next(&list)
    }
    return strings
  }

  /// The objects below a path in an answer.
  static func objects(below parent: Text, in answer: OpaquePointer) -> [Text] {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(answer, &iterator) != 0,
      unsafe dbus_message_iter_get_arg_type(&iterator) == themed_dbus_type_string
    else { return [] }
    return unsafe children(in: string(&iterator)).prefix(Limits.busTargets).map { "\(parent)/\($0)" }
      .filter { unsafe dbus_validate_path($0.string, nil) != 0 }
  }

  /// The names of the child nodes in the XML of an introspection.
  static func children(in xml: Text) -> [Text] {
    xml.split("<").compactMap { tag in
      guard tag.hasPrefix("node ") else { return nil }
      let parts = tag.split(">")[0].split("\"")
      for (index, part) in parts.enumerated() where part.hasSuffix("name=") && index + 1 < parts.count {
        let name = parts[index + 1]
        return name.isEmpty || name.contains("/") ? nil : name
      }
      return nil
    }
  }
}
