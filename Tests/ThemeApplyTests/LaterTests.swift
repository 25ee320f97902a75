import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeApply

/// What is done a second time, and what is not.
@Suite struct LaterTests {
  private func starts(_ effects: [Apply.Effect]) -> [Job] {
    effects.compactMap { if case .start(_, let job) = $0 { job } else { nil } }
  }

  @Test func `a process that was too young is told once, when it is old enough, and nobody else with it`() {
    var apply = Apply()
    let kitty = recipe("kitty")
    _ = apply.handle(.setup(Setup(recipes: [kitty])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)
    var outcome = Outcome()
    outcome.add("write", .done)
    outcome.add("reload", .left, "told later")
    (outcome.young, outcome.comesAgain) = ([ProcessIdentity(number: 7, start: 1)], 2_500)
    let effects = apply.handle(.ended(.app("kitty"), outcome), now: 100, clock: 0)
    #expect(starts(effects).isEmpty && effects.contains(.alarm(2_600)))
    #expect(apply.status.text.contains(#""state":"done""#), "nobody waits for anything that went wrong")
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.dark)), now: 200, clock: 0)).isEmpty)
    let later = starts(apply.handle(.timePassed, now: 2_600, clock: 0))
    #expect(later == [.app(kitty, shown(.dark), young: [ProcessIdentity(number: 7, start: 1)])])
    var told = Outcome()
    told.add("reload", .done)
    #expect(apply.handle(.ended(.app("kitty"), told), now: 2_700, clock: 0).contains(.alarm(nil)) == false)
    #expect(starts(apply.handle(.timePassed, now: 1_000_000, clock: 0)).isEmpty)
    let actions = apply.lanes[.app("kitty")]?.outcome?.actions
    #expect(actions?.map(\.name) == ["write", "reload"] && actions?.map(\.state) == [.done, .done])
    #expect(apply.lanes[.app("kitty")]?.done == .app(kitty, shown(.dark)))
    // A change meanwhile is for all.
    _ = apply.handle(.shown(to: "kitty", shown(.light)), now: 0, clock: 0)
    _ = apply.handle(.ended(.app("kitty"), outcome), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)) == [.app(kitty, shown(.dark))])
  }

  @Test func `a program that needs its rest is told at once, and then the newest when that is over`() {
    let waybar = recipe("waybar", rest: 1_000)
    var apply = Apply()
    _ = apply.handle(.setup(Setup(recipes: [waybar, recipe("kitty")])), now: 0, clock: 0)
    func show(_ scheme: ColorScheme, now: Int) -> [LaneName] {
      ["kitty", "waybar"].flatMap { apply.handle(.shown(to: $0, shown(scheme)), now: now, clock: 0) }
        .compactMap { if case .start(let name, _) = $0 { name } else { nil } }
    }
    func end(_ name: Text, now: Int) -> [Apply.Effect] { apply.handle(.ended(.app(name), .good), now: now, clock: 0) }
    #expect(show(.dark, now: 0) == [.app("kitty"), .app("waybar")])
    _ = (end("kitty", now: 10), end("waybar", now: 10))
    #expect(show(.light, now: 100) == [.app("kitty")])
    _ = end("kitty", now: 110)
    #expect(show(.dark, now: 200) == [.app("kitty")], "back to what it was told, which it may still read")
    _ = end("kitty", now: 210)
    #expect(show(.light, now: 300) == [.app("kitty")])
    #expect(end("kitty", now: 310).contains(.alarm(nil)) == false && apply.lanes[.app("waybar")]?.deadline == 1_010)
    #expect(starts(apply.handle(.timePassed, now: 1_009, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.timePassed, now: 1_010, clock: 0)) == [.app(waybar, shown(.light))])
    // What comes while it runs rests, too, and nobody is kept waiting by it.
    #expect(show(.dark, now: 1_020) == [.app("kitty")])
    #expect(starts(end("waybar", now: 1_030)).isEmpty && apply.lanes[.app("waybar")]?.deadline == 2_030)
    #expect(starts(apply.handle(.timePassed, now: 2_030, clock: 0)) == [.app(waybar, shown(.dark))])
    #expect(starts(end("waybar", now: 2_040)).isEmpty && apply.lanes[.app("waybar")]?.deadline == nil)
    #expect(starts(apply.handle(.timePassed, now: 9_000, clock: 0)).isEmpty)
  }

  @Test func `a new window gets its colours a second time, and then is let be`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    for lane in [LaneName.app("foot"), .terminal("foot")] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    _ = apply.handle(.terminalOpened, now: 0, clock: 0)
    var colored = Outcome()
    colored.comesAgain = 1_000
    #expect(apply.handle(.ended(.terminal("foot"), colored), now: 0, clock: 0).contains(.alarm(1_000)))
    #expect(
      starts(apply.handle(.timePassed, now: 1_000, clock: 0)) == [.terminals(foot, shown(.dark), onlyNew: true)])
    _ = apply.handle(.ended(.terminal("foot"), .good), now: 1_001, clock: 0)
    #expect(starts(apply.handle(.timePassed, now: 1_000_000, clock: 0)).isEmpty)

    let memory = TerminalMemory()
    let (one, other) = (shown(.dark).variables(foot.fallback).palette, shown(.light).variables(foot.fallback).palette)
    memory.note("a", one, of: "foot", now: 0, isNew: true)
    memory.note("b", one, of: "foot", now: 0, isNew: false)
    #expect(memory.has("a", one, of: "foot", now: 999) && memory.nextAgain(of: "foot", now: 400) == 600)
    #expect(!memory.has("a", one, of: "foot", now: 1_000) && memory.has("b", one, of: "foot", now: 1_000))
    memory.note("a", other, of: "foot", now: 500, isNew: false)
    #expect(memory.nextAgain(of: "foot", now: 1_200) == 0)
    memory.note("a", other, of: "foot", now: 1_200, isNew: true)
    #expect(memory.has("a", other, of: "foot", now: 9_000) && memory.nextAgain(of: "foot", now: 1_200) == nil)
  }

  @Test func `what a hook had finished when the program was killed is not started again, something newer is`() {
    let finished = [hook("a").name: shown(.dark).fingerprint]
    var apply = Apply(finished: FinishedHooks.reading(FinishedHooks.bytes(finished)))
    _ = apply.handle(.setup(Setup(hooks: [hook("a"), hook("b")])), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)) == [.hook(hook("b"), shown(.dark))])
    #expect(apply.finishedHooks == finished)
    _ = apply.handle(.ended(.hook("b"), .good), now: 0, clock: 0)
    #expect(apply.finishedHooks.count == 2)
    #expect(starts(apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)).count == 2)
    #expect(apply.finishedHooks.isEmpty, "what runs may have undone what was finished")
    #expect(starts(apply.handle(.again, now: 0, clock: 0)).isEmpty)
    var other = Apply(finished: finished)
    _ = other.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    #expect(starts(other.handle(.shown(to: nil, shown(.dark, "other")), now: 0, clock: 0)).count == 1)
  }

  @Test func `what was finished for another state, or by a hook that was away, is started when its time comes`() {
    let (light, dark) = (hook("light-mode.d/x", scheme: .light), hook("dark-mode.d/y", scheme: .dark))
    let finished = [light.name: shown(.light).fingerprint, "away": shown(.dark).fingerprint]
    var apply = Apply(finished: finished)
    _ = apply.handle(.setup(Setup(hooks: [light, dark])), now: 0, clock: 0)
    #expect(apply.finishedHooks == finished, "it may be killed again before anything is shown")
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)) == [.hook(dark, shown(.dark))])
    _ = apply.handle(.ended(.hook(dark.name), .good), now: 0, clock: 0)
    #expect(apply.finishedHooks == [dark.name: shown(.dark).fingerprint])
    let effects = apply.handle(.setup(Setup(hooks: [light, dark, hook("away")])), now: 0, clock: 0)
    #expect(starts(effects) == [.hook(hook("away"), shown(.dark))])
    _ = apply.handle(.ended(.hook("away"), .good), now: 0, clock: 0)
    let back = apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)
    #expect(starts(back).contains(.hook(light, shown(.light))))
  }

  @Test func `what is found unopened is looked at once more behind the watch, and then when it is told`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    _ = apply.handle(.ended(.app("foot"), .good), now: 0, clock: 0)
    var outcome = Outcome()
    outcome.unopened = [7]
    let look = Job.terminals(foot, shown(.dark), onlyNew: true)
    for _ in 0..<3 {
      #expect(starts(apply.handle(.ended(.terminal("foot"), outcome), now: 0, clock: 0)) == [look])
      #expect(starts(apply.handle(.ended(.terminal("foot"), outcome), now: 0, clock: 0)).isEmpty)
      #expect(starts(apply.handle(.terminalOpened, now: 0, clock: 0)) == [look])
    }
  }

  @Test func `the same state again neither colours all windows once more, nor makes a new one forgotten`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    let look = Job.terminals(foot, shown(.dark), onlyNew: true)
    let showAgain = Apply.Event.shown(to: "foot", shown(.dark))
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(showAgain, now: 0, clock: 0)
    _ = apply.handle(.ended(.app("foot"), .good), now: 0, clock: 0)
    // A window is opened while all are coloured.
    _ = apply.handle(.terminalOpened, now: 0, clock: 0)
    #expect(apply.handle(showAgain, now: 0, clock: 0) == [])
    #expect(starts(apply.handle(.ended(.terminal("foot"), .good), now: 0, clock: 0)) == [look])
    // And the same state comes while only new ones are coloured.
    #expect(apply.handle(showAgain, now: 0, clock: 0) == [])
    #expect(starts(apply.handle(.ended(.terminal("foot"), .good), now: 0, clock: 0)).isEmpty)
  }

  @Test func `who was too young is told though something else of the app has failed for good`() {
    var apply = Apply()
    let kitty = recipe("kitty")
    _ = apply.handle(.setup(Setup(recipes: [kitty])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)
    var outcome = Outcome.later
    outcome.add("reload one", .left, "told later")
    outcome.fail("reload two", Problem(text: "ended with status 1", advice: "do"))
    #expect(apply.handle(.ended(.app("kitty"), outcome), now: 100, clock: 0).contains(.alarm(600)))
    #expect(apply.status.text.contains(#""state":"failed""#), "it is not tried again")
    // The same state is no reason to do all of it again.
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.dark)), now: 200, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.timePassed, now: 600, clock: 0)) == [.app(kitty, shown(.dark), young: outcome.young)])
    var told = Outcome()
    told.add("reload one", .done)
    _ = apply.handle(.ended(.app("kitty"), told), now: 700, clock: 0)
    let last = apply.lanes[.app("kitty")]
    #expect(last?.outcome?.problem?.text == "ended with status 1" && last?.done == nil && last?.deadline == nil)
    #expect(last?.outcome?.actions.map(\.name) == ["reload two", "reload one"])
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.dark)), now: 800, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.again, now: 900, clock: 0)) == [.app(kitty, shown(.dark))])
  }

  @Test func `a new window gets its second colours beside one into which nobody may look, which is told once`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    var outcome = Outcome()
    outcome.fail("terminal", Problem(text: "nobody may look", advice: "do"))
    let problem = outcome.problem!
    #expect(apply.lanes[.terminal("foot")]?.hasTold(problem) == false)
    _ = apply.handle(.ended(.terminal("foot"), outcome), now: 0, clock: 0)
    _ = apply.handle(.terminalOpened, now: 0, clock: 0)
    #expect(apply.lanes[.terminal("foot")]?.hasTold(problem) == true)
    #expect(apply.lanes[.terminal("foot")]?.hasTold(Problem(text: "another", advice: "do")) == false)
    outcome.comesAgain = 1_000
    #expect(apply.handle(.ended(.terminal("foot"), outcome), now: 0, clock: 0).contains(.alarm(1_000)))
    #expect(starts(apply.handle(.timePassed, now: 1_000, clock: 0)) == [.terminals(foot, shown(.dark), onlyNew: true)])
    outcome.comesAgain = nil
    _ = apply.handle(.ended(.terminal("foot"), outcome), now: 1_001, clock: 0)
    #expect(starts(apply.handle(.timePassed, now: 1_000_000, clock: 0)).isEmpty)
    // Of another state it is told again.
    _ = apply.handle(.shown(to: "foot", shown(.light)), now: 2_000, clock: 0)
    #expect(apply.lanes[.terminal("foot")]?.hasTold(problem) == false)
  }

  @Test func `a fingerprint tells what hooks are given, and nothing of the daemon's life`() {
    let one = State(scheme: .dark, theme: "mint", title: "Mint")
    #expect(Shown(one).fingerprint == Shown(State(scheme: .dark, theme: "mint", title: "Mint")).fingerprint)
    #expect(Shown(one).fingerprint != Shown(State(scheme: .light, theme: "mint", title: "Mint")).fingerprint)
    #expect(Shown(one).fingerprint != Shown(State(scheme: .dark, theme: "min", title: "tMint")).fingerprint)
    #expect(FinishedHooks.reading(Array("nonsense\nffff a b\n zz\n".utf8)) == ["a b": 0xFFFF])
    #expect(FinishedHooks.bytes(["a\nb": 1]).isEmpty)
  }

  @Test func `darkman's programs of one side wait for those of the other that still run`() {
    var apply = Apply()
    let (light, dark) = (hook("light-mode.d/x", scheme: .light), hook("dark-mode.d/y", scheme: .dark))
    _ = apply.handle(.setup(Setup(hooks: [light, dark, hook("a")])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)
    _ = apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)) == [.hook(hook("a"), shown(.dark))])
    #expect(
      starts(apply.handle(.ended(.hook("light-mode.d/x"), .good), now: 0, clock: 0)) == [.hook(dark, shown(.dark))])
    // And back while that runs.
    #expect(starts(apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)).isEmpty)
    #expect(
      starts(apply.handle(.ended(.hook("dark-mode.d/y"), .good), now: 0, clock: 0)) == [.hook(light, shown(.light))])
  }

  @Test func `the end ends what runs, and not what gives terminals their own colours back`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    for lane in [LaneName.app("foot"), .terminal("foot")] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    _ = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)
    let effects = apply.handle(.end, now: 0, clock: 0)
    #expect(effects.contains(.end(.hook("a"))) && !effects.contains(.end(.terminal("foot"))))
    _ = apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0)
    #expect(apply.handle(.ended(.terminal("foot"), .good), now: 0, clock: 0).contains(.quit))
  }
}
