package import ThemeInterface
internal import ThemeResolution

/// What the daemon knows of itself and its surroundings, for whoever asks why it shows what it shows.
public struct ThemeDiagnostics: Sendable, Hashable {
  package let inner: Diagnostics

  package init(_ inner: Diagnostics) { self.inner = inner }

  /// The daemon's version.
  public var version: ThemeText { ThemeText(inner.version) }
  /// What came to the interface after it was first released, and this daemon has.
  public var features: [ThemeText] { inner.features.map { ThemeText($0) } }
  /// The session bus.
  public var bus: Bus { Bus(inner: inner.bus) }
  /// Whether a graphical session is up: `up`, `down` or `unknown`; expect others.
  public var session: ThemeText { ThemeText(inner.session) }
  /// The desktop's settings portal.
  public var portal: Portal { Portal(inner: inner.portal) }
  /// The user's configuration.
  public var configuration: File { File(inner: inner.configuration) }
  /// What the daemon keeps on the disk.
  public var state: File { File(inner: inner.state) }
  /// The last changes of the state, the newest last.
  public var changes: [Change] { inner.changes.map { Change(inner: $0) } }
  /// The files of the themes that are chosen; nil from a daemon that knows no themes.
  public var themes: [File]? { inner.themes?.map { File(inner: $0) } }
  /// The socket's file; nil from a daemon that does not watch it.
  public var socket: File? { inner.socket.map { File(inner: $0) } }
  /// The file of the socket for reading only; nil from a daemon that has no place for one.
  public var readOnlySocket: File? { inner.readOnlySocket.map { File(inner: $0.file) } }
  /// How many connections there are to the socket for reading only.
  public var readOnlyConnections: Int { Int(clamping: inner.readOnlySocket?.connections ?? 0) }
  /// The daemon that is followed in the desktop's place; nil where the desktop is.
  public var upstream: Upstream? { inner.upstream.map { Upstream(inner: $0) } }

  /// The reply of `GetDiagnostics` as one line of JSON.
  public var json: String { inner.json }

  /// How the daemon stands with the session bus.
  public struct Bus: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Bus

    /// `connected`, `waiting` or `unusable`; expect others.
    public var state: ThemeText { ThemeText(inner.state) }
    /// Where it is looked for.
    public var address: ThemeText? { inner.address.map { ThemeText($0) } }
    /// Why it is not connected to.
    public var problem: String? { inner.problem }
  }

  /// What the daemon knows of the settings portal.
  public struct Portal: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Portal

    /// The unique name of its connection; nil where it does not run.
    public var owner: ThemeText? { inner.owner.map { ThemeText($0) } }
    /// The version of its Settings interface; nil where it has not told.
    public var version: Int? { inner.version.map(Int.init(clamping:)) }
    /// What it last answered about the color scheme, as GVariant writes it.
    public var value: ThemeText? { inner.value.map { ThemeText($0) } }
    /// When.
    public var readAt: ThemeTime? { inner.readAt.map(ThemeTime.init(secondsSinceEpoch:)) }
    /// Whether what it, or one before it, last said stands in for a portal that is gone, or has not answered yet.
    public var standsIn: Bool { inner.standsIn }
    /// The value of its last signal that the read after it denied.
    public var deniedSignal: ThemeText? { inner.deniedSignal.map { ThemeText($0) } }
    /// What last went wrong with it.
    public var lastError: String? { inner.lastError }
    /// When.
    public var lastErrorAt: ThemeTime? { inner.lastErrorAt.map(ThemeTime.init(secondsSinceEpoch:)) }
  }

  /// A daemon that is followed in the desktop's place.
  public struct Upstream: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Upstream

    /// Its socket, or `-` for what `themectl share` sends.
    public var source: ThemeText { ThemeText(inner.source) }
    /// Whether it can be heard; while not, what it last said holds.
    public var isConnected: Bool { inner.isConnected }
    /// When it last said something.
    public var heardAt: ThemeTime? { inner.heardAt.map(ThemeTime.init(secondsSinceEpoch:)) }
    /// What last went wrong with it.
    public var problem: String? { inner.problem }
  }

  /// A file of the daemon.
  public struct File: Sendable, Hashable {
    fileprivate let inner: Diagnostics.File

    /// Where it is, or would be.
    public var path: ThemeText? { inner.path.map { ThemeText($0) } }
    /// What is wrong with it.
    public var problem: String? { inner.problem }
  }

  /// A change of the state.
  public struct Change: Sendable, Hashable {
    fileprivate let inner: Diagnostics.Change

    /// When.
    public var time: ThemeTime { ThemeTime(secondsSinceEpoch: inner.time) }
    /// The app whose state it is; nil for the state of all.
    public var app: ThemeText? { inner.app.map { ThemeText($0) } }
    /// What was shown from then on.
    public var scheme: ThemeScheme { ThemeScheme(inner.scheme) }
    /// What the desktop asked for.
    public var desktop: ThemePreference { ThemePreference(inner.desktop) }
    /// What it came from, in words.
    public var cause: String { inner.cause }
    /// The theme that was shown, by name.
    public var theme: ThemeText? { inner.theme.map { ThemeText($0) } }
  }
}
