internal import ThemedDBus

/// Decides which signals to send for one key, so that the last value that programs hear is the right one: pure.
///
/// Up to version 1.22.1 the portal passes on signals of every backend, even of those that it does not ask, and programs
/// believe them. So this follows the signals that the portal sends. While themed decides the key, it repeats our value
/// right after any other value. While themed does not decide, the next backend sends its own signals. But after a value
/// of ours, it asks the portal for its answer and sends that, because no other program would.
struct Voice: Hashable {
  enum Step: Hashable {
    case emit(Value)
    case ask
    /// Call ``Voice/check()`` after a while.
    case check
    /// The same, after a growing delay.
    case retry
    /// Call ``Voice/calm()`` after a while: the time for repetitions, doubled this often.
    case calm(doublings: Int)
  }

  /// The value that themed decides; nil if the portal asks other backends.
  private(set) var ours: Value?
  /// Whether themed has ever decided the key: only then a value of ours may have to be taken back.
  private var hasDecided = false
  /// The last value that the portal passed on.
  private var told: Value?
  /// The values that we sent and the portal has not passed on yet.
  private var unheard: [Value] = []
  private(set) var isAsking = false
  /// Whether themed no longer decides the key, but programs may still have our last value.
  var isReleasing: Bool { ours == nil && hasDecided && (isAsking || checks > 0) }
  /// Whether a change has not reached programs through any portal, as far as is known.
  private(set) var owes = false
  /// How often to check again whether programs have the portal's answer.
  private var checks = 0
  /// Whether another backend's value came while a value of ours that decides nothing was on its way.
  private var isCrossed = false
  /// How often our value was repeated recently because of other values.
  private var repeats = 0
  /// How often in a row the repetitions reached their limit.
  private var contests = 0

  /// themed decides the key from now on, or no longer with nil.
  mutating func decide(_ value: Value?) -> [Step] {
    guard value != ours else { return [] }
    ours = value
    return speakNext()
  }

  /// themed no longer decides the key, even if that was still being looked up.
  mutating func release() -> [Step] {
    ours = nil
    return speakNext()
  }

  /// Sends the current value, after our values that the portal has still to pass on.
  private mutating func speakNext() -> [Step] {
    let before = unheard
    defer { unheard = (before + unheard).suffix(Limits.unheard) }
    return speak()
  }

  /// Sends the current value, whatever was sent before: the previous sender may be gone.
  mutating func speak() -> [Step] {
    (isAsking, unheard, owes, checks, isCrossed) = (false, [], false, ours == nil ? Limits.checks : 0, false)
    (hasDecided, repeats) = (hasDecided || ours != nil, 0)
    return ours.map { emit($0) } ?? ask()
  }

  mutating func heard(_ value: Value) -> [Step] {
    told = value
    if unheard.first == value { unheard.removeFirst() } else { isCrossed = isCrossed || !unheard.isEmpty }
    guard let ours else {
      // Our value that has just been passed on may be older than theirs.
      guard unheard.isEmpty, isCrossed else { return [] }
      isCrossed = false
      return isAsking ? [] : ask()
    }
    guard value != ours else { return [] }
    guard !unheard.isEmpty else { return sayAgain(ours) }
    // Our newest value is still on its way: it corrects this, unless it never arrives.
    guard checks == 0 else { return [] }
    checks = 1
    return [.check]
  }

  /// The portal answered a read; nil if no backend has the key.
  mutating func answered(_ value: Value?, _ key: Key) -> [Step] {
    guard isAsking else { return [] }
    isAsking = false
    guard ours == nil else { return [] }
    guard let value = value.map({ key.typed($0) }) ?? (hasDecided ? key.neutral : nil) else { return later }
    let steps = (unheard.last ?? told) == value ? [] : emit(value)
    return steps + later
  }

  /// The portal did not answer: the last value that programs heard may still be ours.
  mutating func failed() -> [Step] {
    guard isAsking else { return [] }
    (isAsking, checks) = (false, max(checks, 1))
    return [.retry]
  }

  /// Some time has passed: values of another backend may have come between ours.
  mutating func check() -> [Step] {
    guard checks > 0, !isAsking else { return [] }
    checks -= 1
    // What the portal has not passed on by now, it never will.
    unheard = []
    guard let ours else { return ask() }
    return told == ours ? [] : emit(ours)
  }

  /// Repeats our value after another one, a limited number of times: if two backends insist on the last word, one has
  /// to stop.
  private mutating func sayAgain(_ value: Value) -> [Step] {
    repeats += 1
    guard repeats <= Limits.repeats else { return [] }
    return emit(value) + (repeats == 1 ? [.calm(doublings: min(contests, Limits.doublings))] : [])
  }

  /// The time for repetitions is over; while the conflict lasts, each time is longer than the one before.
  mutating func calm() -> [Step] {
    let isContested = repeats > Limits.repeats
    (repeats, contests) = (0, isContested ? min(contests + 1, Limits.doublings) : 0)
    guard isContested, let ours, told != ours else { return [] }
    return emit(ours)
  }

  /// The portal changed or went away: programs read the right value from the new one, and what the old one did not pass
  /// on is due again.
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
