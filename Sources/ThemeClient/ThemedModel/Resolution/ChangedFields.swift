public import ThemedSystem

/// Which override fields were changed, for all apps and for single apps.
public struct ChangedFields: Sendable, Hashable {
  private var all: Set<Field> = []
  /// The fields that were changed for all apps and for every single app, including apps that have no entry.
  private var every: Set<Field> = []
  private var apps: [Text: Set<Field>] = [:]
  private let maximum: Int

  /// No changes yet; it remembers changes of at most `maximum` apps.
  public init(maximum: Int) {
    self.maximum = maximum
  }

  /// Adds changed fields of `app`, or of all apps if `app` is nil.
  public mutating func add(_ fields: [Field], of app: Text?) {
    guard let app else { return all.formUnion(fields) }
    guard apps[app] != nil || apps.count < maximum else { return }
    apps[app, default: []].formUnion(fields)
  }

  /// Adds fields that were changed for all apps and for every single app.
  public mutating func addEverywhere(_ fields: [Field]) {
    every.formUnion(fields)
  }

  /// The overrides that result: changed fields from `overrides`, and all other fields from `kept`.
  ///
  /// The result has at most `maximum` apps. Changed apps come first, and kept apps that exceed the maximum are dropped.
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

extension OverriddenFields {
  fileprivate func replacing(_ fields: Set<Field>, from newer: OverriddenFields) -> OverriddenFields {
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
