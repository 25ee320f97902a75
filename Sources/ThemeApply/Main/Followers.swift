internal import ThemeClientCore
internal import ThemedLog
internal import ThemedText
internal import ThemedUnix

/// Those whose state is followed: each app by its own name, and hooks by none.
final class Followers {
  private let watched: WatchedParts
  private let log: Log
  private var all: [Text?: Follower] = [:]
  private var names: [UInt64: Text?] = [:]
  private var last: UInt64
  /// Of whom it was told that they cannot be followed yet.
  private var waiting: Set<Text?> = []

  /// None yet; each is watched under a number of its own behind this one.
  init(numberedBehind number: UInt64, _ watched: WatchedParts, _ log: Log) {
    self.watched = watched
    self.log = log
    last = number
  }

  /// When to go on by itself.
  var deadline: Int? { all.values.compactMap(\.deadline).min() }

  /// Follows these, and nobody else; throws where nobody can be followed.
  func follow(_ names: Set<Text?>) throws(ThemeClientError) {
    for name in all.keys where !names.contains(name) { unfollow(name) }
    for name in names where all[name] == nil { try follow(name) }
  }

  /// Follows those anew with whom that has failed, if their time has come.
  func timePassed(now: Int) throws(ThemeClientError) {
    for name in all.keys where all[name]?.deadline.map({ $0 <= now }) == true {
      unfollow(name)
      try follow(name)
    }
  }

  /// Takes what is shown to whom this number is.
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

  /// Follows it later, and says so once.
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

/// One whose state is followed.
private final class Follower {
  private var source: ThemeSource?
  var number: UInt64 = 0
  /// When it is followed anew, as that has failed.
  var deadline: Int?

  /// Follows the state of this name from now on.
  func begin(_ name: Text?) throws(ThemeClientError) {
    source = try ThemeSource(app: name?.string, details: true)
  }

  var descriptor: CInt { source?.descriptor ?? -1 }

  func next() throws(ThemeClientError) -> ThemeState? { try source?.process() }
}
