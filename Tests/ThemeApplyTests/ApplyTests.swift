import Testing
import ThemeApps
import ThemedModel
import ThemedInterface
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// Who runs next, by hand and by chance.
@Suite struct ApplyTests {
  @Test func `an app runs when its state is known, and again only when that looks different`() {
    var apply = Apply()
    let setup = Setup(recipes: [recipe("kitty")])
    #expect(starts(apply.handle(.setup(setup), now: 0, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)) == [.app("kitty")])
    _ = apply.handle(.ended(.app("kitty"), .good), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.shown(to: "foot", shown(.light)), now: 0, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.light)), now: 0, clock: 0)) == [.app("kitty")])
  }

  @Test func `what comes while a run goes on is done after it, the newest only`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)
    for theme in ["one", "two", "three"] {
      #expect(starts(apply.handle(.shown(to: nil, shown(.light, theme)), now: 0, clock: 0)).isEmpty)
    }
    let effects = apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0)
    #expect(effects.contains(.start(.hook("a"), .hook(hook("a"), shown(.light, "three")))))
    #expect(starts(apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0)).isEmpty)
  }

  @Test func `what may mend itself is tried again ever later, and then let be until something changes`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(recipes: [recipe("kitty")])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)
    var now = 0
    for delay in Limits.retries {
      let effects = apply.handle(.ended(.app("kitty"), .bad(mendsItself: true)), now: now, clock: 0)
      #expect(effects.contains(.alarm(now + delay)))
      #expect(starts(apply.handle(.timePassed, now: now + delay - 1, clock: 0)).isEmpty)
      now += delay
      #expect(starts(apply.handle(.timePassed, now: now, clock: 0)) == [.app("kitty")])
    }
    let last = apply.handle(.ended(.app("kitty"), .bad(mendsItself: true)), now: now, clock: 0)
    #expect(last.contains(.alarm(nil)) || !last.contains { if case .alarm = $0 { true } else { false } })
    #expect(starts(apply.handle(.timePassed, now: now + 1_000_000, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.again, now: now, clock: 0)) == [.app("kitty")])
  }

  @Test func `what fails for good is not tried again by itself, and is with the next change`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(recipes: [recipe("kitty")])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)
    _ = apply.handle(.ended(.app("kitty"), .bad()), now: 0, clock: 0)
    #expect(starts(apply.handle(.timePassed, now: 1_000_000, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.shown(to: "kitty", shown(.light)), now: 0, clock: 0)) == [.app("kitty")])
  }

  @Test func `a hook of darkman's for one scheme runs each time that comes, and never for the other`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(hooks: [hook("light-mode.d/x", scheme: .light)])), now: 0, clock: 0)
    for _ in 0..<3 {
      #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)).isEmpty)
      #expect(starts(apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)) == [.hook("light-mode.d/x")])
      #expect(starts(apply.handle(.ended(.hook("light-mode.d/x"), .good), now: 0, clock: 0)).isEmpty)
    }
  }

  @Test func `a terminal that is opened is coloured, and no app is told again for it`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    #expect(apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0).contains(.watchTerminals(true)))
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    for lane in [LaneName.app("foot"), .terminal("foot")] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    let effects = apply.handle(.terminalOpened, now: 0, clock: 0)
    #expect(effects.contains(.start(.terminal("foot"), .terminals(foot, shown(.dark), onlyNew: true))))
    #expect(starts(effects) == [.terminal("foot")])
  }

  @Test func `an app that is disabled is ended, its terminals get their colours back, and then it is gone`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    _ = apply.handle(.ended(.terminal("foot"), .good), now: 0, clock: 0)
    let effects = apply.handle(.setup(Setup()), now: 0, clock: 0)
    #expect(effects.contains(.end(.app("foot"))))
    #expect(effects.contains(.start(.terminal("foot"), .takeBack(foot))))
    #expect(!apply.handle(.ended(.terminal("foot"), .good), now: 0, clock: 0).contains(.quit))
    #expect(!apply.handle(.ended(.app("foot"), .good), now: 0, clock: 0).contains(.quit))
    #expect(apply.lanes.isEmpty)
  }

  @Test func `colours are taken back until that has gone well, whatever else changes meanwhile`() {
    var apply = Apply()
    let foot = recipe("foot", terminal: true)
    _ = apply.handle(.setup(Setup(recipes: [foot], hooks: [hook("a")])), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)
    for lane in [LaneName.app("foot"), .terminal("foot")] { _ = apply.handle(.ended(lane, .good), now: 0, clock: 0) }
    // Its file says nothing of terminals any more, and then it is disabled.
    let effects = apply.handle(.setup(Setup(recipes: [recipe("foot")], hooks: [hook("a")])), now: 0, clock: 0)
    #expect(effects.contains(.start(.terminal("foot"), .takeBack(foot))))
    _ = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    let failed = apply.handle(.ended(.terminal("foot"), .bad(mendsItself: true)), now: 0, clock: 0)
    #expect(failed.contains(.alarm(Limits.retries[0])))
    _ = apply.handle(.setup(Setup(hooks: [hook("b")])), now: 0, clock: 0)
    let again = apply.handle(.timePassed, now: Limits.retries[0], clock: 0)
    #expect(again.contains(.start(.terminal("foot"), .takeBack(foot))))
    _ = apply.handle(.ended(.terminal("foot"), .good), now: Limits.retries[0], clock: 0)
    #expect(apply.lanes[.terminal("foot")] == nil)
  }

  @Test func `an app that is enabled again while its run is being ended runs again`() {
    var apply = Apply()
    let setup = Setup(recipes: [recipe("kitty")], hooks: [hook("a")])
    _ = apply.handle(.setup(setup), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)
    #expect(apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0).contains(.end(.app("kitty"))))
    _ = apply.handle(.setup(setup), now: 0, clock: 0)
    _ = apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0)
    #expect(starts(apply.handle(.ended(.app("kitty"), .good), now: 0, clock: 0)) == [.app("kitty")])
  }

  @Test func `with nothing enabled and no hook it stays, and follows nobody until there is one`() {
    var apply = Apply()
    #expect(apply.handle(.setup(Setup()), now: 0, clock: 0) == [.follow([]), .watchTerminals(false), .report])
    let effects = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    #expect(effects.contains(.follow([nil])))
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)) == [.hook("a")])
    var once = Apply(isOnce: true)
    #expect(once.handle(.setup(Setup()), now: 0, clock: 0).contains(.quit))
  }

  @Test(arguments: [true, false])
  func `nothing is done for a guess until the desktop is heard, and what it says is done then`(isKnown: Bool) {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(recipes: [recipe("foot", terminal: true)], hooks: [hook("a")])), now: 0, clock: 0)
    for name in [nil, "foot" as Text?] {
      let effects = apply.handle(.shown(to: name, guess(.light, isKnown: isKnown)), now: 100, clock: 0)
      #expect(starts(effects).isEmpty)
    }
    #expect(starts(apply.handle(.timePassed, now: 100 + Limits.firstWord - 1, clock: 0)).isEmpty)
    let now = 100 + Limits.firstWord - 1
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: now, clock: 0)) == [.hook("a")])
    #expect(
      starts(apply.handle(.shown(to: "foot", shown(.dark)), now: now, clock: 0)) == [.app("foot"), .terminal("foot")])
    for lane in [LaneName.app("foot"), .terminal("foot"), .hook("a")] {
      _ = apply.handle(.ended(lane, .good), now: now, clock: 0)
    }
    #expect(starts(apply.handle(.timePassed, now: now + 10_000, clock: 0)).isEmpty)
  }

  @Test func `a desktop that is not heard within seconds is waited for no more, then or later`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(hooks: [hook("a")])), now: 0, clock: 0)
    let effects = apply.handle(.shown(to: nil, guess(.dark)), now: 50, clock: 0)
    #expect(effects.contains(.alarm(50 + Limits.firstWord)))
    let now = 50 + Limits.firstWord
    #expect(starts(apply.handle(.timePassed, now: now, clock: 0)) == [.hook("a")])
    _ = apply.handle(.ended(.hook("a"), .good), now: now, clock: 0)
    // The desktop says the same: nothing is new.
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: now, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.shown(to: nil, guess(.light)), now: now, clock: 0)) == [.hook("a")])
  }

  @Test func `what the user has said is done at once, and once takes a guess when it has waited`() {
    var apply = Apply(isOnce: true)
    _ = apply.handle(.setup(Setup(recipes: [recipe("foot")], hooks: [hook("a")])), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: "foot", shown(.dark)), now: 0, clock: 0)) == [.app("foot")])
    _ = apply.handle(.shown(to: nil, guess(.light)), now: 0, clock: 0)
    #expect(!apply.handle(.ended(.app("foot"), .good), now: 0, clock: 0).contains(.quit))
    #expect(starts(apply.handle(.timePassed, now: Limits.firstWord, clock: 0)) == [.hook("a")])
    #expect(apply.handle(.ended(.hook("a"), .good), now: Limits.firstWord, clock: 0).contains(.quit))
  }

  @Test func `once ends when all have run once, and knows whether one failed`() {
    var apply = Apply(isOnce: true)
    _ = apply.handle(.setup(Setup(recipes: [recipe("kitty")], hooks: [hook("a")])), now: 0, clock: 0)
    #expect(!apply.handle(.shown(to: "kitty", shown(.dark)), now: 0, clock: 0).contains(.quit))
    #expect(!apply.handle(.ended(.app("kitty"), .bad()), now: 0, clock: 0).contains(.quit))
    #expect(!apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0).contains(.quit))
    #expect(apply.handle(.ended(.hook("a"), .good), now: 0, clock: 0).contains(.quit))
    #expect(apply.hasFailed)
  }

  /// Whatever happens in whatever order: one run of each at a time, and at the end everybody has the newest state.
  @Test func `after any events everybody who is enabled ends at the newest state, one run at a time`() {
    var generator = SeededGenerator()
    for _ in 0..<300 {
      let room = RunQueue.Room(places: Int.random(in: 1...4, using: &generator), time: 700, slow: 1)
      var apply = Apply(queue: RunQueue(room))
      var running: [LaneName: Job] = [:]
      var setup = Setup()
      var newest: [Text?: Shown] = [:]
      var (now, heardAt) = (0, Int?.none)
      var told: [Shown] = []
      func take(_ effects: [Apply.Effect]) {
        for effect in effects {
          switch effect {
          case .start(let lane, let job):
            #expect(
              job.shown?.isGuess != true || heardAt.map { $0 + Limits.firstWord <= now } == true
                || job.shown.map { told.contains($0) } == true, "a guess is acted on; \(generator)")
            if let shown = job.shown, !shown.isGuess { told.append(shown) }
            #expect(running[lane] == nil, "two runs of \(lane.words) at once; \(generator)")
            running[lane] = job
            #expect(running.keys.count { $0.kind == lane.kind } <= room.places + room.slow, "\(generator)")
            #expect(running[.hook("y")] == nil || running[.hook("z")] == nil, "both sides run; \(generator)")
          case .end(let lane), .supersede(let lane): #expect(running[lane] != nil, "\(generator)")
          default: break
          }
        }
      }
      for _ in 0..<60 {
        now += Int.random(in: 0...2000, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
          let hooks = [hook("x"), hook("y", scheme: .light), hook("z", scheme: .dark)]
          let all = [recipe("a"), recipe("b", terminal: true), recipe("c")]
          setup = Setup(
            recipes: all.filter { _ in Bool.random(using: &generator) },
            hooks: hooks.filter { _ in Bool.random(using: &generator) })
          take(apply.handle(.setup(setup), now: now, clock: 0))
          let followed = Set(setup.recipes.map { $0.app.name as Text? } + (setup.hooks.isEmpty ? [] : [nil]))
          newest = newest.filter { followed.contains($0.key) }
        case 1...4:
          let followed = setup.recipes.map { $0.app.name as Text? } + (setup.hooks.isEmpty ? [] : [nil])
          guard let name = followed.randomElement(using: &generator) else { continue }
          let scheme: ColorScheme = Bool.random(using: &generator) ? .dark : .light
          let theme = ["m", "n"].randomElement(using: &generator)!
          let isGuess = Int.random(in: 0..<3, using: &generator) == 0
          let state = isGuess ? guess(scheme, isKnown: Bool.random(using: &generator)) : shown(scheme, theme)
          newest[name] = state
          heardAt = heardAt ?? now
          take(apply.handle(.shown(to: name, state), now: now, clock: 0))
        case 5: take(apply.handle(.terminalOpened, now: now, clock: 0))
        case 6: take(apply.handle(.timePassed, now: now, clock: 0))
        default:
          guard let lane = running.keys.sorted().randomElement(using: &generator) else { continue }
          running[lane] = nil
          let outcome = [Outcome.good, .bad(), .bad(mendsItself: true), .later].randomElement(using: &generator)!
          take(apply.handle(.ended(lane, outcome), now: now, clock: 0))
        }
      }
      // Everything goes well from now on.
      take(apply.handle(.again, now: now, clock: 0))
      for _ in 0..<1000 {
        now += 400_000
        guard let lane = running.keys.sorted().first else {
          take(apply.handle(.timePassed, now: now, clock: 0))
          if running.isEmpty { break }
          continue
        }
        running[lane] = nil
        take(apply.handle(.ended(lane, .good), now: now, clock: 0))
      }
      #expect(running.isEmpty, "\(generator)")
      for recipe in setup.recipes {
        guard let state = newest[recipe.app.name] else { continue }
        #expect(apply.lanes[.app(recipe.app.name)]?.done == .app(recipe, state), "\(generator)")
        guard recipe.app.terminal != nil else { continue }
        #expect(
          apply.lanes[.terminal(recipe.app.name)]?.done == .terminals(recipe, state, onlyNew: false), "\(generator)")
      }
      for hook in setup.hooks {
        guard let state = newest[nil] else { continue }
        let expected: Job? = hook.scheme == nil || state.state.scheme == hook.scheme ? .hook(hook, state) : nil
        #expect((apply.lanes[.hook(hook.name)]?.done == expected) as Bool, "\(hook.name); \(generator)")
      }
      #expect(apply.lanes.keys.allSatisfy { $0.kind == .hook || setup.recipes.map(\.app.name).contains($0.name) })
    }
  }

  private func starts(_ effects: [Apply.Effect]) -> [LaneName] {
    effects.compactMap { if case .start(let lane, _) = $0 { lane } else { nil } }
  }
}

/// When the desktop's settings are read and written.
@Suite struct DesktopLaneTests {
  private let desktops: [DesktopRecipe] = {
    var desktop = App.Desktop()
    desktop.isFallback = true
    return [DesktopRecipe(app: App(name: "gtk"), desktop: desktop)]
  }()
  private let target = DesktopTarget(number: 1, scheme: .dark, preferences: [.dark])

  private func starts(_ effects: [Apply.Effect]) -> [Job] {
    effects.compactMap { if case .start(.desktop, let job) = $0 { job } else { nil } }
  }

  private func duty(_ isInStep: Bool, _ target: DesktopTarget? = nil) -> Apply.Event {
    .duty(DesktopDuty(isInStep: isInStep, asked: .light, target: target))
  }

  private func job(_ scheme: ColorScheme, _ target: DesktopTarget? = nil, isInStep: Bool = true) -> Job {
    .desktop(DesktopJob(recipes: desktops, shown: shown(scheme), isInStep: isInStep, target: target, asked: .light))
  }

  @Test func `it runs only while the desktop is kept in step, and what it follows is what all apps get`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(desktops: desktops)), now: 0, clock: 0)
    #expect(apply.handle(duty(false), now: 0, clock: 0).isEmpty)
    let effects = apply.handle(duty(true), now: 0, clock: 0)
    #expect(effects.contains(.follow([nil])))
    #expect(starts(apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)) == [job(.light)])
    var outcome = Outcome()
    outcome.desktop = DesktopReport(keepsMemory: true)
    _ = apply.handle(.ended(.desktop, outcome), now: 0, clock: 0)
    #expect(starts(apply.handle(duty(false), now: 0, clock: 0)) == [job(.light, isInStep: false)])
    outcome.desktop = DesktopReport()
    #expect(apply.handle(.ended(.desktop, outcome), now: 0, clock: 0).contains(.follow([])))
    #expect(apply.lanes[.desktop] == nil)
  }

  @Test func `a target and a state that do not fit yet are waited for, in whatever order they come`() {
    for isTargetFirst in [true, false] {
      var apply = Apply()
      _ = apply.handle(.setup(Setup(desktops: desktops)), now: 0, clock: 0)
      _ = apply.handle(duty(true), now: 0, clock: 0)
      _ = apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)
      _ = apply.handle(.ended(.desktop, .good), now: 0, clock: 0)
      let events: [Apply.Event] = [duty(true, target), .shown(to: nil, shown(.dark))]
      let effects = (isTargetFirst ? events : events.reversed()).map { apply.handle($0, now: 0, clock: 0) }
      if isTargetFirst {
        #expect(effects.flatMap(starts) == [job(.dark, target)])
      } else {
        // The first run waits for the target, and gives way to it.
        #expect(effects.flatMap(starts) == [job(.dark)] && effects[1].contains(.supersede(.desktop)))
        #expect(starts(apply.handle(.ended(.desktop, .good), now: 0, clock: 0)) == [job(.dark, target)])
      }
    }
  }

  @Test func `a run whose target is over is told so before it writes`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(desktops: desktops)), now: 0, clock: 0)
    _ = apply.handle(duty(true, target), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 0, clock: 0)) == [job(.dark, target)])
    #expect(apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0).contains(.supersede(.desktop)))
    _ = apply.handle(.ended(.desktop, .good), now: 0, clock: 0)
    #expect(starts(apply.handle(duty(true), now: 0, clock: 0)) == [job(.light)])
  }

  @Test func `nothing is written for a guess, however long the desktop takes to answer`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(desktops: desktops)), now: 0, clock: 0)
    _ = apply.handle(duty(true), now: 0, clock: 0)
    #expect(starts(apply.handle(.shown(to: nil, guess(.dark)), now: 0, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.timePassed, now: 100_000, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.shown(to: nil, shown(.dark)), now: 100_000, clock: 0)) == [job(.dark)])
  }

  @Test func `after changes of settings they are read again once, and at last even if they never end`() {
    var apply = Apply()
    _ = apply.handle(.setup(Setup(desktops: desktops)), now: 0, clock: 0)
    _ = apply.handle(duty(true), now: 0, clock: 0)
    _ = apply.handle(.shown(to: nil, shown(.light)), now: 0, clock: 0)
    _ = apply.handle(.ended(.desktop, .good), now: 0, clock: 0)
    #expect(apply.handle(.desktopChanged, now: 100, clock: 0) == [.alarm(100 + Limits.desktopQuiet)])
    #expect(apply.handle(.desktopChanged, now: 200, clock: 0) == [.alarm(200 + Limits.desktopQuiet)])
    #expect(starts(apply.handle(.timePassed, now: 150 + Limits.desktopQuiet, clock: 0)).isEmpty)
    #expect(starts(apply.handle(.timePassed, now: 200 + Limits.desktopQuiet, clock: 0)) == [job(.light)])
    _ = apply.handle(.ended(.desktop, .good), now: 0, clock: 0)
    var runs = 0
    for now in stride(from: 10_000, to: 30_000, by: 500) {
      _ = apply.handle(.desktopChanged, now: now, clock: 0)
      if !starts(apply.handle(.timePassed, now: now, clock: 0)).isEmpty {
        runs += 1
        _ = apply.handle(.ended(.desktop, .good), now: now, clock: 0)
      }
    }
    #expect(runs == 1)
  }

  @Test func `an app file that is broken for a while keeps the desktop as it was`() {
    var broken = Setup()
    broken.brokenDesktops = ["gtk"]
    #expect(broken.keeping(Setup(desktops: desktops)).desktops == desktops)
  }
}
