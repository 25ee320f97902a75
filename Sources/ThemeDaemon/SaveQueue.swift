/// When to save, and who is told: a pure rule.
///
/// One save is in flight. Whoever comes meanwhile waits for the next one, which saves what holds when it begins: so one
/// save answers all whose changes it contains.
struct SaveQueue<Waiter> {
  private var inFlight: [Waiter]?
  private var next: [Waiter] = []

  /// Whether nothing is being saved.
  var isIdle: Bool { inFlight == nil }

  /// Asks for a save of what holds now.
  ///
  /// Whether to begin one.
  mutating func request(for waiter: Waiter) -> Bool {
    guard isIdle else {
      next.append(waiter)
      return false
    }
    inFlight = [waiter]
    return true
  }

  /// The save in flight has ended: whom to tell, and whether to begin another.
  mutating func finished() -> (waiters: [Waiter], beginsAnother: Bool) {
    let waiters = inFlight ?? []
    inFlight = next.isEmpty ? nil : next
    next = []
    return (waiters, !isIdle)
  }
}
