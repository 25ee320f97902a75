import Appearance
import ForeignText
import TestSupport
import Testing

@testable import ThemeDaemon

/// Clients of a daemon: each by the name that it gave, with the states that it was told.
private final class Audience {
  static let names: [Text?] = [nil, "editor", "browser", "other"]

  let daemon: Daemon
  var told: [Text?: [State]] = [:]
  var causes: [String] = []
  var saves = 0

  init(_ overrides: Overrides = Overrides()) {
    daemon = Daemon(instance: "test", overrides: overrides)
    for name in Self.names { told[name] = [daemon.state(for: name)] }
    daemon.onChange = { [unowned self] change in
      causes.append(change.cause)
      for name in Self.names {
        if let state = change.state(for: name) { told[name]?.append(state) }
      }
    }
    daemon.onEnd = { [unowned self] in saves += 1 }
  }

  func schemes(_ name: Text?) -> [ColorScheme] { (told[name] ?? []).map(\.scheme) }
}

@Suite("The one owner of the truth")
struct DaemonTests {
  @Test("Setting the same override again tells nobody anything; a renewed expiry is told as a state")
  func renewal() {
    let audience = Audience()
    audience.daemon.set(Override(scheme: .dark, expiresAt: 100), cause: "")
    audience.daemon.set(Override(scheme: .dark, expiresAt: 100), cause: "")
    #expect(audience.schemes(nil) == [.light, .dark])
    audience.daemon.set(Override(scheme: .dark, expiresAt: 200), cause: "")
    #expect(audience.schemes(nil) == [.light, .dark, .dark])
  }

  @Test("An app hears only of changes to its own state")
  func ownState() {
    let audience = Audience()
    audience.daemon.set(Override(app: "editor", scheme: .dark), cause: "")
    #expect(audience.schemes("editor") == [.light, .dark])
    #expect(audience.schemes("other") == [.light])
    #expect(audience.schemes(nil) == [.light])
    audience.daemon.set(Override(scheme: .dark), cause: "")
    #expect(audience.schemes("other") == [.light, .dark])
    #expect(audience.schemes("editor") == [.light, .dark], "its own override decides as before")
  }

  @Test("An app that loses its override is told the common state, with a serial that is newer than what it had")
  func lostOverride() throws {
    let audience = Audience()
    audience.daemon.set(Override(app: "editor", scheme: .dark), cause: "")
    audience.daemon.clear(app: "editor", Field.allCases, cause: "")
    #expect(audience.schemes("editor") == [.light, .dark, .light])
    let serials = try #require(audience.told["editor"]).map(\.serial)
    #expect(serials == serials.sorted() && Set(serials).count == serials.count)
    #expect(audience.told[nil]?.count == 1)
  }

  @Test("An expiry is a change with a cause, and is saved")
  func expiry() {
    let audience = Audience()
    audience.daemon.set(Override(scheme: .dark, expiresAt: 100), cause: "set")
    audience.daemon.expire(now: 99)
    #expect(audience.saves == 0)
    audience.daemon.expire(now: 100)
    #expect(audience.causes == ["set", "an override expired"])
    #expect(audience.saves == 1)
  }

  @Test("An override until the desktop changes outlives a flap, and ends when another preference has settled")
  func untilDesktopChanges() {
    let audience = Audience()
    audience.daemon.take(Reading(scheme: .light), cause: "read")
    audience.daemon.settle()
    audience.daemon.set(Override(scheme: .dark, untilDesktopChanges: true), cause: "set")
    audience.daemon.take(Reading(scheme: .dark), cause: "signal")
    audience.daemon.take(Reading(scheme: .light), cause: "read")
    audience.daemon.settle()
    #expect(audience.daemon.overrides.count == 1)
    audience.daemon.take(Reading(scheme: .none), cause: "signal")
    audience.daemon.settle()
    #expect(audience.daemon.overrides.count == 0)
    #expect(audience.daemon.state(for: nil).scheme == .light)
    #expect(audience.saves == 1)
  }

  @Test("A daemon that was restarted knows what the desktop changes from")
  func restoredReading() {
    let daemon = Daemon(instance: "test", overrides: Overrides(), reading: Reading(scheme: .light))
    daemon.set(Override(scheme: .dark, untilDesktopChanges: true), cause: "")
    daemon.take(Reading(scheme: .none), cause: "")
    daemon.settle()
    #expect(daemon.overrides.count == 0)
  }

  /// What should hold, written down as a list of facts: the newest that is of a level and a field wins.
  private struct Model {
    struct Fact {
      var app: Text?
      var field: Field
      var scheme: Mode?
      var flag: Bool?
      var expiresAt: Int64?
      /// The desktop's settled preference when this was set, where its change ends it.
      var until: Preference?
    }
    /// The last that the desktop said and stood by.
    var settled = Preference.unavailable
    var facts: [Fact] = []
    var reading = Reading()
    var now: Int64 = 1_000

    func value(_ app: Text?, _ field: Field) -> Fact? {
      facts.last { $0.app == app && $0.field == field }
    }

    mutating func set(_ fact: Fact) {
      facts.removeAll { $0.app == fact.app && $0.field == fact.field }
      if !(fact.app == nil && fact.scheme == .auto) { facts.append(fact) }
    }

    mutating func settle() {
      settled = reading.scheme
      if settled == .unavailable { return }
      facts.removeAll { fact in fact.until.map { $0 != .unavailable && $0 != settled } ?? false }
      for index in facts.indices where facts[index].until != nil { facts[index].until = settled }
    }

    mutating func tick(to time: Int64) {
      now = time
      facts.removeAll { $0.expiresAt.map { $0 <= time } ?? false }
    }

    func scheme(_ app: Text?) -> ColorScheme {
      for level in app == nil ? [nil] : [app, nil] {
        switch value(level, .scheme)?.scheme {
        case .light: return .light
        case .dark: return .dark
        case .auto: return reading.scheme == .dark ? .dark : .light
        case nil: continue
        }
      }
      return reading.scheme == .dark ? .dark : .light
    }

    func contrast(_ app: Text?) -> Bool? {
      (app == nil ? nil : value(app, .highContrast)?.flag) ?? value(nil, .highContrast)?.flag ?? reading.highContrast
    }
  }

  @Test("Whatever happens in whatever order, every client was last told what an independent model says")
  func model() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let audience = Audience()
      var model = Model()
      for _ in 0..<60 {
        let app = Audience.names.randomElement(using: &random) ?? nil
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          let mode = Mode.allCases.randomElement(using: &random) ?? .auto
          let expiresAt = Bool.random(using: &random) ? model.now + Int64.random(in: 1...50, using: &random) : nil
          let untilChanged = Bool.random(using: &random)
          audience.daemon.set(
            Override(app: app, scheme: mode, expiresAt: expiresAt, untilDesktopChanges: untilChanged), cause: "")
          model.set(
            .init(
              app: app, field: .scheme, scheme: mode, expiresAt: expiresAt, until: untilChanged ? model.settled : nil))
        case 2:
          let flag = Bool.random(using: &random)
          audience.daemon.set(Override(app: app, highContrast: flag), cause: "")
          model.set(.init(app: app, field: .highContrast, flag: flag))
        case 3:
          let field = [Field.scheme, .highContrast].randomElement(using: &random) ?? .scheme
          audience.daemon.clear(app: app, [field], cause: "")
          model.facts.removeAll { $0.app == app && $0.field == field }
        case 4:
          model.tick(to: model.now + Int64.random(in: 0...30, using: &random))
          audience.daemon.expire(now: model.now)
        case 5:
          let shown = model.scheme(app)
          audience.daemon.toggle(app: app, cause: "")
          model.facts.removeAll { $0.app == app && $0.field == .scheme }
          if model.scheme(app) == shown {
            model.set(.init(app: app, field: .scheme, scheme: Mode(shown.opposite)))
          }
        case 6:
          audience.daemon.settle()
          model.settle()
        default:
          model.reading.scheme = Preference.allCases.randomElement(using: &random) ?? .none
          model.reading.highContrast = [nil, false, true].randomElement(using: &random) ?? nil
          audience.daemon.take(model.reading, cause: "")
        }
        for name in Audience.names {
          let told = audience.told[name]?.last
          #expect(told?.scheme == model.scheme(name), "seed \(seed)")
          #expect(told?.resolution.highContrast == model.contrast(name), "seed \(seed)")
          #expect(told?.resolution == audience.daemon.state(for: name).resolution, "seed \(seed)")
        }
      }
      for states in audience.told.values {
        for (older, newer) in zip(states, states.dropFirst()) {
          #expect(older.serial < newer.serial && older.resolution != newer.resolution, "seed \(seed)")
        }
      }
    }
  }
}
