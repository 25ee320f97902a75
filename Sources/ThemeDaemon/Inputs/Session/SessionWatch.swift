internal import ThemedDBus
internal import ThemedSystem

/// Carries out the decisions of ``GraphicalSession``: asks systemd's user manager on the session bus.
final class SessionWatch: NameOwnerReceiver {
  private typealias Manager = GraphicalSession.Manager
  private static let jobs =
    "sender='\(Manager.name)',path='\(Manager.path)',interface='\(Manager.interface)',member='JobRemoved'"

  private unowned let desktop: Desktop
  private var session = GraphicalSession(
    hasOwnDisplay: environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil)
  private var connection: Connection?
  private var nameOwner: NameOwner?
  private var followsJobs = false

  init(for desktop: Desktop) { self.desktop = desktop }

  /// The user manager's connection to the bus; nil if there is none.
  var manager: Text? { nameOwner?.owner }

  var isUp: Bool? { session.isUp }

  /// Follows the user manager on a new connection to the bus.
  func follow(_ connection: Connection) {
    self.connection = connection
    connection.addMatch(
      "sender='\(Manager.name)',path='\(Manager.target)',interface='\(Manager.properties)',member='PropertiesChanged'")
    nameOwner = NameOwner(of: Manager.name, on: connection, for: self)
  }

  func stop() {
    (connection, nameOwner) = (nil, nil)
    followsJobs = false
    handle(.busLost)
  }

  func portal(isThere: Bool) { handle(.portal(isThere: isThere)) }

  func signOfLife() { handle(.signOfLife) }

  /// Starts a missing portal again, even if that was in vain before.
  func reload() { handle(.reload) }

  /// Takes a signal of any kind.
  ///
  /// It checks the sender first, because any program can send us a signal with any name and content.
  func received(_ signal: Message) {
    guard let manager, signal.sender == manager,
      signal.isSignal(Manager.interface, "JobRemoved") || signal.isSignal(Manager.properties, "PropertiesChanged"),
      let path = signal.path, path == Text(Manager.path) || path == Text(Manager.target)
    else { return }
    handle(.changed)
  }

  func owner(of name: Text, is owner: Text?) {
    // Without it systemd sends no signals.
    if let owner { connection?.call(Manager.subscription(owner), timeout: .never) { _ in } }
    handle(.manager(isThere: owner != nil))
  }

  private func handle(_ event: GraphicalSession.Event) {
    for action in session.handle(event, now: monotonicMilliseconds()) {
      switch action {
      case .ask(let question): ask(question)
      case .startPortal: desktop.startPortal()
      case .warn(let text): desktop.warned(text)
      }
    }
    guard session.followsJobs != followsJobs, let connection else { return }
    followsJobs = session.followsJobs
    if followsJobs { connection.addMatch(Self.jobs) } else { connection.removeMatch(Self.jobs) }
  }

  // MARK: Questions

  private func ask(_ question: GraphicalSession.Question) {
    guard let manager else { return handle(.told(question, nil)) }
    // One question after the other, the target last, because a session that ends stops its target last.
    get(Manager.environmentQuestion(manager)) { [weak self] environment in
      guard let environment else {
        self?.handle(.told(question, nil))
        return
      }
      self?.get(Manager.jobsQuestion(manager)) { [weak self] jobs in
        self?.get(Manager.targetQuestion(manager)) { [weak self] target in
          let answer = target.map { Manager(environment: environment, target: $0, jobs: jobs ?? .other) }
          self?.handle(.told(question, answer))
        }
      }
    }
  }

  private func get(_ question: Message, _ completion: @escaping (Value?) -> Void) {
    connection?.call(question, timeout: .milliseconds(Limits.managerCall)) { answer in
      completion((try? answer.get())?.arguments(Limits.managerAnswer).first)
    }
  }
}

// The questions to systemd's user manager, and the meaning of its answers.

extension GraphicalSession.Manager {
  static let name: Text = "org.freedesktop.systemd1"
  static let path = "/org/freedesktop/systemd1"
  static let interface = "org.freedesktop.systemd1.Manager"
  static let properties = "org.freedesktop.DBus.Properties"
  /// graphical-session.target, escaped as systemd documents it; asking for the object loads it if necessary.
  static let target = path + "/unit/graphical_2dsession_2etarget"

  /// The call that makes the manager with the bus name `owner` send signals.
  static func subscription(_ owner: Text) -> Message { .call(owner, path, interface, "Subscribe") }
  /// The call that reads the environment that the manager gives to services.
  static func environmentQuestion(_ owner: Text) -> Message {
    .call(owner, path, properties, "Get", [.string(Text(interface)), .string("Environment")])
  }
  /// The variables in an answer to that; nil if the answer is something else.
  static func variables(_ answer: Value?) -> [Text: Text]? {
    guard case .variant(.array(let values))? = answer else { return nil }
    let texts = values.compactMap { value in if case .string(let text) = value { text } else { nil } }
    return PortalProgram.dictionary(texts)
  }
  /// The call that reads the state of the target.
  static func targetQuestion(_ owner: Text) -> Message {
    .call(owner, target, properties, "GetAll", [.string("org.freedesktop.systemd1.Unit")])
  }
  /// The call that asks for all jobs.
  ///
  /// It does not ask the portal's unit for its own job: that would load the unit, which changes the target that the
  /// unit belongs to, so that we would be notified and ask again.
  static func jobsQuestion(_ owner: Text) -> Message { .call(owner, path, interface, "ListJobs") }
  /// The call that asks whether a unit is enabled or masked.
  static func unitFileQuestion(_ owner: Text, _ unit: Text) -> Message {
    .call(owner, path, interface, "GetUnitFileState", [.string(unit)])
  }

  /// Reads systemd's properties: the manager's `Environment`, all of the target's, and the list of jobs.
  init(environment: Value, target: Value, jobs: Value = .other) {
    if case .array(let jobs) = jobs {
      hasPortalJob = jobs.contains { job in
        if case .structure(let parts) = job, parts.count > 1 { parts[1] == .string(Self.portal) } else { false }
      }
    }
    if case .variant(.array(let assignments)) = environment {
      for case .string(let text) in assignments where Self.names.contains(where: { text.hasPrefix($0) && text != $0 }) {
        displays.insert(text)
      }
    }
    guard case .array(let entries) = target else { return }
    for case .structure(let entry) in entries {
      guard entry.count == 2, case .string(let name) = entry[0], case .variant(let value) = entry[1] else { continue }
      switch value {
      case .string(let state) where name == "ActiveState": self.target = state
      case .structure(let job) where name == "Job": if case .uint32(let id)? = job.first { hasJob = id != 0 }
      case .uint64(let time) where name == "ActiveExitTimestampMonotonic": wentDown = time
      default: break
      }
    }
  }

  static let portal: Text = "xdg-desktop-portal.service"
  private static let names: [Text] = ["DISPLAY=", "WAYLAND_DISPLAY="]
}
