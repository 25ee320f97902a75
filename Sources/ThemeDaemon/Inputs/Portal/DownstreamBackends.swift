internal import ThemedInterface
internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem

/// Follows the backends after ours, by their own names on the bus.
final class DownstreamBackends: PortalListener {
  var settleTime: Int { didSet { for watch in watches { watch.settleTime = settleTime } } }

  private weak var desktop: Desktop?
  private var watches: [PortalWatch] = []
  private var readings = DownstreamReadings()
  /// The merged reading that the desktop knows.
  private var merged: Reading?
  private var missed: [Text: Source] = [:]

  init(settleTime: Int, for desktop: Desktop) {
    (self.settleTime, self.desktop) = (settleTime, desktop)
  }

  func follow(_ names: [Text], on connection: Connection?) {
    for watch in watches { watch.leave() }
    (watches, readings, merged, missed) = ([], DownstreamReadings(names), nil, [:])
    guard let connection else { return }
    watches = names.map {
      PortalWatch(.backend($0), settleTime: settleTime, reading: Reading(), listener: self)
    }
    for watch in watches { watch.follow(connection) }
  }

  /// Takes a signal SettingChanged from any connection; a signal from one of the backends is only for its own watch.
  func received(_ signal: Message) {
    if let sender = signal.sender, let watch = watches.first(where: { $0.owner == sender }) {
      return watch.received(signal)
    }
    for watch in watches { watch.received(signal) }
  }

  func reload() {
    for watch in watches { watch.reload() }
  }

  /// Reads the backends again.
  func readAgain() {
    for watch in watches { watch.readAgain() }
  }

  func signOfLife() {
    for watch in watches { watch.signOfLife() }
  }

  // MARK: The watches

  func portal(_ portal: PortalWatch, isOwnedBy owner: Text?) {
    readings.backend(portal.name, isThere: owner != nil)
    if owner == nil { miss(portal.name) }
    merge(.read)
  }

  func portal(_ portal: PortalWatch, says reading: Reading, _ cause: PortalFollower.Cause) {
    readings.backend(portal.name, says: reading)
    merge(cause)
  }

  func portalAnswered(_ portal: PortalWatch) {
    readings.backendHasAnswered(portal.name)
    missed[portal.name] = nil
    merge(.read)
  }

  func portalSettled(_ portal: PortalWatch) {
    if merged != nil, readings.merged == merged { desktop?.settled() }
  }

  func portal(_ portal: PortalWatch, warns text: String) {
    desktop?.warn("backend \(portal.name.shown()): \(text)")
  }

  private func miss(_ name: Text) {
    missed[name] = EventLoop.main.timer(afterMilliseconds: Limits.backendRestart) { [unowned self] in
      missed[name] = nil
      readings.backendIsMissedNoMore(name)
      merge(.read)
    }
  }

  private func merge(_ cause: PortalFollower.Cause) {
    guard let now = readings.merged, now != merged else { return }
    merged = now
    desktop?.show(now, cause)
  }
}

/// Merges what the backends after ours say, as the portal would without ours: pure.
///
/// For each setting, the first running backend that has a value decides. If no backend runs, or the first one has not
/// answered yet, the last reading stays in force. A backend that has just gone or may be about to come counts as
/// running with its last values, so that the restart of a service changes nothing.
struct DownstreamReadings: Hashable {
  private struct Backend: Hashable {
    var reading = Reading()
    var isThere = false
    var isMissed = true
    var hasWord = false
  }

  private let order: [Text]
  private var backends: [Text: Backend] = [:]

  /// The merged readings of these backends, in order.
  init(_ order: [Text] = []) {
    self.order = order
    for name in order { backends[name] = Backend() }
  }

  mutating func backend(_ name: Text, isThere: Bool) {
    guard var backend = backends[name] else { return }
    if !isThere, backend.isThere { backend.isMissed = true }
    backend.isThere = isThere
    backends[name] = backend
  }

  mutating func backendIsMissedNoMore(_ name: Text) {
    backends[name]?.isMissed = false
    backends[name]?.hasWord = false
  }

  mutating func backend(_ name: Text, says reading: Reading) { backends[name]?.reading = reading }

  /// A backend has answered, or failed to.
  mutating func backendHasAnswered(_ name: Text) {
    guard var backend = backends[name] else { return }
    (backend.hasWord, backend.isMissed) = (true, false)
    backends[name] = backend
  }

  var merged: Reading? {
    let there = order.compactMap { backends[$0] }.filter { $0.isThere || $0.isMissed }
    guard let first = there.firstIndex(where: { !$0.hasWord || $0.reading.scheme != .unavailable }),
      there[first].hasWord
    else { return nil }
    return Reading(
      scheme: there[first].reading.scheme, highContrast: there.lazy.compactMap(\.reading.highContrast).first,
      reducedMotion: there.lazy.compactMap(\.reading.reducedMotion).first,
      accentColor: there.lazy.compactMap(\.reading.accentColor).first)
  }
}

/// Finds out which backends the portal would ask without ours, by its environment and files, on a thread.
final class DownstreamListing {
  private var thread: WorkThread?
  private var source: Source?
  private var next: (() -> Void)?

  deinit { source?.cancel() }

  /// Passes on the backends' bus names in order; nil if they could not be found out.
  ///
  /// It passes on nothing if the disk does not respond. `manager` is the user manager's connection; nil if there is none.
  func list(
    _ portal: Text, manager: Text?, on connection: Connection, _ completion: @escaping ([Text]?) -> Void
  ) {
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
        Self.askManager(manager, on: connection) { [weak self] in self?.read(process, version, $0, completion) }
      }
    }
  }

  /// Passes on the variables that the user manager gives to services: none without a manager, nil if it does not
  /// answer.
  private static func askManager(
    _ manager: Text?, on connection: Connection, _ completion: @escaping ([Text: Text]?) -> Void
  ) {
    guard let manager else { return completion([:]) }
    let questions = GraphicalSession.Manager.self
    connection.call(questions.environmentQuestion(manager), timeout: .milliseconds(Limits.managerCall)) { answer in
      completion(questions.variables((try? answer.get())?.arguments(Limits.managerAnswer).first))
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
      source = try EventLoop.main.watch(thread.descriptor, for: .readable) { [unowned self] _ in finish() }
      self.thread = thread
      try thread.perform(
        { PortalBackends.downstream(process: process, interface: version, manager: manager) }, completion)
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
  static let ours = PortalChainFacts.busName

  /// The bus names of the backends that this portal would ask without ours, in order.
  ///
  /// Nil if the portal's environment is not known (``PortalProgram/environment(ofPortal:manager:)``). The version is
  /// known only as far as the interface tells it. That is enough: the file by which a newer version asks us lists the
  /// other backends in the order in which it would ask them without us.
  static func downstream(process: UInt32, interface version: UInt32?, manager: [Text: Text]?) -> [Text]? {
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
