internal import Glibc
package import ThemedInterface
internal import ThemedDBus
internal import ThemedSystem

/// Checks the session, the portal and the configuration from outside: it asks no daemon, and starts and changes
/// nothing.
package struct SetupCheck {
  /// A check that has not started.
  package init() {}

  /// The findings, after all answers have come or the time has run out.
  package func run() -> [Finding] { SetupQuestions().run() }
}

/// The questions of a check, and the facts that the answers give.
private final class SetupQuestions: BusClient {
  private let portal = SettingsPortal.desktop
  private var facts = Facts()
  private var bus: SessionBus?
  private var connection: Connection?
  /// The environment that the user manager gives to services; nil if it has not answered.
  private var managerEnvironment: [Text: Text]?
  private var pending = 0
  /// The next steps, each taken when all questions have been answered.
  private var next: [() -> Void] = []
  private var isOver = false

  /// The findings, after all answers have come or the time has run out.
  func run() -> [Finding] {
    facts.hasDisplay = Facts.hasDisplay(allVariables())
    readConfiguration()
    do throws(BusAddress.Problem) {
      let addresses = try BusAddress.session()
      facts.busAddress = BusAddress.words(addresses)
      facts.bus = .failed("it accepts connections but does not answer")
      bus = SessionBus(at: addresses, limits: Limits.bus, for: self)
      let deadlines = [
        EventLoop.main.timer(afterMilliseconds: Limits.check) { [unowned self] in isOver = true },
        EventLoop.main.timer(afterMilliseconds: Limits.greeting) { [unowned self] in
          isOver = isOver || connection == nil
        },
      ]
      bus?.start()
      GLibLoop.run { isOver }
      for deadline in deadlines { deadline.cancel() }
    } catch {
      facts.bus = .failed("\(error)")
    }
    return facts.findings
  }

  func busChanged(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      facts.bus = .connected
      self.connection = connection
      next = [{ [unowned self] in askBackends() }]
      askSession()
    case .disconnected: fail("it closed the connection")
    case .unreachable(let trouble): fail(trouble.reason)
    }
  }

  private func fail(_ reason: String) {
    facts.bus = .failed(reason)
    isOver = true
  }

  private func readConfiguration() {
    guard let path = Configuration.usualPath else { return }
    do throws(Configuration.Problem) {
      facts.unknownSettings = try Configuration.load(from: path).unknown
    } catch {
      facts.configurationProblem = error
    }
  }

  // MARK: Questions

  private func askSession() {
    ask(.bus("ListActivatableNames")) { [unowned self] answer in
      guard case .array(let names)? = answer.value else { return }
      facts.isPortalInstalled = names.contains(.string(portal.name))
    }
    ask(.bus("GetNameOwner", [.string(portal.name)])) { [unowned self] answer in
      if let owner = answer.value?.busName { askPortal(owner) }
    }
    ask(.bus("NameHasOwner", [.string(PortalBackends.ours)])) { [unowned self] answer in
      facts.chain.isRunning = answer.value == .boolean(true)
    }
    let manager = GraphicalSession.Manager.self
    ask(.bus("GetNameOwner", [.string(manager.name)])) { [unowned self] answer in
      guard let owner = answer.value?.busName else { return }
      ask(manager.unitFileQuestion(owner, PortalChainFacts.unit)) { [unowned self] answer in
        // Enabled permanently, or until the next boot.
        if case .string(let state)? = answer.value { facts.isBackendEnabled = state.hasPrefix("enabled") }
      }
      ask(manager.unitFileQuestion(owner, manager.portal)) { [unowned self] answer in
        if case .string(let state)? = answer.value { facts.portalUnit = state }
      }
      ask(manager.environmentQuestion(owner)) { [unowned self] answer in
        guard let environment = answer.value else { return }
        managerEnvironment = manager.variables(environment)
        ask(manager.targetQuestion(owner)) { [unowned self] answer in
          facts.manager = answer.value.map { .init(environment: environment, target: $0) }
        }
      }
    }
  }

  private func askPortal(_ owner: Text) {
    facts.isPortalRunning = true
    ask(.bus("GetConnectionUnixProcessID", [.string(owner)])) { [unowned self] answer in
      guard case .uint32(let process)? = answer.value else { return }
      facts.portalProcess = process
      facts.chain.process = Int64(process)
    }
    ask(portal.readOurs(of: owner)) { [unowned self] answer in facts.chain.isAsked = answer.knowsKey }
    ask(portal.versionQuestion(owner)) { [unowned self] answer in
      facts.interfaceVersion = SettingsPortal.version(answer.value)
    }
    readColorScheme(of: owner, by: .readOne)
  }

  private func readColorScheme(of owner: Text, by method: SettingsPortal.ReadMethod) {
    ask(portal.read(.colorScheme, by: method, of: owner)) { [unowned self] answer in
      if case .failure(let failure) = answer, let next = method.next(after: failure) {
        readColorScheme(of: owner, by: next)
      } else {
        answered(answer)
      }
    }
  }

  private func answered(_ answer: Result<Message, Failure>) {
    facts.answer =
      switch answer {
      case .success(let message): .value(message.arguments().first ?? .other)
      case .failure(let failure) where failure.name == unknownMethod: .noInterface
      case .failure(let failure) where failure.name == notFound: .noKey
      case .failure(let failure): .failed(failure)
      }
  }

  /// Asks only backends that run; starts none.
  private func askBackends() {
    let program = PortalProgram(process: facts.portalProcess, manager: managerEnvironment)
    let environment = program.environment ?? PortalProgram.own
    let version = program.version ?? PortalProgram.version(ofInterface: facts.interfaceVersion)
    facts.backends = PortalBackends(environment: environment, of: version)
    facts.chain.learn(facts.backends, environment, program.version)
    for backend in facts.backends.withoutOurs.chosen {
      ask(SettingsPortal.backend(backend.busName).read(.colorScheme, by: .read, of: backend.busName)) {
        [unowned self] answer in
        facts.backendAnswers[backend.name] = answer.value
      }
    }
    proceed()
  }

  private func ask(_ message: Message, _ completion: @escaping (Result<Message, Failure>) -> Void) {
    pending += 1
    connection?.call(message, timeout: .milliseconds(Limits.portalCall)) { [weak self] answer in
      guard let self else { return }
      completion(answer)
      pending -= 1
      proceed()
    }
  }

  private func proceed() {
    guard pending == 0 else { return }
    guard let step = next.popLast() else {
      isOver = true
      return
    }
    step()
  }
}

extension Result<Message, Failure> {
  fileprivate var value: Value? { (try? get())?.arguments(Limits.managerAnswer).first }
}
