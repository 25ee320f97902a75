internal import ThemeInterface

/// The daemon's configuration, as it is in force.
public struct ThemeConfiguration: Sendable, Hashable {
  package let inner: ConfigurationInForce

  package init(_ inner: ConfigurationInForce) { self.inner = inner }

  /// Its file; nil where no place for one is known.
  public var path: String? { inner.path }
  /// What is wrong with the file; what held before it went wrong stays in force.
  public var problem: String? { inner.problem }
  /// Every setting.
  public var settings: [Setting] { inner.settings.map { Setting(inner: $0) } }
  /// The keys of the file that mean nothing to the daemon, and are passed over.
  public var unknown: [ThemeText] { inner.unknown.map { ThemeText($0) } }

  /// The reply of `GetConfiguration` as one line of JSON.
  public var json: String { inner.json }

  /// A setting of the daemon.
  public struct Setting: Sendable, Hashable {
    fileprivate let inner: ConfigurationSetting

    /// Its name in the file, `[group] key`, or on the command line, `--option`.
    public var name: ThemeText { ThemeText(inner.name) }
    /// What is in force.
    public var value: ThemeText { ThemeText(inner.value) }
    /// `default`, the path of the file that says so, or `command line`.
    public var origin: ThemeText { ThemeText(inner.origin) }
  }
}

/// What the daemon says of itself, as every Varlink service does.
public struct ThemeServiceInfo: Sendable, Hashable {
  package let inner: ServiceDescription

  package init(_ inner: ServiceDescription) { self.inner = inner }

  /// Who makes it.
  public var vendor: ThemeText { ThemeText(inner.vendor) }
  /// What it is.
  public var product: ThemeText { ThemeText(inner.product) }
  /// Its version.
  public var version: ThemeText { ThemeText(inner.version) }
  /// Where to read more.
  public var url: ThemeText { ThemeText(inner.url) }
  /// The names of its interfaces.
  public var interfaces: [ThemeText] { inner.interfaces.map { ThemeText($0) } }
}
