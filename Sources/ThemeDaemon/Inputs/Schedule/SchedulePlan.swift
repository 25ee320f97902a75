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
  /// The file in which that stands, as messages name it.
  var path = "themed.conf"
  /// The time zone as it was read last; nil before.
  private(set) var located: LocatedZone?
  /// What is wrong with it now.
  private(set) var zoneProblem: String?
  /// What may surprise of it.
  private(set) var zoneWarning: String?

  /// Takes note of what came of reading the time zone: what cannot be read leaves standing what held.
  mutating func wasRead(_ outcome: LocatedZone.Outcome) {
    (zoneProblem, zoneWarning) = (nil, nil)
    switch outcome {
    case .found(var found):
      if found.placeProblem != nil, let located {
        (found.place, found.placeOrigin) = (located.place, located.placeOrigin)
      }
      located = found
    case .nameless(let warning):
      // As the C library has it, where no zone is named.
      located = LocatedZone(zone: .utc, name: nil, place: nil, placeOrigin: nil)
      zoneWarning = warning
    case .failed(let problem), .short(let problem): zoneProblem = problem
    }
  }

  /// Forgets the time zone, which is not followed any more.
  mutating func forgetZone() {
    (located, zoneProblem, zoneWarning) = (nil, nil, nil)
  }

  /// Whether the time zone is to be read.
  var needsZone: Bool { settings.mode != .off }

  /// Whether it turns by the time zone; the sun at a place of one's own turns by none, and only its times are shown by it.
  var goesByZone: Bool { settings.mode == .times || settings.mode == .sun && settings.place == nil }

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
      guard let located else { return zoneProblem.map(Timing.impossible) ?? .unknown }
      return .by(Timetable(.times(light: settings.light, dark: settings.dark), zone: located.zone))
    case .sun:
      if let place { return .by(Timetable(.sun(settings.sun(at: place.place)), zone: located?.zone ?? .utc)) }
      guard let located else { return zoneProblem.map(Timing.impossible) ?? .unknown }
      if let problem = located.placeProblem { return .impossible("mode=sun needs a place: \(problem)") }
      let name = located.name.map { "the time zone \($0.shown())" } ?? "a time zone without a name"
      return .impossible(
        "mode=sun needs a place, but \(name) has none; set latitude= and longitude= in [schedule] of \(path)"
          + ((zoneProblem ?? zoneWarning).map { " (\($0))" } ?? ""))
    }
  }

  /// What is wrong, in words.
  var problem: String? {
    if case .impossible(let problem) = timing { return problem }
    guard goesByZone else { return nil }
    return zoneProblem ?? (settings.mode == .sun ? located?.placeProblem : nil)
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
      let sun = settings.sun(at: place)
      forecast.sunrise = sun.next(isRise: true, after: now)
      forecast.sunset = sun.next(isRise: false, after: now)
    }
    guard case .by(let timetable) = timing else { return forecast }
    forecast.scheme = timetable.scheme(at: now)
    var switches = timetable.switches(after: now, through: now.addingReportingOverflow(Limits.forecast).partialValue)
    while switches.count < 2, let next = timetable.next(after: switches.last?.time ?? now) { switches.append(next) }
    forecast.switches = switches.map { turn in
      Forecast.Turn(turn, offset: Int64(timetable.zone.offset(at: turn.time)))
    }
    return forecast
  }
}

/// A minute of the day, as clocks show it.
func minuteText(_ minute: Int) -> String {
  [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}
