internal import ThemeInterface

/// The configuration that the daemon uses.
public struct ThemeConfiguration: Sendable, Hashable {
  package let inner: ConfigurationInForce

  package init(_ inner: ConfigurationInForce) { self.inner = inner }

  /// The path of the configuration file; nil if the daemon does not know it.
  public var path: String? { inner.path }
  /// The problem with the file, described in words.
  ///
  /// Until that is fixed, the daemon uses the settings from before the mistake.
  public var problem: String? { inner.problem }
  /// All settings.
  public var settings: [Setting] { inner.settings.map { Setting(inner: $0) } }
  /// The keys in the file that the daemon does not know and ignores.
  public var unknown: [ThemeText] { inner.unknown.map { ThemeText($0) } }

  /// The reply of `GetConfiguration` as one line of JSON.
  public var json: String { inner.json }

  /// A setting of the daemon.
  public struct Setting: Sendable, Hashable {
    fileprivate let inner: ConfigurationSetting

    /// The name: `[group] key` in the file, or `--option` on the command line.
    public var name: ThemeText { ThemeText(inner.name) }
    /// The value that the daemon uses.
    public var value: ThemeText { ThemeText(inner.value) }
    /// The source of the value: `default`, the path of the file, or `command line`.
    public var origin: ThemeText { ThemeText(inner.origin) }
  }
}

/// The daemon's vendor, name, version and interfaces, as every Varlink service reports them.
public struct ThemeServiceInfo: Sendable, Hashable {
  package let inner: ServiceDescription

  package init(_ inner: ServiceDescription) { self.inner = inner }

  /// The organisation that makes the daemon.
  public var vendor: ThemeText { ThemeText(inner.vendor) }
  /// Its name.
  public var product: ThemeText { ThemeText(inner.product) }
  /// Its version.
  public var version: ThemeText { ThemeText(inner.version) }
  /// The address for further information.
  public var url: ThemeText { ThemeText(inner.url) }
  /// The names of its interfaces.
  public var interfaces: [ThemeText] { inner.interfaces.map { ThemeText($0) } }
}
