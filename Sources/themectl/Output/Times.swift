import Glibc

// Times as people write and read them. Local times go through libc, so that no ICU comes in.

/// The time, in seconds since the epoch.
func wallClock() -> Int64 { Int64(time(nil)) }

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
  guard let today = shown(now)?.day else { return nil }
  let tomorrow = Day(year: today.year, month: today.month, day: today.day + 1)
  if let clock = clockTime(text[...]) {
    return local(today, clock, after: now) ?? local(tomorrow, clock, after: now)
  }
  let name = text.prefix { $0 != "T" && $0 != " " }
  let rest = text.dropFirst(name.count)
  guard let day = name == "tomorrow" ? tomorrow : date(name) else { return nil }
  guard let clock = rest.isEmpty ? .midnight : clockTime(rest.dropFirst().drop { $0 == " " }) else { return nil }
  return local(day, clock, after: now) ?? local(day, clock, after: .min)
}

/// A time in seconds since the epoch as the local clock shows it, without the date if it is within a day.
func clockText(_ time: Int64, now: Int64) -> String {
  var seconds = time_t(time)
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return "\(time) seconds after 1970" }
  var text = [CChar](repeating: 0, count: 64)
  let isNear = time.subtractingSaturated(now).magnitude < 86_400
  let format = isNear ? "%H:%M" : "%Y-%m-%d %H:%M"
  let count = unsafe strftime(&text, text.count, format, &parts)
  return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Int64 {
  /// The difference, or the nearest number if it overflows: a time from outside may be any number.
  func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (self < 0 ? .min : .max) : difference
  }
}

/// The duration, in its two largest units.
func durationText(_ seconds: Int64) -> String {
  let units: [(String, Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
  guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
  var rest = seconds
  return units[first...].prefix(2).compactMap { name, size in
    defer { rest %= size }
    return rest / size == 0 ? nil : "\(rest / size) \(name)"
  }.joined(separator: " ")
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
  // Both offsets are asked for: the clock shows the time twice where summer time ends, and never where it begins.
  let times = [-1, 0, 1].map { made(day, clock, isSummerTime: $0) }
  let exact = times.filter { shown($0)?.clock == clock }
  return (exact.isEmpty ? [times[0]] : exact).filter { $0 > now }.min()
}

private func made(_ day: Day, _ clock: Clock, isSummerTime: Int32) -> Int64 {
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

/// The local date and time of day at a time.
private func shown(_ time: Int64) -> (day: Day, clock: Clock)? {
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
