internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The overrides as a file: `overrides.json` in the state directory.
struct OverrideFile {
  /// Why a state file cannot be used although it could be read.
  struct Damage: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private static let version: Int64 = 1

  static func content(_ overrides: Overrides) -> [UInt8] {
    let list = overrides.list.map { entry($0.override, $0.end) }
    let toggled = overrides.toggled.map { app, toggled in
      let before = toggled.before
      let override = Override(
        app: app, scheme: before?.value, auto: before != nil && before?.value == nil ? [.scheme] : [],
        expiresAt: before?.end.expiresAt,
        untilDesktopChanges: before?.end.desktopWas.map { _ in true })
      return entry(override, before?.end ?? End())
    }
    var file: JSON.Object = ["version": .integer(version), "overrides": .array(list)]
    if !toggled.isEmpty { file["toggled"] = .array(toggled) }
    return JSON.object(file).bytes + [UInt8(ascii: "\n")]
  }

  private static func entry(_ override: Override, _ end: End) -> JSON {
    var entry = override.parameters
    entry["desktopWas"] = end.desktopWas.map { .word($0.rawValue) }
    entry["turn"] = end.turn.map { .object($0.parameters) }
    return .object(entry)
  }

  /// Reads what ``content(_:)`` made.
  static func parse(_ bytes: [UInt8]) throws(Damage) -> Overrides {
    var overrides = Overrides()
    do {
      guard case .object(let object) = try JSON(parsing: bytes) else {
        throw Damage(description: "it is not a JSON object")
      }
      var file = Parameters(object)
      guard try file.integer("version") == version else {
        throw Damage(description: "its version is not \(version), the only one that this daemon reads")
      }
      guard case .array(let list)? = file.value("overrides") else {
        throw Damage(description: "'overrides' is missing or not a list")
      }
      let toggled: [JSON]
      switch file.value("toggled") {
      case nil: toggled = []
      case .array(let list)?: toggled = list
      default: throw Damage(description: "'toggled' is not a list")
      }
      try file.finish()
      for (override, end) in try entries(list) { overrides[app: override.app].set(override, until: end) }
      // After the rules, because setting a scheme forgets what a toggle replaced.
      for (override, end) in try entries(toggled) {
        overrides[app: override.app].toggled = Toggled(
          before: override.fields.isEmpty ? nil : OverriddenField(override.scheme, until: end))
      }
    } catch let damage as Damage {
      throw damage
    } catch let error as VarlinkError {
      throw Damage(description: "a wrong or unknown member: \(JSON.object(error.parameters).text)")
    } catch {
      throw Damage(description: "\(error)")
    }
    return overrides
  }

  private static func entries(_ list: [JSON]) throws -> [(Override, End)] {
    try list.map { value in
      guard case .object(let object) = value else { throw Damage(description: "an override is not a JSON object") }
      var parameters = Parameters(object.inPresentForm)
      let override = try Override(reading: &parameters)
      let desktopWas = try parameters.word("desktopWas", of: Preference.self)
      let turn = try parameters.structure("turn", Switch.init)
      try parameters.finish()
      // No client could name this app, or remove its override.
      guard override.app.map(isAppName) ?? true else { throw Damage(description: "the name of an app is invalid") }
      // No clock shows such times, and they cannot be calculated with.
      guard override.expiresAt.map(Limits.expiryTimes.contains) ?? true else {
        throw Damage(description: "the end of an override is invalid")
      }
      guard turn.map({ Limits.expiryTimes.contains($0.time) }) ?? true else {
        throw Damage(description: "the time of a schedule's switch is invalid")
      }
      let end = desktopWas.map { End(expiresAt: override.expiresAt, desktopWas: $0, turn: turn) }
      return (override, end ?? End(of: override, desktop: .unavailable))
    }
  }
}

extension JSON.Object {
  /// The object in the form of this version.
  ///
  /// Earlier versions saved the accent colour as three numbers from 0 to 1, and a pinned scheme as the scheme `auto`.
  var inPresentForm: JSON.Object {
    var object = self
    if self["scheme"] == .word("auto") {
      object["scheme"] = nil
      var auto: [JSON] = [.word(Field.scheme.rawValue)]
      if case .array(let others)? = self["auto"] { auto += others }
      object["auto"] = .array(auto)
    }
    guard case .object(let components)? = self["accentColor"] else { return object }
    var parts = Parameters(components)
    func component(_ name: Text) -> Double? { (try? parts.number(name)) ?? nil }
    guard let red = component("red"), let green = component("green"), let blue = component("blue"),
      let color = Color(red: red, green: green, blue: blue), (try? parts.finish()) != nil
    else { return object }
    object["accentColor"] = .word(color.hexadecimal)
    return object
  }
}
