internal import ThemeInterface
internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

/// Carries out the decisions of ``PortalFollower`` about one portal, on the session bus.
final class PortalWatch {
  /// Called with each change of the desktop's preference.
  var onReading: (Reading, PortalFollower.Cause) -> Void = { _, _ in }
  /// Called when the portal itself has confirmed what was published last.
  var onSettled: () -> Void = {}
  /// Called whenever the bus reports the owner of the name; nil: none.
  var onOwner: (Text?) -> Void = { _ in }
  /// Called when a read is finished or has failed, after ``onReading``.
  var onAnswer: () -> Void = {}
  /// Called with a warning for the user.
  var onWarning: (String) -> Void = { _ in }

  /// How long a desktop has to be quiet before it is read, in milliseconds.
  var settleTime: Int {
    get { follower.settleTime }
    set { follower.settleTime = newValue }
  }

  /// The portal that is followed; nil if there is none.
  var owner: Text? { follower.owner }

  /// The portal's answers and failures.
  var diagnostics: Diagnostics.Portal { record.portal }

  private let portal: SettingsPortal
  private var record: PortalRecord
  private var follower: PortalFollower
  private var connection: Connection?
  private var waking: Source?

  /// A watch that starts with an earlier reading.
  init(_ portal: SettingsPortal, settleTime: Int, reading: Reading) {
    self.portal = portal
    follower = PortalFollower(settleTime: settleTime, reading: reading, firstMethod: portal.firstMethod)
    record = PortalRecord(hasReading: reading != Reading())
  }

  /// Something happened that may belong to a new session.
  func signOfLife() { handle(.signOfLife) }

  /// Retries at once what has failed.
  func reload() { handle(.reload) }

  /// Follows the portal on a new connection to the bus.
  func follow(_ connection: Connection) {
    self.connection = connection
    // The match rule comes before the question, so that no change is lost in between.
    for rule in rules { addMatch(rule) }
    connection.call(.bus("GetNameOwner", [.string(portal.name)]), timeout: .never) { [weak self] answer in
      guard let self else { return }
      if case .success(let message) = answer, let owner = message.arguments().first?.busName {
        ownerIs(owner)
      } else {
        ownerIs(nil)
      }
    }
  }

  /// The bus is gone.
  func stop() {
    connection = nil
    record.owner(is: nil)
    handle(.owner(nil))
  }

  /// Stops following the portal, and no longer passes on what it says.
  func leave() {
    (onReading, onSettled, onOwner, onAnswer) = ({ _, _ in }, {}, { _ in }, {})
    for rule in rules {
      connection?.call(.bus("RemoveMatch", [.string("type='signal',\(rule)")]), timeout: .never) { _ in }
    }
    (connection, waking) = (nil, nil)
  }

  /// The match rules for its signals.
  private var rules: [String] { ["\(SessionWatch.ownerMatch),arg0='\(portal.name)'", portal.changesMatch] }

  private func ownerIs(_ name: Text?) {
    if let before = follower.owner, before != name { connection?.forget(callsOf: before) }
    record.owner(is: name)
    handle(.owner(name))
    onOwner(name)
  }

  private func addMatch(_ rule: String) {
    connection?.call(.bus("AddMatch", [.string("type='signal',\(rule)")]), timeout: .never) { [weak self] answer in
      guard case .failure(let failure) = answer else { return }
      self?.warn("the bus refuses to report changes: \(failure)")
    }
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

  /// Takes a signal of any kind.
  ///
  /// It checks the sender first, because any program can send us a signal with any name and content.
  func received(_ message: Message) {
    let sender = message.sender
    if sender == busName {
      guard message.isSignal(busName.string, "NameOwnerChanged") else { return }
      let arguments = message.arguments()
      guard case .string(portal.name)? = arguments.first, case .string? = arguments.last else { return }
      ownerIs(arguments.last?.busName)
    } else if message.isSignal(portal.interface, "SettingChanged") {
      guard let owner = follower.owner, sender == owner else { return handle(.strangersSignal(sender: sender)) }
      changed(message, owner)
    }
  }

  private func changed(_ message: Message, _ owner: Text) {
    let arguments = message.arguments()
    guard message.path == Text(SettingsPortal.path), arguments.count == 3,
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
        waking = MainLoop.timer(afterMilliseconds: delay) { [weak self] in
          self?.waking = nil
          self?.handle(.woken)
        }
      case .sleep: waking = nil
      case .publish(let reading, let cause): onReading(reading, cause)
      case .settle: onSettled()
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
        if awaited == 0, follower.id == read.id { onAnswer() }
      }
    }
  }

  // MARK: For the diagnostics

  /// Records a problem and passes it on as a warning.
  func warn(_ text: String) {
    record.failed(text, now: WallClock.now)
    onWarning(text)
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
