internal import ThemeInterface
internal import ThemedDBus
internal import ThemedSystem

/// Records the portal's answers and failures for the diagnostics: pure, and without influence on what is shown.
struct PortalRecord {
  /// The record in the form of the diagnostics.
  var portal: Diagnostics.Portal {
    var portal = record
    portal.standsIn = (hasReading || record.value != nil) && (owner == nil || reader != owner)
    return portal
  }

  private let hasReading: Bool
  private var owner: Text?
  private var record = Diagnostics.Portal()
  /// The portal that gave the value, and the last signal since then.
  private var reader: Text?
  private var signal: Value?
  /// The read whose answer counts: a signal makes the answer to an earlier read outdated.
  private var read: PortalFollower.Read.ID?

  /// A record; `hasReading` says whether an earlier process left a reading.
  init(hasReading: Bool = false) {
    self.hasReading = hasReading
  }

  /// The bus reported the owner of the portal's name; nil: none.
  mutating func owner(is name: Text?) {
    guard name != owner else { return }
    owner = name
    record.owner = name.map { "\($0.shown(atMost: 255))" }
    record.version = nil
    if name != nil { record.deniedSignal = nil }
    (signal, read) = (nil, nil)
  }

  /// The portal is being read again.
  mutating func asked(_ id: PortalFollower.Read.ID) { read = id }

  /// The portal sent a signal about the color scheme.
  mutating func signaled(_ value: Value, by sender: Text?) {
    guard let owner, sender == owner else { return }
    (signal, read) = (value, nil)
  }

  /// The portal answered with the color scheme.
  ///
  /// Returns whether this is the first answer of this portal.
  mutating func answered(_ id: PortalFollower.Read.ID, _ value: Value, now: Int64) -> Bool {
    guard id == read, let owner else { return false }
    defer { reader = owner }
    record.value = Self.text(value)
    record.readAt = now
    if let signal, signal.colorScheme != value.colorScheme { record.deniedSignal = Self.text(signal) }
    signal = nil
    return reader != owner
  }

  /// The portal answered with the version of its Settings interface.
  mutating func version(is value: Value) {
    if let version = SettingsPortal.version(value) { record.version = Int64(version) }
  }

  /// Something went wrong.
  mutating func failed(_ text: String, now: Int64) {
    record.lastError = Text(text).shown(atMost: Limits.portalText)
    record.lastErrorAt = now
  }

  private static func text(_ value: Value) -> String { value.text(atMost: Limits.portalText) }
}
