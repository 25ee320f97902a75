import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedVarlink

@testable import ThemeApply

/// How many run at once, and who is next.
@Suite struct RunQueueTests {
  private func starts(_ effects: [Apply.Effect]) -> [LaneName] {
    effects.compactMap { if case .start(let lane, _) = $0 { lane } else { nil } }
  }

  private func alarm(_ effects: [Apply.Effect]) -> Int?? {
    effects.compactMap { effect -> Int?? in if case .alarm(let time) = effect { time } else { nil } }.last
  }

  private let hooks = (0..<100).map { hook("\($0 + 100)") }
  private let apps = (0..<30).map { recipe("\($0 + 100)") }

  @Test func `thirty apps and a hundred hooks at one change run sixteen at a time, in order, and each once`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(recipes: apps, hooks: hooks)), now: 0, clock: 0)
    var running: [LaneName] = []
    var all: [LaneName] = []
    func take(_ effects: [Apply.Effect]) {
      running += starts(effects)
      all += starts(effects)
      for kind in LaneName.Kind.allCases { #expect(running.count { $0.kind == kind } <= Limits.places) }
    }
    for app in apps { take(apply.handle(.shown(to: app.app.name, shown(.dark)), now: 0, clock: 0)) }
    take(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0))
    #expect(running.count == 2 * Limits.places)
    while !running.isEmpty { take(apply.handle(.ended(running.removeFirst(), .good), now: 0, clock: 0)) }
    #expect(all.filter { $0.kind == .app } == apps.map { .app($0.app.name) })
    #expect(all.filter { $0.kind == .hook } == hooks.map { .hook($0.name) })
  }

  @Test func `hooks that hang give up their places until too many do so, and keep no app waiting`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(recipes: apps, hooks: hooks)), now: 0, clock: 0)
    var effects = apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)
    var begun = starts(effects)
    var now = 0
    while begun.count < 64 {
      #expect(begun.count % Limits.places == 0 && alarm(effects) == now + Limits.placeTime, "\(begun.count)")
      #expect(starts(apply.handle(.timePassed, now: now + Limits.placeTime - 1, clock: 0)).isEmpty)
      now += Limits.placeTime
      effects = apply.handle(.timePassed, now: now, clock: 0)
      begun += starts(effects)
    }
    #expect(begun == hooks.prefix(64).map { .hook($0.name) })
    // There is nothing to wait for but the end of one.
    now += Limits.placeTime
    #expect(starts(apply.handle(.timePassed, now: now, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.timePassed, now: now + 1_000_000, clock: 0)).isEmpty)
    let app = apps[0].app.name
    #expect(starts(apply.handle(.shown(to: app, shown(.dark)), now: now, clock: 0)) == [.app(app)])
    for number in 0..<36 {
      now += Limits.placeTime
      let next = apply.handle(.ended(begun[number], .bad()), now: now, clock: 0)
      #expect(starts(next) == [.hook(hooks[64 + number].name)])
    }
  }

  @Test func `who waits for a place runs for the newest state alone, in the place in the queue that it had`() {
    var apply = Apply(queue: RunQueue(RunQueue.Room(places: 1, time: 1_000, slow: 0)))
    let all = [hook("a"), hook("b"), hook("light-mode.d/x", scheme: .light)]
    _ = apply.handle(.setup(Setup(hooks: all)), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)) == [.hook("a")])
    #expect(apply.lanes[.hook("b")]?.isSettled == false && apply.status.text.contains(#""name":"b","state":"running""#))
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)).isEmpty)
    let next = apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0)
    #expect(next.contains(.start(.hook("b"), .hook(all[1], shown(.dark)))))
    #expect(
      apply.handle(.ended(.hook("b"), .good), now: 0, clock: 0).contains(
        .start(.hook("a"), .hook(all[0], shown(.dark)))))
    // The one for the other scheme has nothing to do any more.
    #expect(starts(apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0)).isEmpty)
    #expect(apply.lanes[.hook("light-mode.d/x")]?.isSettled == true)
  }

  @Test func `who is disabled waits no longer, and colours are taken back though the end comes first`() {
    var apply = Apply(queue: RunQueue(RunQueue.Room(places: 1, time: 1_000, slow: 0)))
    let (foot, kitty) = (recipe("foot", terminal: true), recipe("kitty", terminal: true))
    _ = apply.handle(.setup(Setup(recipes: [foot, kitty], hooks: [hook("a")])), now: 0, clock: 0)
    for name in ["foot", "kitty"] as [Text] {
      _ = apply.handle(.shown(to: name, shown(.dark)), now: 0, clock: 0)
      for lane in [LaneName.app(name), .terminal(name)] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    }
    let effects = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    #expect(effects.contains(.start(.terminal("foot"), .takeBack(foot))) && starts(effects).count == 1)
    #expect(apply.lanes[.app("kitty")] == nil)
    #expect(!apply.handle(.end, now: 0, clock: 0).contains(.quit))
    let last = apply.handle(.ended(.terminal("foot"), .good), now: 0, clock: 0)
    #expect(last.contains(.start(.terminal("kitty"), .takeBack(kitty))) && !last.contains(.quit))
    #expect(apply.handle(.ended(.terminal("kitty"), .good), now: 0, clock: 0).contains(.quit))
  }
}
