internal import Glibc
internal import ThemeInterface
internal import ThemeResolution
internal import ThemedText

/// What happens that may change what clients see; indirect as ``Effect`` is.
indirect enum Event: Hashable {
  /// The desktop's preference is this now; what it came from is for the log.
  case desktop(Reading, cause: Text)
  /// What the desktop told last is what it stands by: it is not in the midst of changing.
  case settled
  /// The time of ``Effect/wake(_:)`` or of the schedule's turn has come, or the clock was changed: it is this now, in
  /// seconds since the epoch, and the schedule, where that is given, says this.
  ///
  /// One event for both, since what ends at a turn, or was slept through with it, is to be seen as one change.
  case clock(Int64, schedule: Scheduled? = nil)
  /// What is kept could be read, after the start: with what clients have changed meanwhile, this holds, at this time.
  case loaded(Overrides, now: Int64)
  /// The configuration says this now, and with it, where that is given, the schedule.
  case configured(Defaults, schedule: ScheduleNews? = nil, cause: Text)
  /// The schedule says this now.
  case scheduled(ScheduleNews, cause: Text)
  /// The themes were read, or do not answer, that the ``Effect/read(_:number:)`` of this number asked for: of all that
  /// are chosen, these can be shown.
  case read(ThemeTable, number: Int)
  /// Files of chosen themes have changed: these can be shown now.
  case themes(ThemeTable, cause: Text)
  /// A client wants this override, and none of these fields of the same level; its themes can be shown, as this says.
  case set(Override, clear: [Field], ThemeTable, by: Caller)
  /// A client wants no override of these fields: for all apps, or for one; or for all and for each single one.
  case clear([Field], app: Text?, everyApp: Bool, by: Caller)
  /// A client wants the opposite of what is shown; where that needs an override, until this one's end.
  case toggle(app: Text?, until: Override, by: Caller)
}

extension Event {
  /// The client that wants it; nil where it is none.
  var caller: Caller? {
    switch self {
    case .set(_, _, _, let caller), .clear(_, _, _, let caller), .toggle(_, _, let caller): caller
    default: nil
    }
  }
}

/// What the schedule says, and when it does, in seconds since the epoch.
struct ScheduleNews: Hashable {
  let scheduled: Scheduled
  let now: Int64
}

/// A client that wants something changed.
struct Caller: Hashable {
  /// Its connection's token: whom to answer.
  let connection: UInt64
  /// What it calls.
  let method: ThemeInterface.Method
  /// Its process.
  let process: pid_t
  /// The program that this runs, for the log; nil where it was not read yet.
  var program: Text?

  /// What the change comes from, for the log.
  var cause: Text { "\(method.rawValue) by process \(process)" }
}
