internal import ThemedDBus

/// What programs are told of one key, so that the last word that they hear is the right one: pure.
///
/// Up to its version 1.22.1 the portal hands on what every backend says, also one that it does not ask. Programs trust
/// that. So it is listened to what the portal hands on: where we decide, ours is said again right after another word.
/// Where nobody decides, the backend below speaks for itself; only after our own word is it looked up, and said, what the
/// portal answers, for nobody else tells the programs.
struct Voice: Hashable {
  /// What to do.
  enum Step: Hashable {
    /// Say this to the programs.
    case emit(Value)
    /// Ask the portal what it answers.
    case ask
    /// Come back some time later, with ``Voice/check()``.
    case check
  }

  /// What we decide; nil where the portal asks others.
  private(set) var ours: Value?
  /// What the portal has handed on last.
  private var told: Value?
  /// What we have said, and the portal has not handed on yet.
  private var unheard: [Value] = []
  private(set) var isAsking = false
  /// Whether there is a change of which no portal could tell the programs.
  private(set) var owes = false
  /// How often it is still to be looked whether programs know what the portal answers.
  private var checks = 0

  /// We decide this from now on.
  mutating func decide(_ value: Value?) -> [Step] {
    guard value != ours else { return [] }
    ours = value
    // What the portal has still to hand on of ours comes before this.
    let before = unheard
    defer { unheard = (before + unheard).suffix(Limits.unheard) }
    return speak()
  }

  /// Says what holds, whatever was said before: who said something before us may be gone.
  mutating func speak() -> [Step] {
    (isAsking, unheard, owes, checks) = (false, [], false, ours == nil ? Limits.checks : 0)
    return ours.map { emit($0) } ?? ask()
  }

  /// The portal has handed a word on.
  mutating func heard(_ value: Value) -> [Step] {
    told = value
    if unheard.first == value { unheard.removeFirst() }
    // One of ours that is still to come is the newest: it will put it right.
    guard let ours, value != ours, unheard.isEmpty else { return [] }
    return emit(ours)
  }

  /// The portal has answered what was asked; nil where nobody knows the key.
  mutating func answered(_ value: Value?, _ key: Key) -> [Step] {
    guard isAsking else { return [] }
    isAsking = false
    guard ours == nil else { return [] }
    let value = value ?? key.neutral
    let steps = (unheard.last ?? told) == value ? [] : emit(value)
    return steps + later
  }

  /// The portal did not answer.
  mutating func failed() -> [Step] {
    guard isAsking else { return [] }
    isAsking = false
    return later
  }

  /// Some time has passed: what another backend has said meanwhile may have come between our words.
  mutating func check() -> [Step] {
    guard ours == nil, checks > 0, !isAsking else { return [] }
    checks -= 1
    // What was not handed on by now never will be.
    unheard = []
    return ask()
  }

  /// Another portal, or none: whoever asks it hears the right thing.
  mutating func forget() {
    (told, unheard, isAsking, checks) = (nil, [], false, 0)
  }

  /// A change that nobody could hand on is due when there is a portal again.
  mutating func owe() { owes = true }

  private var later: [Step] { checks > 0 ? [.check] : [] }

  private mutating func ask() -> [Step] {
    isAsking = true
    return [.ask]
  }

  private mutating func emit(_ value: Value) -> [Step] {
    unheard = unheard.suffix(Limits.unheard - 1) + [value]
    return [.emit(value)]
  }
}
