public import ThemeClientCore
public import ThemedDBus
public import ThemedText

/// A key of the portal's namespace `org.freedesktop.appearance`.
public enum Key: String, Sendable, Hashable, CaseIterable {
  case colorScheme = "color-scheme"
  case contrast
  case accentColor = "accent-color"
  case reducedMotion = "reduced-motion"

  /// What they belong to.
  public static let namespace: Text = "org.freedesktop.appearance"

  /// The key of this name.
  public init?(_ name: Text) {
    guard let key = Self.allCases.first(where: { Text($0.rawValue) == name }) else { return nil }
    self = key
  }

  /// What says that there is no preference.
  var neutral: Value {
    // A colour out of range counts as none.
    self == .accentColor ? .structure(Array(repeating: .double(-1), count: 3)) : .uint32(0)
  }

  /// A value from outside in the portal's own type, for not every backend gives it; ``neutral`` where it has another meaning.
  func typed(_ value: Value) -> Value {
    if self == .accentColor {
      guard case .structure(let parts) = value, parts.count == 3 else { return neutral }
      let isColor = parts.allSatisfy { if case .double(let number) = $0 { number.isFinite } else { false } }
      return isColor ? value : neutral
    }
    return value.integer.flatMap { UInt32(exactly: $0) }.map { .uint32($0) } ?? neutral
  }
}

/// What is answered to the portal: pure, and always at hand.
///
/// Only what an override, the schedule, a daemon that is followed or the configuration decides: to all else the portal
/// asks the backends below.
public struct Answers: Sendable, Hashable {
  /// A key of our own, by which is proved that the portal asks us.
  public static let ownNamespace: Text = "org.themed"
  /// Its name.
  public static let ownKey: Text = "status"

  /// What is decided.
  public private(set) var decided: [Key: Value] = [:]
  private var status: Text = "waiting"

  /// Nothing is known of the daemon.
  public init() {}

  /// What this state decides.
  public init(_ state: ThemeState) {
    if Self.decides(state.origin(of: .scheme), state.scheme == .dark) {
      decided[.colorScheme] = .uint32(state.scheme == .dark ? 1 : 2)
    }
    if let flag = state.highContrast, Self.decides(state.origin(of: .highContrast)) {
      decided[.contrast] = .uint32(flag ? 1 : 0)
    }
    if let flag = state.reducedMotion, Self.decides(state.origin(of: .reducedMotion)) {
      decided[.reducedMotion] = .uint32(flag ? 1 : 0)
    }
    if let color = state.accentColor, Self.decides(state.origin(of: .accentColor)) {
      decided[.accentColor] = .structure([.double(color.red), .double(color.green), .double(color.blue)])
    }
    status = decided.isEmpty ? "following" : "deciding"
  }

  /// Whether it is not the desktop that has decided a field.
  ///
  /// A default decides where it is dark: that somebody has written down. Light is what programs show anyway to whom
  /// nobody says anything, and a program that is dark by itself may go on with that.
  private static func decides(_ origin: ThemeOrigin?, _ isDark: Bool = false) -> Bool {
    switch origin?.rule {
    case .override?, .appOverride?, .schedule?, .upstream?: true
    case .default?: isDark
    default: false
    }
  }

  /// The value of a key; nil where the portal is to ask others.
  public func value(_ namespace: Text, _ key: Text) -> Value? {
    if namespace == Self.ownNamespace { return key == Self.ownKey ? .string(status) : nil }
    guard namespace == Key.namespace else { return nil }
    return Key(key).flatMap { decided[$0] }
  }

  /// All values of the namespaces that these patterns mean, as `a{sa{sv}}`.
  public func values(_ patterns: [Text]) -> Value {
    let appearance = Key.allCases.compactMap { key in decided[key].map { (Text(key.rawValue), $0) } }
    let all = [(Key.namespace, appearance), (Self.ownNamespace, [(Self.ownKey, .string(status))])]
    let meant = all.filter { namespace, values in
      !values.isEmpty && (patterns.isEmpty || patterns.contains { Self.matches(namespace, $0) })
    }
    return .array(
      meant.map { namespace, values in
        let entries = values.map { Value.structure([.string($0), .variant($1)]) }
        return .structure([.string(namespace), .array(entries)])
      })
  }

  /// Whether a pattern means a namespace: the empty one all, one that ends with `*` those that begin so, as all backends
  /// have it.
  static func matches(_ namespace: Text, _ pattern: Text) -> Bool {
    if pattern.isEmpty || pattern == namespace { return true }
    guard let prefix = pattern.dropping(suffix: "*") else { return false }
    return namespace.hasPrefix(prefix)
  }
}
