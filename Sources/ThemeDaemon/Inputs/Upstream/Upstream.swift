internal import ThemedLog
internal import ThemeInterface
internal import ThemeResolution
internal import ThemedText
internal import ThemedLoop
internal import ThemedUnix

/// Where a daemon is heard that is followed in the desktop's place.
public enum UpstreamPlace: Sendable {
  /// On standard input, where `themectl share` has what it shows written.
  case standardInput
  /// At this socket.
  case socket(String)

  /// The place that a command line names: `-`, or a path.
  public init(_ word: String) {
    self = Text(word) == "-" ? .standardInput : .socket(word)
  }

  /// As the command line names it.
  var name: Text {
    switch self {
    case .standardInput: "-"
    case .socket(let path): Text(path)
    }
  }
}

/// Another daemon, followed in the desktop's place: what it shows is what is asked for here.
///
/// What comes from it is a state and never a call. When it can be heard no more, what it last said holds.
final class Upstream {
  /// Called with what it shows.
  var onEvent: (Event) -> Void = { _ in }
  /// Called when it can be heard, or no more, or says what is none.
  var onStatus: () -> Void = {}
  /// Called when nobody has been heard on standard input for long.
  var onSilence: () -> Void = {}
  /// Whether a state of this instance is one of this daemon.
  var isOwn: (Text) -> Bool = { _ in false }

  /// What is told of it.
  private(set) var diagnostics: Diagnostics.Upstream

  private let place: UpstreamPlace
  private let log: Log
  private var client: UpstreamClient?
  private var door: UpstreamDoor?
  /// While it runs, what comes waits: the newest of it is shown at its end.
  private var pace: Source?
  private var waiting: Reading?

  /// A daemon at `place`, which is followed by one that serves `socket`.
  init(_ place: UpstreamPlace, besideSocket socket: String?, log: Log) throws(StartFailure) {
    (self.place, self.log) = (place, log)
    diagnostics = Diagnostics.Upstream(source: place.name)
    switch place {
    case .standardInput: door = try UpstreamDoor(besideSocket: socket, log: log)
    case .socket(let path):
      guard socket.map({ Text($0) }) != Text(path) else {
        throw StartFailure("\(path) is the socket of this themed itself; --upstream needs that of another themed")
      }
    }
  }

  /// What keeps it from being heard, in words; nil where it is.
  var problem: String? {
    guard !diagnostics.isConnected else { return diagnostics.problem }
    let why = diagnostics.problem.map { ": \($0)" } ?? ""
    return diagnostics.heardAt == nil
      ? "nothing heard from the upstream themed yet\(why)"
      : "lost the upstream themed, so its last state stays in force\(why)"
  }

  /// Begins to listen.
  func follow() {
    do {
      switch place {
      case .standardInput:
        door?.onEvent = { [unowned self] in happened($0) }
        try door?.open()
      case .socket(let path):
        client = try UpstreamClient(path, isOwn: isOwn) { [unowned self] in happened($0) }
      }
    } catch {
      happened(.ended("\(error)"))
    }
  }

  deinit { pace?.cancel() }

  /// Ends to listen, so that the next daemon can.
  func close() { door?.close() }

  /// Looks anew at what may have gone, and connects at once where nobody is heard, also where that was given up.
  func retry() {
    if let door { door.retry() } else if !diagnostics.isConnected { follow() }
  }

  /// Something that came from it.
  enum Happening {
    /// It can be heard.
    case began
    /// It said this.
    case news(UpstreamReader.News)
    /// It can be heard no more: why.
    case ended(String)
    /// For long nobody was heard.
    case silent
  }

  private func happened(_ happening: Happening) {
    switch happening {
    case .began:
      log.info("connected to the upstream themed")
      (diagnostics.isConnected, diagnostics.problem) = (true, nil)
    case .news(let news):
      if let problem = news.problem, case nil = diagnostics.problem {
        // Once, until it says something that can be read: it may go on so for ever.
        log.warning("ignored invalid data from the upstream themed: \(problem.string)")
        diagnostics.problem = problem.string
      }
      guard let reading = news.reading else { return onStatus() }
      diagnostics.heardAt = WallClock.now
      if news.problem == nil { diagnostics.problem = nil }
      show(reading)
    case .ended(let reason):
      if diagnostics.isConnected { log.info("lost the upstream themed, so its last state stays in force: \(reason)") }
      (diagnostics.isConnected, diagnostics.problem) = (false, reason)
    case .silent: return onSilence()
    }
    onStatus()
  }

  /// Shows what it says: at once after a quiet moment, else in its turn.
  ///
  /// However quickly it changes, everybody here is told no more often; it has settled when it says nothing for as long.
  private func show(_ reading: Reading) {
    waiting = reading
    guard pace == nil else { return }
    showNewest()
    pace = MainLoop.timer(everyMilliseconds: Limits.upstreamPace) { [unowned self] in
      if waiting != nil {
        showNewest()
        return true
      }
      pace = nil
      onEvent(.settled)
      return false
    }
  }

  private func showNewest() {
    guard let reading = waiting else { return }
    waiting = nil
    onEvent(.desktop(reading, cause: "the upstream themed"))
  }
}
