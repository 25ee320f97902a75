internal import ThemedInterface
internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem

/// Receives what a ``PortalWatch`` finds out.
protocol PortalListener: AnyObject {
  /// The bus reported whether the portal's name has an owner, and which; nil: none.
  func portal(_ portal: PortalWatch, isOwnedBy owner: Text?)
  /// The desktop's preference has changed.
  func portal(_ portal: PortalWatch, says reading: Reading, _ cause: PortalFollower.Cause)
  /// The portal itself has confirmed the last reading.
  func portalSettled(_ portal: PortalWatch)
  /// A read is finished or has failed; its reading was reported before.
  func portalAnswered(_ portal: PortalWatch)
  func portal(_ portal: PortalWatch, warns text: String)
}

/// Carries out the decisions of ``PortalFollower`` about one portal, on the session bus.
final class PortalWatch: NameOwnerReceiver {
  var settleTime: Int {
    get { follower.settleTime }
    set { follower.settleTime = newValue }
  }

  var name: Text { portal.name }

  /// The connection that is followed; nil if there is none.
  var owner: Text? { follower.owner }

  /// The portal's answers and failures.
  var diagnostics: Diagnostics.Portal { record.portal }

  private let portal: SettingsPortal
  private var record: PortalRecord
  private var follower: PortalFollower
  private weak var listener: (any PortalListener)?
  private var connection: Connection?
  private var nameOwner: NameOwner?
  private var waking: Source?

  init(_ portal: SettingsPortal, settleTime: Int, reading: Reading, listener: any PortalListener) {
    self.portal = portal
    self.listener = listener
    follower = PortalFollower(settleTime: settleTime, reading: reading, firstMethod: portal.firstMethod)
    record = PortalRecord(hasReading: reading != Reading())
  }

  func signOfLife() { handle(.signOfLife) }

  /// Reads the portal again, even if nothing has failed.
  func readAgain() { handle(.readAgain) }

  /// A backend of the portal has started.
  func backendStarted() { handle(.backendStarted) }

  func reload() { handle(.reload) }

  /// Follows the portal on a new connection to the bus.
  func follow(_ connection: Connection) {
    self.connection = connection
    // Before the first read, so that no change is lost in between.
    connection.addMatch(portal.changesMatch)
    nameOwner = NameOwner(of: portal.name, on: connection, for: self)
  }

  func stop() {
    (connection, nameOwner) = (nil, nil)
    record.owner(is: nil)
    handle(.owner(nil))
  }

  /// Stops following the portal, and no longer passes on what it says.
  func leave() {
    listener = nil
    nameOwner?.stop()
    connection?.removeMatch(portal.changesMatch)
    (connection, nameOwner, waking) = (nil, nil, nil)
  }

  func owner(of name: Text, is owner: Text?) {
    record.owner(is: owner)
    handle(.owner(owner))
    listener?.portal(self, isOwnedBy: owner)
  }

  /// Asks the bus to start the portal.
  ///
  /// When it runs, the bus reports an owner of its name.
  func start() {
    connection?.call(portal.start, timeout: .milliseconds(Limits.portalStart)) { [weak self] answer in
      guard case .failure(let failure) = answer else { return }
      self?.warn("cannot start the portal: \(failure)")
    }
  }

  /// Takes a signal SettingChanged from any connection.
  ///
  /// It checks the sender first, because any program can send us a signal with any content.
  func received(_ signal: Message) {
    let sender = signal.sender
    guard let owner, sender == owner else { return handle(.strangersSignal(sender: sender)) }
    let arguments = signal.arguments()
    guard signal.path == Text(SettingsPortal.path), arguments.count == 3,
      case .string(SettingsPortal.namespace) = arguments[0],
      case .string(let key) = arguments[1], let setting = Setting.allCases.first(where: { Text($0.rawValue) == key })
    else { return }
    if setting == .colorScheme { record.signaled(arguments[2], by: owner) }
    handle(.signal(sender: owner, setting, arguments[2]))
  }

  private func handle(_ event: PortalFollower.Event) {
    for action in follower.handle(event) {
      switch action {
      case .read(let read): ask(read)
      case .wake(let delay):
        waking = EventLoop.main.timer(afterMilliseconds: delay) { [weak self] in
          self?.waking = nil
          self?.handle(.woken)
        }
      case .sleep: waking = nil
      case .publish(let reading, let cause): listener?.portal(self, says: reading, cause)
      case .settle: listener?.portalSettled(self)
      case .warn(let text): warn(text)
      }
    }
  }

  private func ask(_ read: PortalFollower.Read) {
    record.asked(read.id)
    var awaited = Setting.allCases.count
    for setting in Setting.allCases {
      let call = portal.read(setting, by: read.method, of: read.owner)
      connection?.call(call, timeout: .milliseconds(Limits.portalCall)) { [weak self] answer in
        guard let self else { return }
        let answer = portal.understood(answer.map { $0.arguments().first ?? .other })
        if setting == .colorScheme { note(answer, to: read) }
        handle(.answer(read.id, setting, answer))
        awaited -= 1
        // Another read may have replaced this one.
        if awaited == 0, follower.id == read.id { listener?.portalAnswered(self) }
      }
    }
  }

  // MARK: For the diagnostics

  /// Records a problem and passes it on as a warning.
  func warn(_ text: String) {
    record.failed(text, now: WallClock.now)
    listener?.portal(self, warns: text)
  }

  private func note(_ answer: Result<Value, Failure>, to read: PortalFollower.Read) {
    switch answer {
    case .success(let value):
      if record.answered(read.id, value, now: WallClock.now) { askVersion(of: read.owner) }
    case .failure(let failure):
      // The follower tries the older method next.
      guard read.method.next(after: failure) == nil else { return }
      record.failed("cannot read the color scheme: \(failure)", now: WallClock.now)
    }
  }

  private func askVersion(of owner: Text) {
    connection?.call(portal.versionQuestion(owner), timeout: .milliseconds(Limits.portalCall)) { [weak self] answer in
      if case .success(let message) = answer, let version = message.arguments().first {
        self?.record.version(is: version)
      }
    }
  }
}

/// Records the portal's answers and failures for the diagnostics: pure, and without influence on what is shown.
struct PortalRecord {
  var portal: Diagnostics.Portal {
    var portal = record
    portal.standsIn = (hasReading || record.value != nil) && (owner == nil || reader != owner)
    return portal
  }

  private let hasReading: Bool
  private var owner: Text?
  private var record = Diagnostics.Portal()
  /// The portal that gave the value, and the last signal since then.
  private var reader: Text?
  private var signal: Value?
  /// The read whose answer counts: a signal makes the answer to an earlier read outdated.
  private var read: PortalFollower.Read.ID?

  init(hasReading: Bool = false) { self.hasReading = hasReading }

  mutating func owner(is name: Text?) {
    guard name != owner else { return }
    owner = name
    record.owner = name.map { "\($0.shown(atMost: Limits.busName))" }
    record.version = nil
    if name != nil { record.deniedSignal = nil }
    (signal, read) = (nil, nil)
  }

  mutating func asked(_ id: PortalFollower.Read.ID) { read = id }

  mutating func signaled(_ value: Value, by sender: Text?) {
    guard let owner, sender == owner else { return }
    (signal, read) = (value, nil)
  }

  /// The portal answered with the color scheme.
  ///
  /// Returns whether this is the first answer of this portal.
  mutating func answered(_ id: PortalFollower.Read.ID, _ value: Value, now: Int64) -> Bool {
    guard id == read, let owner else { return false }
    defer { reader = owner }
    record.value = Self.text(value)
    record.readAt = now
    if let signal, signal.colorScheme.misleads(from: value.colorScheme) { record.deniedSignal = Self.text(signal) }
    signal = nil
    return reader != owner
  }

  mutating func version(is value: Value) {
    if let version = SettingsPortal.version(value) { record.version = Int64(version) }
  }

  mutating func failed(_ text: String, now: Int64) {
    record.lastError = Text(text).shown(atMost: Limits.portalText)
    record.lastErrorAt = now
  }

  private static func text(_ value: Value) -> String { value.text(atMost: Limits.portalText) }
}

extension Preference {
  /// Whether a program that takes this preference for the right one shows the wrong scheme.
  ///
  /// Programs show light if there is no preference, and some desktops announce the one for the other.
  fileprivate func misleads(from right: Preference) -> Bool { (self == .dark) != (right == .dark) }
}
