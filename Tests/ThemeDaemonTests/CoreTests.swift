import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

/// Clients of a core: each by the name that it gave, with the states that it was told.
private struct Audience {
  static let names: [Text?] = [nil, "editor", "browser", "other"]

  private(set) var core: Core
  private(set) var told: [Text?: [State]] = [:]
  private(set) var causes: [Text] = []
  /// How often rules have ended by themselves, and what holds was to be saved.
  private(set) var saves = 0

  init(_ core: Core = Core(instance: "test", overrides: Overrides())) {
    self.core = core
    for name in Self.names { told[name] = [core.state(for: name)] }
  }

  mutating func take(_ event: Event) {
    for effect in core.handle(event) {
      switch effect {
      case .publish(let change):
        causes.append(change.cause)
        for name in Self.names {
          if let state = change.state(for: name) { told[name]?.append(state) }
        }
      case .keep(let keeping): if keeping.answer == nil { saves += 1 }
      default: break
      }
    }
  }

  mutating func set(_ override: Override) { take(.set(override)) }

  func schemes(_ name: Text?) -> [ColorScheme] { (told[name] ?? []).map(\.scheme) }
}

@Suite("The one owner of the truth, folded over what happens")
struct CoreTests {
  @Test("Setting the same override again tells nobody anything; a renewed expiry is told as a state")
  func renewal() {
    var audience = Audience()
    audience.set(Override(scheme: .dark, expiresAt: 100))
    audience.set(Override(scheme: .dark, expiresAt: 100))
    #expect(audience.schemes(nil) == [.light, .dark])
    audience.set(Override(scheme: .dark, expiresAt: 200))
    #expect(audience.schemes(nil) == [.light, .dark, .dark])
  }

  @Test("An app hears only of changes to its own state")
  func ownState() {
    var audience = Audience()
    audience.set(Override(app: "editor", scheme: .dark))
    #expect(audience.schemes("editor") == [.light, .dark])
    #expect(audience.schemes("other") == [.light])
    #expect(audience.schemes(nil) == [.light])
    audience.set(Override(scheme: .dark))
    #expect(audience.schemes("other") == [.light, .dark])
    #expect(audience.schemes("editor") == [.light, .dark], "its own override decides as before")
  }

  @Test("An app that loses its override is told the common state, with a serial that is newer than what it had")
  func lostOverride() throws {
    var audience = Audience()
    audience.set(Override(app: "editor", scheme: .dark))
    audience.take(.clear(app: "editor"))
    #expect(audience.schemes("editor") == [.light, .dark, .light])
    let serials = try #require(audience.told["editor"]).map(\.serial)
    #expect(serials == serials.sorted() && Set(serials).count == serials.count)
    #expect(audience.told[nil]?.count == 1)
  }

  @Test("An expiry is a change with a cause, and is saved")
  func expiry() {
    var audience = Audience()
    audience.set(Override(scheme: .dark, expiresAt: 100))
    audience.take(.clock(99))
    #expect(audience.saves == 0)
    audience.take(.clock(100))
    #expect(audience.causes == ["SetOverride by process 1", "an override expired"])
    #expect(audience.saves == 1)
  }

  @Test("An override until the desktop changes outlives a flap, and ends when another preference has settled")
  func untilDesktopChanges() {
    var audience = Audience()
    audience.take(.desktop(Reading(scheme: .light)))
    audience.take(.settled)
    audience.set(Override(scheme: .dark, untilDesktopChanges: true))
    audience.take(.desktop(Reading(scheme: .dark)))
    audience.take(.desktop(Reading(scheme: .light)))
    audience.take(.settled)
    #expect(audience.core.overrides.count == 1)
    audience.take(.desktop(Reading(scheme: .none)))
    audience.take(.settled)
    #expect(audience.core.overrides.count == 0)
    #expect(audience.core.state(for: nil).scheme == .light)
    #expect(audience.saves == 1)
  }

  @Test("An override until the desktop changes that is set right after a change outlives the settling of that")
  func untilTheNextChange() {
    var audience = Audience()
    audience.take(.desktop(Reading(scheme: .light)))
    audience.take(.settled)
    audience.take(.desktop(Reading(scheme: .dark)))
    audience.set(Override(scheme: .light, untilDesktopChanges: true))
    audience.take(.settled)
    #expect(audience.core.state(for: nil).scheme == .light)
    audience.take(.desktop(Reading(scheme: .light)))
    audience.take(.settled)
    #expect(audience.core.overrides.count == 0)
  }

  @Test("A daemon that was restarted knows what the desktop changes from")
  func restoredReading() {
    var audience = Audience(Core(instance: "test", overrides: Overrides(), reading: Reading(scheme: .light)))
    audience.set(Override(scheme: .dark, untilDesktopChanges: true))
    audience.take(.desktop(Reading(scheme: .none)))
    audience.take(.settled)
    #expect(audience.core.overrides.count == 0)
  }

  /// What should hold, written down as a list of facts: the newest that is of a level and a field wins.
  private struct Model {
    struct Fact {
      var app: Text?
      var field: Field
      var scheme: ColorScheme?
      var flag: Bool?
      var expiresAt: Int64?
      /// What the desktop's settled preference has to change from to end it; unavailable while that is not known.
      var until: Preference?
      var isForEver: Bool { expiresAt == nil && until == nil }
      /// Whether it says that what lies below is to be shown.
      var isAuto: Bool { field == .scheme ? scheme == nil : flag == nil }
    }
    /// The last that the desktop said and stood by.
    var settled = Preference.unavailable
    /// What the desktop would have to change from to end what is set now; unknown while it changes.
    var stood: Preference { settled == reading.scheme ? settled : .unavailable }
    var facts: [Fact] = []
    /// Under whose name a toggle has put a fact away, or that there was none.
    var putAway: [Text?: Fact?] = [:]
    var reading = Reading()
    var now: Int64 = 1_000

    func value(_ app: Text?, _ field: Field) -> Fact? {
      facts.last { $0.app == app && $0.field == field }
    }

    mutating func set(_ fact: Fact) {
      remove(fact.app, fact.field)
      if !(fact.app == nil && fact.isAuto) { facts.append(fact) }
    }

    mutating func remove(_ app: Text?, _ field: Field) {
      facts.removeAll { $0.app == app && $0.field == field }
      if field == .scheme { putAway[app] = nil }
    }

    mutating func toggle(_ fact: Fact) {
      let (shown, before, away) = (scheme(fact.app), value(fact.app, .scheme), putAway[fact.app])
      remove(fact.app, .scheme)
      if let away, fact.isForEver || before?.isForEver == false {
        var old = self
        if let away { old.set(away) }
        if old.scheme(fact.app) != shown { return self = old }
      }
      if !fact.isForEver || scheme(fact.app) == shown {
        set(fact)
        putAway[fact.app] = .some(before)
      } else if let before, !before.isForEver || before.isAuto {
        putAway[fact.app] = .some(before)
      }
    }

    /// Some facts are over: what they were toggled from comes back, if that is not over too.
    private mutating func end(_ isOver: (Fact) -> Bool) {
      putAway = putAway.mapValues { $0.flatMap { isOver($0) ? nil : $0 } }
      for fact in facts.filter(isOver) {
        let away = fact.field == .scheme ? putAway[fact.app] : nil
        remove(fact.app, fact.field)
        if case let away?? = away { set(away) }
      }
    }

    mutating func settle() {
      settled = reading.scheme
      if settled == .unavailable { return }
      end { [settled] fact in fact.until.map { $0 != .unavailable && $0 != settled } ?? false }
      for index in facts.indices where facts[index].until != nil { facts[index].until = settled }
      for case (let app, var fact?) in putAway where fact.until != nil {
        fact.until = settled
        putAway[app] = .some(fact)
      }
    }

    mutating func tick(to time: Int64) {
      now = time
      end { $0.expiresAt.map { $0 <= time } ?? false }
    }

    func scheme(_ app: Text?) -> ColorScheme {
      for level in app == nil ? [nil] : [app, nil] {
        guard let fact = value(level, .scheme) else { continue }
        return fact.scheme ?? (reading.scheme == .dark ? .dark : .light)
      }
      return reading.scheme == .dark ? .dark : .light
    }

    /// What is shown of the contrast, and what is told of where that comes from.
    func contrast(_ app: Text?) -> (value: Bool?, origin: Origin?) {
      guard let fact = app.flatMap({ value($0, .highContrast) }) ?? value(nil, .highContrast) else {
        return (reading.highContrast, reading.highContrast.map { _ in Origin(.portal) })
      }
      var origin = Origin(fact.isAuto ? .portal : fact.app == nil ? .override : .appOverride)
      (origin.isPinned, origin.expiresAt) = (fact.isAuto, fact.expiresAt)
      origin.untilDesktopChanges = fact.until != nil
      let shown = fact.isAuto ? reading.highContrast : fact.flag
      return (shown, shown.map { _ in origin })
    }
  }

  @Test("Whatever happens in whatever order, every client was last told what an independent model says")
  func model() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var audience = Audience()
      var model = Model()
      for _ in 0..<60 {
        let app = Audience.names.randomElement(using: &random) ?? nil
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          let scheme = [nil, .light, .dark].randomElement(using: &random) ?? ColorScheme?.none
          let expiresAt = Bool.random(using: &random) ? model.now + Int64.random(in: 1...50, using: &random) : nil
          let untilChanged = Bool.random(using: &random)
          audience.set(
            Override(
              app: app, scheme: scheme, auto: scheme == nil ? [.scheme] : [], expiresAt: expiresAt,
              untilDesktopChanges: untilChanged))
          model.set(
            .init(
              app: app, field: .scheme, scheme: scheme, expiresAt: expiresAt, until: untilChanged ? model.stood : nil))
        case 2:
          let flag = [nil, false, true].randomElement(using: &random) ?? nil
          let expiresAt = Bool.random(using: &random) ? model.now + Int64.random(in: 1...50, using: &random) : nil
          let clear: [Field] = Int.random(in: 0..<4, using: &random) == 0 ? [.scheme] : []
          let override = Override(
            app: app, highContrast: flag, auto: flag == nil ? [.highContrast] : [], expiresAt: expiresAt)
          audience.take(.set(override, clear: clear))
          for field in clear { model.remove(app, field) }
          model.set(.init(app: app, field: .highContrast, flag: flag, expiresAt: expiresAt))
        case 3:
          let field = [Field.scheme, .highContrast].randomElement(using: &random) ?? .scheme
          audience.take(.clear([field], app: app))
          model.remove(app, field)
        case 4:
          model.tick(to: model.now + Int64.random(in: 0...30, using: &random))
          audience.take(.clock(model.now))
        case 5:
          let aim = model.scheme(app).opposite
          let expiresAt = Bool.random(using: &random) ? model.now + Int64.random(in: 1...50, using: &random) : nil
          let untilChanged = Int.random(in: 0..<4, using: &random) == 0
          let end = Override(expiresAt: expiresAt, untilDesktopChanges: untilChanged)
          audience.take(.toggle(app: app, until: end))
          model.toggle(
            .init(
              app: app, field: .scheme, scheme: aim, expiresAt: expiresAt, until: untilChanged ? model.stood : nil))
        case 6:
          audience.take(.settled)
          model.settle()
        default:
          model.reading.scheme = Preference.allCases.randomElement(using: &random) ?? .none
          model.reading.highContrast = [nil, false, true].randomElement(using: &random) ?? nil
          audience.take(.desktop(model.reading))
        }
        for name in Audience.names {
          let told = audience.told[name]?.last
          #expect(told?.scheme == model.scheme(name), "\(random)")
          #expect(told?.resolution.highContrast == model.contrast(name).value, "\(random)")
          #expect(told?.resolution.origins["highContrast"] == model.contrast(name).origin, "\(random)")
          #expect(told?.resolution == audience.core.state(for: name).resolution, "\(random)")
        }
      }
      for states in audience.told.values {
        for (older, newer) in zip(states, states.dropFirst()) {
          #expect(older.serial < newer.serial && older.resolution != newer.resolution, "\(random)")
        }
      }
    }
  }
}
