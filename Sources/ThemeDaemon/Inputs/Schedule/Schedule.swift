internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// The schedule: asks ``SchedulePlan`` whenever a switch is due, the clock was set or the time zone has changed.
///
/// The daemon has the clock, and asks at each ``wake``.
final class Schedule {
  /// Receives what the schedule says after it has changed by itself.
  weak var events: (any EventReceiver)?
  /// Learns of another time to wake, and of problems.
  weak var receiver: (any InputReceiver)?
  /// When to ask the schedule again, in seconds since the epoch; nil: never.
  private(set) var wake: Int64?

  private var plan = SchedulePlan()
  /// Whether the configuration was read: before that, it is not known whether there is a schedule.
  private var isConfigured = false
  /// The last forecast, and for which times it stays valid.
  private var reckoned: (plan: SchedulePlan, forecast: Forecast, times: Range<Int64>)?
  private let zoneFiles: ZoneFiles
  private let files: FileReader
  private let log: Log
  private var told: (problem: String?, warning: String?)

  /// A schedule that has not been configured yet, by the file at `path`.
  init(_ zoneFiles: ZoneFiles = .own, path: String?, files: FileReader, log: Log) {
    (self.zoneFiles, self.files, self.log) = (zoneFiles, files, log)
    if let path { plan.path = Text(path).shown(atMost: Limits.shownText) }
  }

  var problem: String? {
    plan.problem ?? (plan.goesByZone ? files.trouble(of: .zone).map { "the time zone: \($0)" } : nil)
  }

  /// The reply to GetSchedule.
  var forecast: Forecast {
    let now = WallClock.now
    var forecast: Forecast
    if let reckoned, reckoned.plan == plan, reckoned.times.contains(now) {
      forecast = reckoned.forecast
    } else {
      forecast = plan.forecast(now: now)
      reckoned = (plan, forecast, forecast.times(from: now))
    }
    forecast.problem = problem
    return forecast
  }

  /// The zone in which to show its times; nil if there is no schedule.
  var zone: Zone? { plan.needsZone ? plan.located?.zone ?? .utc : nil }

  var news: ScheduleNews {
    isConfigured ? tell() : ScheduleNews(scheduled: .unknown, now: WallClock.now)
  }

  func configure(_ settings: ScheduleSettings) -> ScheduleNews {
    plan.settings = settings
    isConfigured = true
    if plan.needsZone != files.follows(.zone) { plan.needsZone ? follow() : forget() }
    return tell()
  }

  /// Forgets the zone: it may have changed by the time it is needed again.
  private func forget() {
    files.forget(.zone)
    files.endWatches()
    plan.forgetZone()
  }

  private func follow() {
    files.follow(.zone, zoneFiles.watched) { [zoneFiles] progress in
      zoneFiles.read(progress.note)
    } isShort: {
      if case .short = $0 { true } else { false }
    } use: { [unowned self] outcome in
      let before = plan
      plan.wasRead(outcome)
      if plan != before { turn(plan.located == before.located ? "the schedule" : "the time zone") }
    }
    files.read(.zone) {}
  }

  private func turn(_ cause: Text) { events?.send(.scheduled(tell(), cause: cause)) }

  /// Returns what the schedule says now, sets the clock for its next switch, and logs problems once.
  private func tell() -> ScheduleNews {
    let news = plan.news(now: WallClock.now)
    wake = plan.wake(after: news)
    receiver?.setClock()
    let (problem, warning) = (plan.problem, plan.warning(now: news.now))
    if let problem, problem != told.problem { log.warning("the schedule: \(problem)") }
    if problem == nil, told.problem != nil, plan.needsZone { log.notice("the schedule works again") }
    if let warning, warning != told.warning { log.notice("the schedule: \(warning)") }
    let isNews = problem != told.problem
    told = (problem, warning)
    if isNews { receiver?.statusChanged() }
    return news
  }
}
