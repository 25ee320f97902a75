@testable import ThemedModel
import Testing
import ThemedSystem
import ThemedTestSupport

@Suite struct SunTests {
  private static let rows = almanac.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }

  /// Seconds since the epoch of `2026-03-20` and of `2026-03-20T05:12`.
  static func time(_ text: String) -> Int64? {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 3 || numbers.count == 5 else { return nil }
    let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2]).sinceEpoch
    let minutes = numbers.count == 5 ? numbers[3] * 60 + numbers[4] : 0
    return Int64(day) * 86_400 + Int64(minutes) * 60
  }

  @Test("sunrise and sunset are those of the Naval Observatory's tables, to the minute, from 60° south to 80° north")
  func published() throws {
    var compared = 0
    for line in naval.split(separator: "\n") {
      let parts = line.split(separator: ":")
      let place = try #require(parts[0].split(separator: " ").map { Degrees(Text(String($0))) } as? [Degrees])
      let rule = SunRule(place: try #require(Place(latitude: place[0], longitude: place[1])), angle: SunRule.official)
      for entry in parts[1].split(separator: ";") {
        let words = entry.split(separator: " ")
        let day = try #require(Self.time("2019-\(words[0])"))
        let crossings = rule.crossings(from: Int(day / 86_400) - 1, through: Int(day / 86_400) + 1).crossings
        for (word, isRise) in zip(words[1...], [true, false]) {
          let minutes = try #require(Int64(word.prefix(2))) * 60 + #require(Int64(word.suffix(2)))
          let said = day + minutes * 60
          #expect(
            crossings.contains { $0.isRise == isRise && abs($0.time - said) <= 60 },
            "\(parts[0]) on \(entry): \(crossings.filter { $0.isRise == isRise }.map { $0.time - said }) s")
          compared += 1
        }
      }
    }
    #expect(compared == 88)
  }

  @Test("sunrise, sunset and civil twilight are another program's, to the minute, from 70° south to 78° north")
  func almanacs() throws {
    #expect(Set(Self.rows.map { $0[0] }).count >= 30)
    var compared = 0
    for row in Self.rows {
      let (latitude, longitude) = try (#require(Degrees(Text(row[1]))), #require(Degrees(Text(row[2]))))
      let place = try #require(Place(latitude: latitude, longitude: longitude))
      let day = Int(try #require(Self.time(row[3])) / 86_400)
      for (angle, said) in [(SunRule.official, row[4...5]), (Degrees(-6), row[6...7])] {
        let found = SunRule(place: place, angle: angle).crossings(from: day, through: day)
        if said.first == "up" || said.first == "down" {
          #expect(found.crossings.isEmpty && found.isLightAtFirst == (said.first == "up"), "\(row)")
          continue
        }
        let times = try said.map { try #require(Self.time($0)) }
        #expect(found.crossings.map(\.isRise) == [true, false], "\(row)")
        for (crossing, time) in zip(found.crossings, times) {
          #expect(abs(crossing.time - time) <= 60, "\(row): \(crossing.time - time) s")
          compared += 1
        }
      }
    }
    #expect(compared >= 150)
  }

  @Test("of a polar day there is no end, of a polar night no sunrise, until the sun next sets or rises")
  func poles() throws {
    let place = try #require(Place(latitude: Degrees(78), longitude: Degrees(15)))
    let table = Timetable(.sun(SunRule(place: place)), zone: .utc)
    let summer = try #require(Self.time("2026-06-21")), winter = try #require(Self.time("2026-12-21"))
    #expect(table.scheme(at: summer) == .light && table.scheme(at: winter) == .dark)
    let dark = try #require(table.next(after: summer)), light = try #require(table.next(after: winter))
    #expect(dark.scheme == .dark && light.scheme == .light)
    let (first, last) = try (#require(Self.time("2026-08-15")), #require(Self.time("2026-09-05")))
    #expect(first...last ~= dark.time)
    let (early, late) = try (#require(Self.time("2027-02-05")), #require(Self.time("2027-02-25")))
    #expect(early...late ~= light.time)
    for latitude in [90, -90] {
      let pole = try #require(Place(latitude: Degrees(latitude), longitude: Degrees(0)))
      let year = Timetable(.sun(SunRule(place: pole)), zone: .utc)
        .switches(after: winter, through: winter + Switch.farthest - 5 * 86_400)
      #expect(year.map(\.scheme) == (latitude > 0 ? [.light, .dark] : [.dark, .light]))
    }
  }

  @Test("on both sides of the date line the sun rises at the same moment, whatever the day is called")
  func dateLine() throws {
    let start = try #require(Self.time("2026-04-11"))
    let tables = try [180, -180].map {
      let place = try #require(Place(latitude: Degrees(-17), longitude: Degrees($0)))
      return Timetable(.sun(SunRule(place: place)), zone: .utc)
    }
    let days = tables.map { $0.switches(after: start, through: start + 30 * 86_400) }
    #expect(days[0].count >= 59)
    #expect(days[0].map(\.scheme) == days[1].map(\.scheme))
    for (one, other) in zip(days[0], days[1]) { #expect(abs(one.time - other.time) <= 1) }
  }

  @Test(
    "what holds is what was switched to last, for every place, angle and offset, and the next switch is the next one")
  func consistency() throws {
    var random = SeededGenerator(seed: 20)
    for round in 0..<40 {
      let place = try #require(
        Place(
          latitude: Degrees(millionths: Int.random(in: -90_000_000...90_000_000, using: &random)),
          longitude: Degrees(millionths: Int.random(in: -180_000_000...180_000_000, using: &random))))
      let rule = SunRule(
        place: place, angle: [SunRule.official, Degrees(-18), Degrees(-6), Degrees(3)].randomElement(using: &random)!,
        sunriseOffset: round < 10 ? 0 : Int.random(in: -720...720, using: &random),
        sunsetOffset: round < 10 ? 0 : Int.random(in: -720...720, using: &random))
      let table = Timetable(.sun(rule), zone: .utc)
      let start = Int64.random(in: 0...4_000_000_000, using: &random)
      let end = start + 20 * 86_400
      let switches = table.switches(after: start, through: end)
      // The sun itself, of which each time of light begins and ends by its own offset.
      let days = rule.crossings(from: Int(start / 86_400) - 3, through: Int(end / 86_400) + 3)
      var lights: [ClosedRange<Int64>] = []
      var risen: Int64? = days.isLightAtFirst ? 0 : nil
      for crossing in days.crossings + [.init(time: 1 << 40, isRise: false)] {
        let time = crossing.time + Int64(crossing.isRise ? rule.sunriseOffset : rule.sunsetOffset) * 60
        if crossing.isRise { risen = time } else if let from = risen, from < time { lights.append(from...time - 1) }
        if !crossing.isRise { risen = nil }
      }
      var now = start
      while now < end {
        let isLight = lights.contains { $0.contains(now) }
        #expect(table.scheme(at: now) == (isLight ? .light : .dark), "\(rule) at \(now)")
        #expect((switches.last { $0.time <= now }?.scheme ?? table.scheme(at: start)) == table.scheme(at: now))
        now += Int64.random(in: 600...20_000, using: &random)
      }
      for (one, other) in zip(switches, switches.dropFirst()) { #expect(one.scheme != other.scheme) }
      let next = table.next(after: start)
      #expect(next.map { $0.time > end } ?? true ? switches.isEmpty : next == switches.first)
    }
  }

  @Test("whatever the clock says, there is an answer")
  func extremes() throws {
    let place = try #require(Place(latitude: Degrees(52), longitude: Degrees(13)))
    for rule in [Timetable.Rule.sun(SunRule(place: place)), .times(light: 0, dark: 1439)] {
      let table = Timetable(rule, zone: .utc)
      for time in [.min, -1, 0, 253_402_300_799, Int64.max] {
        let turn = table.turn(at: time)
        #expect(turn.scheme == table.scheme(at: time) && turn.next == table.next(after: time))
        // A timer for what is past would strike for ever.
        if let next = turn.next { #expect(next.time > time && next.scheme == turn.scheme.opposite) }
        #expect(turn.next == nil || time <= 253_402_300_799)
        #expect(table.skippedTime(after: time) == nil)
      }
    }
  }
}
