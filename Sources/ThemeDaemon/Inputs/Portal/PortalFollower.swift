internal import ThemeResolution
internal import ThemedDBus
internal import ThemedText

/// Decides when to read the portal and what a reading means: a pure state machine, which ``PortalWatch`` carries out.
///
/// A signal is a hint, a read is the truth. The first change goes out at once, what follows within the settle time
/// waits for the read at its end, and that read is confirmed once. Whatever fails or vanishes, the last good value
/// stands.
struct PortalFollower: Hashable {
  /// Why it will be woken.
  private enum Waiting {
    case nothing, settle, confirmation, retry, slowRetry
  }

  /// What was warned of.
  private enum Warning: Hashable {
    case sender, interface
    case type(Setting)
    case read(Text)
  }

  // So many properties as there are things to remember of one conversation: which of them hold together has a type.
  private(set) var reading: Reading
  var settleTime: Int

  /// Who owns the portal's name: none but it is heard.
  private(set) var owner: Text?
  private var waiting = Waiting.nothing
  /// The number of the newest read: it only matters which two are the same, so a test may count anew.
  var id: Read.ID = 0
  private let firstMethod: SettingsPortal.ReadMethod
  private var method: SettingsPortal.ReadMethod
  /// What has come of the read under way.
  private var answers = PortalAnswers()
  private var isConfirming = false
  private var retries = PortalRetries()
  /// The settings that changed within the settle time, and what was said of them after their first change.
  private var settling: Set<Setting> = []
  private var held: [Setting: Value] = [:]
  private var signals = 0
  private var warned: Set<Warning> = []

  /// A follower that waits so many milliseconds for a desktop to settle, and begins with what was read last.
  init(
    settleTime: Int, reading: Reading = Reading(), firstMethod: SettingsPortal.ReadMethod = .readOne
  ) {
    self.settleTime = settleTime
    self.reading = reading
    self.firstMethod = firstMethod
    method = firstMethod
  }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .owner(let name): ownerIs(name)
    case .signal(let sender, let setting, let value): changed(sender, setting, value)
    case .strangersSignal(let sender): heardStranger(sender)
    case .answer(let id, let setting, let result): answered(id, setting, result)
    case .signOfLife: signOfLife()
    case .reload: reload()
    case .woken: woken()
    }
  }

  // MARK: The owner

  private mutating func ownerIs(_ name: Text?) -> [Action] {
    guard name != owner else { return [] }
    owner = name
    abandonRead()
    settling = []
    (retries, method, waiting) = (PortalRetries(), firstMethod, .nothing)
    // On return the portal sends no signal: what changed meanwhile is learned by reading.
    guard name == nil else { return [.sleep] + read() }
    // There is nobody left to be read: what the portal last said holds.
    defer { held = [:] }
    return [.sleep] + learn(held, .signal)
  }

  // MARK: Signals

  private mutating func heardStranger(_ sender: Text?) -> [Action] {
    // While nobody is known to own the name, a read follows as soon as somebody is.
    guard owner != nil else { return [] }
    let name = sender?.shown(atMost: 255) ?? "an unknown sender"
    return warn(.sender, "ignored a portal signal from \(name), which is not the portal")
  }

  private mutating func changed(_ sender: Text?, _ setting: Setting, _ value: Value) -> [Action] {
    guard let owner, sender == owner else { return heardStranger(sender) }
    // A read under way may have been answered before this change.
    abandonRead()
    var actions: [Action] = []
    if settling.insert(setting).inserted {
      held[setting] = nil
      actions += learn([setting: value], .signal)
    } else {
      held[setting] = value
    }
    if waiting != .settle { signals = 0 }
    // A desktop that flaps for ever must still be read now and then.
    guard signals < Limits.prolongingSignals else { return actions }
    signals += 1
    return actions + wake(.settle, settleTime)
  }

  // MARK: Reads

  private mutating func woken() -> [Action] {
    let reason = waiting
    waiting = .nothing
    switch reason {
    case .nothing: return []
    case .settle:
      settling = []
      return read()
    case .confirmation: return read(confirming: true)
    case .retry, .slowRetry: return read()
    }
  }

  /// While the last read failed, the quick retries begin anew.
  ///
  /// Not within them: a crowd that comes at once is no crowd of reads.
  private mutating func signOfLife() -> [Action] {
    guard waiting == .slowRetry else { return [] }
    waiting = .nothing
    retries.beSoon()
    return [.sleep] + read()
  }

  private mutating func reload() -> [Action] {
    guard waiting == .slowRetry || waiting == .retry else { return [] }
    (waiting, retries) = (.nothing, PortalRetries())
    return [.sleep] + read()
  }

  private mutating func read(confirming: Bool = false) -> [Action] {
    guard let owner else { return [] }
    abandonRead()
    isConfirming = confirming
    answers = PortalAnswers(awaiting: Set(Setting.allCases))
    return [.read(Read(id: id, owner: owner, method: method))]
  }

  private mutating func abandonRead() {
    id += 1
    answers = PortalAnswers()
  }

  private mutating func answered(
    _ answered: Read.ID, _ setting: Setting, _ result: Result<Value, Failure>
  ) -> [Action] {
    guard answered == id, answers.awaits(setting) else { return [] }
    if case .failure(let failure) = result, let next = method.next(after: failure) {
      method = next
      return read(confirming: isConfirming)
    }
    answers.note(setting, result)
    return answers.areComplete ? finishRead() : []
  }

  private mutating func finishRead() -> [Action] {
    // What a portal has said may be long.
    defer { answers = PortalAnswers() }
    // Where a read has failed, the last that the portal said of that setting holds.
    var actions = learn(held.merging(answers.values) { _, answer in answer }, missing: answers.missing, .read)
    held = [:]
    if answers.values[.colorScheme] != nil { actions.append(.settle) }
    guard let failure = answers.failure else {
      retries = PortalRetries()
      return actions + (isConfirming ? [] : wake(.confirmation, Limits.confirmation))
    }
    guard failure.name != unknownMethod else {
      // It may be about to come, or to be replaced by another that has both methods.
      method = firstMethod
      retries.beSlow()
      return actions + retry()
        + warn(.interface, "the portal has no Settings interface: no backend that provides it is running")
    }
    return actions + retry() + warn(.read(failure.name), "cannot read the portal: \(failure)")
  }

  private mutating func retry() -> [Action] {
    let (delay, isSlow) = retries.next()
    return wake(isSlow ? .slowRetry : .retry, delay)
  }

  // MARK: Values

  private mutating func learn(_ values: [Setting: Value], missing: [Setting] = [], _ cause: Cause) -> [Action] {
    var actions: [Action] = []
    var next = reading
    for setting in missing { next.forget(setting) }
    for setting in Setting.allCases {
      guard !missing.contains(setting), let value = values[setting], !next.learn(setting, value) else { continue }
      actions += warn(.type(setting), "the portal's \(setting.rawValue) has an unexpected type: \(value.excerpt)")
    }
    if values[.colorScheme] != nil || missing.contains(.colorScheme) { next.isRemembered = false }
    guard next != reading else { return actions }
    reading = next
    return actions + [.publish(reading, cause)]
  }

  private mutating func wake(_ reason: Waiting, _ delay: Int) -> [Action] {
    waiting = reason
    return [.wake(afterMilliseconds: delay)]
  }

  /// One warning of a kind: a portal that is wrong is wrong each time.
  private mutating func warn(_ kind: Warning, _ text: String) -> [Action] {
    // Bounded: names of errors are what a portal makes up.
    guard warned.count < 32, warned.insert(kind).inserted else { return [] }
    return [.warn(text)]
  }
}
