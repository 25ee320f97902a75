public import ThemeClientCore
public import ThemedDBus
public import ThemedText

/// A backend of the settings portal: what it answers, what it says by itself and when, as a pure value.
public struct Backend: Sendable, Hashable {
  /// What happens.
  public enum Event: Sendable, Hashable {
    /// The daemon has told its state.
    case state(ThemeState)
    /// The daemon is back, and this was its first word, which may be older than the last ``state(_:)``.
    case returned(ThemeState)
    /// The connection to the daemon stands, or has ended.
    case connected(Bool)
    /// The bus is there.
    case bus
    /// The bus is gone.
    case busLost
    /// The backend's name is ours now.
    case named
    /// This connection is the portal; nil: none is.
    case portal(Text?)
    /// The portal has told the programs this.
    case told(Key, Value)
    /// The portal has answered a read, or nobody knows the key.
    case answered(Key, Value?)
    /// The portal has not answered it.
    case failed(Key)
    /// The time of this alarm has come.
    case woken(Alarm)
    /// A signal is to end this process.
    case ending
  }

  /// What is waited for; each alarm is set anew by the next of its name.
  public enum Alarm: Sendable, Hashable {
    case firstState, lastGood, check, retry, calm, end
  }

  /// What to do.
  public enum Effect: Sendable, Hashable {
    /// Take the backend's name.
    case own
    /// Say this to the programs.
    case emit(Key, Value)
    /// Ask the portal, this connection, for a key.
    case ask(Key, of: Text)
    /// Send ``Event/woken(_:)`` after so many milliseconds.
    case wake(Alarm, afterMilliseconds: Int)
    /// Do not.
    case sleep(Alarm)
    /// There is nothing more to be done.
    case finish
  }

  /// What the portal is answered now.
  public private(set) var answers = Answers()

  private var voices: [Key: Voice] = Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, Voice()) })
  private var portal: Text?
  /// What the daemon has told last, also where that was forgotten since.
  private var last: ThemeState?
  private var hasState = false
  private var isGone = false
  private var failures = 0
  private var hasBus = false
  private var isNamed = false
  private var isEnding = false

  /// A backend that has heard of nobody.
  public init() {}

  /// What follows from an event.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .state(let state): took(state)
    case .returned(let state): took(last ?? state)
    case .connected(let isConnected): isConnected ? [] : lostDaemon()
    case .bus: met()
    case .busLost: lostBus()
    case .named: named()
    case .portal(let owner): portalIs(owner)
    case .told(let key, let value): speak(key) { $0.heard(value) }
    case .answered(let key, let value): answered(key, value)
    case .failed(let key): failed(key)
    case .woken(let alarm): woken(alarm)
    case .ending: end()
    }
  }

  // MARK: The daemon

  private mutating func took(_ state: ThemeState) -> [Effect] {
    guard !isEnding else { return [] }
    let isFirst = !hasState
    (last, hasState, isGone) = (state, true, false)
    return [.sleep(.lastGood)] + decide(Answers(state)) + (isFirst && hasBus && !isNamed ? own() : [])
  }

  /// Only a state ends the waiting: systemd connects us to a daemon that dies at each start, too.
  private mutating func lostDaemon() -> [Effect] {
    guard hasState, !isGone else { return [] }
    isGone = true
    return [.wake(.lastGood, afterMilliseconds: Limits.lastGood)]
  }

  /// What is shown where the daemon has gone and does not come back is the desktop's own.
  private mutating func forget() -> [Effect] {
    (hasState, isGone) = (false, false)
    return decide(Answers())
  }

  private mutating func decide(_ next: Answers) -> [Effect] {
    answers = next
    return Key.allCases.flatMap { key in speak(key) { $0.decide(next.decided[key]) } }
  }

  // MARK: The bus

  private mutating func met() -> [Effect] {
    hasBus = true
    return hasState ? own() : [.wake(.firstState, afterMilliseconds: Limits.firstState)]
  }

  private func own() -> [Effect] { [.sleep(.firstState), .own] }

  private mutating func lostBus() -> [Effect] {
    (hasBus, isNamed) = (false, false)
    let effects = portalIs(nil)
    return isEnding ? effects + [.finish] : effects + [.sleep(.firstState)]
  }

  /// Whoever had the name before us may have left a word behind.
  private mutating func named() -> [Effect] {
    isNamed = true
    return Key.allCases.flatMap { key in speak(key) { $0.speak() } }
  }

  private mutating func portalIs(_ owner: Text?) -> [Effect] {
    guard owner != portal else { return [] }
    (portal, failures) = (owner, 0)
    for key in Key.allCases { voices[key]?.forget() }
    guard owner != nil else { return finishIfSilent() }
    return Key.allCases.flatMap { key in voices[key]?.owes == true ? speak(key) { $0.speak() } : [] }
  }

  // MARK: Alarms

  private mutating func woken(_ alarm: Alarm) -> [Effect] {
    switch alarm {
    case .firstState: hasBus && !isNamed ? [.own] : []
    case .lastGood: forget()
    case .check, .retry: Key.allCases.flatMap { key in speak(key) { $0.check() } }
    case .calm: Key.allCases.flatMap { key in speak(key) { $0.calm() } }
    case .end: [.finish]
    }
  }

  /// Leaves the programs with what the portal answers without us, also where that was still being asked.
  private mutating func end() -> [Effect] {
    guard !isEnding else { return [] }
    let spoken = Key.allCases.filter { answers.decided[$0] != nil || voices[$0]?.isReleasing == true }
    isEnding = true
    answers = Answers()
    guard portal != nil, isNamed, !spoken.isEmpty else { return [.finish] }
    return [.wake(.end, afterMilliseconds: Limits.end)]
      + spoken.flatMap { key in speak(key) { $0.release() } }
  }

  private func finishIfSilent() -> [Effect] {
    isEnding && !voices.values.contains(where: \.isAsking) ? [.finish] : []
  }

  // MARK: Voices

  private mutating func answered(_ key: Key, _ value: Value?) -> [Effect] {
    failures = 0
    return heard(key) { $0.answered(value, key) }
  }

  private mutating func failed(_ key: Key) -> [Effect] {
    failures += 1
    return heard(key) { $0.failed() }
  }

  private mutating func heard(_ key: Key, _ body: (inout Voice) -> [Voice.Step]) -> [Effect] {
    speak(key, body) + finishIfSilent()
  }

  /// Before the name is ours nobody hears us, and without a portal there is nobody to be told.
  private mutating func speak(_ key: Key, _ body: (inout Voice) -> [Voice.Step]) -> [Effect] {
    guard var voice = voices[key] else { return [] }
    let steps = body(&voice)
    if portal == nil { voice.forget() }
    voices[key] = voice
    guard isNamed, let portal else { return [] }
    return steps.compactMap { step in
      switch step {
      case .emit(let value): .emit(key, value)
      case .ask: .ask(key, of: portal)
      case .calm(let doublings): .wake(.calm, afterMilliseconds: Limits.calm << doublings)
      case .check: isEnding ? nil : .wake(.check, afterMilliseconds: Limits.check)
      case .retry: isEnding ? nil : .wake(.retry, afterMilliseconds: Limits.check << min(failures, Limits.doublings))
      }
    }
  }
}
