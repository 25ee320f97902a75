import ArgumentParser
import Glibc
import ThemedModel
import ThemedSystem

/// The number of seconds that a word of the command line stands for; the message about a mistake has an example.
func parsedDuration(_ text: String, example: String) throws -> Int64 {
  if let seconds = seconds(of: text) { return seconds }
  guard let ahead = Text(text).dropping(prefix: "-"), seconds(of: ahead.string) != nil else {
    if !text.isEmpty, Text(text).utf8.allSatisfy(\.isDigit) {
      throw ValidationError("'\(text)' has no unit; try \(text)s, \(text)m or \(text)h")
    }
    throw ValidationError("invalid duration '\(text)'; try: \(example)")
  }
  throw ValidationError("the end must be in the future, and '\(text)' is in the past; try --for \(ahead.asWord)")
}

struct OverrideEnd: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Keep this for a limited time, such as 2h30m or 45m.", valueName: "time"))
  var duration: String?

  @Option(
    help: ArgumentHelp(
      "Keep this until a time (07:30, 'tomorrow 07:30' or '2026-12-24 18:00'), the beginning of a day (tomorrow or "
        + "2026-12-24), sunrise, "
        + "sunset, or changed: until the desktop's own setting changes or the schedule switches.",
      valueName: "time"), completion: .list(["changed", "sunrise", "sunset", "tomorrow"]))
  var until: String?

  private var isUntilChanged: Bool { until.map { Text($0) } == "changed" }

  var isGiven: Bool { duration != nil || until != nil }

  func validate() throws { _ = try expiry(now: wallClock(), nil) }

  /// Gives an override this end; an end by the sun is computed by this daemon, and without a daemon the words are only
  /// checked.
  func end(_ override: inout Override, now: Int64, asking daemon: Daemon? = nil) throws {
    override.expiresAt = try expiry(now: now, daemon)
    override.untilDesktopChanges = isUntilChanged ? true : nil
  }

  private func expiry(now: Int64, _ daemon: Daemon?) throws -> Int64? {
    let time: Int64
    switch (duration, isUntilChanged ? nil : until) {
    case (nil, nil): return nil
    case (_?, _?):
      throw ValidationError(
        "--for and --until cannot be used together, except with --until changed; try: themectl set dark --for 2h30m")
    case (let text?, nil):
      time = now + (try parsedDuration(text, example: "--for 2h30m, --for 45m, --for 1d"))
    case (nil, let text?) where SunTime(word: Text(text)) != nil:
      guard let daemon, let sun = SunTime(word: Text(text)) else { return nil }
      time = try daemon.next(sun)
    case (nil, let text?):
      guard let end = localTime(text, after: now) else {
        throw ValidationError(
          "invalid time '\(text)'; try: --until 07:30, --until tomorrow, --until '2026-12-24 18:00', "
            + "--until sunrise, or --until changed, which also ends when the schedule switches")
      }
      time = end
    }
    guard time > now else {
      throw ValidationError(
        "the end must be in the future, and '\(until ?? "")' is in the past; try: --for 2h30m, --until 07:30")
    }
    guard time - now <= 10 * 365 * 24 * 60 * 60 else {
      throw ValidationError(
        "the end must be within ten years, and '\(duration ?? until ?? "")' is later; try: --for 2h30m")
    }
    return time
  }
}

/// How many seconds `text` means, such as `2h30m`, `45 minutes`, `1day` or `90s`; each unit once at most, the largest
/// first.
func seconds(of text: String) -> Int64? {
  let units: [(names: [Substring], size: Int64)] = [
    (["d", "day", "days"], 86_400), (["h", "hour", "hours"], 3_600), (["m", "min", "minute", "minutes"], 60),
    (["s", "sec", "second", "seconds"], 1),
  ]
  var rest = text.drop { $0 == " " }
  var total: Int64 = 0
  for (names, size) in units {
    let digits = rest.prefix(while: \.isASCIIDigit)
    let unit = rest.dropFirst(digits.count).drop { $0 == " " }
    let name = unit.prefix(while: \.isASCIILetter)
    guard names.contains(where: { $0 == name }) else { continue }
    guard digits.count <= 9, let number = Int64(digits) else { return nil }
    total += number * size
    rest = unit.dropFirst(name.count).drop { $0 == " " }
  }
  return rest.isEmpty && total > 0 ? total : nil
}

/// The time that `text` means by the local clock: `07:30`, the next such time after `now`; `2026-12-24` or `tomorrow`,
/// when that day begins; or such a day with a time after it, `2026-12-24 18:00` or `2026-12-24T18:00`.
///
/// The result is in seconds since the epoch; the text may have seconds, too. A time that a change of the clock skips
/// becomes the one as long after the change; of a time that comes twice, the first after `now` counts.
func localTime(_ text: String, after now: Int64) -> Int64? {
  guard let today = localClock(now)?.day else { return nil }
  let tomorrow = Day(year: today.year, month: today.month, day: today.day + 1)
  if let clock = clockTime(text[...]) { return local(today, clock, after: now) ?? local(tomorrow, clock, after: now) }
  let name = text.prefix { $0 != "T" && $0 != " " }
  let rest = text.dropFirst(name.count)
  guard let day = name == "tomorrow" ? tomorrow : date(name) else { return nil }
  guard let clock = rest.isEmpty ? .midnight : clockTime(rest.dropFirst().drop { $0 == " " }) else { return nil }
  return local(day, clock, after: now) ?? local(day, clock, after: .min)
}

private struct Day: Equatable {
  var year: Int
  var month: Int
  var day: Int
}

private struct Clock: Equatable {
  static let midnight = Clock(hour: 0, minute: 0, second: 0)

  var hour: Int
  var minute: Int
  var second: Int
}

/// The first time after `now` at which the local clock shows this time on that day, with either offset.
private func local(_ day: Day, _ clock: Clock, after now: Int64) -> Int64? {
  // With both offsets: the clock shows a time twice when summer time ends, and skips times when it begins.
  let times = [-1, 0, 1].map { epochTime(day, clock, isSummerTime: $0) }
  let exact = times.filter { localClock($0)?.clock == clock }
  return (exact.isEmpty ? [times[0]] : exact).filter { $0 > now }.min()
}

private func epochTime(_ day: Day, _ clock: Clock, isSummerTime: Int32) -> Int64 {
  var parts = unsafe tm()
  unsafe parts.tm_year = Int32(day.year - 1900)
  unsafe parts.tm_mon = Int32(day.month - 1)
  unsafe parts.tm_mday = Int32(day.day)
  unsafe parts.tm_hour = Int32(clock.hour)
  unsafe parts.tm_min = Int32(clock.minute)
  unsafe parts.tm_sec = Int32(clock.second)
  unsafe parts.tm_isdst = isSummerTime
  return Int64(unsafe mktime(&parts))
}

private func localClock(_ time: Int64) -> (day: Day, clock: Clock)? {
  var seconds = time_t(time)
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
  let day = unsafe Day(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  let clock = unsafe Clock(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  return (day, clock)
}

private func clockTime(_ text: Substring) -> Clock? {
  let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map(twoDigits)
  guard 2...3 ~= numbers.count, let hour = numbers[0], let minute = numbers[1], hour < 24, minute < 60 else {
    return nil
  }
  let second = numbers.count == 3 ? numbers[2] : 0
  guard let second, second < 60 else { return nil }
  return Clock(hour: hour, minute: minute, second: second)
}

private func date(_ text: Substring) -> Day? {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  guard parts.count == 3, parts[0].count == 4, parts[0].allSatisfy(\.isASCIIDigit), let year = Int(parts[0]),
    let month = twoDigits(parts[1]), let day = twoDigits(parts[2]), 1...12 ~= month,
    1...daysOf(month, year) ~= day
  else { return nil }
  return Day(year: year, month: month, day: day)
}

private func daysOf(_ month: Int, _ year: Int) -> Int {
  let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
}

private func twoDigits(_ text: Substring) -> Int? {
  1...2 ~= text.count && text.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
