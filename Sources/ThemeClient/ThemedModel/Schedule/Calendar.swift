/// A day of the Gregorian calendar, computed without a clock, a time zone or the C library.
struct CalendarDay: Hashable {
  let year: Int
  let month: Int
  let day: Int

  /// The day that is this many days after 1970-01-01.
  init(sinceEpoch days: Int) {
    // Counts years from March, so that a leap day is the last day of a year (Howard Hinnant's algorithm).
    let shifted = days + 719_468
    let era = floorDivided(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// How many days the day is after 1970-01-01.
  var sinceEpoch: Int {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivided(year, by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether a year has a 29th of February.
  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
  }
}

/// The length of a day, in seconds.
let dayLength: Int64 = 86_400

/// The times that are supported, in seconds since the epoch: until the end of the year 9999.
let reckonedTimes: ClosedRange<Int64> = 0...253_402_300_799

/// The quotient, rounded down, also for negative numbers.
func floorDivided<Number: BinaryInteger & SignedNumeric>(_ number: Number, by divisor: Number) -> Number {
  number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
}

/// How many days ahead to look for a switch, one after the other.
///
/// Most switches are near, and a far look takes long.
let lookedAhead = [2, 30, Switch.farthest / dayLength]
