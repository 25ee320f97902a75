internal import DBus

// What systemd's user manager is asked, and how its answers are read.

extension GraphicalSession.Manager {
  static let name = "org.freedesktop.systemd1"
  static let path = "/org/freedesktop/systemd1"
  static let interface = "org.freedesktop.systemd1.Manager"
  static let properties = "org.freedesktop.DBus.Properties"
  /// graphical-session.target, escaped as systemd documents it; an object that is not loaded yet is when it is asked.
  static let target = path + "/unit/graphical_2dsession_2etarget"

  /// Has the manager send signals.
  static var subscription: Message { .call(name, path, interface, "Subscribe") }
  /// Asks for the environment that it gives to services.
  static var environmentQuestion: Message {
    .call(name, path, properties, "Get", [.string(interface), .string("Environment")])
  }
  /// Asks how the target is.
  static var targetQuestion: Message {
    .call(name, target, properties, "GetAll", [.string("org.freedesktop.systemd1.Unit")])
  }

  /// What systemd's properties say: the manager's `Environment`, and all of the target's.
  init(environment: Value, target: Value) {
    if case .variant(.array(let assignments)) = environment {
      for case .string(let text) in assignments where Self.names.contains(where: { text.hasPrefix($0) && text != $0 }) {
        displays.insert(text)
      }
    }
    guard case .array(let entries) = target else { return }
    for case .structure(let entry) in entries {
      guard entry.count == 2, case .string(let name) = entry[0], case .variant(let value) = entry[1] else { continue }
      switch (name, value) {
      case ("ActiveState", .string(let state)): self.target = state
      case ("Job", .structure(let job)): if case .uint32(let id)? = job.first { hasJob = id != 0 }
      case ("ActiveExitTimestampMonotonic", .uint64(let time)): wentDown = time
      default: break
      }
    }
  }

  private static let names = ["DISPLAY=", "WAYLAND_DISPLAY="]
}
