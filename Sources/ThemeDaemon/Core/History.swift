internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

/// The states that subscribers received last; with them, another process can continue as if it were the same.
struct History: Hashable {
  /// The name of this series of states.
  var instance: Text
  /// The newest serial of a state.
  var serial: Int64
  /// The desktop's preference.
  var reading: Reading
  /// The schedule's last scheme.
  var scheduled = Scheduled.unknown
  /// The state for clients without a name and for apps without rules.
  var common: State
  /// The states of the apps that have rules.
  var apps: [Text: State]
}

extension History {
  /// The longest name of an instance, in bytes.
  private static let longestInstance = 64
  /// Higher serials are damage: no daemon runs long enough for them.
  private static let highestSerial: Int64 = 1 << 53

  /// The history in the form for another process.
  var parameters: JSON.Object {
    let apps = apps.sorted { $0.key < $1.key }.map { app, state in
      JSON.object(["app": .string(app), "state": .object(state.parameters)])
    }
    return [
      "instance": .string(instance), "serial": .integer(serial), "reading": .object(reading.parameters),
      "schedule": scheduled.parameters.map(JSON.object), "common": .object(common.parameters), "apps": .array(apps),
    ]
  }

  /// Reads a history.
  init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    instance = try parameters.require(parameters.string("instance"), "instance")
    serial = try parameters.require(parameters.integer("serial"), "serial")
    reading = try Reading(parameters.require(parameters.structure("reading"), "reading"))
    scheduled = try parameters.structure("schedule", Scheduled.init) ?? .unknown
    common = try State(parameters.require(parameters.structure("common"), "common"))
    apps = [:]
    guard case .array(let members)? = parameters.value("apps") else { throw parameters.invalid("apps") }
    for member in members {
      guard case .object(let object) = member else { throw parameters.invalid("apps") }
      var entry = Parameters(object)
      let app = try entry.require(entry.string("app"), "app")
      apps[app] = try State(entry.require(entry.structure("state"), "state"))
    }
    guard !instance.isEmpty, instance.count <= Self.longestInstance else { throw parameters.invalid("instance") }
    guard (1...Self.highestSerial).contains(serial) else { throw parameters.invalid("serial") }
    for state in [common] + apps.values {
      guard state.instance == instance, (1...serial).contains(state.serial) else { throw parameters.invalid("serial") }
    }
  }
}

extension Scheduled {
  /// The parts of the schedule that another process needs; nil if the schedule is not known.
  fileprivate var parameters: JSON.Object? {
    switch self {
    case .unknown: nil
    case .off: [:]
    case .by(let scheme, let next): ["scheme": .word(scheme.rawValue), "next": next.map { .object($0.parameters) }]
    }
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    guard let scheme = try parameters.word("scheme", of: ColorScheme.self) else {
      self = .off
      return
    }
    self = .by(scheme, next: try parameters.structure("next", Switch.init))
  }
}
