import Testing
import ThemedSystem

@testable import ThemeSetup

/// What `themectl setup` makes of what it has seen.
@Suite struct SetupPlanTests {
  private func program(
    _ name: Text, _ kind: AppState.Kind, _ change: (inout SetupFacts.Program) -> Void = { _ in }
  ) -> SetupFacts.Program {
    var program = SetupFacts.Program(name: name, title: name, kind: kind, words: "as it is")
    change(&program)
    return program
  }

  private func plan(
    _ programs: [SetupFacts.Program] = [], service: SetupFacts.Service = .runs, isEnabled: Bool? = true,
    isApplied: Bool = true, hasManager: Bool = true
  ) -> SetupPlan {
    SetupPlan(
      SetupFacts(
        service: service, isEnabled: isEnabled, isApplied: isApplied, hasManager: hasManager, programs: programs))
  }

  @Test("The daemon is started where systemd can, enabled where it runs already, and else named with the reason")
  func daemon() {
    #expect(plan(service: .canStart, isEnabled: false).steps == [.start])
    #expect(plan(service: .canStart).steps == [.start])
    #expect(plan(isEnabled: false).steps == [.startLater])
    #expect(plan().steps == [])
    #expect(plan(isEnabled: nil).steps == [])
    let absent = plan(service: .absent("why"), isEnabled: nil)
    #expect(absent.steps == [] && absent.byHand == [SetupPlan.Note(title: "themed", words: "why")])
  }

  @Test("A portal that is not heard is told, and not where the daemon is not there to hear it")
  func desktop() {
    for (service, count) in [(SetupFacts.Service.runs, 1), (.canStart, 0)] {
      var facts = SetupFacts(service: service, isEnabled: true, isApplied: true, hasManager: true, programs: [])
      facts.hearsDesktop = false
      #expect(SetupPlan(facts).left.count == count)
    }
  }

  @Test("The desktop comes first, unless it is in step or the user wants it left alone")
  func ownSetting() {
    func plan(_ desktop: SetupFacts.Desktop, isApplied: Bool = true, lacksBackend: Bool = false) -> SetupPlan {
      var facts = SetupFacts(
        service: .runs, isEnabled: false, isApplied: isApplied, hasManager: true,
        programs: [program("new", .available)])
      (facts.desktop, facts.lacksBackend) = (desktop, lacksBackend)
      return SetupPlan(facts)
    }
    let enable = SetupPlan.Step.enable("new", title: "new", lines: [])
    #expect(plan(.alone).steps == [.startLater, .desktop, enable])
    #expect(plan(.alone, lacksBackend: true).steps == [.startLater, .desktop, .portal, enable])
    #expect(plan(.inStep).steps == [.startLater, enable] && plan(.absent).steps == [.startLater, enable])
    let refused = plan(.refused)
    #expect(refused.steps == [.startLater, enable] && refused.left.map(\.title) == ["the desktop"])
    // Keeping the desktop in step starts themed-apply, and needs it.
    var facts = SetupFacts(service: .runs, isEnabled: true, isApplied: false, hasManager: true, programs: [])
    facts.desktop = .inStep
    #expect(SetupPlan(facts).steps == [.apply])
    facts.desktop = .alone
    #expect(SetupPlan(facts).steps == [.desktop])
    facts.hasManager = false
    #expect(SetupPlan(facts).byHand.map(\.title) == ["themed-apply"])
  }

  @Test func `a schedule is set if one is named, and else offered where there is none`() {
    var facts = SetupFacts(service: .runs, isEnabled: true, isApplied: true, hasManager: true, programs: [])
    #expect(SetupPlan(facts, schedule: "sun").steps == [.schedule("sun")])
    for (has, titles) in [(nil, []), (true, []), (false, ["the schedule"])] as [(Bool?, [Text])] {
      facts.hasSchedule = has
      #expect(SetupPlan(facts).left.map(\.title) == titles && SetupPlan(facts).steps == [])
    }
  }

  @Test("Of a program is enabled what can be, with the lines that are missing; what is in the way leaves it alone")
  func enabling() {
    let line: Text = "~/a has to have: b"
    let plan = plan([
      program("new", .available) { $0.lines = [line] },
      program("bare", .available),
      program("strange", .available) { $0.obstacle = "somebody else's" },
      program("unasked", .available) { $0.isProposed = false },
      program("done", .enabled),
      program("lost", .enabled) { $0.lines = [line] },
      program("stuck", .enabled) {
        $0.lines = [line]
        $0.obstacle = "read-only"
      },
      program("absent", .notInstalled), program("old", .unable), program("wrong", .faulty),
    ])
    #expect(
      plan.steps == [
        .enable("new", title: "new", lines: [line]), .enable("bare", title: "bare", lines: []),
        .enable("lost", title: "lost", lines: [line]),
      ])
    #expect(
      plan.left.map { "\($0.title): \($0.words)" } == [
        "strange: as it is", "unasked: as it is", "done: as it is", "stuck: as it is", "old: as it is",
        "wrong: as it is",
      ])
    #expect(plan.byHand == [])
  }

  @Test("Everything is set up only if nothing is left that could follow")
  func ending() {
    let whole = plan([program("done", .enabled), program("old", .unable), program("a", .itself)])
    #expect(whole.ending == "Everything is set up.")
    let open = plan([
      program("mako", .available) { $0.isProposed = false }, program("rofi", .available) { $0.isProposed = false },
      program("Kitty", .enabled) { $0.hidden = "hidden" }, program("foot", .available) { $0.obstacle = "read-only" },
      program("set", .itself) { $0.missing = "a setting" },
    ])
    #expect(
      open.ending
        == "Everything is set up, except the steps that you have to do by hand, and programs that do not follow (Kitty, "
        + "foot), and programs that you have not enabled ('themectl app enable mako rofi').")
    #expect(
      plan(service: .absent("why"), isEnabled: nil).lines.first == "themed is not running, so nothing follows yet: why")
  }

  @Test("What only the user sets is told, and a plugin that follows is left as it is")
  func settings() {
    let plan = plan([
      program("set", .itself), program("unset", .itself) { $0.missing = "a setting" }, program("plugin", .plugin),
      program("connected", .available) { $0.isConnected = true },
    ])
    #expect(plan.steps == [])
    #expect(plan.byHand.map { "\($0.title): \($0.words)" } == ["unset: a setting"])
    #expect(plan.left.map(\.title) == ["set", "plugin", "connected"])
  }

  @Test(
    "A setting of the user's that wins is for the user to take out, and themed-apply has nothing to do for a plugin")
  func hidden() {
    let plan = plan(
      [
        program("hidden", .available) { $0.hidden = "hidden by your own setting at ~/a:3 (x)" },
        program("plugin", .available) { $0.needsApplying = false },
      ], isApplied: true)
    #expect(plan.steps.count == 2)
    #expect(plan.byHand.map { "\($0.title): \($0.words)" } == ["hidden: hidden by your own setting at ~/a:3 (x)"])
    let plugin = self.plan([program("plugin", .enabled) { $0.needsApplying = false }], isApplied: false)
    #expect(plugin.steps == [])
  }

  @Test("themed-apply is started for what is enabled and only for that, or named where nobody starts it")
  func applying() {
    #expect(plan(isApplied: false).steps == [])
    #expect(plan([program("done", .enabled)], isApplied: false).steps == [.apply])
    let new = program("new", .available)
    // Enabling starts it.
    #expect(plan([new], isApplied: false).steps.count == 1)
    for programs in [[new], [program("done", .enabled)]] {
      let alone = plan(programs, isApplied: false, hasManager: false)
      #expect(alone.byHand.map(\.title) == ["themed-apply"])
      #expect(!alone.steps.contains(.apply))
    }
  }

  @Test("A second look at what was done has nothing to do")
  func twice() {
    let once = plan(
      [program("new", .available) { $0.lines = ["~/a has to have: b"] }], service: .canStart, isApplied: false)
    #expect(once.steps.count == 2)
    #expect(plan([program("new", .enabled)]).steps == [])
  }
}
