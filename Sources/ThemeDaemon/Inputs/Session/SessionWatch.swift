internal import ThemedDBus
internal import ThemedSystem

/// Carries out the decisions of ``GraphicalSession``: asks systemd's user manager on the session bus.
final class SessionWatch {
  private typealias Manager = GraphicalSession.Manager
  private static let jobs =
    "sender='\(Manager.name)',path='\(Manager.path)',interface='\(Manager.interface)',member='JobRemoved'"

  /// Called when the bus has to start the portal.
  var onStartPortal: () -> Void = {}
  /// Called with a warning for the user.
  var onWarning: (String) -> Void = { _ in }

  private var session = GraphicalSession(
    hasOwnDisplay: environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil)
  private var connection: Connection?
  private var owner: Text?
  private var followsJobs = false

  /// Whether a graphical session is up, as far as is known; nil if nothing has answered yet.
  var isUp: Bool? { session.isUp }

  /// Follows the user manager on a new connection to the bus.
  func follow(_ connection: Connection) {
    self.connection = connection
    addMatch("\(Self.ownerMatch),arg0='\(Manager.name)'")
    addMatch(
      "sender='\(Manager.name)',path='\(Manager.target)',interface='\(Manager.properties)',member='PropertiesChanged'")
    connection.call(.bus("GetNameOwner", [.string(Manager.name)]), timeout: .never) { [weak self] answer in
      if case .success(let message) = answer, let owner = message.arguments().first?.busName {
        self?.manager(is: owner)
      } else {
        self?.manager(is: nil)
      }
    }
  }

  /// The bus is gone.
  func stop() {
    connection = nil
    owner = nil
    followsJobs = false
    handle(.busLost)
  }

  /// Takes whether the portal's name has an owner.
  func portal(isThere: Bool) { handle(.portal(isThere: isThere)) }

  /// Something happened that may belong to a new session.
  func signOfLife() { handle(.signOfLife) }

  /// Starts a missing portal again, even if that was in vain before.
  func reload() { handle(.reload) }

  /// Takes a signal of any kind.
  ///
  /// It checks the sender first, because any program can send us a signal with any name and content.
  func received(_ message: Message) {
    let sender = message.sender
    if sender == busName {
      guard message.isSignal(busName.string, "NameOwnerChanged") else { return }
      let arguments = message.arguments()
      guard case .string(Manager.name)? = arguments.first, case .string? = arguments.last else { return }
      manager(is: arguments.last?.busName)
    } else if let owner, sender == owner {
      guard
        message.isSignal(Manager.interface, "JobRemoved") || message.isSignal(Manager.properties, "PropertiesChanged"),
        let path = message.path, path == Text(Manager.path) || path == Text(Manager.target)
      else { return }
      handle(.changed)
    }
  }

  /// The match rule for the bus's signal about a new owner of a name.
  static let ownerMatch =
    "sender='\(busName)',path='/org/freedesktop/DBus',interface='\(busName)',member='NameOwnerChanged'"

  private func manager(is owner: Text?) {
    if let before = self.owner, before != owner { connection?.forget(callsOf: before) }
    self.owner = owner
    // Without it systemd sends no signals.
    if let owner { connection?.call(Manager.subscription(owner), timeout: .never) { _ in } }
    handle(.manager(isThere: owner != nil))
  }

  private func handle(_ event: GraphicalSession.Event) {
    for action in session.handle(event, now: monotonicMilliseconds()) {
      switch action {
      case .ask(let question): ask(question)
      case .startPortal: onStartPortal()
      case .warn(let text): onWarning(text)
      }
    }
    guard session.followsJobs != followsJobs, let connection else { return }
    followsJobs = session.followsJobs
    if followsJobs { return addMatch(Self.jobs) }
    connection.call(.bus("RemoveMatch", [.string("type='signal',\(Self.jobs)")]), timeout: .never) { _ in }
  }

  // MARK: Questions

  private func ask(_ question: GraphicalSession.Question) {
    guard let owner else { return handle(.told(question, nil)) }
    // One question after the other, the target last, because a session that ends stops its target last.
    get(Manager.environmentQuestion(owner)) { [weak self] environment in
      guard let environment else {
        self?.handle(.told(question, nil))
        return
      }
      self?.get(Manager.jobsQuestion(owner)) { [weak self] jobs in
        self?.get(Manager.targetQuestion(owner)) { [weak self] target in
          let manager = target.map { Manager(environment: environment, target: $0, jobs: jobs ?? .other) }
          self?.handle(.told(question, manager))
        }
      }
    }
  }

  private func get(_ question: Message, _ completion: @escaping (Value?) -> Void) {
    connection?.call(question, timeout: .milliseconds(Limits.managerCall)) { answer in
      completion((try? answer.get())?.arguments(Limits.managerAnswer).first)
    }
  }

  private func addMatch(_ rule: String) {
    connection?.call(.bus("AddMatch", [.string("type='signal',\(rule)")]), timeout: .never) { [weak self] answer in
      guard case .failure(let failure) = answer else { return }
      self?.onWarning("the bus refuses to report changes: \(failure)")
    }
  }
}
