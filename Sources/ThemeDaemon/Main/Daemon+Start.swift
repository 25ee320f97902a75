internal import ThemeResolution
internal import ThemedText
internal import Logging
internal import ThemeInterface
internal import ThemedUnix

// What the start needs, and acts by.

extension Daemon {
  /// What the command line asks for.
  public struct Options: Sendable {
    /// Where to listen; nil: where clients look.
    public var socket: String?
    /// Whether to log more.
    public var isVerbose = false
    /// The daemon to follow in the desktop's place; nil: the desktop.
    public var upstream: UpstreamPlace?
    /// The descriptor on which to tell a supervisor that it serves; nil for none.
    public var readyDescriptor: Int32?

    /// Nothing in particular.
    public init() {}
  }

  /// Where to listen; nil where no place is known.
  static func socketPath(_ options: Options) -> String? {
    ThemeInterface.socketPath(
      override: options.socket ?? environment(ThemeInterface.socketVariable), runtimeDirectory: BaseDirectory.runtime)
  }

  /// The socket that was handed over, or one of our own.
  static func listen(_ options: Options, _ inherited: Inherited) throws(StartFailure) -> Listener {
    if let listener = try Listener.inherited(inherited) { return listener }
    guard let path = socketPath(options) else {
      throw StartFailure("XDG_RUNTIME_DIR is not set, so there is no place for the socket: give one by --socket")
    }
    return try .bound(to: path)
  }

  /// Reads the configuration, the chosen themes and the time zone, so that nobody is shown others first; where the files
  /// do not answer, they come later.
  static func read(
    _ configuration: ConfigurationFile, _ overrides: Overrides, _ themes: ThemeLibrary, _ schedule: Schedule,
    _ files: FileReader
  ) {
    themes.choose(overrides.themes)
    configuration.onReading = {
      themes.choose(overrides.themes.union(configuration.configuration.defaults.themes))
      _ = schedule.configure(configuration.configuration.schedule)
    }
    files.wait(atMostMilliseconds: Limits.firstReading)
    configuration.onReading = {}
  }

  /// Acts by the configuration.
  func configured(cause: Text = "configuration") {
    let said = configuration.configuration
    // Who shares with this machine reads its log over the same connection, and knows of each change.
    let isShared = if case .standardInput? = options.upstream { true } else { false }
    log.logger.logLevel = options.isVerbose ? .debug : isShared ? max(.notice, said.logLevel) : said.logLevel
    desktop.settleTime = said.settleTime
    server.maximum = min(said.connections, life.connections)
    calls.maximumOverrides = said.overrides
    // Nothing is known that would change what is shown, where the file does not answer.
    if configuration.isRead {
      engine.send(.configured(said.defaults, schedule: schedule.configure(said.schedule), cause: cause))
    }
    tellStatus()
  }

  /// Has themes read that are chosen.
  func read(_ names: Set<Text>, _ number: Int?) {
    themes.choose(names, together: number != nil) { [unowned self] in
      let table = themes.table
      engine.send(number.map { .read(table, number: $0) } ?? .themes(table, cause: "the themes were read"))
    }
  }
}
