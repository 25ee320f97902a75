public import ThemedSystem

/// When light and dark alternate: at times of the day in a time zone, or with the sun at a place.
///
/// Pure and total: the scheme at a time and the switches after it depend on nothing but that time.
public struct Timetable: Sendable, Hashable {
  /// The source of the timetable's switches.
  public enum Rule: Sendable, Hashable {
    /// It is light, or dark, from these minutes of the day on; the two must differ.
    case times(light: Int, dark: Int)
    /// The sun.
    case sun(SunRule)
  }

  /// The source of the timetable's switches.
  public let rule: Rule
  /// The time zone of the times.
  public let zone: Zone

  /// A timetable with this rule.
  public init(_ rule: Rule, zone: Zone) {
    (self.rule, self.zone) = (rule, zone)
  }

  /// The scheme to show at a time, in seconds since the epoch.
  public func scheme(at time: Int64) -> ColorScheme {
    let time = clamped(time)
    return switches(from: time, through: time).scheme
  }

  /// The first switch after a time; nil if there is none within a year, and after the last supported time.
  public func next(after time: Int64) -> Switch? {
    guard time <= reckonedTimes.upperBound else { return nil }
    let time = clamped(time)
    for days in lookedAhead {
      if let next = switches(from: time, through: time + days * dayLength).switches.first { return next }
    }
    return nil
  }

  /// The scheme to show at a time, and the first switch after it.
  public func turn(at time: Int64) -> (scheme: ColorScheme, next: Switch?) {
    let clamped = clamped(time)
    let found = switches(from: clamped, through: clamped + 2 * dayLength)
    guard time <= reckonedTimes.upperBound else { return (found.scheme, nil) }
    return (found.scheme, found.switches.first ?? next(after: clamped))
  }

  /// The switches after a time and up to another one, for a year at most.
  public func switches(after time: Int64, through last: Int64) -> [Switch] {
    let time = clamped(time)
    return switches(from: time, through: max(time, min(clamped(last), time + Switch.farthest))).switches
  }

  private func clamped(_ time: Int64) -> Int64 {
    min(max(time, reckonedTimes.lowerBound), reckonedTimes.upperBound)
  }

  private func switches(from first: Int64, through last: Int64) -> (scheme: ColorScheme, switches: [Switch]) {
    switch rule {
    case .sun(let rule):
      let found = rule.switches(from: first, through: last)
      return (
        found.isLight ? .light : .dark,
        found.switches.map { Switch(time: $0.time, scheme: $0.isLight ? .light : .dark) }
      )
    case .times(let light, let dark):
      let found = turns(light, dark, from: first, through: last)
      let scheme = found.last { $0.time <= first }?.scheme ?? .light
      return (scheme, found.filter { $0.time > first && $0.time <= last })
    }
  }

  /// The switches of the days from before the first time to after the last; each differs from the one before.
  private func turns(_ light: Int, _ dark: Int, from first: Int64, through last: Int64) -> [Switch] {
    // A zone that skips a day has moved to the other side of the date line.
    let days =
      floorDivided(zone.local(at: first), by: dayLength) - 3...floorDivided(zone.local(at: last), by: dayLength) + 1
    var turns: [Switch] = []
    for day in days {
      for (minute, scheme) in [(light, ColorScheme.light), (dark, .dark)].sorted(by: { $0.0 < $1.0 }) {
        let time = zone.time(ofLocal: day * dayLength + Int64(minute) * 60)
        // If the clocks skip both times, the two fall together and the last one counts.
        if turns.last?.time == time { turns.removeLast() }
        if turns.last?.scheme != scheme { turns.append(Switch(time: time, scheme: scheme)) }
      }
    }
    return turns
  }
}

extension Timetable {
  /// A time of the timetable that the clocks skip on one day.
  public struct SkippedTime: Sendable, Hashable {
    /// The scheme of the switch.
    public let scheme: ColorScheme
    /// The skipped time, in seconds as if it were UTC.
    public let local: Int64
    /// When the clocks skip the time, which is when the switch happens, in seconds since the epoch.
    public let time: Int64
  }

  /// The first time that the clocks skip within a year after `time`; nil if they skip none.
  public func skippedTime(after time: Int64) -> SkippedTime? {
    guard case .times(let light, let dark) = rule else { return nil }
    let first = clamped(time)
    var now = first
    while let next = zone.nextTransition(after: now), next.time - first <= Switch.farthest {
      let before = next.time + Int64(zone.offset(at: now))
      let after = next.time + Int64(next.offset)
      for (minute, scheme) in [(light, ColorScheme.light), (dark, .dark)] where after > before {
        let day = floorDivided(before, by: dayLength)
        for day in day...day + 1 {
          let local = day * dayLength + Int64(minute) * 60
          if before <= local, local < after { return SkippedTime(scheme: scheme, local: local, time: next.time) }
        }
      }
      now = next.time
    }
    return nil
  }
}

/// The user's settings for the schedule.
public struct ScheduleSettings: Sendable, Hashable {
  /// The source of the switching times.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Nothing: there is no schedule.
    case off
    /// Fixed times of the day.
    case times
    /// The sun.
    case sun
  }

  /// The source of the switching times.
  public var mode = Mode.off
  /// When it becomes light, in minutes of the day.
  public var light = 7 * 60
  /// When it becomes dark, in minutes of the day.
  public var dark = 19 * 60
  /// The place for sunrise and sunset; nil to take it from the time zone.
  public var place: Place?
  /// The height of the sun at sunrise and sunset.
  public var angle = SunRule.official
  /// How many minutes after sunrise it becomes light; negative for before it.
  public var sunriseOffset = 0
  /// How many minutes after sunset it becomes dark; negative for before it.
  public var sunsetOffset = 0

  /// No schedule.
  public init() {}

  /// The rule for the sun at a place.
  public func sun(at place: Place) -> SunRule {
    SunRule(place: place, angle: angle, sunriseOffset: sunriseOffset, sunsetOffset: sunsetOffset)
  }
}

/// A switch of the schedule to light or dark.
public struct Switch: Sendable, Hashable {
  /// When the schedule switches, in seconds since the epoch.
  public var time: Int64
  /// The schedule's scheme from then on.
  public var scheme: ColorScheme

  /// A switch to `scheme` at `time`.
  public init(time: Int64, scheme: ColorScheme) {
    (self.time, self.scheme) = (time, scheme)
  }

  /// How far ahead a switch can be, in seconds; more than a year, and more than the longest polar night.
  public static let farthest: Int64 = 370 * 86_400
}

/// The schedule's current scheme, if there is a schedule and it is known.
public enum Scheduled: Sendable, Hashable {
  /// There is no schedule.
  case off
  /// There is a schedule, but what it says is not known yet: the last scheme that it said stays in force.
  case unknown
  /// This scheme until the next switch; nil if there is no switch within a year.
  case by(ColorScheme, next: Switch?)

  /// The scheme that the schedule says; nil if the desktop decides instead.
  public var scheme: ColorScheme? {
    switch self {
    case .off, .unknown: nil
    case .by(let scheme, _): scheme
    }
  }

  /// The next switch, if it is known.
  public var next: Switch? {
    if case .by(_, let next) = self { next } else { nil }
  }
}

/// A minute of the day as clocks show it.
public func minuteText(_ minute: Int) -> String {
  [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}

/// The minute of the day for `07:30` or `7:30`; nil for any other text.
public func minuteOfDay(_ text: Text) -> Int? {
  let halves = text.split(":")
  guard halves.count == 2, 1...2 ~= halves[0].count, halves[1].count == 2 else { return nil }
  let numbers = halves.map { half in
    half.utf8.allSatisfy { (48...57).contains($0) } ? half.utf8.reduce(0) { $0 * 10 + Int($1) - 48 } : 60
  }
  return numbers[0] < 24 && numbers[1] < 60 ? numbers[0] * 60 + numbers[1] : nil
}
