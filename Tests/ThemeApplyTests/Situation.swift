@testable import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// A state as the daemon says it: this scheme of a theme.
func shown(_ scheme: ColorScheme, _ theme: String = "mint") -> Shown {
  Shown(State(scheme: scheme, theme: Text(theme)))
}

/// A state that the desktop has not confirmed in this session: what it asked for last, or with `isKnown` false the default.
func guess(_ scheme: ColorScheme, isKnown: Bool = true) -> Shown {
  let origin = isKnown ? Origin(.portal, isRemembered: true) : Origin(.default)
  let desktop: Preference = isKnown ? (scheme == .dark ? .dark : .light) : .unavailable
  return Shown(State(scheme: scheme, desktop: desktop, theme: "mint", origins: ["scheme": origin]))
}

func recipe(_ name: Text, terminal: Bool = false, rest: Int = 0) -> Recipe {
  var app = App(name: name)
  app.debounce = rest
  if terminal { app.terminal = App.Terminal(processes: ["foot"]) }
  return Recipe(app: app, templates: [:], fallback: Theme(name: "default"))
}

func hook(_ name: Text, scheme: ColorScheme? = nil) -> Hook {
  Hook(name: name, path: "/\(name)", takesScheme: true, scheme: scheme, seconds: 5)
}

extension LaneName {
  static func app(_ name: Text) -> LaneName { LaneName(kind: .app, name: name) }
  static func terminal(_ name: Text) -> LaneName { LaneName(kind: .terminal, name: name) }
  static func hook(_ name: Text) -> LaneName { LaneName(kind: .hook, name: name) }
}

extension Outcome {
  static let good = Outcome()

  /// Well, and somebody was too young.
  static var later: Outcome {
    var outcome = Outcome()
    (outcome.young, outcome.comesAgain) = ([ProcessIdentity(number: 1, start: 1)], 500)
    return outcome
  }

  static func bad(mendsItself: Bool = false) -> Outcome {
    var outcome = Outcome()
    outcome.fail("write", Problem(text: "no", advice: "do"), mendsItself: mendsItself)
    return outcome
  }
}
