internal import ThemedModel
internal import ThemedDBus
internal import ThemedSystem

/// A settings portal: its name on the bus, the calls to it, and the meaning of its answers.
struct SettingsPortal: Sendable {
  let name: Text
  /// The interface that it is called by.
  let interface: String
  var firstMethod = ReadMethod.readOne

  static let desktop = SettingsPortal(
    name: "org.freedesktop.portal.Desktop", interface: "org.freedesktop.portal.Settings")

  static func backend(_ name: Text) -> SettingsPortal {
    SettingsPortal(name: name, interface: PortalBackends.settings.string, firstMethod: .read)
  }

  static let path = "/org/freedesktop/portal/desktop"
  /// The namespace of the settings that are followed.
  static let namespace: Text = "org.freedesktop.appearance"

  /// The namespace of the backends' names, and what makes the bus tell of their owners.
  static let backends = "org.freedesktop.impl.portal.desktop"
  static let backendsMatch =
    "sender='\(busName)',path='/org/freedesktop/DBus',interface='\(busName)',member='NameOwnerChanged',"
    + "arg0namespace='\(backends)'"

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

  func versionQuestion(_ owner: Text) -> Message {
    .call(owner, Self.path, "org.freedesktop.DBus.Properties", "Get", [.string(Text(interface)), .string("version")])
  }

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

/// A key of the portal's namespace `org.freedesktop.appearance`.
enum Setting: String, CaseIterable, Sendable {
  case colorScheme = "color-scheme"
  case contrast = "contrast"
  case accentColor = "accent-color"
  case reducedMotion = "reduced-motion"
}

extension Reading {
  /// Takes over the portal's value of `setting`; returns whether it has the type of the portal's specification.
  ///
  /// Other types are accepted as far as they make sense, and otherwise count as "no preference".
  mutating func learn(_ setting: Setting, _ value: Value) -> Bool {
    let value = value.unwrapped
    switch setting {
    case .colorScheme: scheme = value.preference
    case .contrast: highContrast = value.integer == 1
    case .reducedMotion: reducedMotion = value.integer == 1
    case .accentColor:
      accentColor = value.color
      if case .structure(let parts) = value, parts.count == 3 { return true }
      return false
    }
    if case .uint32 = value { return true }
    return false
  }

  /// The portal does not have `setting`; every portal has a color scheme.
  mutating func forget(_ setting: Setting) {
    switch setting {
    case .colorScheme: break
    case .contrast: highContrast = nil
    case .reducedMotion: reducedMotion = nil
    case .accentColor: accentColor = nil
    }
  }
}

extension Value {
  /// The beginning of the value for a message, because a portal's value may be long.
  var excerpt: String { text(atMost: Limits.excerpt) }

  /// The value as a color scheme of the portal.
  var colorScheme: Preference { unwrapped.preference }

  fileprivate var preference: Preference {
    // Some backends send `i` instead of `u`.
    switch integer {
    case 1: .dark
    case 2: .light
    default: .none
    }
  }

  /// The value as a colour with eight bits per component, as clients get it; smaller differences are no change.
  fileprivate var color: Color? {
    guard case .structure(let parts) = self, parts.count == 3, case .double(let red) = parts[0],
      case .double(let green) = parts[1], case .double(let blue) = parts[2]
    else { return nil }
    return Color(red: red, green: green, blue: blue)?.rounded
  }
}

/// The answers to a read of the portal: a value or a failure for each setting.
struct PortalAnswers: Hashable {
  private(set) var values: [Setting: Value] = [:]
  private var failures: [Setting: Failure] = [:]
  private var unanswered: Set<Setting>

  /// Waits for the answers for these settings; for none if nothing is being read.
  init(awaiting settings: Set<Setting> = []) { unanswered = settings }

  func awaits(_ setting: Setting) -> Bool { unanswered.contains(setting) }

  var areComplete: Bool { unanswered.isEmpty }

  mutating func note(_ setting: Setting, _ answer: Result<Value, Failure>) {
    unanswered.remove(setting)
    switch answer {
    case .success(let value): values[setting] = value
    case .failure(let failure): failures[setting] = failure
    }
  }

  /// The settings that a working portal does not have; the previous desktop may have had them.
  ///
  /// If the color scheme is missing too, the backend itself is missing, and the last good values stay in force.
  var missing: [Setting] {
    guard values[.colorScheme] != nil else { return [] }
    return failures.filter { $0.value.name == notFound }.map(\.key)
  }

  /// Why the read failed, if it did; the color scheme's failure comes first, so that the result is always the same.
  ///
  /// A setting that the portal does not have is not a failure.
  var failure: Failure? {
    Setting.allCases.compactMap { failures[$0] }.first { $0.name != notFound }
  }
}
