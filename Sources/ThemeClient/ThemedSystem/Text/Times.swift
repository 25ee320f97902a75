internal import Glibc

/// The seconds since the epoch.
public func wallClock() -> Int64 { Int64(time(nil)) }

/// A time in seconds since the epoch as the local clock shows it, without the date if it is within a day.
public func clockText(_ time: Int64, now: Int64) -> String {
  let isNear = time.subtractingSaturated(now).magnitude < 86_400
  return clockText(time, as: isNear ? "%H:%M" : "%Y-%m-%d %H:%M") ?? "\(time) seconds after 1970"
}

/// A time as the local clock, or UTC's, shows it in a format of strftime; nil if no clock can show it.
public func clockText(_ time: Int64, as format: String, isLocal: Bool = true) -> String? {
  // A program that runs for long has to see another time zone; localtime_r alone keeps the first.
  if isLocal { tzset() }
  var seconds = time_t(time)
  var parts = unsafe tm()
  let isShown = unsafe isLocal ? localtime_r(&seconds, &parts) != nil : gmtime_r(&seconds, &parts) != nil
  guard isShown else { return nil }
  var text = [CChar](repeating: 0, count: 64)
  let count = unsafe strftime(&text, text.count, format, &parts)
  return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Int64 {
  /// The difference, or the nearest number if it overflows: a time from outside may be any number.
  public func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (self < 0 ? .min : .max) : difference
  }
}

/// The duration, in its two largest units.
public func durationText(_ seconds: Int64) -> String {
  let units: [(String, Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
  guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
  var rest = seconds
  return units[first...].prefix(2).compactMap { name, size in
    defer { rest %= size }
    return rest / size == 0 ? nil : "\(rest / size) \(name)"
  }.joined(separator: " ")
}
