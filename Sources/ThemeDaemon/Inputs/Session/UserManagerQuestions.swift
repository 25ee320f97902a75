internal import ThemedDBus
internal import ThemedSystem

// The questions to systemd's user manager, and the meaning of its answers.

extension GraphicalSession.Manager {
  static let name: Text = "org.freedesktop.systemd1"
  static let path = "/org/freedesktop/systemd1"
  static let interface = "org.freedesktop.systemd1.Manager"
  static let properties = "org.freedesktop.DBus.Properties"
  /// graphical-session.target, escaped as systemd documents it; asking for the object loads it if necessary.
  static let target = path + "/unit/graphical_2dsession_2etarget"

  /// The call that makes the manager with the bus name `owner` send signals.
  static func subscription(_ owner: Text) -> Message { .call(owner, path, interface, "Subscribe") }
  /// The call that reads the environment that the manager gives to services.
  static func environmentQuestion(_ owner: Text) -> Message {
    .call(owner, path, properties, "Get", [.string(Text(interface)), .string("Environment")])
  }
  /// The variables in an answer to that; nil if the answer is something else.
  static func variables(_ answer: Value?) -> [Text: Text]? {
    guard case .variant(.array(let values))? = answer else { return nil }
    let texts = values.compactMap { value in if case .string(let text) = value { text } else { nil } }
    return PortalProgram.dictionary(texts)
  }
  /// The call that reads the state of the target.
  static func targetQuestion(_ owner: Text) -> Message {
    .call(owner, target, properties, "GetAll", [.string("org.freedesktop.systemd1.Unit")])
  }
  /// The call that asks for all jobs.
  ///
  /// It does not ask the portal's unit for its own job: that would load the unit, which changes the target that the
  /// unit belongs to, so that we would be notified and ask again.
  static func jobsQuestion(_ owner: Text) -> Message { .call(owner, path, interface, "ListJobs") }
  /// The call that asks whether a unit is enabled or masked.
  static func unitFileQuestion(_ owner: Text, _ unit: Text) -> Message {
    .call(owner, path, interface, "GetUnitFileState", [.string(unit)])
  }

  /// Reads systemd's properties: the manager's `Environment`, all of the target's, and the list of jobs.
  init(environment: Value, target: Value, jobs: Value = .other) {
    if case .array(let jobs) = jobs {
      hasPortalJob = jobs.contains { job in
        if case .structure(let parts) = job, parts.count > 1 { parts[1] == .string(Self.portal) } else { false }
      }
    }
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
      case .structure(let job) where name == "Job": if case .uint32(let id)? = job.first { hasJob = id != 0 }
      case .uint64(let time) where name == "ActiveExitTimestampMonotonic": wentDown = time
      default: break
      }
    }
  }

  /// The portal's unit.
  static let portal: Text = "xdg-desktop-portal.service"
  private static let names: [Text] = ["DISPLAY=", "WAYLAND_DISPLAY="]
}
