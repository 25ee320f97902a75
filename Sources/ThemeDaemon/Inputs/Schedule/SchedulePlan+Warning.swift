internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem

// Warnings about a schedule that works but may surprise the user.

extension SchedulePlan {
  /// The warnings, in words.
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
      + "away, set latitude= and longitude= in [schedule] of \(path)"
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
