import Glibc
import Testing
import ThemedModel
import ThemedSystem

@testable import themectl

/// Times as people write them; each time zone in a process of its own, since it is the process's.
@Suite struct TimesTests {
  @Test(
    "A duration has each unit once at most, the largest first",
    arguments: [
      ("2h30m", 9_000), ("45m", 2_700), ("1d", 86_400), ("90s", 90), ("1d2h3m4s", 93_784), ("1h5s", 3_605),
      ("36h", 129_600), ("2hours", 7_200), ("2 hours", 7_200), ("1 hour 30 minutes", 5_400), ("2h 30m", 9_000),
      ("1day", 86_400), ("10min", 600), (" 2d12h ", 216_000), ("1 sec", 1), ("1hour2sec", 3_602),
    ] as [(String, Int64)])
  func durations(_ text: String, _ expected: Int64) {
    #expect(seconds(of: text) == expected)
  }

  @Test(
    "Anything else is no duration",
    arguments: [
      "", "0s", "2", "h", "-1h", "1.5h", "30m2h", "1h1h", "2h h", "9999999999d", "１h", "1w",
      "2hour3s4", "hours", "2 3h", "2hoürs", "1e", "1H", "30 m 2 h",
    ])
  func noDurations(_ text: String) {
    #expect(seconds(of: text) == nil)
  }

  @Test("A time of a daemon's may be any number", arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max])
  func anyTime(_ time: Int64) {
    for now in [Int64.min, 0, 1_800_000_000, .max] {
      #expect(!clockText(time, now: now).isEmpty)
      #expect(!durationText(time).isEmpty)
      let override = Override(scheme: .dark, expiresAt: time, untilDesktopChanges: true)
      #expect(override.words(now: now).hasPrefix("dark, until "))
    }
  }

  @Test(
    "A duration is told in its two largest units",
    arguments: [
      (0, "0 s"), (59, "59 s"), (60, "1 min"), (9_000, "2 h 30 min"), (86_400, "1 d"), (93_784, "1 d 2 h"),
      (3_605, "1 h"),
    ] as [(Int64, String)])
  func told(_ seconds: Int64, _ expected: String) {
    #expect(durationText(seconds) == expected)
  }

  /// Seconds since the epoch of a time in UTC, by `date -u -d … +%s`.
  private enum At {
    static let berlinWinterNoon: Int64 = 1_768_474_800  // 2026-01-15 11:00 UTC, 12:00 in Berlin
    static let berlinBeforeSummer: Int64 = 1_774_738_800  // 2026-03-28 23:00 UTC, 00:00 on the 29th in Berlin
    static let berlinBeforeWinter: Int64 = 1_792_879_200  // 2026-10-24 22:00 UTC, 00:00 on the 25th in Berlin
  }

  @Test("A time of day is the next such time, today or tomorrow")
  func timeOfDay() async {
    await #expect(processExitsWith: .success) {
      enter(berlin)
      let noon = At.berlinWinterNoon
      check(localTime("12:01", after: noon) == noon + 60)
      check(localTime("12:00", after: noon) == noon + 86_400)
      check(localTime("11:59", after: noon) == noon + 86_340)
      check(localTime("7:30", after: noon) == noon + 70_200)
      check(localTime("00:00", after: noon) == noon + 43_200)
      check(localTime("12:00:30", after: noon) == noon + 30)
    }
  }

  @Test("Across the end of a month and a year")
  func monthsAndYears() async {
    await #expect(processExitsWith: .success) {
      enter("UTC0")
      check(localTime("00:30", after: 1_798_761_599) == 1_798_763_400)  // 2026-12-31 23:59:59
      check(localTime("00:30", after: 1_772_323_199) == 1_772_325_000)  // 2026-02-28 23:59:59
    }
  }

  @Test("Where summer time begins, a time that is left out is one as long after the change")
  func springForward() async {
    await #expect(processExitsWith: .success) {
      enter(berlin)
      let midnight = At.berlinBeforeSummer
      check(localTime("03:30", after: midnight) == midnight + 9_000)
      check(localTime("02:30", after: midnight) == midnight + 9_000)
      check(localTime("01:30", after: midnight) == midnight + 5_400)
    }
  }

  @Test("Where summer time ends, a time that comes twice is its first that is still ahead")
  func fallBack() async {
    await #expect(processExitsWith: .success) {
      enter(berlin)
      let midnight = At.berlinBeforeWinter
      let first = midnight + 9_000
      check(localTime("02:30", after: midnight) == first)
      check(localTime("02:30", after: first) == first + 3_600)
      check(localTime("02:30", after: first + 3_600) == first + 3_600 + 86_400)
      check(localTime("07:30", after: midnight) == midnight + 8 * 3_600 + 1_800)
    }
  }

  @Test("A date with a time is that time, past or not")
  func dates() async {
    await #expect(processExitsWith: .success) {
      enter("UTC0")
      check(localTime("2026-12-24T18:00", after: 0) == 1_798_135_200)
      check(localTime("2026-12-24T18:00:05", after: 0) == 1_798_135_205)
      check(localTime("2026-12-24T18:00", after: 1_900_000_000) == 1_798_135_200)
      check(localTime("2028-02-29T00:00", after: 0) == 1_835_395_200)
    }
  }

  @Test("A day alone is when it begins, and tomorrow is the next one")
  func days() async {
    await #expect(processExitsWith: .success) {
      enter(berlin)
      let noon = At.berlinWinterNoon
      check(localTime("2026-01-16", after: noon) == noon + 43_200)
      check(localTime("2026-01-15", after: noon) == noon - 43_200)
      check(localTime("tomorrow", after: noon) == noon + 43_200)
      check(localTime("tomorrow 07:30", after: noon) == noon + 70_200)
      check(localTime("tomorrowT07:30", after: noon) == noon + 70_200)
      check(localTime("2026-01-16 07:30", after: noon) == noon + 70_200)
      check(localTime("2026-01-16  7:30:01", after: noon) == noon + 70_201)
      // The days that have 23 and 25 hours.
      check(localTime("tomorrow", after: At.berlinBeforeSummer) == At.berlinBeforeSummer + 23 * 3_600)
      check(localTime("tomorrow", after: At.berlinBeforeWinter) == At.berlinBeforeWinter + 25 * 3_600)
      enter("UTC0")
      check(localTime("tomorrow", after: 1_798_761_599) == 1_798_761_600)  // 2026-12-31 23:59:59
    }
  }

  @Test(
    "Anything else is no time",
    arguments: [
      "", "7", "24:00", "12:60", "12:00:60", "noon", "1:2:3:4", "-1:00", "2026-02-29T12:00", "2026-13-01T12:00",
      "2026-12-24 ", "2026-12-24 T18:00", "2026-12-24  ", "18:00 2026-12-24", "Tomorrow", "tomorrow ", "tomorrow noon",
      "2026-02-29", "26-12-24T18:00", "2026-12-24T", "T12:00", "１２:00",
    ])
  func noTimes(_ text: String) {
    #expect(localTime(text, after: At.berlinWinterNoon) == nil)
  }

  @Test("A time within a day is told by the clock, a later one with its date")
  func clockTexts() async {
    await #expect(processExitsWith: .success) {
      enter(berlin)
      let noon = At.berlinWinterNoon
      check(clockText(noon + 70_200, now: noon) == "07:30")
      check(clockText(noon + 86_400, now: noon) == "2026-01-16 12:00")
    }
  }
}

@Suite struct ColorTextTests {
  @Test("A colour comes back as it was written", arguments: ["#3584e4", "#000000", "#ffffff", "#0a0b0c"])
  func roundTrip(_ text: String) {
    #expect(Color(hexadecimal: Text(text))?.hexadecimal == text)
  }

  @Test("The number sign may be left out, digits may be capitals, and three stand for six")
  func shortForms() {
    #expect(Color(hexadecimal: "3584E4")?.hexadecimal == "#3584e4")
    #expect(Color(hexadecimal: "#abc")?.hexadecimal == "#aabbcc")
  }

  @Test(
    "Anything else is no colour", arguments: ["", "#", "blue", "#12345", "#1234567", "#gggggg", "##123456", "+12345"])
  func noColors(_ text: String) {
    #expect(Color(hexadecimal: Text(text)) == nil)
  }
}

/// Berlin's rules, without a data base of time zones.
private let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"

private func enter(_ zone: String) {
  unsafe setenv("TZ", zone, 1)
  tzset()
}

/// Fails the process of one time zone.
private func check(_ holds: Bool, line: Int = #line) {
  guard !holds else { return }
  print("line \(line) does not hold")
  exit(1)
}
