internal import CThemedDBus
internal import Glibc
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

  /// Makes a call, of everybody and everything that it means, of all at once: one that hangs holds up no other one.
  static func make(
    _ call: App.BusCall, _ fill: (Text) -> Text, _ run: Run, _ name: Text, _ outcome: inout Outcome
  ) {
    do throws(Fault) {
      let bus = try BusCalls(run.places)
      let owners = try bus.owners(of: call.destination)
      let deadline = monotonicMilliseconds() + Limits.busCall
      var waiting: [Waiting] = []
      var faults: [Fault] = []
      var told = 0
      func begin(_ owner: Text, _ object: Text) {
        do throws(Fault) {
          let arguments = call.arguments.map { ($0.type, fill($0.value)) }
          waiting.append(
            unsafe Waiting(
              owner: owner, asksObjects: false,
              reply: try bus.send(owner, object, call.interface, call.member, arguments)))
        } catch { faults.append(error) }
      }
      let parent = call.path.dropping(suffix: "/*")
      for owner in owners {
        guard let parent else {
          begin(owner, call.path)
          continue
        }
        waiting.append(
          unsafe Waiting(
            owner: owner, asksObjects: true,
            reply: try bus.send(
              owner, parent.isEmpty ? "/" : parent, "org.freedesktop.DBus.Introspectable", "Introspect")))
      }
      while !waiting.isEmpty, !run.isEnded {
        bus.exchange()
        let done = waiting.filter(\.isDone)
        guard !done.isEmpty || bus.wait(run, until: deadline) else { break }
        waiting.removeAll { one in done.contains { $0 === one } }
        for one in done {
          do throws(Fault) {
            let answer = unsafe try one.answer()
            defer { unsafe dbus_message_unref(answer) }
            guard one.asksObjects else {
              told += 1
              continue
            }
            for object in unsafe Self.objects(below: parent ?? "", in: answer) { begin(one.owner, object) }
          } catch { faults.append(error) }
        }
      }
      guard !run.isEnded else { return }
      faults += waiting.map { one in
        Fault(
          "\(one.owner.shown(atMost: 255)) did not answer within \(Limits.busCall / 1000) s",
          "see whether it hangs: 'busctl --user status \(one.owner.shown(atMost: 255))'", mendsItself: true)
      }
      let nobody = "nobody is called \(call.destination.shown(atMost: 255))"
      for fault in faults { outcome.fail(name, fault.problem, mendsItself: fault.mendsItself) }
      if told > 0 {
        outcome.add(name, .done, "called \(told)")
      } else if faults.isEmpty {
        outcome.add(name, .left, nobody)
      }
    } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
  }

  /// A call whose answer is waited for.
  @safe
  private final class Waiting {
    let owner: Text
    /// Whether it asks for the objects to call.
    let asksObjects: Bool
    private let reply: OpaquePointer

    init(owner: Text, asksObjects: Bool, reply: OpaquePointer) {
      self.owner = owner
      self.asksObjects = asksObjects
      unsafe self.reply = unsafe reply
    }

    deinit {
      unsafe dbus_pending_call_cancel(reply)
      unsafe dbus_pending_call_unref(reply)
    }

    var isDone: Bool { unsafe dbus_pending_call_get_completed(reply) != 0 }

    /// The answer, which is the caller's to let go.
    func answer() throws(Fault) -> OpaquePointer {
      guard let message = unsafe dbus_pending_call_steal_reply(reply) else {
        throw Fault("\(owner.shown(atMost: 255)) gave no answer", "see whether it runs", mendsItself: true)
      }
      var error = unsafe DBusError()
      unsafe dbus_error_init(&error)
      guard unsafe dbus_set_error_from_message(&error, message) == 0 else {
        unsafe dbus_message_unref(message)
        throw unsafe BusCalls.fault("the call of \(owner.shown(atMost: 255)) failed", &error)
      }
      return unsafe message
    }
  }

  /// Sends what is to be sent, and takes what has come.
  private func exchange() {
    unsafe dbus_connection_read_write(connection, 0)
    while unsafe dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
  }

  /// Waits until something has come; whether there is time left.
  private func wait(_ run: Run, until deadline: Int) -> Bool {
    var raw: CInt = -1
    let left = deadline - monotonicMilliseconds()
    guard left > 0, unsafe dbus_connection_get_is_connected(connection) != 0,
      unsafe dbus_connection_get_unix_fd(connection, &raw) != 0
    else { return false }
    let events = unsafe Int16(dbus_connection_has_messages_to_send(connection) != 0 ? POLLIN | POLLOUT : POLLIN)
    var waited = [
      pollfd(fd: raw, events: events, revents: 0), pollfd(fd: run.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&waited, nfds_t(waited.count), CInt(clamping: left))
    return true
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

  /// The objects below a path that an answer names.
  private static func objects(below parent: Text, in answer: OpaquePointer) -> [Text] {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(answer, &iterator) != 0,
      unsafe dbus_message_iter_get_arg_type(&iterator) == themed_dbus_type_string
    else { return [] }
    return unsafe children(in: string(&iterator)).prefix(Limits.busTargets).map { "\(parent)/\($0)" }
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

  /// Calls, and waits for the answer, which is the caller's to let go.
  private func ask(
    _ destination: Text, _ path: Text, _ interface: Text, _ member: Text,
    _ arguments: [(App.BusCall.ArgumentType, Text)] = []
  ) throws(Fault) -> OpaquePointer {
    let (message, call) = unsafe try Self.message(destination, path, interface, member, arguments)
    defer { unsafe dbus_message_unref(message) }
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard
      let reply = unsafe dbus_connection_send_with_reply_and_block(
        connection, message, CInt(Limits.busCall), &error)
    else { throw unsafe Self.fault("\(call) failed", &error) }
    return unsafe reply
  }

  /// Calls, and does not wait: the answer to come is the caller's to let go.
  private func send(
    _ destination: Text, _ path: Text, _ interface: Text, _ member: Text,
    _ arguments: [(App.BusCall.ArgumentType, Text)] = []
  ) throws(Fault) -> OpaquePointer {
    let (message, call) = unsafe try Self.message(destination, path, interface, member, arguments)
    defer { unsafe dbus_message_unref(message) }
    var pending: OpaquePointer?
    guard unsafe dbus_connection_send_with_reply(connection, message, &pending, CInt(Limits.busCall)) != 0,
      let pending = unsafe pending
    else { throw Fault("\(call) cannot be sent", "see whether the session bus runs", mendsItself: true) }
    return unsafe pending
  }

  /// A call, which is the caller's to let go, and its words.
  private static func message(
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
    else { throw Fault("\(call) is no call", "mend the app's file") }
    unsafe dbus_message_set_auto_start(message, 0)
    for (type, value) in arguments {
      guard unsafe Self.append(type, value, to: message) else {
        unsafe dbus_message_unref(message)
        throw Fault("'\(value.shown(atMost: 200))' is no argument of type \(type.rawValue)", "mend the app's file")
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

  fileprivate static func fault(_ what: String, _ error: inout DBusError) -> Fault {
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
