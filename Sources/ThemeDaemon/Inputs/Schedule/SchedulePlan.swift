internal import ThemeInterface
internal import ThemeResolution
internal import ThemeSchedule
internal import ThemedText
internal import ThemedVarlink

/// What the schedule says: a pure rule of what is configured, and of the time zone as far as it was read.
struct SchedulePlan: Equatable {
  /// What is known of when light and dark take turns.
  enum Timing: Equatable {
    /// There is no schedule.
    case off
    /// It needs what was not read yet.
    case unknown
    /// It needs what is not there: why, and what to do.
    case impossible(String)
    /// By this timetable.
    case by(Timetable)
  }

  /// What the user configures.
  var settings = ScheduleSettings()
  /// The time zone as it was read last; nil before.
  private(set) var located: LocatedZone?
  /// What is wrong with it now.
  private(set) var zoneProblem: String?

  /// Takes note of what came of reading the time zone: what cannot be read leaves standing what held.
  mutating func wasRead(_ outcome: LocatedZone.Outcome) {
    switch outcome {
    case .found(let found): (located, zoneProblem) = (found, nil)
    case .nameless(let problem):
      // As the C library has it, where no zone is named.
      if located == nil { located = LocatedZone(zone: .utc, name: nil, place: nil, placeOrigin: nil) }
      zoneProblem = problem
    case .failed(let problem): zoneProblem = problem
    }
  }

  /// Whether the time zone is to be read.
  var needsZone: Bool { settings.mode != .off }

  /// Where the sun is looked at, and who says so.
  var place: (place: Place, origin: Text)? {
    if let place = settings.place { return (place, "configuration") }
    return located.flatMap { located in located.place.map { ($0, located.placeOrigin ?? "zone") } }
  }

  /// When light and dark take turns.
  var timing: Timing {
    switch settings.mode {
    case .off: return .off
    case .times:
      guard let located else { return .unknown }
      return .by(Timetable(.times(light: settings.light, dark: settings.dark), zone: located.zone))
    case .sun:
      if let place { return .by(Timetable(.sun(settings.sun(at: place.place)), zone: located?.zone ?? .utc)) }
      guard let located else { return .unknown }
      let name = located.name.map { "the time zone \($0.shown())" } ?? "a time zone without a name"
      return .impossible(
        "mode=sun needs a place, and \(name) has none: give latitude= and longitude= in [schedule] of themed.conf")
    }
  }

  /// What is wrong, in words.
  var problem: String? {
    guard settings.mode != .off else { return nil }
    if case .impossible(let problem) = timing { return zoneProblem.map { "\(problem) (\($0))" } ?? problem }
    // With a place of its own it goes by no zone.
    return settings.mode == .sun && settings.place != nil ? nil : zoneProblem
  }

  /// What may surprise, in words.
  func warning(now: Int64) -> String? {
    guard case .by(let timetable) = timing, let skipped = timetable.skippedTime(after: now) else { return nil }
    let isLight = skipped.scheme == .light
    let time = minuteText(isLight ? settings.light : settings.dark)
    let day = dayText(timetable.zone.local(at: skipped.time - 1))
    let then = minuteText(Int(timetable.zone.local(at: skipped.time) % 86_400) / 60)
    return "\(isLight ? "light" : "dark")=\(time) does not come on \(day), when the clocks are set forward: "
      + "it switches when they show \(then)"
  }

  // MARK: What it says

  /// What it says at a time.
  func news(now: Int64) -> ScheduleNews {
    switch timing {
    case .off, .impossible: return ScheduleNews(scheduled: .off, now: now)
    case .unknown: return ScheduleNews(scheduled: .unknown, now: now)
    case .by(let timetable):
      let (scheme, next) = timetable.turn(at: now)
      return ScheduleNews(scheduled: .by(scheme, next: next), now: now)
    }
  }

  /// When it is to be asked again, if nothing else happens before; nil: never.
  ///
  /// Where no turn is near it is so as well, since a clock that is set is noticed only by who waits for it.
  func wake(after news: ScheduleNews) -> Int64? {
    guard case .by(_, let next) = news.scheduled else { return nil }
    return next?.time ?? news.now.addingReportingOverflow(Switch.farthest).partialValue
  }

  /// What GetSchedule returns.
  func forecast(now: Int64) -> Forecast {
    var forecast = Forecast(mode: Text(settings.mode.rawValue))
    forecast.problem = problem
    forecast.warning = warning(now: now)
    forecast.zone = located?.name
    if let (place, origin) = place {
      forecast.coordinates = .init(
        latitude: place.latitude.value, longitude: place.longitude.value, origin: origin)
      let sun = Timetable(.sun(settings.sun(at: place)), zone: .utc)
      if let next = sun.next(after: now) {
        let turns = [next, sun.next(after: next.time)].compactMap(\.self)
        forecast.sunrise = turns.first { $0.scheme == .light }?.time
        forecast.sunset = turns.first { $0.scheme == .dark }?.time
      }
    }
    guard case .by(let timetable) = timing else { return forecast }
    forecast.scheme = timetable.scheme(at: now)
    var switches = timetable.switches(after: now, through: now.addingReportingOverflow(Limits.forecast).partialValue)
    while switches.count < 2, let next = timetable.next(after: switches.last?.time ?? now) { switches.append(next) }
    forecast.switches = switches.map { turn in
      Forecast.Turn(turn, offset: located.map { Int64($0.zone.offset(at: turn.time)) })
    }
    return forecast
  }
}

/// A minute of the day, as clocks show it.
func minuteText(_ minute: Int) -> String {
  [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}
