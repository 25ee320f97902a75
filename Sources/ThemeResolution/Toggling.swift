public import ThemedText

/// What a toggle put away: the rule of the scheme that was there, or that there was none.
///
/// The next toggle puts it back, and so does the end of what the toggle set for a time.
public struct Toggled: Sendable, Hashable {
  /// The rule; nil where there was none.
  public var before: Rule<ColorScheme>?

  /// What was put away.
  public init(before: Rule<ColorScheme>?) {
    self.before = before
  }
}

extension Rules {
  /// Forgets what was put away where nothing would come of it: without it, the next toggle does the same.
  mutating func tidy() {
    guard let before = toggled?.before else {
      if scheme.map({ $0.end == End() }) ?? true { toggled = nil }
      return
    }
    // What is removed without an end would be remembered for ever, and an app with it. A pin is: no toggle sets one.
    if scheme == nil, before.end == End(), before.value != nil { toggled = nil }
  }
}

extension Overrides {
  /// Aims at the opposite of what is shown, for `app` or with nil for all apps.
  ///
  /// Goes back to what the last toggle of this level put away, where that shows it; else removes the level's rule of the
  /// scheme, where that does; else sets one. One that is to end by itself is always set, unless it would follow one of
  /// that kind: that is what is gone back from. So a toggle always has an effect, and toggling twice is nothing: what
  /// was shown before is shown, and ends when it would have.
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

  /// What toggles have put away, of all apps first, then by app.
  public var toggled: [(app: Text?, toggled: Toggled)] {
    let apps = apps.sorted { $0.key < $1.key }.map { (app: Text?.some($0.key), rules: $0.value) }
    return ([(app: nil, rules: all)] + apps).compactMap { app, rules in rules.toggled.map { (app, $0) } }
  }
}
