internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem

/// Decides when to read the portal and what an answer means: a pure state machine that ``PortalWatch`` carries out.
///
/// A signal is a hint, and a read is the truth. The first change is published at once. Further changes within the
/// settle time wait for the read at its end, and that read is confirmed once. If a read fails or the portal disappears,
/// the last good value stays in force.
struct PortalFollower: Hashable {
  /// The event that it is waiting for.
  private enum Waiting {
    case nothing, settle, confirmation, retry, slowRetry
  }

  private enum Warning: Hashable {
    case sender, interface
    case type(Setting)
    case read(Text)
  }

  // One property for each thing to remember about the conversation; related ones have a type of their own.
  private(set) var reading: Reading
  var settleTime: Int

  /// The owner of the portal's name; only it is believed.
  private(set) var owner: Text?
  private var waiting = Waiting.nothing
  /// The number of the newest read; only equality matters, so a test may start again from 0.
  var id: Read.ID = 0
  private let firstMethod: SettingsPortal.ReadMethod
  private var method: SettingsPortal.ReadMethod
  /// The answers to the current read.
  private var answers = PortalAnswers()
  private var isConfirming = false
  private var retries = PortalRetries()
  /// The settings that changed within the settle time, and their values after the first change.
  private var settling: Set<Setting> = []
  private var held: [Setting: Value] = [:]
  private var signals = 0
  private var warned: Set<Warning> = []

  /// A follower that waits this many milliseconds for a desktop to settle, and starts with an earlier reading.
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
    case .readAgain: readAgain()
    case .backendStarted: backendStarted()
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
    // A portal that returns sends no signal, so read what has changed meanwhile.
    guard name == nil else { return [.sleep] + read() }
    // No portal is left to read: its last values stay in force.
    defer { held = [:] }
    return [.sleep] + learn(held, .signal)
  }

  // MARK: Signals

  private mutating func heardStranger(_ sender: Text?) -> [Action] {
    // While the owner is not known, a read follows as soon as it is.
    guard owner != nil else { return [] }
    let name = sender?.shown(atMost: Limits.busName) ?? "an unknown sender"
    return warn(.sender, "ignored a portal signal from \(name), which is not the portal")
  }

  private mutating func changed(_ sender: Text?, _ setting: Setting, _ value: Value) -> [Action] {
    guard let owner, sender == owner else { return heardStranger(sender) }
    // The answers to the current read may be older than this change.
    abandonRead()
    var actions: [Action] = []
    if settling.insert(setting).inserted {
      held[setting] = nil
      actions += learn([setting: value], .signal)
    } else {
      held[setting] = value
    }
    if waiting != .settle { signals = 0 }
    // A desktop that keeps changing must still be read now and then.
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

  /// If the last read failed, the quick retries start again.
  ///
  /// Not while they are under way: many clients at once must not cause many reads.
  private mutating func signOfLife() -> [Action] {
    guard waiting == .slowRetry else { return [] }
    waiting = .nothing
    retries.retrySoon()
    return [.sleep] + read()
  }

  private mutating func reload() -> [Action] {
    guard waiting == .slowRetry || waiting == .retry else { return [] }
    (waiting, retries) = (.nothing, PortalRetries())
    return [.sleep] + read()
  }

  private mutating func readAgain() -> [Action] {
    // The read at the end of the settle time is still to come.
    guard waiting != .settle else { return [] }
    waiting = .nothing
    return [.sleep] + read()
  }

  /// The portal sends no signal for what has changed while the backend was away, so it is read.
  ///
  /// Not at once: however often a program takes such a name, that must not cause many reads.
  private mutating func backendStarted() -> [Action] {
    guard owner != nil else { return [] }
    switch waiting {
    case .slowRetry: return signOfLife()
    case .settle, .confirmation, .retry: return []
    case .nothing: break
    }
    guard answers.areComplete else {
      isConfirming = false
      return []
    }
    return wake(.confirmation, Limits.confirmation)
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
    // A portal's answers may be long; do not keep them.
    defer { answers = PortalAnswers() }
    // If a read failed, the last signal for that setting counts.
    var actions = learn(held.merging(answers.values) { _, answer in answer }, missing: answers.missing, .read)
    held = [:]
    if answers.values[.colorScheme] != nil { actions.append(.settle) }
    guard let failure = answers.failure else {
      retries = PortalRetries()
      return actions + (isConfirming ? [] : wake(.confirmation, Limits.confirmation))
    }
    guard failure.name != unknownMethod else {
      // The interface may be about to appear, or another portal with both methods may take over.
      method = firstMethod
      retries.retrySlowly()
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

  /// Gives one warning of each kind, because a faulty portal repeats its fault.
  private mutating func warn(_ kind: Warning, _ text: String) -> [Action] {
    // Limited, because the portal can make up any number of error names.
    guard warned.count < Limits.portalWarnings, warned.insert(kind).inserted else { return [] }
    return [.warn(text)]
  }
}

extension PortalFollower {
  enum Event {
    /// The bus reported the owner of the portal's name; nil: none, or the bus is gone.
    case owner(Text?)
    case signal(sender: Text?, Setting, Value)
    /// A connection other than the ``owner`` sent that signal; its content is not read.
    case strangersSignal(sender: Text?)
    case answer(Read.ID, Setting, Result<Value, Failure>)
    /// A new client wants to know the desktop's preference.
    case signOfLife
    case reload
    /// The desktop's setting was written: a read from now on has what was written.
    case readAgain
    /// A backend of the portal has started.
    case backendStarted
    case woken
  }

  enum Action: Equatable {
    /// Read each setting; each answer comes back as an event with the id of the read.
    case read(Read)
    /// Send ``Event/woken`` after this delay, instead of any earlier request.
    case wake(afterMilliseconds: Int)
    case sleep
    case publish(Reading, Cause)
    /// The portal itself has confirmed what was published last: the desktop is not in the middle of a change.
    case settle
    case warn(String)
  }

  struct Read: Equatable {
    typealias ID = Int

    /// Answers to earlier reads are outdated.
    let id: ID
    /// The portal's unique name; only it may answer.
    let owner: Text
    let method: SettingsPortal.ReadMethod
  }

  /// How the daemon learned of a change.
  enum Cause: String {
    case signal = "portal signal"
    case read = "portal read"
  }
}

/// The delays before a failed read is repeated: a few short ones, and then growing ones, because a portal that hung may
/// recover without a signal.
struct PortalRetries: Hashable {
  private var quick = 0
  private var slow = 0

  /// The delay before the next attempt in milliseconds, and whether that is one of the slow ones.
  mutating func next() -> (delay: Int, isSlow: Bool) {
    guard quick == Limits.portalRetries.count else {
      defer { quick += 1 }
      return (Limits.portalRetries[quick], false)
    }
    let (first, most) = (Limits.portalSlowRetries.lowerBound, Limits.portalSlowRetries.upperBound)
    let delay = min(first << slow, most)
    if delay < most { slow += 1 }
    return (delay, true)
  }

  /// The quick retries start again; the slow ones continue where they were.
  mutating func retrySoon() { quick = 0 }

  /// The next delay is a slow one.
  mutating func retrySlowly() { quick = Limits.portalRetries.count }
}
