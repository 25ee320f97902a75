internal import ThemedClientCore
package import ThemedDBus
package import ThemedModel
package import ThemedSystem

/// A backend of the settings portal, as a pure value: what it answers, and which signals it sends when.
package struct Backend: Sendable, Hashable {
  package enum Event: Sendable, Hashable {
    case state(State)
    /// The daemon is back with its first state, which may be older than the last ``state(_:)``.
    case returned(State)
    case connected(Bool)
    case bus
    case busLost
    /// We own the backend's name now.
    case named
    /// The bus name of the portal; nil if no portal runs.
    case portal(Text?)
    /// The portal sent this signal to programs.
    case told(Key, Value)
    /// The portal answered a read; nil if no backend has the key.
    case answered(Key, Value?)
    case failed(Key)
    case woken(Alarm)
    /// A signal is ending this process.
    case ending
  }

  /// The alarms; setting one replaces the earlier one of the same name.
  package enum Alarm: Sendable, Hashable {
    case firstState, lastGood, check, retry, calm, end
  }

  package enum Effect: Sendable, Hashable {
    case own
    case emit(Key, Value)
    case ask(Key, of: Text)
    /// Send ``Event/woken(_:)`` after this many milliseconds.
    case wake(Alarm, afterMilliseconds: Int)
    case sleep(Alarm)
    case finish
  }

  package private(set) var answers = Answers()

  private var voices: [Key: Voice] = Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, Voice()) })
  private var portal: Text?
  /// The daemon's last state, even after it was dropped.
  private var last: State?
  private var hasState = false
  private var isGone = false
  private var failures = 0
  private var hasBus = false
  private var isNamed = false
  private var isEnding = false

  package init() {}

  package mutating func handle(_ event: Event) -> [Effect] {
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

  private mutating func took(_ state: State) -> [Effect] {
    guard !isEnding else { return [] }
    let isFirst = !hasState
    (last, hasState, isGone) = (state, true, false)
    return [.sleep(.lastGood)] + decide(Answers(state)) + (isFirst && hasBus && !isNamed ? own() : [])
  }

  /// Only a state counts as a sign of life: systemd also connects us to a daemon that crashes at each start.
  private mutating func lostDaemon() -> [Effect] {
    guard hasState, !isGone else { return [] }
    isGone = true
    return [.wake(.lastGood, afterMilliseconds: Limits.lastGood)]
  }

  /// If the daemon does not come back, the desktop's own setting applies.
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

  /// The previous owner of the name may have left a wrong signal behind.
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

  /// Leaves programs with what the portal answers without us, also for keys whose lookup was still under way.
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

  /// Nothing is sent before we own the name, or without a portal.
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
