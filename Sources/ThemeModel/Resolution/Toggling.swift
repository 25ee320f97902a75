public import ThemedSystem

/// The rule of the scheme that a toggle replaced, or that there was none.
///
/// The next toggle restores it. So does the end of a toggle's rule that has an end.
public struct Toggled: Sendable, Hashable {
  /// The rule; nil if there was none.
  public var before: Rule<ColorScheme>?

  /// Remembers the rule that a toggle replaced.
  public init(before: Rule<ColorScheme>?) {
    self.before = before
  }
}

extension Rules {
  /// Forgets what a toggle replaced if the next toggle would do the same without it.
  mutating func tidy() {
    guard let before = toggled?.before else {
      if scheme.map({ $0.end == End() }) ?? true { toggled = nil }
      return
    }
    // A rule without an end that a toggle removed would be remembered for ever, and its app too. A pin is kept, because
    // no toggle can set one.
    if scheme == nil, before.end == End(), before.value != nil { toggled = nil }
  }
}

extension Overrides {
  /// Shows the opposite of what is shown, for `app`, or for all apps if `app` is nil.
  ///
  /// It does the first of these that shows the opposite: restore what the last toggle of these rules replaced, remove
  /// their rule of the scheme, or set a rule.
  ///
  /// A toggle with an end always sets a rule. There is one exception: if the current rule comes from a toggle with an
  /// end, it restores what that one replaced. So a toggle always has an effect, and a second toggle restores what was
  /// shown before, with its end.
  public mutating func toggle(
    app: Text?, until end: End = End(), schedule: Scheduled = .off, reading: Reading, defaults: Defaults
  ) {
    var rules = self[app: app]
    let before = rules.scheme
    let aim = resolve(app: app, schedule: schedule, reading: reading, defaults: defaults).scheme.opposite
    func shows(_ rule: Rule<ColorScheme>?) -> Bool {
      var trial = self
      trial[app: app].scheme = rule
      return trial.resolve(app: app, schedule: schedule, reading: reading, defaults: defaults).scheme == aim
    }
    let lasts = end == End()
    if let toggled = rules.toggled, lasts || before.map({ $0.end != End() }) == true, shows(toggled.before) {
      (rules.scheme, rules.toggled) = (toggled.before, nil)
    } else {
      rules.scheme = lasts && shows(nil) ? nil : Rule(aim, until: end)
      rules.toggled = Toggled(before: before)
    }
    self[app: app] = rules
  }

  /// The rules that toggles have replaced: first for all apps, then by app.
  public var toggled: [(app: Text?, toggled: Toggled)] {
    let apps = apps.sorted { $0.key < $1.key }.map { (app: Text?.some($0.key), rules: $0.value) }
    return ([(app: nil, rules: all)] + apps).compactMap { app, rules in rules.toggled.map { (app, $0) } }
  }
}
