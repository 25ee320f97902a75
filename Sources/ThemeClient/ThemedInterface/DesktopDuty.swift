public import ThemedModel
internal import ThemedSystem
public import ThemedVarlink

/// The reply of `GetDesktopTarget`: what the client that writes the desktop's own setting has to do.
public struct DesktopDuty: Sendable, Hashable {
  /// Whether the desktop is kept in step with what is shown for all apps.
  public var isInStep: Bool
  /// The preference that the desktop asked for by itself.
  public var asked: Preference
  /// The target to write now; nil if nothing has to be written.
  public var target: DesktopTarget?

  /// A duty with these parts.
  public init(isInStep: Bool, asked: Preference, target: DesktopTarget? = nil) {
    self.isInStep = isInStep
    self.asked = asked
    self.target = target
  }

  /// The duty that follows from a saved record; without a record, the desktop asks for `preference`.
  public init(_ record: DesktopSync.Record?, otherwise preference: Preference) {
    self.init(isInStep: record?.isOn ?? false, asked: record?.asked ?? preference, target: record?.target)
  }

  /// The reply of `GetDesktopTarget`.
  public var parameters: JSON.Object {
    [
      "inStep": .bool(isInStep), "asked": .word(asked.rawValue),
      "target": target.map { .object($0.parameters) },
    ]
  }

  /// Reads the reply of `GetDesktopTarget`.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    isInStep = try parameters.require(parameters.bool("inStep"), "inStep")
    asked = try parameters.require(parameters.word("asked", unknown: Preference.none), "asked")
    target = try parameters.structure("target", DesktopTarget.init)
  }
}

extension DesktopTarget {
  /// The target in JSON.
  public var parameters: JSON.Object {
    [
      "number": .integer(number), "scheme": .word(scheme.rawValue),
      "preferences": .array(preferences.map { .word($0.rawValue) }),
    ]
  }

  /// Reads a target.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    let scheme = try parameters.require(parameters.word("scheme", of: ColorScheme.self), "scheme")
    let words = try parameters.require(parameters.strings("preferences"), "preferences")
    let preferences = words.compactMap { Preference(word: $0) }
    guard !preferences.isEmpty else { throw parameters.invalid("preferences") }
    self.init(
      number: try parameters.require(parameters.integer("number"), "number"), scheme: scheme, preferences: preferences)
  }
}
