internal import Glibc
internal import ThemeApps
internal import ThemedDBus
internal import ThemedSystem

/// Calls programs on the session bus, on a run's thread, which may wait: it has an event loop of its own.
final class BusCalls: ConnectionOwner {
  private typealias Completion = (Result<Message, Fault>) -> Void

  /// More than any answer has that programs send who are not out for our memory.
  private static let extent = Extent(values: 20_000, text: Int(Limits.busMessage))

  private let run: Run
  private let loop = EventLoop()
  private let connection: Connection
  /// Ends a turn of the loop when the run has to end.
  private var ending: Source?
  /// The programs that have not answered yet, by the numbers of the calls.
  private var waiting: [Int: Text] = [:]
  private var last = 0
  /// Why the connection was lost.
  private var loss: Text?

  /// Connects to the session bus until a time by ``monotonicMilliseconds()``; throws if there is none.
  private init(_ run: Run, until deadline: Int) throws(Fault) {
    self.run = run
    connection = try Self.connect(run.places, loop)
    connection.owner = self
    ending = try? loop.watch(run.descriptor, for: .readable) { _ in }
    var refusal: Failure?
    begin("the bus", .bus("Hello")) { if case .failure(let failure) = $0 { refusal = failure } }
    let isAnswered = wait(until: deadline)
    if let refusal { throw Fault("the session bus refuses this user", refusal) }
    if let loss {
      throw Fault("cannot connect to the session bus: \(loss.shown(atMost: 300))", "check whether it is running")
    }
    guard isAnswered else {
      throw Fault("the session bus did not answer", "check whether it hangs", mendsItself: true)
    }
  }

  func lost(_ connection: Connection, _ reason: String) { loss = Text(reason) }

  private static func connect(_ places: Places, _ loop: EventLoop) throws(Fault) -> Connection {
    let addresses: [SocketAddress]
    do throws(BusAddress.Problem) {
      addresses = try BusAddress.session(
        variable: places["DBUS_SESSION_BUS_ADDRESS"], runtimeDirectory: places.directories.runtime?.string)
    } catch {
      switch error {
      case .none: throw Fault("no session bus is running", "start themed-apply in a session that has one")
      case .unsupported(let address):
        throw Fault(
          "cannot use the session bus address '\(address.shown(atMost: 200))'",
          "use an address with unix:path= or unix:abstract=")
      }
    }
    var last: (address: SocketAddress, code: CInt)?
    for address in addresses {
      do throws(SystemError) {
        return try Connection(
          to: address, limits: Connection.Limits(message: Limits.busMessage, replies: 4096), on: loop)
      } catch { last = (address, error.code) }
    }
    let reason = last.map { "\(SystemError.text($0.code)) (\($0.address))" } ?? ""
    throw Fault(
      "cannot connect to the session bus: \(Text(reason).shown(atMost: 300))", "check whether it is running",
      mendsItself: last?.code == ECONNREFUSED)
  }

  // MARK: Calls of app files

  /// Makes a call to all owners and objects that it names, at the same time, so that one that hangs does not delay others.
  static func make(
    _ call: App.BusCall, _ fill: (Text) -> Text, _ run: Run, _ name: Text, _ outcome: inout Outcome
  ) {
    do throws(Fault) {
      let bus = try BusCalls(run, until: monotonicMilliseconds() + Limits.busCall)
      // Calls without an answer may hold this object.
      defer { bus.connection.close() }
      let (told, faults) = try bus.make(call, call.arguments.map { ($0.type, fill($0.value)) })
      guard !run.isEnded else { return }
      for fault in faults { outcome.fail(name, fault.problem, mendsItself: fault.mendsItself) }
      if told > 0 {
        outcome.add(name, .done, "called \(told)")
      } else if faults.isEmpty {
        outcome.add(name, .left, "no program on the bus is called \(call.destination.shown(atMost: 255))")
      }
    } catch { outcome.fail(name, error.problem, mendsItself: error.mendsItself) }
  }

  private func make(
    _ call: App.BusCall, _ arguments: [(App.BusCall.ArgumentType, Text)]
  ) throws(Fault) -> (told: Int, faults: [Fault]) {
    var (told, faults) = (0, [Fault]())
    let owners = try owners(of: call.destination)
    let deadline = monotonicMilliseconds() + Limits.busCall
    func begin(_ owner: Text, _ object: Text) {
      ask(owner, object, call.interface, call.member, arguments) {
        switch $0 {
        case .success: told += 1
        case .failure(let fault): faults.append(fault)
        }
      }
    }
    for owner in owners {
      guard let parent = call.path.dropping(suffix: "/*") else {
        begin(owner, call.path)
        continue
      }
      ask(owner, parent.isEmpty ? "/" : parent, "org.freedesktop.DBus.Introspectable", "Introspect") {
        switch $0 {
        case .success(let answer): for object in Self.objects(below: parent, in: answer) { begin(owner, object) }
        case .failure(let fault): faults.append(fault)
        }
      }
    }
    _ = wait(until: deadline)
    faults += waiting.sorted { $0.key < $1.key }.map { _, owner in
      let name = owner.shown(atMost: 255)
      if let loss {
        return Fault(
          "the call to \(name) failed: \(loss.shown(atMost: 300))", "check whether it is running", mendsItself: true)
      }
      return Fault(
        "\(name) did not answer within \(Limits.busCall / 1000) s",
        "check whether it hangs: 'busctl --user status \(name)'", mendsItself: true)
    }
    return (told, faults)
  }

  /// The owned names that a destination means.
  private func owners(of destination: Text) throws(Fault) -> [Text] {
    var names: [Text] = []
    begin("the bus", .bus("ListNames")) {
      if case .success(let answer) = $0 { names = Self.strings(in: answer) }
    }
    guard wait(until: monotonicMilliseconds() + Limits.busCall) || run.isEnded else {
      throw Fault("org.freedesktop.DBus did not answer", "check whether it is running", mendsItself: true)
    }
    guard let start = destination.dropping(suffix: "*") else { return names.filter { $0 == destination } }
    return Array(names.filter { $0.hasPrefix(start) }.sorted().prefix(Limits.busTargets))
  }

  /// Sends a call of an app file, and passes on the answer, or why there can be none.
  private func ask(
    _ owner: Text, _ path: Text, _ interface: Text, _ member: Text,
    _ arguments: [(App.BusCall.ArgumentType, Text)] = [], _ completion: @escaping Completion
  ) {
    guard Message.canCall(owner, path, interface, member) else {
      let (owner, path, interface) = (owner.shown(atMost: 255), path.shown(atMost: 255), interface.shown(atMost: 255))
      return completion(
        .failure(
          Fault("invalid call '\(owner) \(path) \(interface).\(member.shown())'", "correct it in the app file")))
    }
    var values: [Value] = []
    for (type, text) in arguments {
      guard let value = Self.value(type, text) else {
        return completion(
          .failure(
            Fault(
              "invalid argument '\(text.shown(atMost: 200))' of type \(type.rawValue)", "correct it in the app file")))
      }
      values.append(value)
    }
    begin(owner, .call(owner, path.string, interface.string, member.string, values)) {
      completion($0.mapError { Fault("the call to \(owner.shown(atMost: 255)) failed", $0) })
    }
  }

  private static func value(_ type: App.BusCall.ArgumentType, _ text: Text) -> Value? {
    switch type {
    case .string: .string(text)
    case .boolean: text == "true" || text == "false" ? .boolean(text == "true") : nil
    case .int32: Int32(text.string).map { .int32($0) }
    case .uint32: UInt32(text.string).map { .uint32($0) }
    }
  }

  // MARK: The service manager

  /// The environment that the user's service manager gives to new services, and what our own unit sets besides.
  static func managerEnvironment(_ run: Run) throws(Fault) -> SessionVariables.Answer {
    let deadline = monotonicMilliseconds() + Limits.managerCall
    let bus = try BusCalls(run, until: deadline)
    defer { bus.connection.close() }
    let (manager, path): (Text, Text) = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
    var (environment, unit): (Result<[Text], Fault>?, [Text]) = (nil, [])
    func get(_ path: Text, _ kind: Text, _ completion: @escaping Completion) {
      bus.ask(
        manager, path, "org.freedesktop.DBus.Properties", "Get",
        [(.string, "\(manager).\(kind)"), (.string, "Environment")], completion)
    }
    get(path, "Manager") { environment = $0.map { Self.strings(in: $0) } }
    get("\(path)/unit/self", "Service") { if case .success(let answer) = $0 { unit = Self.strings(in: answer) } }
    guard bus.wait(until: deadline), let environment else {
      throw Fault("the service manager did not answer", "check whether it hangs: 'systemctl --user status'")
    }
    return SessionVariables.Answer(manager: try environment.get(), unit: unit)
  }

  // MARK: Waiting

  /// Sends a call without waiting for the answer.
  private func begin(_ called: Text, _ message: Message, _ completion: @escaping (Result<Message, Failure>) -> Void) {
    last += 1
    let number = last
    waiting[number] = called
    connection.call(message, timeout: .never) { [unowned self] in
      waiting[number] = nil
      completion($0)
    }
  }

  /// Waits until all calls are answered; false if the time is over, the run has to end, or the connection is lost.
  private func wait(until deadline: Int) -> Bool {
    while !waiting.isEmpty {
      guard !run.isEnded, loss == nil, monotonicMilliseconds() < deadline else { return false }
      loop.turn(until: deadline)
    }
    return true
  }

  // MARK: Answers

  /// The strings in an answer, as a list or as the value of a property.
  private static func strings(in answer: Message) -> [Text] {
    guard case .array(let values)? = answer.arguments(extent).first?.unwrapped else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// The objects below a path in an answer.
  private static func objects(below parent: Text, in answer: Message) -> [Text] {
    guard case .string(let xml)? = answer.arguments(extent).first else { return [] }
    return children(in: xml).prefix(Limits.busTargets).map { "\(parent)/\($0)" }.filter { Message.isPath($0) }
  }

  /// The names of the child nodes in the XML of an introspection.
  private static func children(in xml: Text) -> [Text] {
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

extension Fault {
  /// A failed call.
  fileprivate init(_ what: String, _ failure: Failure) {
    let said = failure.message.isEmpty ? "no reason given" : failure.message.shown(atMost: 300)
    // A program that has gone meanwhile needs nothing, and a busy one may answer later.
    let mends = ["NoReply", "ServiceUnknown", "NoServer", "Disconnected", "Timeout"].contains {
      failure.name == "org.freedesktop.DBus.Error.\($0)"
    }
    self.init("\(what): \(said)", "check whether this version of the program has the call", mendsItself: mends)
  }
}
