internal import ThemedDBus
internal import ThemedText

/// A settings portal: what it is called on the bus, what it is asked, and how its answers are read.
struct SettingsPortal: Sendable {
  /// What it is called on the bus.
  let name: Text
  /// As what it is asked.
  let interface: String
  /// The method that it is read by at first.
  var firstMethod = ReadMethod.readOne

  /// The desktop's own.
  static let desktop = SettingsPortal(
    name: "org.freedesktop.portal.Desktop", interface: "org.freedesktop.portal.Settings")

  /// One of the backends that the desktop's portal asks.
  static func backend(_ name: Text) -> SettingsPortal {
    SettingsPortal(name: name, interface: PortalBackends.settings.string, firstMethod: .read)
  }

  static let path = "/org/freedesktop/portal/desktop"
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
  var start: Message { .bus("StartServiceByName", [.string(name), .uint32(0)]) }

  /// Asks for a setting; `owner` is the connection that has the name.
  func read(_ setting: Setting, by method: ReadMethod, of owner: Text) -> Message {
    let arguments = [Value.string(Self.namespace), .string(Text(setting.rawValue))]
    return .call(owner, Self.path, interface, method.rawValue, arguments)
  }

  /// An answer to that, as the desktop's portal takes those of its backends: each has an error of its own for a key that
  /// it does not have, and only few say that it could not be asked.
  func understood(_ answer: Result<Value, Failure>) -> Result<Value, Failure> {
    guard name != Self.desktop.name else { return answer }
    return answer.mapError { failure in
      let isUnasked = Self.unasked.contains(failure.name)
      return isUnasked ? failure : Failure(name: notFound, message: failure.message)
    }
  }

  private static let unasked: [Text] = [
    unknownMethod, noReply, "org.freedesktop.DBus.Error.ServiceUnknown",
    "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.Disconnected",
  ]

  /// Asks for the key of our own backend, by which a portal tells that it asks us.
  func readOurs(of owner: Text) -> Message {
    .call(owner, Self.path, interface, ReadMethod.read.rawValue, [.string("org.themed"), .string("status")])
  }

  /// Asks for the version of the interface.
  func versionQuestion(_ owner: Text) -> Message {
    .call(owner, Self.path, "org.freedesktop.DBus.Properties", "Get", [.string(Text(interface)), .string("version")])
  }

  /// The rule by which the bus tells of changes of its settings.
  var changesMatch: String {
    "sender='\(name)',path='\(Self.path)',interface='\(interface)',member='SettingChanged',arg0='\(Self.namespace)'"
  }

  /// The version that an answer to that tells; nil where it tells none.
  static func version(_ answer: Value?) -> UInt32? {
    if case .variant(.uint32(let version))? = answer { version } else { nil }
  }
}

let unknownMethod: Text = "org.freedesktop.DBus.Error.UnknownMethod"
let notFound: Text = "org.freedesktop.portal.Error.NotFound"
