import Foundation
import ThemedInterface
@testable import ThemedModel
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

/// What the schedule says, by the configuration and the time zone.
@Suite struct SchedulePlanTests {
  private func configuration(_ lines: String) throws -> Configuration {
    try Configuration(parsing: Array("[schedule]\n\(lines)\n".utf8), origin: "themed.conf")
  }

  @Test(
    "what is wrong is said by file, line, key and what was expected",
    arguments: [
      ("mode=moon", "[schedule] mode is 'moon', but should be off, times or sun"),
      ("light=7", "[schedule] light is '7', but should be a time from 00:00 to 23:59"),
      ("dark=24:00", "[schedule] dark is '24:00', but should be a time from 00:00 to 23:59"),
      ("light=+7:00", "[schedule] light is '+7:00', but should be a time from 00:00 to 23:59"),
      ("mode=times\nlight=8:00\ndark=08:00", "[schedule] dark is '08:00', but should be a different time than light="),
      (
        "mode=times\nlight=19:00",
        "[schedule] light is '19:00', but should be a different time than dark=, whose default"
      ),
      ("latitude=91\nlongitude=0", "[schedule] latitude is '91', but should be degrees from -90 to 90, such as 52.52"),
      ("latitude=0\nlongitude=180.5", "longitude is '180.5', but should be degrees from -180 to 180, such as 52.52"),
      ("latitude=52,5\nlongitude=13", "[schedule] latitude is '52,5', but should be degrees"),
      ("latitude=52.5", "[schedule] longitude should be set, because latitude is set"),
      ("longitude=13", "[schedule] latitude should be set, because longitude is set"),
      ("sunrise-offset=721", "[schedule] sunrise-offset is '721', but should be a number of minutes from -720 to 720"),
      ("twilight=dusk", "twilight is 'dusk', but should be official, civil, nautical, astronomical"),
      ("twilight=-18.5", "or the sun's height in degrees, from -18 to 18"),
    ])
  func mistakes(lines: String, words: String) throws {
    let problem = #expect(throws: Configuration.Problem.self) { _ = try configuration(lines) }
    let place = problem?.description.prefix { $0 != " " } ?? ""
    #expect(["themed.conf:2:", "themed.conf:3:", "themed.conf:4:"].contains(place), "the line of the mistake")
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
  }

  @Test("equal times are no mistake where nothing goes by them")
  func equalTimes() throws {
    for mode in ["off", "sun"] {
      #expect(throws: Never.self) { _ = try configuration("mode=\(mode)\nlight=8:00\ndark=8:00") }
    }
  }

  @Test("every setting is read, and told as it is in force")
  func settings() throws {
    let read = try configuration(
      """
      mode=sun
      light=6:05
      dark=23:59
      latitude=-33.8688
      longitude=151.2093
      sunrise-offset=-30
      sunset-offset=15
      twilight=civil
      """)
    var expected = ScheduleSettings()
    (expected.mode, expected.light, expected.dark) = (.sun, 365, 1439)
    expected.place = Place(latitude: Degrees(millionths: -33_868_800), longitude: Degrees(millionths: 151_209_300))
    (expected.angle, expected.sunriseOffset, expected.sunsetOffset) = (Degrees(-6), -30, 15)
    #expect(read.schedule == expected)
    let told = Dictionary(uniqueKeysWithValues: read.settings.map { ($0.name, $0.value) })
    #expect(told["[schedule] light"] == "06:05" && told["[schedule] latitude"] == "-33.8688")
    #expect(told["[schedule] twilight"] == "civil" && read.unknown.isEmpty)
  }

  // MARK: What it says

  private static let noon: Int64 = 1_782_043_200

  private func plan(_ lines: String, _ outcome: LocatedZone.Outcome? = nil) throws -> SchedulePlan {
    var plan = SchedulePlan()
    plan.settings = try configuration(lines).schedule
    if let outcome { plan.wasRead(outcome) }
    return plan
  }

  private func zone(_ rule: String, _ name: Text = "Test/Zone", _ place: Place? = nil) throws -> LocatedZone.Outcome {
    let zone = try #require(Zone(posix: rule.utf8))
    return .found(LocatedZone(zone: zone, name: name, place: place, placeOrigin: place.map { _ in name }))
  }

  @Test("until the time zone was read nothing is known; by the sun at a place of one's own it need not be")
  func unknown() throws {
    for lines in ["mode=times", "mode=sun"] {
      #expect(try plan(lines).news(now: Self.noon).scheduled == .unknown)
      #expect(try plan(lines).problem == nil)
    }
    let own = try plan("mode=sun\nlatitude=52.5\nlongitude=13.4")
    #expect(own.news(now: Self.noon).scheduled.scheme == .light)
    #expect(try plan("mode=off", zone("UTC0")).news(now: Self.noon).scheduled == .off)
  }

  @Test("a zone that cannot be read any more leaves standing what held, and one that is not named at all is UTC")
  func missingZone() throws {
    var held = try plan("mode=times", zone("AAA-5"))
    let before = held.news(now: Self.noon)
    #expect(before.scheduled == .by(.light, next: Switch(time: Self.noon + 2 * 3600, scheme: .dark)))
    held.wasRead(.failed("it is gone"))
    #expect(held.news(now: Self.noon) == before && held.problem == "it is gone")
    // That no zone is named is legal.
    for var nameless in [held, try plan("mode=times")] {
      nameless.wasRead(.nameless("no link"))
      #expect(
        nameless.news(now: Self.noon).scheduled == .by(.light, next: .init(time: Self.noon + 7 * 3600, scheme: .dark)))
      #expect(nameless.problem == nil && nameless.warning(now: Self.noon) == "no link")
    }
  }

  @Test("where nothing was read before, what fails is no reason to show for ever what an earlier process did")
  func failedAtFirst() throws {
    for lines in ["mode=times", "mode=sun"] {
      let plan = try plan(lines, .failed("it is damaged"))
      #expect(plan.news(now: Self.noon).scheduled == .off && plan.problem == "it is damaged")
    }
    let own = try plan("mode=sun\nlatitude=52.5\nlongitude=13.4", .failed("it is damaged"))
    #expect(own.problem == nil && own.warning(now: Self.noon) == "times are shown in UTC: it is damaged")
    #expect(own.forecast(now: Self.noon).switches.allSatisfy { $0.offset == 0 })
  }

  @Test("tables that cannot be read leave standing the place that held, and do not say that there is none")
  func tablesMissing() throws {
    let scratch = try prepared()
    var plan = try plan("mode=sun", read("Europe/Berlin", scratch))
    let before = plan.news(now: Self.noon)
    #expect(before.scheduled.scheme == .light && plan.problem == nil)
    try FileManager.default.removeItem(atPath: scratch.path("zoneinfo/zone1970.tab"))
    let outcome = read("Europe/Berlin", scratch)
    plan.wasRead(outcome)
    #expect(plan.news(now: Self.noon) == before)
    #expect(plan.problem?.contains("is tzdata installed?") == true, "\(plan.problem ?? "")")
    let first = try self.plan("mode=sun", outcome)
    #expect(first.news(now: Self.noon).scheduled == .off)
    #expect(first.problem?.contains("has none") == false && first.problem?.contains("zone") == true)
    // Times need no place.
    let times = try self.plan("mode=times", outcome)
    #expect(times.problem == nil && times.news(now: Self.noon).scheduled.scheme == .light)
    // One that is there, and is no file, might have said it.
    try scratch.directory("zoneinfo/zone1970.tab")
    try scratch.write("DE\t+5230+01322\tEurope/Paris\n", to: "zoneinfo/zone.tab")
    guard case .found(let damaged) = read("Europe/Berlin", scratch) else { throw Failure("no zone") }
    #expect(damaged.placeProblem != nil && damaged.place == nil)
  }

  @Test("a zone that is not followed any more is forgotten")
  func forgotten() throws {
    var plan = try plan("mode=times", zone("AAA-5"))
    plan.settings.mode = .off
    plan.forgetZone()
    plan.settings.mode = .times
    #expect(plan.news(now: Self.noon).scheduled == .unknown && plan.problem == nil)
  }

  @Test("a name for another zone is told, since that may lie far away; a place of one's own is not asked about")
  func otherName() throws {
    let abidjan = try #require(Place(latitude: Degrees(5), longitude: Degrees(-4)))
    let iceland = LocatedZone.Outcome.found(
      LocatedZone(zone: .utc, name: "Iceland", place: abidjan, placeOrigin: "Africa/Abidjan"))
    let warning = try plan("mode=sun", iceland).warning(now: Self.noon)
    #expect(warning?.hasPrefix("Iceland is another name for Africa/Abidjan") == true, "\(warning ?? "")")
    for lines in ["mode=times", "mode=sun\nlatitude=64\nlongitude=-22"] {
      #expect(try plan(lines, iceland).warning(now: Self.noon) == nil)
    }
  }

  @Test("offsets that leave one side for a year are told, a polar night is not")
  func oneSide() throws {
    let place = "mode=sun\nlatitude=0\nlongitude=0\n"
    let dark = try plan(place + "sunrise-offset=720\nsunset-offset=-720", zone("UTC0"))
    #expect(dark.news(now: Self.noon).scheduled == .by(.dark, next: nil))
    let warning = dark.warning(now: Self.noon)
    for words in ["sunrise-offset=720", "sunset-offset=-720", "it stays dark for at least a year"] {
      #expect(warning?.contains(words) == true, "\(warning ?? "")")
    }
    // The sun rises all the same.
    #expect(dark.forecast(now: Self.noon).sunrise != nil && dark.forecast(now: Self.noon).sunset != nil)
    let light = try plan(place + "sunrise-offset=-720\nsunset-offset=720", zone("UTC0"))
    #expect(light.warning(now: Self.noon)?.contains("it stays light") == true)
    let pole = try plan("mode=sun\nlatitude=90\nlongitude=0\ntwilight=-18\nsunset-offset=5", zone("UTC0"))
    #expect(pole.warning(now: Self.noon) == nil)
  }

  @Test("what was reckoned for one who asks holds until something of it comes")
  func reckoned() throws {
    let forecast = try plan("mode=times", zone("UTC0")).forecast(now: Self.noon)
    #expect(forecast.times(from: Self.noon) == Self.noon..<Self.noon + 7 * 3600)
    #expect(Forecast(mode: "off").times(from: .max).isEmpty)
  }

  @Test("without any place there is no sun, and what to do is said")
  func noPlace() throws {
    let plan = try plan("mode=sun", zone("UTC0", "UTC"))
    #expect(plan.news(now: Self.noon).scheduled == .off)
    for words in ["the time zone UTC has none", "'themectl schedule sun --at LATITUDE,LONGITUDE'"] {
      #expect(plan.problem?.contains(words) == true)
    }
    let forecast = plan.forecast(now: Self.noon)
    #expect(forecast.coordinates == nil && forecast.sunrise == nil && forecast.switches.isEmpty)
  }

  @Test("the forecast has a week, two switches at least, the sun's times whatever the mode, and who names the place")
  func forecast() throws {
    let berlin = try #require(Place(latitude: Degrees(millionths: 52_500_000), longitude: Degrees(13)))
    let times = try plan("mode=times", zone("CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin", berlin)).forecast(
      now: Self.noon)
    #expect(times.switches.count == 14 && times.scheme == .light && times.mode == "times")
    #expect(times.switches.allSatisfy { $0.offset == 7200 })
    #expect(times.coordinates?.origin == "Europe/Berlin" && times.zone == "Europe/Berlin")
    let sunset = try #require(times.sunset), sunrise = try #require(times.sunrise)
    #expect(Self.noon < sunset && sunset < sunrise && sunrise < Self.noon + 86_400)
    let north = try plan("mode=sun\nlatitude=78\nlongitude=15").forecast(now: Self.noon)
    #expect(north.switches.map(\.turn.scheme) == [.dark, .light] && north.coordinates?.origin == "configuration")
    #expect(north.switches.allSatisfy { $0.turn.time > Self.noon + 60 * 86_400 })
  }

  @Test("a time that the clocks will skip is told of before")
  func skipped() throws {
    let plan = try plan("mode=times\nlight=2:30", zone("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(
      plan.warning(now: Self.noon)
        == "themed.conf: [schedule] light is '02:30', but the clocks skip that time on "
        + "2027-03-28: it switches at 03:00 that day; choose another time")
    // Where the gap begins at midnight, it is of the day that has begun.
    let cairo = try self.plan("mode=times\nlight=0:30", zone("EET-2EEST,M4.5.5/0,M10.5.4/24"))
    let words = cairo.warning(now: Self.noon)
    #expect(words?.contains("light is '00:30', but the clocks skip that time on 2027-04-30:") == true, "\(words ?? "")")
    // Of two that are skipped at once, one comes to nothing.
    let both = try self.plan("mode=times\nlight=2:10\ndark=2:40", zone("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(both.warning(now: Self.noon)?.hasSuffix("it does not become light that day; choose another time") == true)
  }

  // MARK: Where the zone is

  private func read(_ variable: String?, _ scratch: ScratchDirectory) -> LocatedZone.Outcome {
    ZoneFiles(variable: variable, directory: scratch.path("zoneinfo"), etc: scratch.path("etc")).read { _ in }
  }

  @Test("a copy of a zone's file is named by /etc/timezone, where that is of the same zone")
  func timezone() throws {
    let scratch = try prepared()
    try scratch.directory("etc")
    let places = ZoneFiles(variable: nil, directory: scratch.path("zoneinfo"), etc: scratch.path("etc"))
    #expect(places.watched.contains(scratch.path("etc/timezone")))
    guard case .nameless(let warning) = read(nil, scratch) else { throw Failure("it is there") }
    #expect(warning.contains("the schedule uses UTC"))
    try FileManager.default.copyItem(
      atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: scratch.path("etc/localtime"))
    func name() -> Text? {
      guard case .found(let zone) = read(nil, scratch) else { return nil }
      return zone.name
    }
    #expect(name() == nil)
    let comment = String(repeating: "# written by hand\n", count: 20)
    try scratch.write("\(comment)\nEurope/Berlin\n", to: "etc/timezone")
    #expect(name() == "Europe/Berlin")
    // The one was written, and the other is still to be.
    try FileManager.default.copyItem(
      atPath: "/usr/share/zoneinfo/Asia/Tokyo", toPath: scratch.path("zoneinfo/Tokyo"))
    for other in ["Tokyo", "Europe/Paris", "../zoneinfo/Europe/Berlin", ""] {
      try scratch.write("\(other)\n", to: "etc/timezone")
      #expect(name() == nil, "\(other)")
    }
  }

  @Test("a zone has its name also by the second copy of all zones, and by a link among them")
  func copies() throws {
    let scratch = try prepared()
    try scratch.directory("zoneinfo/posix/Europe")
    try FileManager.default.copyItem(
      atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: scratch.path("zoneinfo/posix/Europe/Berlin"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("zoneinfo/localtime"), withDestinationPath: "Europe/Berlin")
    for variable in ["posix/Europe/Berlin", "localtime"] {
      guard case .found(let zone) = read(variable, scratch) else { throw Failure("no zone") }
      #expect(zone.name == "Europe/Berlin" && zone.place != nil, "\(variable): \(zone)")
    }
    // A directory is taken for one only where it is the same from everywhere.
    #expect(ZoneFiles(variable: "Europe/Berlin", directory: "zones").watched.allSatisfy { $0.hasPrefix("/usr/") })
  }

  private func prepared() throws -> ScratchDirectory {
    let scratch = try ScratchDirectory()
    try scratch.directory("zoneinfo/Europe")
    for name in ["Europe/Berlin", "Europe/Oslo"] {
      try FileManager.default.copyItem(
        atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: scratch.path("zoneinfo/\(name)"))
    }
    try scratch.write("DE\t+5230+01322\tEurope/Berlin\tmost\n", to: "zoneinfo/zone1970.tab")
    try scratch.write("# version x\nL Europe/Berlin Europe/Oslo\n", to: "zoneinfo/tzdata.zi")
    return scratch
  }

  @Test("a zone is found by TZ, by a path and by links, and lies where it does, or the one does that it is a name for")
  func places() throws {
    let scratch = try prepared()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("localtime"), withDestinationPath: "zoneinfo/Europe/Oslo")
    try FileManager.default.createSymbolicLink(atPath: scratch.path("second"), withDestinationPath: "localtime")
    for (variable, name) in [
      ("Europe/Berlin", "Europe/Berlin"), (":Europe/Oslo", "Europe/Oslo"),
      (scratch.path("second"), "Europe/Oslo"), (scratch.path("zoneinfo/Europe/Berlin"), "Europe/Berlin"),
    ] {
      guard case .found(let zone) = read(variable, scratch) else {
        Issue.record("\(variable): \(read(variable, scratch))")
        continue
      }
      #expect(zone.name == Text(name) && zone.placeOrigin == "Europe/Berlin", "\(variable): \(zone)")
      #expect(zone.place?.latitude.text == "52.5" && zone.zone.offset(at: Self.noon) == 7200)
    }
  }

  @Test("rules that TZ states have no place, UTC needs no file, and what is no zone is named")
  func variables() throws {
    let scratch = try prepared()
    guard case .found(let rule) = read("AAA-5", scratch) else { throw Failure("no rule") }
    #expect(rule.zone.offset(at: 0) == 5 * 3600 && rule.name == nil && rule.place == nil)
    for variable in ["", "UTC", "UTC0"] {
      guard case .found(let zone) = read(variable, scratch) else { throw Failure("no UTC") }
      #expect(zone.zone == .utc)
    }
    #expect(read("../../etc/shadow", scratch) == .failed("TZ is '../../etc/shadow', which is not a time zone"))
    #expect(read("a\u{1B}b", scratch) == .failed("TZ is 'a?b', which is not a time zone"))
    guard case .failed(let missing) = read("Europe/Paris", scratch) else { throw Failure("found") }
    #expect(missing.contains("zoneinfo/Europe/Paris, which does not exist; is tzdata installed?"))
    try scratch.write("no zone", to: "zoneinfo/Europe/Paris")
    guard case .failed(let damaged) = read("Europe/Paris", scratch) else { throw Failure("found") }
    #expect(damaged.contains("is not a time zone: it is not a time zone file (TZif)"))
  }
}
