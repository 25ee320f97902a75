internal import ThemedDBus
internal import ThemedText

// What systemd's user manager is asked, and how its answers are read.

extension GraphicalSession.Manager {
  static let name: Text = "org.freedesktop.systemd1"
  static let path = "/org/freedesktop/systemd1"
  static let interface = "org.freedesktop.systemd1.Manager"
  static let properties = "org.freedesktop.DBus.Properties"
  /// graphical-session.target, escaped as systemd documents it; an object that is not loaded yet is when it is asked.
  static let target = path + "/unit/graphical_2dsession_2etarget"

  /// xdg-desktop-portal.service, likewise.
  private static let portal = path + "/unit/xdg_2ddesktop_2dportal_2eservice"

  /// Has the manager, whose name on the bus `owner` is, send signals.
  static func subscription(_ owner: Text) -> Message { .call(owner, path, interface, "Subscribe") }
  /// Asks for the environment that it gives to services.
  static func environmentQuestion(_ owner: Text) -> Message {
    .call(owner, path, properties, "Get", [.string(Text(interface)), .string("Environment")])
  }
  /// Asks how the target is.
  static func targetQuestion(_ owner: Text) -> Message {
    .call(owner, target, properties, "GetAll", [.string("org.freedesktop.systemd1.Unit")])
  }
  /// Asks whether the portal's unit has a job.
  static func portalQuestion(_ owner: Text) -> Message {
    .call(owner, portal, properties, "Get", [.string("org.freedesktop.systemd1.Unit"), .string("Job")])
  }
  /// Asks whether a unit is enabled.
  static func unitFileQuestion(_ owner: Text, _ unit: Text) -> Message {
    .call(owner, path, interface, "GetUnitFileState", [.string(unit)])
  }

  /// What systemd's properties say: the manager's `Environment`, all of the target's, and the `Job` of the portal's unit.
  init(environment: Value, target: Value, portalJob: Value = .other) {
    if case .variant(let job) = portalJob { hasPortalJob = Self.isJob(job) }
    if case .variant(.array(let assignments)) = environment {
      for case .string(let text) in assignments where Self.names.contains(where: { text.hasPrefix($0) && text != $0 }) {
        displays.insert(text)
      }
    }
    guard case .array(let entries) = target else { return }
    for case .structure(let entry) in entries {
      guard entry.count == 2, case .string(let name) = entry[0], case .variant(let value) = entry[1] else { continue }
      switch value {
      case .string(let state) where name == "ActiveState": self.target = state
      case .structure where name == "Job": hasJob = Self.isJob(value)
      case .uint64(let time) where name == "ActiveExitTimestampMonotonic": wentDown = time
      default: break
      }
    }
  }

  /// Whether a `Job` is one: without any, its number is 0.
  private static func isJob(_ value: Value) -> Bool {
    guard case .structure(let job) = value, case .uint32(let number)? = job.first else { return false }
    return number != 0
  }

  private static let names: [Text] = ["DISPLAY=", "WAYLAND_DISPLAY="]
}
