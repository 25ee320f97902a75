@testable import ThemedModel
import Testing
import ThemedTestSupport

@Suite struct TimetableTests {
  private func time(_ text: String) throws -> Int64 { try #require(SunTests.time(text)) }

  @Test("light and dark take turns at their times of the day")
  func turns() throws {
    let table = Timetable(.times(light: 7 * 60, dark: 19 * 60 + 30), zone: try ZoneTests.zone("Europe/Berlin"))
    let noon = try time("2026-01-10T11:00")
    #expect(table.scheme(at: noon) == .light && table.scheme(at: noon + 12 * 3600) == .dark)
    #expect(table.next(after: noon) == Switch(time: try time("2026-01-10T18:30"), scheme: .dark))
    #expect(table.next(after: try time("2026-01-10T18:30"))?.time == (try time("2026-01-11T06:00")))
    // By the summer's clocks an hour earlier.
    #expect(table.next(after: try time("2026-03-29T02:00"))?.time == (try time("2026-03-29T05:00")))
  }

  @Test("a turn whose time the clocks skip comes when they do, and is told of before")
  func skipped() throws {
    let table = Timetable(.times(light: 2 * 60 + 30, dark: 19 * 60), zone: try ZoneTests.zone("Europe/Berlin"))
    let gap = try time("2026-03-29T01:00")
    #expect(table.next(after: gap - 3600) == Switch(time: gap, scheme: .light))
    #expect(table.skippedTime(after: gap - 86_400 * 90) == .init(scheme: .light, local: gap + 5400, time: gap))
    #expect(Timetable(.times(light: 1 * 60, dark: 3 * 60), zone: table.zone).skippedTime(after: gap - 86_400) == nil)
    #expect(Timetable(.times(light: 1 * 60, dark: 2 * 60), zone: table.zone).skippedTime(after: gap - 86_400) != nil)
  }

  @Test("of two turns that the clocks skip together, the last one holds and none is told twice")
  func skippedTogether() throws {
    let table = Timetable(.times(light: 2 * 60 + 10, dark: 2 * 60 + 40), zone: try ZoneTests.zone("Europe/Berlin"))
    let day = try time("2026-03-28T20:00")
    #expect(table.scheme(at: day) == .dark)
    #expect(table.next(after: day) == Switch(time: try time("2026-03-30T00:10"), scheme: .light))
  }

  @Test("a time that the clocks show twice is the turn's once, and no turn is taken back")
  func twice() throws {
    let table = Timetable(.times(light: 2 * 60 + 30, dark: 19 * 60), zone: try ZoneTests.zone("Europe/Berlin"))
    let first = try time("2026-10-25T00:30")
    #expect(
      table.switches(after: first - 3600, through: first + 86_400).map(\.time) == [
        first, try time("2026-10-25T18:00"),
      ])
    // Shown as 02:10, for the second time.
    #expect(table.scheme(at: try time("2026-10-25T01:10")) == .light)
  }

  @Test(
    "minute by minute, each turn comes when the clocks first show its time or a later one",
    arguments: [
      ("Europe/Berlin", "2026-03-27"), ("Europe/Berlin", "2026-10-23"), ("Pacific/Apia", "2011-12-27"),
      ("Australia/Lord_Howe", "2026-10-02"), ("America/St_Johns", "2026-10-30"), ("Africa/Casablanca", "2027-02-04"),
      ("America/Nuuk", "2026-03-26"), ("Pacific/Kwajalein", "1993-08-19"),
    ])
  func everyMinute(name: String, day: String) throws {
    let zone = try ZoneTests.zone(name)
    let start = try time(day)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<12 {
      let light = Int.random(in: 0..<1440, using: &random)
      let dark = (light + Int.random(in: 1..<1440, using: &random)) % 1440
      let table = Timetable(.times(light: light, dark: dark), zone: zone)
      // The latest time that the clocks have shown: what they show again was there already.
      var latest = zone.local(at: start - 3 * 86_400)
      var shown: ColorScheme?
      var turns: [Switch] = []
      for minute in (-3 * 1440)...(6 * 1440) {
        let now = start + Int64(minute) * 60
        let local = zone.local(at: now)
        var scheme = shown
        if local > latest {
          for passed in stride(from: latest / 60 + 1, through: local / 60, by: 1) {
            if passed % 1440 == Int64(light) { scheme = .light } else if passed % 1440 == Int64(dark) { scheme = .dark }
          }
          latest = local
        }
        if scheme != shown, let scheme, minute > 0, shown != nil { turns.append(Switch(time: now, scheme: scheme)) }
        shown = scheme
        if minute >= 0, minute % 7 == 0 {
          #expect(table.scheme(at: now) == shown, "\(name) \(light) \(dark) \(minute)")
        }
      }
      #expect(table.switches(after: start, through: start + 6 * 86_400) == turns, "\(name) \(light) \(dark)")
    }
  }
}
