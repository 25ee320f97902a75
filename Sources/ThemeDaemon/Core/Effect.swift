internal import ThemeModel
internal import ThemedSystem

/// A task for the caller after an event.
///
/// The core returns effects in the order of these cases, each at most once: subscribers come before the disk and the
/// log.
///
/// The enum is indirect because its values are large, and passing on an array of them would copy it several times.
indirect enum Effect: Hashable {
  /// Send the change to subscribers.
  case publish(Change)
  /// Send ``Event/clock(_:)`` at this time, in seconds since the epoch, instead of any earlier request; nil: never.
  case wake(Int64?)
  /// Keep exactly these themes loaded, and send ``Event/themes(_:cause:)`` when new ones have been read.
  ///
  /// With a number, send ``Event/read(_:number:)`` when all of them have been read, or do not respond.
  case read(Set<Text>, number: Int?)
  /// Send the list of overrides to its followers.
  case list
  /// Save the overrides.
  case keep(Keeping)
  /// Save the desktop's preference for the next process.
  case remember(Reading)
  /// Report the change to the administrator.
  case report(Change)
}

/// A change of what clients see.
struct Change: Hashable {
  /// The client that caused it; nil if it was not a client.
  let caller: Caller?
  /// The cause, if it is not a client.
  let reason: Text?
  /// The state for clients without a name and for apps without rules, if that has changed.
  let common: State?
  /// The states of apps with rules; nil if an app's state has not changed.
  let apps: [Text: State?]

  /// The cause for the log; its text is made only after subscribers have been served.
  var cause: Text { caller?.cause ?? reason ?? "" }

  /// The state to send to a client of this name, if any.
  func state(for app: Text?) -> State? {
    guard let app, let own = apps[app] else { return common }
    return own
  }
}

/// The overrides to save, and the client that waits for it.
struct Keeping: Hashable {
  /// The waiting client, and its answer: the state after its call.
  struct Answer: Hashable {
    /// Its connection's token.
    let connection: UInt64
    let state: State
  }

  /// The overrides in force.
  let overrides: Overrides
  /// The fields that a client has changed; empty if rules have expired.
  var fields: [Field] = []
  /// The app whose rules they were; nil: those of all apps.
  var app: Text?
  /// Whether they were also the rules of every single app.
  var everyApp = false
  var answer: Answer?
}
