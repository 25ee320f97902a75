internal import ThemeInterface

/// The configuration that the daemon uses.
public struct ThemeConfiguration: Sendable, Hashable {
  package let inner: ConfigurationInForce

  package init(_ inner: ConfigurationInForce) { self.inner = inner }

  /// The path of the configuration file; nil if the daemon does not know it.
  public var path: String? { inner.path }
  /// The problem with the file, in words; nil if there is no problem.
  ///
  /// Until the user corrects the file, the daemon uses the settings from before the mistake.
  public var problem: String? { inner.problem }
  /// All settings.
  public var settings: [Setting] { inner.settings.map { Setting(inner: $0) } }
  /// The keys in the file that the daemon does not know and ignores.
  public var unknown: [ThemeText] { inner.unknown.map { ThemeText($0) } }

  /// The reply of the interface's method `GetConfiguration`, as one line of JSON.
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

/// The daemon's vendor, name, version and interfaces, in the form that is common to all Varlink services.
public struct ThemeServiceInfo: Sendable, Hashable {
  package let inner: ServiceDescription

  package init(_ inner: ServiceDescription) { self.inner = inner }

  /// The organisation that makes the daemon.
  public var vendor: ThemeText { ThemeText(inner.vendor) }
  /// The daemon's name.
  public var product: ThemeText { ThemeText(inner.product) }
  /// The daemon's version.
  public var version: ThemeText { ThemeText(inner.version) }
  /// The address of a web page about the daemon; empty if the daemon has no page.
  public var url: ThemeText { ThemeText(inner.url) }
  /// The names of the Varlink interfaces that the daemon implements.
  public var interfaces: [ThemeText] { inner.interfaces.map { ThemeText($0) } }
}
