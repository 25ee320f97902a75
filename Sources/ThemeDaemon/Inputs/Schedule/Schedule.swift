internal import ThemeInterface
internal import ThemeSchedule
internal import ThemedLoop
internal import ThemedText
internal import ThemedUnix

/// The schedule: asks ``SchedulePlan`` whenever a turn has come, the clock was set or the time zone has changed.
///
/// It sleeps on a timer of the wall clock, which a suspend does not hold up.
final class Schedule {
  /// Called with what it says, once it has turned by itself.
  var onEvent: (Event) -> Void = { _ in }
  /// Called when something is wrong with it, or is no more.
  var onProblem: () -> Void = {}

  private var plan = SchedulePlan()
  private var clock: WallClock?
  private let places: ZonePlaces
  private let files: FileReader
  private let log: Log
  private var told: (problem: String?, warning: String?)

  /// A schedule of nothing yet.
  init(_ places: ZonePlaces = .own, files: FileReader, log: Log) {
    (self.places, self.files, self.log) = (places, files, log)
  }

  /// What is wrong with it.
  var problem: String? {
    plan.problem ?? (plan.needsZone ? files.trouble(of: .zone).map { "the time zone: \($0)" } : nil)
  }

  /// What GetSchedule returns.
  var forecast: Forecast {
    var forecast = plan.forecast(now: WallClock.now)
    forecast.problem = problem
    return forecast
  }

  /// From now on it turns by itself.
  func attach() throws(SystemError) {
    clock = try WallClock { [unowned self] in turn("the schedule") }
  }

  /// Acts by these settings; what it says now.
  func configure(_ settings: ScheduleSettings) -> ScheduleNews {
    plan.settings = settings
    if plan.needsZone != files.follows(.zone) { plan.needsZone ? follow() : files.forget(.zone) }
    return tell()
  }

  private func follow() {
    files.follow(.zone, places.watched) { [places] progress in
      places.read(progress.note)
    } use: { [unowned self] outcome in
      let before = plan
      plan.wasRead(outcome)
      if plan != before { turn(plan.located == before.located ? "the schedule" : "the time zone") }
    }
    files.read(.zone) {}
  }

  private func turn(_ cause: Text) { onEvent(.scheduled(tell(), cause: cause)) }

  /// What it says now, with the timer set for its next turn, and what is wrong told once.
  private func tell() -> ScheduleNews {
    let news = plan.news(now: WallClock.now)
    clock?.set(plan.wake(after: news))
    let (problem, warning) = (plan.problem, plan.warning(now: news.now))
    if let problem, problem != told.problem { log.warning("the schedule: \(problem)") }
    if let warning, warning != told.warning { log.notice("the schedule: \(warning)") }
    let isNews = problem != told.problem
    told = (problem, warning)
    if isNews { onProblem() }
    return news
  }
}
