public import ThemedText

/// A path as an app file writes it: absolute, or below one of the user's directories.
public struct AppPath: Sendable, Hashable {
  /// The user's directories, absolute and without a slash at their end; nil where one is not known.
  public struct Directories: Sendable, Hashable {
    /// The home directory, `~`.
    public var home: Text?
    /// `$XDG_CONFIG_HOME`.
    public var configuration: Text?
    /// `$XDG_DATA_HOME`.
    public var data: Text?
    /// `$XDG_STATE_HOME`.
    public var state: Text?
    /// `$XDG_RUNTIME_DIR`.
    public var runtime: Text?

    /// These directories.
    public init(
      home: Text? = nil, configuration: Text? = nil, data: Text? = nil, state: Text? = nil, runtime: Text? = nil
    ) {
      self.home = home
      self.configuration = configuration
      self.data = data
      self.state = state
      self.runtime = runtime
    }

    /// What a path may begin with, and where that is.
    fileprivate var starts: [(word: Text, directory: Text?)] {
      [
        ("~", home), ("$XDG_CONFIG_HOME", configuration), ("$XDG_DATA_HOME", data), ("$XDG_STATE_HOME", state),
        ("$XDG_RUNTIME_DIR", runtime),
      ]
    }
  }

  /// As the file writes it.
  public let written: Text

  /// The path that is written so; nil where it is none.
  public init?(_ written: Text) {
    guard !written.isEmpty, written.count <= 4095, !written.hasControls, !written.hasSuffix("/") else {
      return nil
    }
    let isKnown = Directories().starts.contains { written.hasPrefix("\($0.word)/") }
    guard isKnown || written.hasPrefix("/") else { return nil }
    self.written = written
  }

  /// The absolute path; nil where the directory that it begins with is not known.
  public func resolved(in directories: Directories) -> Text? {
    if written.hasPrefix("/") { return written }
    for (word, directory) in directories.starts {
      if let below = written.dropping(prefix: "\(word)/") { return directory.map { "\($0)/\(below)" } }
    }
    return nil
  }

  /// What ``init(_:)`` expects, for a message.
  static let expectation =
    "the path of a file, which begins with /, ~/, $XDG_CONFIG_HOME/, $XDG_DATA_HOME/, $XDG_STATE_HOME/ or "
    + "$XDG_RUNTIME_DIR/"
}

extension Text {
  /// Whether a control character stands in it, which may end a line.
  public var hasControls: Bool { string.unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
