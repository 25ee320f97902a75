internal import ThemeResolution
internal import ThemedText

/// What is to be done when something has happened.
///
/// The core returns them in the order in which they stand here, each at most once: those who monitor come before the
/// disk and the log.
///
/// Indirect, since what they hold is large: handing on an array of them would copy it several times.
indirect enum Effect: Hashable {
  /// Tell those who monitor.
  case publish(Change)
  /// Send ``Event/clock(_:)`` at this time, in seconds since the epoch, and at no other; nil: at none.
  case wake(Int64?)
  /// Keep these themes read, and no others, and send ``Event/themes(_:cause:)`` as those come that were not read before;
  /// with a number, ``Event/read(_:number:)`` when all of them have, or do not answer.
  case read(Set<Text>, number: Int?)
  /// Tell those who follow the list of the overrides.
  case list
  /// Keep the overrides on the disk.
  case keep(Keeping)
  /// Keep what the desktop asks for, for a daemon that comes after this one.
  case remember(Reading)
  /// Tell whoever looks after the daemon.
  case report(Change)
}

/// A change of what clients see.
struct Change: Hashable {
  /// The client that it comes from, if one has wanted it.
  let caller: Caller?
  /// What it comes from, where no client has wanted it.
  let reason: Text?
  /// The state for clients without a name and for apps without rules, if that has changed.
  let common: State?
  /// The states of the other apps; nil where an app's has not changed.
  let apps: [Text: State?]

  /// What it comes from, for the log, in words that are made only when those who monitor were told.
  var cause: Text { caller?.cause ?? reason ?? "" }

  /// What a client of this name has to be told, if anything.
  func state(for app: Text?) -> State? {
    guard let app, let own = apps[app] else { return common }
    return own
  }
}

/// What is to be on the disk, and who waits for that.
struct Keeping: Hashable {
  /// Who waits, and what he is told: the state that his call has led to.
  struct Answer: Hashable {
    /// Its connection's token.
    let connection: UInt64
    let state: State
  }

  /// What holds.
  let overrides: Overrides
  /// The fields that a client has changed; none where rules have ended by themselves.
  var fields: [Field] = []
  /// The app whose rules they were; nil: all apps'.
  var app: Text?
  /// Whether they were every single app's, too.
  var everyApp = false
  var answer: Answer?
}
