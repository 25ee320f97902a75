internal import ThemeInterface
internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

/// Follows the backends after ours, by their own names on the bus.
final class LowerBackends {
  /// Called with each change of their merged reading.
  var onReading: (Reading, PortalFollower.Cause) -> Void = { _, _ in }
  /// Called when the last reading is confirmed by the backends themselves.
  var onSettled: () -> Void = {}
  /// Called with a warning for the user.
  var onWarning: (String) -> Void = { _ in }

  /// How long a desktop has to be quiet before it is read, in milliseconds.
  var settleTime: Int {
    didSet { for watch in watches { watch.settleTime = settleTime } }
  }

  private var watches: [PortalWatch] = []
  private var readings = LowerReadings()
  private var told: Reading?
  private var missed: [Text: Source] = [:]

  /// Follows no backend yet.
  init(settleTime: Int) {
    self.settleTime = settleTime
  }

  /// Follows exactly these backends.
  func follow(_ names: [Text], on connection: Connection?) {
    for watch in watches { watch.leave() }
    (readings, told, missed) = (LowerReadings(names), nil, [:])
    watches =
      connection == nil ? [] : names.map { PortalWatch(.backend($0), settleTime: settleTime, reading: Reading()) }
    for (watch, name) in zip(watches, names) {
      watch.onOwner = { [unowned self] in
        readings.backend(name, isThere: $0 != nil)
        if $0 == nil { miss(name) }
        tell(.read)
      }
      watch.onReading = { [unowned self] in
        readings.backend(name, says: $0)
        tell($1)
      }
      watch.onAnswer = { [unowned self] in
        readings.backendHasAnswered(name)
        missed[name] = nil
        tell(.read)
      }
      watch.onSettled = { [unowned self] in if told != nil, readings.merged == told { onSettled() } }
      watch.onWarning = { [unowned self] in onWarning("backend \(name.shown()): \($0)") }
      if let connection { watch.follow(connection) }
    }
  }

  /// Takes a signal of any kind; a signal from one of the backends goes only to its own watch.
  func received(_ message: Message) {
    if let sender = message.sender, sender != busName, let watch = watches.first(where: { $0.owner == sender }) {
      return watch.received(message)
    }
    for watch in watches { watch.received(message) }
  }

  private func miss(_ name: Text) {
    missed[name] = MainLoop.timer(afterMilliseconds: Limits.backendRestart) { [unowned self] in
      missed[name] = nil
      readings.backendIsMissedNoMore(name)
      tell(.read)
    }
  }

  /// Retries at once what has failed.
  func reload() {
    for watch in watches { watch.reload() }
  }

  /// Something happened that may belong to a new session.
  func signOfLife() {
    for watch in watches { watch.signOfLife() }
  }

  private func tell(_ cause: PortalFollower.Cause) {
    guard let merged = readings.merged, merged != told else { return }
    told = merged
    onReading(merged, cause)
  }
}

/// Finds out which backends the portal would ask without ours, by its environment and files, on a thread.
final class LowerListing {
  private var thread: WorkThread?
  private var source: Source?
  private var next: (() -> Void)?

  // Remove it from the loop before its descriptor is closed.
  deinit { source?.cancel() }

  /// Passes on the backends' bus names in order; nil if they could not be found out, and never if the disk does not
  /// respond.
  func list(_ portal: Text, on connection: Connection, _ completion: @escaping ([Text]?) -> Void) {
    connection.call(
      .bus("GetConnectionUnixProcessID", [.string(portal)]), timeout: .milliseconds(Limits.portalCall)
    ) { [weak self] answer in
      guard case .success(let message) = answer, case .uint32(let process)? = message.arguments().first else {
        return completion(nil)
      }
      connection.call(
        SettingsPortal.desktop.versionQuestion(portal), timeout: .milliseconds(Limits.portalCall)
      ) { [weak self] answer in
        // No answer does not mean no version: a slow portal need not be the newest.
        if case .failure(let failure) = answer, failure.name == noReply { return completion(nil) }
        let version = SettingsPortal.version((try? answer.get())?.arguments().first)
        Self.askManager(on: connection) { [weak self] in self?.read(process, version, $0, completion) }
      }
    }
  }

  /// Passes on the variables that the user manager gives to services: none without a manager, nil if it does not
  /// answer.
  private static func askManager(on connection: Connection, _ completion: @escaping ([Text: Text]?) -> Void) {
    let manager = GraphicalSession.Manager.self
    connection.call(.bus("GetNameOwner", [.string(manager.name)]), timeout: .never) { answer in
      guard let owner = (try? answer.get())?.arguments().first?.busName else { return completion([:]) }
      connection.call(manager.environmentQuestion(owner), timeout: .milliseconds(Limits.managerCall)) { answer in
        completion(manager.variables((try? answer.get())?.arguments(Limits.managerAnswer).first))
      }
    }
  }

  private func read(
    _ process: UInt32, _ version: UInt32?, _ manager: [Text: Text]?, _ completion: @escaping ([Text]?) -> Void
  ) {
    // If a lookup hangs, wait for it: the newest request comes after it.
    guard thread == nil else {
      next = { [unowned self] in read(process, version, manager, completion) }
      return
    }
    do throws(SystemError) {
      let thread = try WorkThread()
      source = try MainLoop.watch(thread.descriptor, for: .readable) { [unowned self] _ in finish() }
      self.thread = thread
      try thread.perform(
        { PortalBackends.belowOurs(process: process, interface: version, manager: manager) }, completion)
    } catch {
      (thread, source) = (nil, nil)
      completion(nil)
    }
  }

  private func finish() {
    _ = thread?.finish()
    (source, thread) = (nil, nil)
    let next = next
    self.next = nil
    next?()
  }
}

extension PortalBackends {
  /// The bus name of our own backend.
  static let ours = PortalChainFacts.busName

  /// The bus names of the backends that this portal would ask without ours, in order.
  ///
  /// Nil if the portal's environment is not known (``PortalProgram/environment(ofPortal:manager:)``). The version is
  /// known only as far as the interface tells it. That is enough: the file by which a newer version asks us lists the
  /// other backends in the order in which it would ask them without us.
  static func belowOurs(process: UInt32, interface version: UInt32?, manager: [Text: Text]?) -> [Text]? {
    guard let environment = PortalProgram.environment(ofPortal: process, manager: manager) else { return nil }
    let backends = PortalBackends(environment: environment, of: PortalProgram.version(ofInterface: version))
    return backends.withoutOurs.chosen.map(\.busName)
  }

  /// The same without our backend.
  var withoutOurs: PortalBackends {
    var others = self
    others.installed.removeAll { $0.busName == Self.ours }
    return others
  }
}
