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
    /// The same, later each time.
    case retry
    /// Come back when it has been said again for some time, with ``Voice/calm()``: a time that is doubled so often.
    case calm(doublings: Int)
  }

  /// What we decide; nil where the portal asks others.
  private(set) var ours: Value?
  /// Whether we have ever decided it: only then there may be a word of ours that nobody else takes back.
  private var hasDecided = false
  /// What the portal has handed on last.
  private var told: Value?
  /// What we have said, and the portal has not handed on yet.
  private var unheard: [Value] = []
  private(set) var isAsking = false
  /// Whether we decided it, do so no more, and cannot say yet that programs have heard what holds instead.
  var isReleasing: Bool { ours == nil && hasDecided && (isAsking || checks > 0) }
  /// Whether there is a change of which no portal has told the programs, as far as is known.
  private(set) var owes = false
  /// How often it is still to be looked whether programs know what the portal answers.
  private var checks = 0
  /// Whether somebody else's word has come while one of ours, that decides nothing, was still to come.
  private var isCrossed = false
  /// How often ours was said again of late because of another's word.
  private var repeats = 0
  /// How many times in a row it was said again so often that it had to end.
  private var contests = 0

  /// We decide this from now on.
  mutating func decide(_ value: Value?) -> [Step] {
    guard value != ours else { return [] }
    ours = value
    return speakNext()
  }

  /// We decide this no more, also where that was still being looked up.
  mutating func release() -> [Step] {
    ours = nil
    return speakNext()
  }

  /// Says what holds, behind what the portal has still to hand on of ours.
  private mutating func speakNext() -> [Step] {
    let before = unheard
    defer { unheard = (before + unheard).suffix(Limits.unheard) }
    return speak()
  }

  /// Says what holds, whatever was said before: who said something before us may be gone.
  mutating func speak() -> [Step] {
    (isAsking, unheard, owes, checks, isCrossed) = (false, [], false, ours == nil ? Limits.checks : 0, false)
    (hasDecided, repeats) = (hasDecided || ours != nil, 0)
    return ours.map { emit($0) } ?? ask()
  }

  /// The portal has handed a word on.
  mutating func heard(_ value: Value) -> [Step] {
    told = value
    if unheard.first == value { unheard.removeFirst() } else { isCrossed = isCrossed || !unheard.isEmpty }
    guard let ours else {
      // The word of ours that has just come may be older than theirs.
      guard unheard.isEmpty, isCrossed else { return [] }
      isCrossed = false
      return isAsking ? [] : ask()
    }
    guard value != ours else { return [] }
    guard !unheard.isEmpty else { return sayAgain(ours) }
    // One of ours that is still to come is the newest: it will put it right, unless it never comes.
    guard checks == 0 else { return [] }
    checks = 1
    return [.check]
  }

  /// The portal has answered what was asked; nil where nobody knows the key.
  mutating func answered(_ value: Value?, _ key: Key) -> [Step] {
    guard isAsking else { return [] }
    isAsking = false
    guard ours == nil else { return [] }
    guard let value = value.map({ key.typed($0) }) ?? (hasDecided ? key.neutral : nil) else { return later }
    let steps = (unheard.last ?? told) == value ? [] : emit(value)
    return steps + later
  }

  /// The portal did not answer: what programs have heard last may still be ours.
  mutating func failed() -> [Step] {
    guard isAsking else { return [] }
    (isAsking, checks) = (false, max(checks, 1))
    return [.retry]
  }

  /// Some time has passed: what another backend has said meanwhile may have come between our words.
  mutating func check() -> [Step] {
    guard checks > 0, !isAsking else { return [] }
    checks -= 1
    // What was not handed on by now never will be.
    unheard = []
    guard let ours else { return ask() }
    return told == ours ? [] : emit(ours)
  }

  /// Ours again after another's word, so often and no more: of two that both have the last word, one has to stop.
  private mutating func sayAgain(_ value: Value) -> [Step] {
    repeats += 1
    guard repeats <= Limits.repeats else { return [] }
    return emit(value) + (repeats == 1 ? [.calm(doublings: min(contests, Limits.doublings))] : [])
  }

  /// The time is over in which ours was said again so often; as long as it is fought out, the next is longer.
  mutating func calm() -> [Step] {
    let isContested = repeats > Limits.repeats
    (repeats, contests) = (0, isContested ? min(contests + 1, Limits.doublings) : 0)
    guard isContested, let ours, told != ours else { return [] }
    return emit(ours)
  }

  /// Another portal, or none: whoever asks it hears the right thing, and what the last has not handed on is due again.
  mutating func forget() {
    owes = owes || isAsking || !unheard.isEmpty || checks > 0
    (told, unheard, isAsking, checks, isCrossed, repeats, contests) = (nil, [], false, 0, false, 0, 0)
  }

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
