/// The rule of a time zone as POSIX writes it in `TZ`, with the hours that RFC 9636 allows:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixZone: Sendable, Hashable {
  /// A time on a day of each year.
  struct Change: Sendable, Hashable {
    enum Day: Sendable, Hashable {
      /// Day 1 to 365; the 29th of February is never counted.
      case julian(Int)
      /// Day 0 to 365.
      case zeroBased(Int)
      /// The weekday (0 is Sunday) in this week of the month; week 5 is the last one.
      case weekday(month: Int, week: Int, day: Int)
    }

    var day: Day
    /// Seconds from midnight; can be negative.
    var time: Int
  }

  struct Summer: Sendable, Hashable {
    let offset: Int
    let begin: Change
    let end: Change
  }

  private let offset: Int
  private let summer: Summer?

  /// How many seconds the clocks are ahead of UTC at a time.
  func offset(at time: Int64) -> Int {
    guard summer != nil else { return offset }
    return changes(around: time).last { $0.time <= time }?.offset ?? offset
  }

  /// The next time at which the clocks change.
  func nextTransition(after time: Int64) -> Zone.Transition? {
    changes(around: time).first { $0.time > time }
  }

  /// The changes of the years around a time, in order.
  private func changes(around time: Int64) -> [Zone.Transition] {
    guard let summer else { return [] }
    let day = floorDivided(max(-1 << 40, min(1 << 40, time)), by: dayLength)
    let year = CalendarDay(sinceEpoch: Int(day)).year
    var changes: [(transition: Zone.Transition, isBegin: Bool)] = []
    for year in year - 1...year + 1 {
      let begin = summer.begin.local(in: year) - Int64(offset)
      let end = summer.end.local(in: year) - Int64(summer.offset)
      changes.append((Zone.Transition(time: begin, offset: summer.offset), true))
      changes.append((Zone.Transition(time: end, offset: offset), false))
    }
    // If a summer time ends when the next one begins, it never ends.
    return changes.sorted {
      $0.transition.time != $1.transition.time ? $0.transition.time < $1.transition.time : !$0.isBegin && $1.isBegin
    }.map(\.transition)
  }
}

extension PosixZone.Change {
  /// The time of the change in a year, by the clocks before the change, in seconds as if those showed UTC.
  fileprivate func local(in year: Int) -> Int64 {
    let first = CalendarDay(year: year, month: 1, day: 1).sinceEpoch
    let day: Int
    switch self.day {
    case .julian(let number): day = first + number - 1 + (number >= 60 && CalendarDay.isLeap(year) ? 1 : 0)
    case .zeroBased(let number): day = first + number
    case .weekday(let month, let week, let weekday):
      let start = CalendarDay(year: year, month: month, day: 1).sinceEpoch
      // 1970-01-01 was a Thursday.
      let firstWeekday = start + 4 - floorDivided(start + 4, by: 7) * 7
      var found = start + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      let next = month == 12 ? (year + 1, 1) : (year, month + 1)
      while found >= CalendarDay(year: next.0, month: next.1, day: 1).sinceEpoch { found -= 7 }
      day = found
    }
    return Int64(day) * dayLength + Int64(time)
  }
}

// MARK: Reading

extension PosixZone {
  /// Reads a rule; nil if the bytes are not a rule.
  init?(_ bytes: some Collection<UInt8>) {
    var reader = Reader(rest: Array(bytes)[...])
    guard reader.name(), let standard = reader.offset() else { return nil }
    offset = -standard
    guard !reader.rest.isEmpty else {
      summer = nil
      return
    }
    guard reader.name() else { return nil }
    var summerOffset = offset + 3600
    if !reader.rest.isEmpty, reader.rest.first != UInt8(ascii: ",") {
      guard let given = reader.offset() else { return nil }
      summerOffset = -given
    }
    // The C library uses this default if no rule is given.
    if reader.rest.isEmpty { reader.rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
    guard let begin = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
    summer = Summer(offset: summerOffset, begin: begin, end: end)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ byte: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: byte) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// Reads a name: three or more letters, or any text in angle brackets.
    mutating func name() -> Bool {
      if take("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { (65...90).contains($0) || (97...122).contains($0) }
      rest = rest.dropFirst(letters.count)
      return letters.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { (48...57).contains($0) }
      guard let number = ThemedModel.number(digits, digits: 1...3), range.contains(number) else { return nil }
      rest = rest.dropFirst(digits.count)
      return number
    }

    /// Reads a time of at most this many hours, in seconds.
    mutating func time(hours: Int) -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hour = number(0...hours) else { return nil }
      var seconds = hour * 3600
      for unit in [60, 1] where take(":") {
        guard let part = number(0...59) else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    mutating func offset() -> Int? { time(hours: 24) }

    mutating func change() -> Change? {
      guard take(",") else { return nil }
      let day: Change.Day
      if take("J") {
        guard let number = number(1...365) else { return nil }
        day = .julian(number)
      } else if take("M") {
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6)
        else { return nil }
        day = .weekday(month: month, week: week, day: weekday)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .zeroBased(number)
      }
      guard take("/") else { return Change(day: day, time: 2 * 3600) }
      guard let time = time(hours: 167) else { return nil }
      return Change(day: day, time: time)
    }
  }
}
