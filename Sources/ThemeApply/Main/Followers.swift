internal import ThemeClientCore
internal import ThemedSystem

/// The states that are followed: that of each app under its name, and one for all hooks without a name.
final class Followers {
  private let watched: WatchedParts
  private let log: Log
  private var all: [Text?: Follower] = [:]
  private var names: [UInt64: Text?] = [:]
  private var last: UInt64
  /// The names that cannot be followed yet, and have been reported.
  private var waiting: Set<Text?> = []

  /// No states yet; each is watched under its own number after this one.
  init(numberedBehind number: UInt64, _ watched: WatchedParts, _ log: Log) {
    self.watched = watched
    self.log = log
    last = number
  }

  /// When to try again.
  var deadline: Int? { all.values.compactMap(\.deadline).min() }

  /// Follows these names and no others; throws if no state can be followed.
  func follow(_ names: Set<Text?>) throws(ThemeClientError) {
    for name in all.keys where !names.contains(name) { unfollow(name) }
    for name in names where all[name] == nil { try follow(name) }
  }

  /// Tries to follow states again that failed, if their time has come.
  func timePassed(now: Int) throws(ThemeClientError) {
    for name in all.keys where all[name]?.deadline.map({ $0 <= now }) == true {
      unfollow(name)
      try follow(name)
    }
  }

  /// Reads the state that is watched under this number.
  func receive(_ number: UInt64, _ shown: (Text?, ThemeState) -> Void) {
    guard let name = names[number], let follower = all[name] else { return }
    do throws(ThemeClientError) {
      while let state = try follower.next() { shown(name, state) }
    } catch {
      log.warning("cannot follow what themed shows to \(Self.words(name)): \(error)")
      watched.remove(follower.descriptor)
      names[follower.number] = nil
      follower.deadline = monotonicMilliseconds() + Limits.followAgain
    }
  }

  private func follow(_ name: Text?) throws(ThemeClientError) {
    let follower = Follower()
    last += 1
    follower.number = last
    (names[last], all[name]) = (.some(name), follower)
    do {
      try follower.begin(name)
      try watched.add(follower.descriptor, as: last)
      waiting.remove(name)
    } catch let error as ThemeClientError {
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

  private func unfollow(_ name: Text?) {
    guard let follower = all.removeValue(forKey: name) else { return }
    watched.remove(follower.descriptor)
    names[follower.number] = nil
  }

  private static func words(_ name: Text?) -> String { name?.shown() ?? "hooks" }
}

/// A state that is followed.
private final class Follower {
  private var source: ThemeSource?
  var number: UInt64 = 0
  /// When to try again after a failure.
  var deadline: Int?

  /// Follows the state of this name from now on.
  func begin(_ name: Text?) throws(ThemeClientError) {
    source = try ThemeSource(app: name?.string, details: true)
  }

  var descriptor: CInt { source?.descriptor ?? -1 }

  func next() throws(ThemeClientError) -> ThemeState? { try source?.process() }
}
