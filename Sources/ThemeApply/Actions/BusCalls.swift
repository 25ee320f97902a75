internal import CThemedDBus
internal import ThemeApps
internal import ThemedText
internal import ThemedUnix

/// Calls programs on the session bus: on a run's thread, where waiting harms nobody.
@safe
final class BusCalls {
  private let connection: OpaquePointer

  /// Connects to the session bus; throws where there is none.
  init(_ places: Places) throws(Fault) {
    let runtime = places.directories.runtime
    guard let address = places["DBUS_SESSION_BUS_ADDRESS"] ?? runtime.map({ "unix:path=\($0)/bus" }) else {
      throw Fault("there is no session bus", "start the service in a session that has one")
    }
    // libdbus would start programs for other kinds of addresses, or open the network.
    guard address.split(";").allSatisfy({ $0.hasPrefix("unix:") }) else {
      throw Fault(
        "the session bus is at '\(address.shown(atMost: 200))'", "only unix:path= and unix:abstract= are known")
    }
    _ = dbus_threads_init_default()
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard let connection = unsafe dbus_connection_open_private(address.string, &error) else {
      throw unsafe Self.fault("the session bus cannot be reached", &error)
    }
    unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
    unsafe dbus_connection_set_max_message_size(connection, Limits.busMessage)
    unsafe dbus_connection_set_max_message_unix_fds(connection, 0)
    unsafe self.connection = unsafe connection
    guard unsafe dbus_bus_register(connection, &error) != 0 else {
      throw unsafe Self.fault("the session bus refuses this user", &error)
    }
  }

  deinit {
    unsafe dbus_connection_close(connection)
    unsafe dbus_connection_unref(connection)
  }

  /// Makes a call, of everybody and everything that it means.
  static func make(
    _ call: App.BusCall, _ fill: (Text) -> Text, _ run: Run, _ name: Text, _ outcome: inout Outcome
  ) {
    do throws(Fault) {
      let bus = try BusCalls(run.places)
      var told = 0
      for owner in try bus.owners(of: call.destination) {
        for object in try bus.objects(call.path, of: owner) {
          guard !run.isEnded else { return }
          try bus.call(owner, object, call, fill)
          told += 1
        }
      }
      let nobody = "nobody is called \(call.destination.shown(atMost: 255))"
      outcome.add(name, told == 0 ? .left : .done, told == 0 ? nobody : "called \(told)")
    } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
  }

  /// The names that a destination means and somebody has.
  private func owners(of destination: Text) throws(Fault) -> [Text] {
    let reply = unsafe try ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
    defer { unsafe dbus_message_unref(reply) }
    var names: [Text] = []
    var iterator = unsafe DBusMessageIter()
    if unsafe dbus_message_iter_init(reply, &iterator) != 0,
      unsafe dbus_message_iter_get_arg_type(&iterator) == themed_dbus_type_array
    {
      var list = unsafe DBusMessageIter()
      unsafe dbus_message_iter_recurse(&iterator, &list)
      while unsafe dbus_message_iter_get_arg_type(&list) == themed_dbus_type_string {
        names.append(unsafe Self.string(&list))
        unsafe dbus_message_iter_next(&list)
      }
    }
    guard let start = destination.dropping(suffix: "*") else { return names.filter { $0 == destination } }
    return Array(names.filter { $0.hasPrefix(start) }.sorted().prefix(Limits.busTargets))
  }

  /// The objects that a path means.
  private func objects(_ path: Text, of owner: Text) throws(Fault) -> [Text] {
    guard let parent = path.dropping(suffix: "/*") else { return [path] }
    let reply = unsafe try ask(
      owner, parent.isEmpty ? "/" : parent, "org.freedesktop.DBus.Introspectable", "Introspect")
    defer { unsafe dbus_message_unref(reply) }
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(reply, &iterator) != 0,
      unsafe dbus_message_iter_get_arg_type(&iterator) == themed_dbus_type_string
    else { return [] }
    return unsafe Self.children(in: Self.string(&iterator)).prefix(Limits.busTargets).map { "\(parent)/\($0)" }
      .filter { unsafe dbus_validate_path($0.string, nil) != 0 }
  }

  /// The names of the nodes below the first one of an introspection's XML.
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

  private func call(_ owner: Text, _ object: Text, _ call: App.BusCall, _ fill: (Text) -> Text) throws(Fault) {
    let reply = unsafe try ask(
      owner, object, call.interface, call.member, call.arguments.map { ($0.type, fill($0.value)) })
    unsafe dbus_message_unref(reply)
  }

  /// Calls, and waits for the answer, which is the caller's to let go.
  private func ask(
    _ destination: Text, _ path: Text, _ interface: Text, _ member: Text,
    _ arguments: [(App.BusCall.ArgumentType, Text)] = []
  ) throws(Fault) -> OpaquePointer {
    let call =
      "\(destination.shown(atMost: 255)) \(path.shown(atMost: 255)) \(interface.shown(atMost: 255)).\(member.shown())"
    // libdbus ends a process that calls what has no valid name.
    guard unsafe dbus_validate_bus_name(destination.string, nil) != 0, unsafe dbus_validate_path(path.string, nil) != 0,
      unsafe dbus_validate_interface(interface.string, nil) != 0, unsafe dbus_validate_member(member.string, nil) != 0,
      let message = unsafe dbus_message_new_method_call(
        destination.string, path.string, interface.string, member.string)
    else { throw Fault("\(call) is no call", "mend the app's file") }
    defer { unsafe dbus_message_unref(message) }
    unsafe dbus_message_set_auto_start(message, 0)
    for (type, value) in arguments {
      guard unsafe Self.append(type, value, to: message) else {
        throw Fault("'\(value.shown(atMost: 200))' is no argument of type \(type.rawValue)", "mend the app's file")
      }
    }
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard
      let reply = unsafe dbus_connection_send_with_reply_and_block(
        connection, message, CInt(Limits.busCall), &error)
    else { throw unsafe Self.fault("\(call) failed", &error) }
    return unsafe reply
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

  private static func fault(_ what: String, _ error: inout DBusError) -> Fault {
    defer { unsafe dbus_error_free(&error) }
    let name = unsafe error.name.map { unsafe Text(String(cString: $0)) } ?? ""
    let said = unsafe error.message.map { unsafe Text(String(cString: $0)).shown(atMost: 300) } ?? "no reason given"
    // What has gone meanwhile needs nothing; what is busy may answer later.
    let mends = ["NoReply", "ServiceUnknown", "NoServer", "Disconnected", "Timeout"].contains {
      name == "org.freedesktop.DBus.Error.\($0)"
    }
    return Fault("\(what): \(said)", "see whether the program is of a version that has this call", mendsItself: mends)
  }
}
