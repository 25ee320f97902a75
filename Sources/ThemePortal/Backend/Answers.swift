internal import ThemedClientCore
package import ThemedDBus
package import ThemedModel
package import ThemedSystem

/// A key of the portal's namespace `org.freedesktop.appearance`.
package enum Key: String, Sendable, Hashable, CaseIterable {
  case colorScheme = "color-scheme"
  case contrast
  case accentColor = "accent-color"
  case reducedMotion = "reduced-motion"

  package static let namespace: Text = "org.freedesktop.appearance"

  package init?(_ name: Text) {
    guard let key = Self.allCases.first(where: { Text($0.rawValue) == name }) else { return nil }
    self = key
  }

  /// The value for "no preference".
  var neutral: Value {
    // The specification defines a colour out of range as no preference.
    self == .accentColor ? .structure(Array(repeating: .double(-1), count: 3)) : .uint32(0)
  }

  /// A received value in the type that the portal uses, because some backends use another one; ``neutral`` if it has no
  /// meaning.
  func typed(_ value: Value) -> Value {
    if self == .accentColor {
      guard case .structure(let parts) = value, parts.count == 3 else { return neutral }
      let isColor = parts.allSatisfy { if case .double(let number) = $0 { number.isFinite } else { false } }
      return isColor ? value : neutral
    }
    return value.integer.flatMap { UInt32(exactly: $0) }.map { .uint32($0) } ?? neutral
  }
}

/// The backend's answers to the portal: pure, and available at any time.
///
/// It answers only what an override, the schedule, an upstream daemon or the configuration decides; for everything else
/// the portal asks the next backends.
package struct Answers: Sendable, Hashable {
  /// A namespace of our own: a portal that returns our key asks our backend.
  package static let ownNamespace: Text = "org.themed"
  /// The name of that key.
  package static let ownKey: Text = "status"

  /// The values that themed decides.
  package private(set) var decided: [Key: Value] = [:]
  private var status: Text = "waiting"

  package init() {}

  /// The values that this state decides.
  package init(_ state: State) {
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

  /// Whether something other than the desktop decided a field.
  ///
  /// A default decides only if it is dark, because then somebody has configured it. Without an answer programs show
  /// light anyway, and a program that is dark by its own setting may stay dark.
  private static func decides(_ origin: Origin?, _ isDark: Bool = false) -> Bool {
    switch origin?.rule {
    case .override?, .appOverride?, .schedule?, .upstream?: true
    case .default?: isDark
    default: false
    }
  }

  /// The value of a key; nil if the portal has to ask other backends.
  package func value(_ namespace: Text, _ key: Text) -> Value? {
    if namespace == Self.ownNamespace { return key == Self.ownKey ? .string(status) : nil }
    guard namespace == Key.namespace else { return nil }
    return Key(key).flatMap { decided[$0] }
  }

  /// All values of the namespaces that match these patterns, as `a{sa{sv}}`.
  package func values(_ patterns: [Text]) -> Value {
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

  /// Whether a pattern matches a namespace, as in all backends: an empty pattern matches every namespace, and one that
  /// ends with `*` matches by its beginning.
  static func matches(_ namespace: Text, _ pattern: Text) -> Bool {
    if pattern.isEmpty || pattern == namespace { return true }
    guard let prefix = pattern.dropping(suffix: "*") else { return false }
    return namespace.hasPrefix(prefix)
  }
}
