import Testing

@testable import ThemePortal

/// All that can happen between a process, whoever calls it, and its watchdog, in every order.
@Suite struct SuspicionTests {
  @Test func `a process that comes to rest once within the time is never ended`() {
    let worlds = World.all { world in
      // Time is over only for one that has, and else where both have been frozen.
      guard world.isTimeOver else { return [world.watched()] }
      return [world.watched(isLate: true)] + (world.hasRested ? [world.watched()] : [])
    }
    #expect(worlds.count > 1_000)
    #expect(!worlds.contains { $0.step == .end })
  }

  @Test func `wherever a process stops for good while somebody waits for it, it is ended`() {
    let stopped = World.all { [$0.watched()] }.filter { $0.isAwaited && $0.step != .end }
    #expect(stopped.count > 1_000)
    for var world in stopped {
      // One look under way, and three more, of three steps each.
      for _ in 0..<12 where world.step != .end { world = world.watched() }
      #expect(world.step == .end, "\(world)")
    }
  }

  @Test func `it has the whole time from the moment when somebody waits, and again where that was no time`() {
    var suspicion = Suspicion()
    func look(_ isAwaited: Bool, _ before: Int, _ after: Int, isLate: Bool = false) -> Suspicion.Step {
      suspicion.looked(count: before, isAwaited: isAwaited, count: after, isLate: isLate)
    }
    let wait = Suspicion.Step.wait(milliseconds: Limits.patience)
    #expect(look(false, 7, 7) == .sleep)
    #expect(look(true, 7, 7) == wait)
    #expect(look(true, 9, 9) == wait)
    #expect(look(true, 9, 9, isLate: true) == wait)
    #expect(look(true, 9, 10) == .look)
    #expect(look(true, 9, 9) == .end)
  }
}

/// A process that works in turns, what has come for it, and its watchdog.
private struct World: Hashable {
  /// Where the process is in its turn.
  enum Phase: Hashable { case idle, rung, read, silent }
  /// Where the watchdog is in its look.
  enum Look: Hashable { case none, counted(Int, isLate: Bool), looked(Int, isAwaited: Bool, isLate: Bool) }

  var isUnread = false
  var phase = Phase.idle
  var turns = 0
  var suspicion = Suspicion()
  var step = Suspicion.Step.sleep
  var look = Look.none
  /// Whether the process has had nothing to do, or has ended a turn, since the watchdog began to wait.
  var hasRested = true

  var isRinging: Bool { phase == .rung || phase == .read }
  var isAwaited: Bool { isUnread || isRinging }
  /// Whether the watchdog's next step is that the time is over, that it gives to a process that works.
  var isTimeOver: Bool { step == .wait(milliseconds: Limits.patience) && look == .none }

  /// The worlds that may come about within four turns, of which `watch` says what the watchdog's next step makes.
  static func all(_ watch: (World) -> [World]) -> Set<World> {
    var (found, new): (Set<World>, [World]) = ([World()], [World()])
    while let world = new.popLast() {
      guard world.step != .end else { continue }
      for next in [world.called(), world.worked()].compactMap({ $0 }) + watch(world) where found.insert(next).inserted {
        new.append(next)
      }
    }
    return found
  }

  /// Something comes.
  func called() -> World {
    var next = self
    next.isUnread = true
    return next
  }

  /// What the process does next.
  func worked() -> World? {
    var next = self
    switch phase {
    case .idle:
      guard isUnread, turns < 4 else { return nil }
      next.phase = .rung
    case .rung: (next.isUnread, next.phase) = (false, .read)
    case .read: next.phase = .silent
    case .silent: (next.phase, next.turns, next.hasRested) = (.idle, turns + 1, true)
    }
    return next
  }

  /// What its watchdog does next.
  func watched(isLate: Bool = false) -> World {
    var next = self
    switch look {
    case .none:
      // Its sleep ends when there is something.
      if step == .sleep, !isAwaited { return self }
      next.look = .counted(turns, isLate: isLate)
    case .counted(let count, let isLate): next.look = .looked(count, isAwaited: isAwaited, isLate: isLate)
    case .looked(let count, let wasAwaited, let isLate):
      next.step = next.suspicion.looked(count: count, isAwaited: wasAwaited, count: turns, isLate: isLate)
      next.look = .none
      next.hasRested = phase == .idle && !isUnread
    }
    return next
  }
}
