package import ThemeInterface
internal import ThemeModel
internal import ThemedVarlink

/// The daemon's report about itself and its environment, which explains the state that the daemon sends.
public struct ThemeDiagnostics: Sendable, Hashable {
  // Wrappers, because the report grows with each version of the daemon, which builds its parts, and counts seconds.
  package let inner: Diagnostics

  package init(_ inner: Diagnostics) { self.inner = inner }

  /// The daemon's version.
  public var version: ThemeText { ThemeText(inner.version) }
  /// The daemon's connection to the session bus.
  public var bus: Bus { Bus(inner: inner.bus) }
  /// Whether a graphical session is running: `up`, `down` or `unknown`; later versions may add others.
  public var session: ThemeText { inner.session }
  /// The desktop's settings portal, the D-Bus service that reports the user's preferences.
  public var portal: Portal { Portal(inner: inner.portal) }
  /// The user's configuration file.
  public var configuration: File { File(inner: inner.configuration) }
  /// The file in which the daemon saves the overrides.
  public var state: File { File(inner: inner.state) }
  /// The most recent changes of the state, the newest last.
  public var changes: [Change] { inner.changes.map { Change(inner: $0) } }
  /// The files of the chosen themes; nil if the daemon does not support themes.
  public var themes: [File]? { inner.themes?.map { File(inner: $0) } }
  /// The socket's file; nil if the daemon does not watch this file.
  public var socket: File? { inner.socket.map { File(inner: $0) } }
  /// The file of the read-only socket; nil if the daemon has none.
  public var readOnlySocket: File? { inner.readOnlySocket.map { File(inner: $0.file) } }
  /// How many clients are connected to the read-only socket.
  public var readOnlyConnections: Int { Int(clamping: inner.readOnlySocket?.connections ?? 0) }
  /// The daemon that is followed in place of the desktop; nil if the desktop is followed.
  public var upstream: Upstream? { inner.upstream.map { Upstream(inner: $0) } }

  /// The reply of the interface's method `GetDiagnostics`, as one line of JSON.
  public var json: String { inner.json }

  /// The daemon's connection to the session bus.
  public struct Bus: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Bus

    /// The state of the connection: `connected`, `waiting`, `unusable` or `unused`; later versions may add others.
    ///
    /// `waiting`: the bus is not running yet. `unusable`: the address of the bus is not known, or is of an unsupported
    /// kind. `unused`: the daemon follows another daemon.
    public var state: ThemeText { inner.state }
    /// The address at which the daemon looks for the bus; nil if it is not known.
    public var address: ThemeText? { inner.address.map { ThemeText($0) } }
    /// Why the daemon is not connected, in words; nil if there is no problem.
    public var problem: String? { inner.problem }
  }

  /// The daemon's report about the desktop's settings portal.
  public struct Portal: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Portal

    /// The portal's unique name on the bus; nil if the portal is not running.
    public var owner: ThemeText? { inner.owner.map { ThemeText($0) } }
    /// The version of the portal's Settings interface; nil if it is not known.
    public var version: Int? { inner.version.map(Int.init(clamping:)) }
    /// The portal's last answer for the colour scheme, in GVariant's text format; nil if the daemon has no answer.
    public var value: ThemeText? { inner.value.map { ThemeText($0) } }
    /// When the portal gave that answer; nil if this is not known.
    public var readAt: ThemeTime? { inner.readAt.map(ThemeTime.init(secondsSinceEpoch:)) }
    /// Whether the daemon uses an earlier answer because the portal is gone or has not answered yet.
    ///
    /// The daemon may have saved that answer in an earlier run.
    public var standsIn: Bool { inner.standsIn }
    /// The value that the portal's last signal announced, if it was wrong; otherwise nil.
    ///
    /// After the signal, the daemon asked the portal, and the portal gave a different value. Programs that trust the
    /// signal, and do not ask afterwards, show the value of the signal.
    public var deniedSignal: ThemeText? { inner.deniedSignal.map { ThemeText($0) } }
    /// The last error, in words; nil if there was no error.
    public var lastError: String? { inner.lastError }
    /// When the last error happened; nil if there was no error.
    public var lastErrorAt: ThemeTime? { inner.lastErrorAt.map(ThemeTime.init(secondsSinceEpoch:)) }
  }

  /// A daemon that is followed in place of the desktop.
  public struct Upstream: Sendable, Hashable {
    package let inner: Diagnostics.Upstream

    /// The socket of that daemon, or `-` if `themectl share` sends its states.
    public var source: ThemeText { inner.source }
    /// Whether there is a connection to that daemon; while there is no connection, its last state stays in use.
    public var isConnected: Bool { inner.isConnected }
    /// When that daemon last sent something; nil if it has not sent anything yet.
    public var heardAt: ThemeTime? { inner.heardAt.map(ThemeTime.init(secondsSinceEpoch:)) }
    /// The last error, in words; nil if there was no error.
    public var problem: String? { inner.problem }
  }

  /// A file of the daemon.
  public struct File: Sendable, Hashable {
    fileprivate let inner: Diagnostics.File

    /// The path of the file, even if the file does not exist; nil if the daemon does not know the path.
    public var path: ThemeText? { inner.path.map { ThemeText($0) } }
    /// The problem with the file, in words; nil if there is no problem.
    public var problem: String? { inner.problem }
  }

  /// A change of the state.
  public struct Change: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Change

    /// When the state changed.
    public var time: ThemeTime { ThemeTime(secondsSinceEpoch: inner.time) }
    /// The app whose state changed; nil for all apps without an override of their own.
    public var app: ThemeText? { inner.app }
    /// The scheme that was shown from then on.
    public var scheme: ThemeScheme { inner.scheme }
    /// The desktop's preference at that time.
    public var desktop: ThemePreference { ThemePreference(inner.desktop) }
    /// The cause of the change, in words.
    public var cause: String { inner.cause }
    /// The name of the theme that was shown from then on; nil if no theme was shown.
    public var theme: ThemeText? { inner.theme }
  }
}

/// The daemon's vendor, name, version and interfaces, in the form that is common to all Varlink services.
public struct ThemeServiceInfo: Sendable, Hashable {
  /// The organisation that makes the daemon.
  public let vendor: ThemeText
  /// The daemon's name.
  public let product: ThemeText
  /// The daemon's version.
  public let version: ThemeText
  /// The address of a web page about the daemon; empty if the daemon has no page.
  public let url: ThemeText
  /// The names of the Varlink interfaces that the daemon implements.
  public let interfaces: [ThemeText]

  init(reading reply: inout Parameters) throws(VarlinkError) {
    vendor = try reply.require(reply.string("vendor"), "vendor")
    product = try reply.require(reply.string("product"), "product")
    version = try reply.require(reply.string("version"), "version")
    url = try reply.require(reply.string("url"), "url")
    interfaces = try reply.require(reply.strings("interfaces"), "interfaces")
  }
}
