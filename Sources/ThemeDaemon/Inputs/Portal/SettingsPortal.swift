internal import DBus
internal import ForeignText

/// The desktop's settings portal: what it is called on the bus, what it is asked, and how its answers are read.
enum SettingsPortal {
  static let name: Text = "org.freedesktop.portal.Desktop"
  static let path = "/org/freedesktop/portal/desktop"
  static let interface = "org.freedesktop.portal.Settings"
  /// What the settings that are followed belong to.
  static let namespace: Text = "org.freedesktop.appearance"

  /// The methods that read one setting.
  enum ReadMethod: String {
    /// From version 2 of the interface on.
    case readOne = "ReadOne"
    /// Deprecated, and all that version 1 has.
    case read = "Read"

    /// The one to be called next, after this one has failed; nil where another would do no better.
    func next(after failure: Failure) -> ReadMethod? {
      self == .readOne && failure.name == unknownMethod ? .read : nil
    }
  }

  /// Has the bus start it.
  static var start: Message { .bus("StartServiceByName", [.string(name), .uint32(0)]) }

  /// Asks for a setting; `owner` is the portal's name on the bus, or that of a backend, whose interface is another.
  static func read(
    _ setting: Setting, by method: ReadMethod, of owner: Text, _ interface: String = interface
  ) -> Message {
    .call(owner, path, interface, method.rawValue, [.string(namespace), .string(Text(setting.rawValue))])
  }

  /// Asks for the version of the interface.
  static func versionQuestion(_ owner: Text) -> Message {
    .call(owner, path, "org.freedesktop.DBus.Properties", "Get", [.string(Text(interface)), .string("version")])
  }

  /// The version that an answer to that tells; nil where it tells none.
  static func version(_ answer: Value?) -> UInt32? {
    if case .variant(.uint32(let version))? = answer { version } else { nil }
  }
}

let unknownMethod: Text = "org.freedesktop.DBus.Error.UnknownMethod"
let notFound: Text = "org.freedesktop.portal.Error.NotFound"
