internal import CThemedDBus
internal import Glibc
internal import ThemeApps
internal import ThemedSystem

/// Calls programs on the session bus, on a run's thread, which may wait.
@safe
final class BusCalls {
  private let connection: OpaquePointer

  /// Connects to the session bus; throws if there is none.
  init(_ places: Places) throws(Fault) {
    let runtime = places.directories.runtime
    guard let address = places["DBUS_SESSION_BUS_ADDRESS"] ?? runtime.map({ "unix:path=\($0)/bus" }) else {
      throw Fault("no session bus is running", "start themed-apply in a session that has one")
    }
    // libdbus would start programs for other kinds of addresses, or open the network.
    guard address.split(";").allSatisfy({ $0.hasPrefix("unix:") }) else {
      throw Fault(
        "cannot use the session bus address '\(address.shown(atMost: 200))'",
        "use an address with unix:path= or unix:abstract=")
    }
    _ = dbus_threads_init_default()
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard let connection = unsafe dbus_connection_open_private(address.string, &error) else {
      throw unsafe BusMessage.fault("cannot connect to the session bus", &error)
    }
    unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
    unsafe dbus_connection_set_max_message_size(connection, Limits.busMessage)
    unsafe dbus_connection_set_max_message_unix_fds(connection, 0)
    unsafe self.connection = unsafe connection
    guard unsafe dbus_bus_register(connection, &error) != 0 else {
      throw unsafe BusMessage.fault("the session bus refuses this user", &error)
    }
  }

  deinit {
    unsafe dbus_connection_close(connection)
    unsafe dbus_connection_unref(connection)
  }

  /// Makes a call to all owners and objects that it names, at the same time, so that one that hangs does not delay others.
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
          waiting.append(try bus.ask(owner, object, call.interface, call.member, arguments))
        } catch { faults.append(error) }
      }
      let parent = call.path.dropping(suffix: "/*")
      for owner in owners {
        guard let parent else {
          begin(owner, call.path)
          continue
        }
        waiting.append(
          try bus.ask(
            owner, parent.isEmpty ? "/" : parent, "org.freedesktop.DBus.Introspectable", "Introspect", forObjects: true)
        )
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
            for object in unsafe BusMessage.objects(below: parent ?? "", in: answer) { begin(one.owner, object) }
          } catch { faults.append(error) }
        }
      }
      guard !run.isEnded else { return }
      faults += waiting.map { one in
        Fault(
          "\(one.owner.shown(atMost: 255)) did not answer within \(Limits.busCall / 1000) s",
          "check whether it hangs: 'busctl --user status \(one.owner.shown(atMost: 255))'", mendsItself: true)
      }
      let nobody = "no program on the bus is called \(call.destination.shown(atMost: 255))"
      for fault in faults { outcome.fail(name, fault.problem, mendsItself: fault.mendsItself) }
      if told > 0 {
        outcome.add(name, .done, "called \(told)")
      } else if faults.isEmpty {
        outcome.add(name, .left, nobody)
      }
    } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
  }

  /// The environment that the user's service manager gives to new services, and what our own unit sets besides.
  static func managerEnvironment(_ run: Run) throws(Fault) -> SessionVariables.Answer {
    let bus = try BusCalls(run.places)
    let (manager, path): (Text, Text) = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
    func get(_ path: Text, _ kind: Text) throws(Fault) -> Waiting {
      try bus.ask(
        manager, path, "org.freedesktop.DBus.Properties", "Get",
        [(.string, "\(manager).\(kind)"), (.string, "Environment")])
    }
    let asked = try get(path, "Manager")
    let own = try get("\(path)/unit/self", "Service")
    let deadline = monotonicMilliseconds() + Limits.managerCall
    bus.exchange()
    while !(asked.isDone && own.isDone) {
      guard !run.isEnded, bus.wait(run, until: deadline) else {
        throw Fault("the service manager did not answer", "check whether it hangs: 'systemctl --user status'")
      }
      bus.exchange()
    }
    func strings(_ call: Waiting) throws(Fault) -> [Text] {
      let answer = unsafe try call.answer()
      defer { unsafe dbus_message_unref(answer) }
      return unsafe BusMessage.strings(in: answer)
    }
    return SessionVariables.Answer(manager: try strings(asked), unit: (try? strings(own)) ?? [])
  }

  /// A call that waits for its answer.
  @safe
  private final class Waiting {
    let owner: Text
    /// Whether the call asks for the objects to call.
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

    /// The answer, which the caller has to release; this may wait for it.
    func answer(waiting: Bool = false) throws(Fault) -> OpaquePointer {
      if waiting { unsafe dbus_pending_call_block(reply) }
      guard let message = unsafe dbus_pending_call_steal_reply(reply) else {
        throw Fault("\(owner.shown(atMost: 255)) did not answer", "check whether it is running", mendsItself: true)
      }
      var error = unsafe DBusError()
      unsafe dbus_error_init(&error)
      guard unsafe dbus_set_error_from_message(&error, message) == 0 else {
        unsafe dbus_message_unref(message)
        throw unsafe BusMessage.fault("the call to \(owner.shown(atMost: 255)) failed", &error)
      }
      return unsafe message
    }
  }

  /// Sends queued messages, and reads received ones.
  private func exchange() {
    unsafe dbus_connection_read_write(connection, 0)
    while unsafe dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
  }

  /// Waits until a message has arrived; false if the time is over.
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

  /// The owned names that a destination means.
  private func owners(of destination: Text) throws(Fault) -> [Text] {
    let bus: Text = "org.freedesktop.DBus"
    let answer = unsafe try ask(bus, "/org/freedesktop/DBus", bus, "ListNames").answer(waiting: true)
    defer { unsafe dbus_message_unref(answer) }
    let names = unsafe BusMessage.strings(in: answer)
    guard let start = destination.dropping(suffix: "*") else { return names.filter { $0 == destination } }
    return Array(names.filter { $0.hasPrefix(start) }.sorted().prefix(Limits.busTargets))
  }

  /// Sends a call without waiting for the answer.
  private func ask(
    _ owner: Text, _ path: Text, _ interface: Text, _ member: Text,
    _ arguments: [(App.BusCall.ArgumentType, Text)] = [], forObjects: Bool = false
  ) throws(Fault) -> Waiting {
    let (message, call) = unsafe try BusMessage.call(owner, path, interface, member, arguments)
    defer { unsafe dbus_message_unref(message) }
    var pending: OpaquePointer?
    guard unsafe dbus_connection_send_with_reply(connection, message, &pending, CInt(Limits.busCall)) != 0,
      let pending = unsafe pending
    else { throw Fault("cannot send the call \(call)", "check whether the session bus is running", mendsItself: true) }
    return unsafe Waiting(owner: owner, asksObjects: forObjects, reply: pending)
  }
}
