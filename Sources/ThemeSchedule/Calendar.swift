internal import ThemeResolution

/// A day of the Gregorian calendar, reckoned without a clock, a zone or the C library.
struct CalendarDay: Hashable {
  let year: Int
  let month: Int
  let day: Int

  /// The day that lies so many days behind 1970-01-01.
  init(sinceEpoch days: Int) {
    // In years that begin with March, so that the day that not every year has is the last (Howard Hinnant's algorithm).
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

  /// How many days it lies behind 1970-01-01.
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

/// A day, in seconds.
let dayLength: Int64 = 86_400

/// The times that are reckoned with, in seconds since the epoch: up to the end of the year 9999.
let reckonedTimes: ClosedRange<Int64> = 0...253_402_300_799

/// The quotient, rounded down also below zero.
func floorDivided<Number: BinaryInteger & SignedNumeric>(_ number: Number, by divisor: Number) -> Number {
  number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
}

/// How many days ahead a turn is looked for, one after the other: mostly it is near, and to look far takes long.
let lookedAhead = [2, 30, Switch.farthest / dayLength]
