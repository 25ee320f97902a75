internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// Where to find the upstream daemon, which is followed in place of the desktop.
public enum UpstreamPlace: Sendable {
  /// On standard input, which `themectl share` writes to.
  case standardInput
  /// At this socket.
  case socket(String)

  /// The place that the command line names: `-`, or a path.
  public init(_ word: String) { self = Text(word) == "-" ? .standardInput : .socket(word) }

  var name: Text {
    switch self {
    case .standardInput: "-"
    case .socket(let path): Text(path)
    }
  }
}

/// The upstream daemon, which is followed in place of the desktop.
///
/// It sends states, never calls. When the connection is lost, its last state stays in force.
final class Upstream {
  weak var events: (any EventReceiver)?
  /// Learns of everything else.
  weak var receiver: (any InputReceiver)?

  private(set) var diagnostics: Diagnostics.Upstream

  private let place: UpstreamPlace
  private let log: Log
  private var client: UpstreamClient?
  private var door: UpstreamDoor?
  /// While this timer runs, states wait; the newest one is shown at its end.
  private var pace: Source?
  private var waiting: Reading?

  /// The upstream daemon at `place`, for a daemon that serves `socket`.
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

  /// Why it cannot be heard; nil if it can.
  var problem: String? {
    guard !diagnostics.isConnected else { return diagnostics.problem }
    let why = diagnostics.problem.map { ": \($0)" } ?? ""
    return diagnostics.heardAt == nil
      ? "nothing heard from the upstream themed yet\(why)"
      : "lost the upstream themed, so its last state stays in force\(why)"
  }

  func follow() {
    do {
      switch place {
      case .standardInput:
        try door?.open(for: self)
      case .socket(let path):
        client = try UpstreamClient(path, for: self)
      }
    } catch {
      happened(.ended("\(error)"))
    }
  }

  deinit { pace?.cancel() }

  /// Stops listening, so that the next daemon can.
  func close() { door?.close() }

  /// Checks again for what may have disappeared, and connects at once if there is no connection, even after giving up.
  func retry() {
    if let door { door.retry() } else if !diagnostics.isConnected { follow() }
  }

  /// Whether a state of this instance comes from this daemon itself.
  func isOwn(_ instance: Text) -> Bool { receiver?.instance == instance }

  enum Happening {
    case began
    case news(UpstreamReader.News)
    case ended(String)
    case silent
  }

  func happened(_ happening: Happening) {
    switch happening {
    case .began:
      log.info("connected to the upstream themed")
      (diagnostics.isConnected, diagnostics.problem) = (true, nil)
    case .news(let news):
      if let problem = news.problem, case nil = diagnostics.problem {
        // Once, until it sends something valid: it may go on like this for ever.
        log.warning("ignored invalid data from the upstream themed: \(problem.string)")
        diagnostics.problem = problem.string
      }
      guard let reading = news.reading else { return receiver?.statusChanged() ?? () }
      diagnostics.heardAt = WallClock.now
      if news.problem == nil { diagnostics.problem = nil }
      show(reading)
    case .ended(let reason):
      if diagnostics.isConnected { log.info("lost the upstream themed, so its last state stays in force: \(reason)") }
      (diagnostics.isConnected, diagnostics.problem) = (false, reason)
    case .silent: return receiver?.upstreamIsSilent() ?? ()
    }
    receiver?.statusChanged()
  }

  /// Shows a state: at once after a pause, otherwise when the timer ends.
  ///
  /// However quickly upstream changes, clients here are not notified more often. It has settled when nothing has
  /// changed for that time.
  private func show(_ reading: Reading) {
    waiting = reading
    guard pace == nil else { return }
    showNewest()
    pace = EventLoop.main.timer(everyMilliseconds: Limits.upstreamPace) { [unowned self] in
      if waiting != nil {
        showNewest()
        return true
      }
      pace = nil
      events?.send(.settled)
      return false
    }
  }

  private func showNewest() {
    guard let reading = waiting else { return }
    waiting = nil
    events?.send(.desktop(reading, cause: "the upstream themed"))
  }
}

/// Follows the daemon at another socket like any client: it reconnects when that daemon is back, and does not poll.
final class UpstreamClient {
  private var source: StateSource?
  private unowned let upstream: Upstream
  private var watch: Source?
  private var wasConnected = false

  /// Follows the daemon at `path`, unless it is this daemon itself.
  init(_ path: String, for upstream: Upstream) throws {
    self.upstream = upstream
    let source = try StateSource(details: true, socket: path)
    let descriptor = source.descriptor
    self.source = consume source
    watch = try EventLoop.main.watch(descriptor, for: .readable) { [unowned self] _ in process() }
  }

  deinit { watch?.cancel() }

  private func process() {
    do throws(CallError) {
      let state = try source?.process()
      let isConnected = source?.isConnected == true
      if isConnected != wasConnected {
        wasConnected.toggle()
        upstream.happened(wasConnected ? .began : .ended("it closed the connection"))
      }
      if let instance = state?.instance, upstream.isOwn(instance) {
        // Whichever path led here: a daemon that follows itself would keep its state for ever.
        watch = nil
        source = nil
        return upstream.happened(.ended("it is this themed itself; --upstream needs the socket of another themed"))
      }
      if let state { upstream.happened(.news(.init(reading: Reading(upstream: state)))) }
    } catch {
      watch = nil
      upstream.happened(.ended("\(error)"))
    }
  }
}
