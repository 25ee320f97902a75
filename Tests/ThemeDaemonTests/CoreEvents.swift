import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

// What tests have happen to a core, in fewer words.

extension Event {
  private static let tester = Caller(connection: 1, method: .setOverride, process: 1)

  static func set(_ override: Override, clear: [Field] = [], _ themes: ThemeTable = ThemeTable()) -> Event {
    .set(override, clear: clear, themes, by: tester)
  }

  static func clear(_ fields: [Field] = Field.allCases, app: Text? = nil, everyApp: Bool = false) -> Event {
    .clear(fields, app: app, everyApp: everyApp, by: tester)
  }

  static func toggle(app: Text? = nil, until end: Override = Override()) -> Event {
    .toggle(app: app, until: end, by: tester)
  }

  static func desktop(_ reading: Reading) -> Event { .desktop(reading, cause: "a test") }
}

extension Effect {
  /// What is to be told to those who monitor.
  var change: Change? { if case .publish(let change) = self { change } else { nil } }
}

extension Core {
  /// Has the configuration say this, and the themes that it names read at once; what changes.
  mutating func configure(_ defaults: Defaults, _ themes: ThemeTable = ThemeTable()) -> [Change] {
    let effects = handle(.configured(defaults, cause: "a test"))
    guard case .read(_, let number?)? = effects.last else { return effects.compactMap(\.change) }
    return (effects + handle(.read(themes, number: number))).compactMap(\.change)
  }
}
