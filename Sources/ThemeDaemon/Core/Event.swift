internal import Glibc
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// An event that may change what clients see; indirect for the same reason as ``Effect``.
indirect enum Event: Hashable {
  /// The desktop's preference is now this; the cause is for the log.
  case desktop(Reading, cause: Text)
  /// The desktop has confirmed its last preference: it is not in the middle of a change.
  case settled
  /// The time of ``Effect/wake(_:)`` or of the schedule's switch has come, or the clock was changed.
  ///
  /// It has the current time in seconds since the epoch, and what the schedule says, if given. It is a single event so
  /// that everything that ends at a switch, or ended during a suspend, becomes one change.
  case clock(Int64, schedule: Scheduled? = nil)
  /// The saved overrides could be read after the start; these hold now, together with what clients have changed
  /// meanwhile.
  case loaded(Overrides, now: Int64)
  /// The configuration now says this, and with it the schedule, if given.
  case configured(Defaults, schedule: ScheduleNews? = nil, cause: Text)
  /// The schedule now says this.
  case scheduled(ScheduleNews, cause: Text)
  /// The themes that the ``Effect/read(_:number:)`` of this number asked for were read, or do not respond; the table
  /// has all chosen themes that can be shown.
  case read(ThemeTable, number: Int)
  /// Files of chosen themes have changed; the table has those that can be shown now.
  case themes(ThemeTable, cause: Text)
  /// A client sets this override, and clears these fields of the same level; the table has the themes that can be
  /// shown.
  case set(Override, clear: [Field], ThemeTable, by: Caller)
  /// A client removes the overrides of these fields: for all apps or for one, or for all and for every single one.
  case clear([Field], app: Text?, everyApp: Bool, by: Caller)
  /// A client wants the opposite of what is shown; if that needs an override, it ends like this one.
  case toggle(app: Text?, until: Override, by: Caller)
  /// A client has written the desktop's setting for the target of this number, or could not, for this reason.
  case desktopWritten(Int64, problem: Text?)
  /// So many clients are ready to write the desktop's setting.
  case desktopWriters(Int)
  /// The record of the desktop's step was read late.
  case desktopResumed(DesktopSync.Record)
}

extension Event {
  /// The client that wants the change; nil if there is none.
  var caller: Caller? {
    switch self {
    case .set(_, _, _, let caller), .clear(_, _, _, let caller), .toggle(_, _, let caller): caller
    default: nil
    }
  }

  /// Whether a client asks for light or dark for all apps.
  var asksForScheme: Bool {
    switch self {
    case .set(let override, _, _, _): override.app == nil && override.scheme != nil
    case .toggle(let app, _, _): app == nil
    default: false
    }
  }
}

/// The schedule's scheme, and the time when it was computed, in seconds since the epoch.
struct ScheduleNews: Hashable {
  let scheduled: Scheduled
  let now: Int64
}

/// A client that wants something changed.
struct Caller: Hashable {
  /// The token of its connection, which gets the answer.
  let connection: UInt64
  /// The method that it calls.
  let method: ThemeInterface.Method
  /// Its process.
  let process: pid_t
  /// The program of that process, for the log; nil if it was not looked up yet.
  var program: Text?

  /// The cause of the change, for the log.
  var cause: Text { "\(method.rawValue) by process \(process)" }
}

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
  /// Save the desktop's preference for the next process; if the desktop is kept in step, then offer the target to the
  /// clients that write it.
  ///
  /// In this order, because a process that does not know of the target takes its echo for the user's wish.
  case remember(Reading, DesktopSync.Record?)
  /// Read the desktop again, and send ``Event/settled`` after that.
  case readDesktop
  /// The desktop, which is kept in step, was switched by the user or by another program.
  case desktopSwitched
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

/// The sides of the chosen themes that can be shown.
struct ThemeTable: Hashable {
  private var sides: [Text: [ColorScheme: ShownTheme]] = [:]

  /// No theme.
  init() {}

  /// The sides of these themes, by their names.
  init(_ sides: [Text: [ColorScheme: ShownTheme]]) {
    self.sides = sides
  }

  /// One side of a theme; nil if it has none.
  func side(_ name: Text, _ scheme: ColorScheme) -> ShownTheme? { sides[name]?[scheme] }
}

extension Theme {
  /// The sides in the form in which they are shown; assets are absolute paths.
  var shown: [ColorScheme: ShownTheme] {
    var shown: [ColorScheme: ShownTheme] = [:]
    for scheme in schemes {
      shown[scheme] = self[scheme].map { side in
        ShownTheme(name: name, title: title, details: ThemeDetails(side, for: scheme) { $0 })
      }
    }
    return shown
  }
}
