public import ThemedText

/// Which fields somebody has changed, of all apps' rules and of single apps'.
public struct ChangedFields: Sendable, Hashable {
  private var all: Set<Field> = []
  /// Those of all apps' rules and of every single app's, whatever it is called.
  private var every: Set<Field> = []
  private var apps: [Text: Set<Field>] = [:]
  private let maximum: Int

  /// No field; at most so many apps will be remembered.
  public init(maximum: Int) {
    self.maximum = maximum
  }

  /// Adds fields of `app`, or with nil of all apps.
  public mutating func add(_ fields: [Field], of app: Text?) {
    guard let app else { return all.formUnion(fields) }
    guard apps[app] != nil || apps.count < maximum else { return }
    apps[app, default: []].formUnion(fields)
  }

  /// Adds fields of all apps, and of each single one.
  public mutating func addEverywhere(_ fields: [Field]) {
    every.formUnion(fields)
  }

  /// What holds where `overrides` were changed in these fields, and in the others `kept` holds.
  ///
  /// Of those that are kept, as many apps as are at most `maximum` together with the changed ones; the others go.
  public func merge(_ overrides: Overrides, over kept: Overrides, maximum: Int) -> Overrides {
    var merged = Overrides()
    merged[app: nil] = kept[app: nil].replacing(all.union(every), from: overrides[app: nil])
    for (app, fields) in apps {
      merged[app: app] = kept[app: app].replacing(fields.union(every), from: overrides[app: app])
    }
    for (app, rules) in kept.apps.sorted(by: { $0.key < $1.key }) where apps[app] == nil && merged.apps.count < maximum
    {
      merged[app: app] = rules.replacing(every, from: overrides[app: app])
    }
    return merged
  }
}

extension Rules {
  fileprivate func replacing(_ fields: Set<Field>, from newer: Rules) -> Rules {
    var rules = self
    for field in fields {
      switch field {
      case .scheme: (rules.scheme, rules.toggled) = (newer.scheme, newer.toggled)
      case .highContrast: rules.highContrast = newer.highContrast
      case .reducedMotion: rules.reducedMotion = newer.reducedMotion
      case .accentColor: rules.accentColor = newer.accentColor
      case .lightTheme: rules.lightTheme = newer.lightTheme
      case .darkTheme: rules.darkTheme = newer.darkTheme
      }
    }
    return rules
  }
}
