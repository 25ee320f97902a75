internal import ThemedDBus
internal import ThemedSystem

/// A settings portal: its name on the bus, the calls to it, and the meaning of its answers.
struct SettingsPortal: Sendable {
  /// Its name on the bus.
  let name: Text
  /// The interface that it is called by.
  let interface: String
  /// The first method to try.
  var firstMethod = ReadMethod.readOne

  /// The desktop's own portal.
  static let desktop = SettingsPortal(
    name: "org.freedesktop.portal.Desktop", interface: "org.freedesktop.portal.Settings")

  /// A backend of the desktop's portal.
  static func backend(_ name: Text) -> SettingsPortal {
    SettingsPortal(name: name, interface: PortalBackends.settings.string, firstMethod: .read)
  }

  static let path = "/org/freedesktop/portal/desktop"
  /// The namespace of the settings that are followed.
  static let namespace: Text = "org.freedesktop.appearance"

  /// The methods that read one setting.
  enum ReadMethod: String {
    /// In version 2 of the interface and later.
    case readOne = "ReadOne"
    /// Deprecated, but the only one in version 1.
    case read = "Read"

    /// The method to try after this one has failed; nil if another one would not help.
    func next(after failure: Failure) -> ReadMethod? {
      self == .readOne && failure.name == unknownMethod ? .read : nil
    }
  }

  /// The call that makes the bus start it.
  var start: Message { .bus("StartServiceByName", [.string(name), .uint32(0)]) }

  /// The call that reads a setting; `owner` is the connection that has the name.
  func read(_ setting: Setting, by method: ReadMethod, of owner: Text) -> Message {
    let arguments = [Value.string(Self.namespace), .string(Text(setting.rawValue))]
    return .call(owner, Self.path, interface, method.rawValue, arguments)
  }

  /// An answer as the desktop's portal interprets the answers of its backends.
  ///
  /// Each backend has its own error for a key that it does not have, and only a few errors mean that it could not be
  /// asked.
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

  /// The call that reads our own backend's key; a portal that has it asks our backend.
  func readOurs(of owner: Text) -> Message {
    .call(owner, Self.path, interface, ReadMethod.read.rawValue, [.string("org.themed"), .string("status")])
  }

  /// The call that reads the version of the interface.
  func versionQuestion(_ owner: Text) -> Message {
    .call(owner, Self.path, "org.freedesktop.DBus.Properties", "Get", [.string(Text(interface)), .string("version")])
  }

  /// The match rule for changes of its settings.
  var changesMatch: String {
    "sender='\(name)',path='\(Self.path)',interface='\(interface)',member='SettingChanged',arg0='\(Self.namespace)'"
  }

  /// The version in an answer to that; nil if it has none.
  static func version(_ answer: Value?) -> UInt32? {
    if case .variant(.uint32(let version))? = answer { version } else { nil }
  }
}

let unknownMethod: Text = "org.freedesktop.DBus.Error.UnknownMethod"
let notFound: Text = "org.freedesktop.portal.Error.NotFound"
