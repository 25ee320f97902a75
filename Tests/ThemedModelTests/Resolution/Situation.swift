import ThemedModel
import ThemedSystem

/// What an override says of the scheme.
enum Mode: String, CaseIterable {
  case auto, light, dark
}

extension Override {
  /// The override that says this of the scheme.
  init(app: Text? = nil, _ mode: Mode) {
    self.init(app: app, scheme: ColorScheme(rawValue: mode.rawValue), auto: mode == .auto ? [.scheme] : [])
  }
}

/// Everything that the scheme depends on.
struct Situation: Sendable, Hashable {
  var app: Mode?
  var all: Mode?
  var desktop: Preference
  var defaults: Defaults

  /// Each once.
  static var all: [Situation] {
    var every: [Situation] = []
    for app in modes {
      for all in modes {
        for desktop in Preference.allCases {
          for defaults in everyDefaults {
            every.append(Situation(app: app, all: all, desktop: desktop, defaults: defaults))
          }
        }
      }
    }
    return every
  }

  private static let modes: [Mode?] = [nil] + Mode.allCases
  private static let everyDefaults = ColorScheme.allCases.flatMap { noPreference in
    ColorScheme.allCases.map { Defaults(noPreference: noPreference, noDesktop: $0) }
  }

  var appOverride: Override? { app.map { Override(app: "editor", $0) } }
  var allOverride: Override? { all.map { Override($0) } }
  var reading: Reading { Reading(scheme: desktop) }

  func resolve() -> Resolution {
    ThemedModel.resolve(
      app: app.map { OverriddenFields(Override($0)) }, all: OverriddenFields(allOverride ?? Override()),
      reading: reading,
      defaults: defaults)
  }

  /// What the rules say, in another form than the code's: a list of words, of which the first holds.
  var expected: (ColorScheme, Rule) {
    let shows: [Mode: ColorScheme] = [.light: .light, .dark: .dark]
    // An app that is pinned to the desktop does not hear what holds for all.
    let heard = app == .auto ? nil : all
    var words: [(ColorScheme?, Rule)] = [
      (app.flatMap { shows[$0] }, .appOverride), (heard.flatMap { shows[$0] }, .override),
    ]
    words.append(([.light: .light, .dark: .dark][desktop], .portal))
    words.append((desktop == .unavailable ? defaults.noDesktop : defaults.noPreference, .default))
    for case (let scheme?, let origin) in words { return (scheme, origin) }
    return (.light, .default)
  }
}

/// Every way to take three of these.
func triples<Value>(_ values: [Value]) -> [(Value, Value, Value)] {
  values.flatMap { first in values.flatMap { second in values.map { (first, second, $0) } } }
}

extension OverriddenFields {
  /// The rules that one override makes.
  init(_ override: Override, desktop: Preference = .unavailable) {
    self.init()
    set(override, until: End(of: override, desktop: desktop))
  }
}

extension Overrides {
  /// Sets an override as the daemon does.
  mutating func set(_ override: Override, desktop: Preference = .unavailable) {
    self[app: override.app].set(override, until: End(of: override, desktop: desktop))
  }

  /// Removes all rules of an app, or with nil those of all apps.
  mutating func clear(app: Text?) {
    self[app: app] = OverriddenFields()
  }

  /// What clients are told that holds.
  var told: [Override] { list.map(\.override) }
}
