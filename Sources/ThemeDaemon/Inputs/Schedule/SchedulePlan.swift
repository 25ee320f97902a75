internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// Decides what the schedule says, by the configuration and the time zone: a pure rule.
struct SchedulePlan: Equatable {
  enum Timing: Equatable {
    /// There is no schedule.
    case off
    /// Something that it needs has not been read yet.
    case unknown
    /// Something that it needs is missing: the reason and what to do.
    case impossible(String)
    case by(Timetable)
  }

  var settings = ScheduleSettings()
  /// The file of the settings, as it is named in messages.
  var path = "themed.conf"
  /// The last time zone that was read; nil if there is none.
  private(set) var located: LocatedZone?
  /// The current problem with the time zone.
  private(set) var zoneProblem: String?
  /// A warning about something that may surprise the user about the time zone.
  private(set) var zoneWarning: String?

  /// Takes the result of reading the time zone; if it cannot be read, the last zone stays in force.
  mutating func wasRead(_ outcome: LocatedZone.Outcome) {
    (zoneProblem, zoneWarning) = (nil, nil)
    switch outcome {
    case .found(var found):
      if found.placeProblem != nil, let located {
        (found.place, found.placeOrigin) = (located.place, located.placeOrigin)
      }
      located = found
    case .nameless(let warning):
      // As the C library does if no zone is set.
      located = LocatedZone(zone: .utc, name: nil, place: nil, placeOrigin: nil)
      zoneWarning = warning
    case .failed(let problem), .short(let problem): zoneProblem = problem
    }
  }

  mutating func forgetZone() { (located, zoneProblem, zoneWarning) = (nil, nil, nil) }

  /// Whether the time zone has to be read.
  var needsZone: Bool { settings.mode != .off }

  /// Whether the switches depend on the time zone; with a configured place, only the display of the sun's times does.
  var goesByZone: Bool { settings.mode == .times || settings.mode == .sun && settings.place == nil }

  /// The place for the sun's times, and where it comes from.
  var place: (place: Place, origin: Text)? {
    if let place = settings.place { return (place, "configuration") }
    return located.flatMap { located in located.place.map { ($0, located.placeOrigin ?? "zone") } }
  }

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
        "mode=sun needs a place, but \(name) has none; run 'themectl schedule sun --at LATITUDE,LONGITUDE'"
          + ((zoneProblem ?? zoneWarning).map { " (\($0))" } ?? ""))
    }
  }

  var problem: String? {
    if case .impossible(let problem) = timing { return problem }
    guard goesByZone else { return nil }
    return zoneProblem ?? (settings.mode == .sun ? located?.placeProblem : nil)
  }

  // MARK: Output

  func news(now: Int64) -> ScheduleNews {
    switch timing {
    case .off, .impossible: return ScheduleNews(scheduled: .off, now: now)
    case .unknown: return ScheduleNews(scheduled: .unknown, now: now)
    case .by(let timetable):
      let (scheme, next) = timetable.turn(at: now)
      return ScheduleNews(scheduled: .by(scheme, next: next), now: now)
    }
  }

  /// When to ask again, if nothing else happens before; nil: never.
  ///
  /// There is such a time even if no switch is near, because a change of the clock is only noticed by a timer that is
  /// set.
  func wake(after news: ScheduleNews) -> Int64? {
    guard case .by(_, let next) = news.scheduled else { return nil }
    return next?.time ?? news.now.addingReportingOverflow(Switch.farthest).partialValue
  }

  /// The reply to GetSchedule.
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

// Warnings about a schedule that works but may surprise the user.

extension SchedulePlan {
  func warning(now: Int64) -> String? {
    guard needsZone else { return nil }
    let all = [skipWarning(now: now), sideWarning(now: now), nameWarning, clockWarning].compactMap(\.self)
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// A configured time does not exist on some day.
  private func skipWarning(now: Int64) -> String? {
    guard case .by(let timetable) = timing, let skipped = timetable.skippedTime(after: now) else { return nil }
    let isLight = skipped.scheme == .light
    let time = minuteText(isLight ? settings.light : settings.dark)
    // If the clocks skip both times, one of the switches does not happen.
    let comes = timetable.switches(after: skipped.time - 1, through: skipped.time).contains {
      $0.scheme == skipped.scheme
    }
    let then = minuteText(Int(timetable.zone.local(at: skipped.time) % 86_400) / 60)
    return "\(path): [schedule] \(isLight ? "light" : "dark") is '\(time)', but the clocks skip that time on "
      + "\(dayText(skipped.local)): "
      + (comes
        ? "it switches at \(then) that day; choose another time"
        : "it does not become \(skipped.scheme.rawValue) that day; choose another time")
  }

  /// The offsets leave no day or no night, although the sun rises and sets.
  private func sideWarning(now: Int64) -> String? {
    guard settings.sunriseOffset != 0 || settings.sunsetOffset != 0, case .by(let timetable) = timing,
      case .sun(let rule) = timetable.rule
    else { return nil }
    let turn = timetable.turn(at: now)
    let bare = Timetable(.sun(SunRule(place: rule.place, angle: rule.angle)), zone: .utc)
    guard turn.next == nil, bare.next(after: now) != nil else { return nil }
    return "\(path): with sunrise-offset=\(settings.sunriseOffset) and sunset-offset=\(settings.sunsetOffset) "
      + "it stays \(turn.scheme.rawValue) for at least a year, although the sun rises and sets"
  }

  /// The zone is another name for one whose place may be far away.
  private var nameWarning: String? {
    guard settings.mode == .sun, settings.place == nil, let name = located?.name, let origin = located?.placeOrigin,
      name != origin
    else { return nil }
    return "\(name.shown()) is another name for \(origin.shown()), whose place decides the sun's times; if that is far "
      + "away, run 'themectl schedule sun --at LATITUDE,LONGITUDE'"
  }

  /// Clocks that are only for display, or have no zone.
  private var clockWarning: String? {
    if let zoneWarning { return zoneWarning }
    guard !goesByZone, located == nil else { return nil }
    return zoneProblem.map { "times are shown in UTC: \($0)" }
  }
}

extension Forecast {
  /// The times during which a forecast that was made at `now` stays valid.
  func times(from now: Int64) -> Range<Int64> {
    let times = [switches.first?.turn.time, sunrise, sunset, now.addingReportingOverflow(86_400).partialValue]
    return now..<max(now, times.compactMap(\.self).min() ?? now)
  }
}
