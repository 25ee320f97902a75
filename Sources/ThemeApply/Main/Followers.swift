internal import ThemedClientCore
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// Receives the states that are followed.
protocol StateReceiver: AnyObject {
  /// This is shown now to the app of this name, or to hooks.
  func shown(_ state: State, to name: Text?)
}

/// The states that are followed: that of each app under its name, and one for all hooks without a name.
final class Followers {
  weak var receiver: (any StateReceiver)?

  private let log: Log
  private var all: [Text?: Follower] = [:]
  /// The names that cannot be followed yet, and have been reported.
  private var waiting: Set<Text?> = []

  init(_ log: Log) { self.log = log }

  /// When to try again.
  var deadline: Int? { all.values.compactMap(\.deadline).min() }

  /// Follows these names and no others; throws if no state can be followed.
  func follow(_ names: Set<Text?>) throws(CallError) {
    for name in all.keys where !names.contains(name) { unfollow(name) }
    for name in names where all[name] == nil { try follow(name) }
  }

  /// Tries to follow states again that failed, if their time has come.
  func timePassed(now: Int) throws(CallError) {
    for name in all.keys where all[name]?.deadline.map({ $0 <= now }) == true {
      unfollow(name)
      try follow(name)
    }
  }

  private func receive(_ name: Text?) {
    guard let follower = all[name] else { return }
    do throws(CallError) {
      while let state = try follower.next() { receiver?.shown(state, to: name) }
    } catch {
      log.warning("cannot get changes for \(Self.words(name)) from themed: \(error)")
      follower.watching = nil
      follower.deadline = monotonicMilliseconds() + Limits.followAgain
    }
  }

  private func follow(_ name: Text?) throws(CallError) {
    let follower = Follower()
    all[name] = follower
    do {
      try follower.begin(name)
      follower.watching = try EventLoop.main.watch(follower.descriptor, for: .readable) { [unowned self] _ in
        receive(name)
      }
      waiting.remove(name)
    } catch let error as CallError {
      // Only what the system does not give now is worth another try.
      guard error.code == .system else { throw error }
      wait(follower, name, error.reason ?? "")
    } catch {
      wait(follower, name, "\(error)")
    }
  }

  /// Tries again later, and says so once.
  private func wait(_ follower: Follower, _ name: Text?, _ reason: String) {
    if waiting.insert(name).inserted { log.warning("cannot follow \(Self.words(name)) yet: \(reason)") }
    follower.deadline = monotonicMilliseconds() + Limits.followSoon
  }

  private func unfollow(_ name: Text?) { all[name] = nil }

  private static func words(_ name: Text?) -> String { name?.shown() ?? "hooks" }
}

/// A state that is followed.
private final class Follower {
  private var source: StateSource?
  var watching: Source?
  /// When to try again after a failure.
  var deadline: Int?

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  /// Follows the state of this name from now on.
  func begin(_ name: Text?) throws(CallError) {
    source = try StateSource(app: name?.string, details: true)
  }

  var descriptor: CInt { source?.descriptor ?? -1 }

  func next() throws(CallError) -> State? { try source?.process() }
}

/// The wish of the daemon for the desktop, which is followed as long as this program runs.
final class DutyFollower {
  /// Called with each duty.
  var onDuty: (DesktopDuty) -> Void = { _ in }

  private let log: Log
  private var source: FollowingSource<FollowedDesktopDuty>?
  private var watching: Source?
  /// When to try again after a failure.
  private(set) var deadline: Int?
  private var hasWarned = false

  init(_ log: Log) { self.log = log }

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  func start() {
    stop()
    do {
      let source = try FollowingSource(FollowedDesktopDuty(), socket: nil)
      watching = try EventLoop.main.watch(source.descriptor, for: .readable) { [unowned self] _ in receive() }
      self.source = consume source
    } catch { wait("\(error)", Limits.followSoon) }
  }

  func timePassed(now: Int) {
    if let deadline, deadline <= now { start() }
  }

  /// Stops following.
  func stop() {
    watching = nil
    source = nil
    deadline = nil
  }

  private func receive() {
    do throws(CallError) {
      while let duty = try source?.process() { onDuty(duty) }
    } catch { wait("\(error)", Limits.followAgain) }
  }

  /// Tries again later: an older daemon does not know the call, and everything else works without it.
  private func wait(_ reason: String, _ time: Int) {
    stop()
    if !hasWarned { log.warning("cannot learn from themed how the desktop has to turn: \(reason)") }
    hasWarned = true
    deadline = monotonicMilliseconds() + time
  }
}
