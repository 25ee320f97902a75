internal import Glibc
internal import ThemeInterface
internal import ThemeModel
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
}

extension Event {
  /// The client that wants the change; nil if there is none.
  var caller: Caller? {
    switch self {
    case .set(_, _, _, let caller), .clear(_, _, _, let caller), .toggle(_, _, let caller): caller
    default: nil
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
