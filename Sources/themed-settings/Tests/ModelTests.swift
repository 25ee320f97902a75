import Testing

@testable import SettingsModel

/// Noon of a day in UTC, the zone of these tests.
private let noon = 1_795_780_800

private func status(_ origin: String) throws -> Status {
  try #require(decoded(Status.self, #"{"scheme":"dark","desktop":"none","origins":{"scheme":{\#(origin)}}}"#))
}

private func schedule(
  _ switches: [(Int, String)], scheme: String, mode: String = "times", offset: Int = 0
) throws -> Schedule {
  let list = switches.map { #"{"time":\#($0),"scheme":"\#($1)","utcOffset":\#(offset)}"# }.joined(separator: ",")
  return try #require(
    decoded(Schedule.self, #"{"mode":"\#(mode)","scheme":"\#(scheme)","switches":[\#(list)],"zone":"Etc/UTC"}"#))
}

@Suite struct AppearanceTests {
  @Test func `the sentence says why, and the choice is that of the override`() throws {
    let cases: [(String, String, Appearance.Choice, End?)] = [
      (#""rule":"override""#, "Dark, because you set it.", .dark, .never),
      (
        #""rule":"override","untilDesktopChanges":true"#,
        "Dark, because you set it (until the desktop's setting changes).", .dark, .nextSwitch
      ),
      (#""rule":"portal""#, "Dark, as the desktop asks.", .automatic, nil),
      (
        #""rule":"portal","remembered":true"#,
        "Dark, as the desktop last asked; it has not answered yet in this session.", .automatic, nil
      ),
      (#""rule":"upstream""#, "Dark, as the upstream themed shows.", .automatic, nil),
      (#""rule":"schedule""#, "Dark, by the schedule.", .automatic, nil),
      (#""rule":"default""#, "Dark by default, because the desktop has no preference.", .automatic, nil),
    ]
    for (origin, sentence, choice, end) in cases {
      let shown = Appearance(try status(origin), now: noon)
      #expect(shown.sentence == sentence)
      #expect(shown.choice == choice)
      #expect(shown.end.map { shown.ends[$0] } == end)
    }
  }

  @Test func `an end that the window does not offer becomes an entry of its own, and tomorrow is midnight`() throws {
    let other = Appearance(try status(#""rule":"override","expiresAt":\#(noon + 5400)"#), now: noon)
    #expect(other.ends.count == 6)
    #expect(other.end == 5)
    let midnight = Appearance(
      try status(#""rule":"override","expiresAt":\#(tomorrow(after: noon))"#), now: noon)
    #expect(midnight.ends.count == 5)
    #expect(midnight.end.map { midnight.ends[$0] } == .tomorrow)
  }

  @Test func `each choice is a command`() {
    #expect(Appearance.command(.automatic) == ["unset", "scheme"])
    #expect(Appearance.command(.dark) == ["set", "dark"])
    #expect(Appearance.command(.light, end: .nextSwitch) == ["set", "light", "--until", "changed"])
    #expect(Appearance.command(.light, end: .oneHour) == ["set", "light", "--for", "1h"])
  }

  @Test func `what is not a state is none`() {
    #expect(decoded(Status.self, "") == nil)
    #expect(decoded(Status.self, #"{"scheme":"grey","desktop":"none","origins":{}}"#) == nil)
  }
}

@Suite struct DayCourseTests {
  @Test func `the day has its parts, its switches and now`() throws {
    let evening = noon + 7 * 3600
    let morning = noon + 19 * 3600
    let course = try #require(
      DayCourse(try schedule([(evening, "dark"), (morning, "light")], scheme: "light"), now: noon))
    #expect(course.now == 0.5)
    #expect(course.marks.map(\.text) == ["07:00", "19:00"])
    #expect(course.parts.map(\.side) == [.dark, .light, .dark])
    #expect(course.parts.map(\.start) == [0, 7.0 / 24, 19.0 / 24])
    #expect(course.parts.last?.end == 1)
    #expect(course.text == "The schedule asks for light until 19:00, then for dark.")
  }

  @Test func `the clock is that of the daemon's zone`() throws {
    let list = try schedule([(noon + 3600, "dark"), (noon + 50_000, "light")], scheme: "light", offset: -7200)
    let course = try #require(DayCourse(list, now: noon))
    #expect(course.marks.map(\.text) == ["11:00", "23:53"])
    #expect(course.now == 10.0 / 24)
  }

  @Test func `each minute of a day has its own time on the clock`() throws {
    for minute in 0..<1440 {
      let time = noon + 60 * minute
      let text = DayCourse.clock(time)
      let parts = text.split(separator: ":").compactMap { Int($0) }
      #expect(text.utf8.count == 5)
      #expect(parts == [(minute / 60 + 12) % 24, minute % 60])
      let course = try #require(DayCourse(try schedule([(time, "light")], scheme: "dark"), now: noon))
      #expect(course.marks.map(\.text) == [text])
      #expect(try schedule([(time, "light")], scheme: "dark").start(of: .light) == text)
    }
  }

  @Test func `while the days lengthen, the picture just after sunset has both switches, each once`() throws {
    let switches = [(noon + 11 * 3600, "light"), (noon + 86_400 + 120, "dark"), (noon + 86_400 + 39_480, "light")]
    let course = try #require(DayCourse(try schedule(switches, scheme: "dark", mode: "sun"), now: noon))
    #expect(course.marks.map(\.text) == ["12:02", "23:00"])
    #expect(course.parts.map(\.side) == [.light, .dark, .light])
    #expect(course.parts.map(\.start) == [0, 0.5, 23.0 / 24])
  }

  @Test func `while the days shorten, the picture just before sunset has both switches, each once`() throws {
    let switches = [(noon + 300, "dark"), (noon + 11 * 3600, "light"), (noon + 86_400 + 180, "dark")]
    let course = try #require(DayCourse(try schedule(switches, scheme: "light", mode: "sun"), now: noon))
    #expect(course.marks.map(\.text) == ["12:05", "23:00"])
    #expect(course.parts.map(\.side) == [.light, .dark, .light])
  }

  @Test func `before a night of many days, the side that is shown now lasts until the only switch`() throws {
    let before = try #require(
      DayCourse(try schedule([(noon + 3600, "dark")], scheme: "light", mode: "sun"), now: noon))
    // What is left of the 24 hours is the morning after it.
    #expect(before.parts.map(\.side) == [.dark, .light, .dark])
    #expect(before.parts.map(\.start) == [0, 0.5, 13.0 / 24])
    let after = try #require(
      DayCourse(try schedule([(noon + 13 * 3600, "dark")], scheme: "light", mode: "sun"), now: noon))
    #expect(after.parts.map(\.side) == [.light, .dark, .light])
    #expect(after.parts.map(\.start) == [0, 1.0 / 24, 0.5])
  }

  @Test func `now is at its local time, also without a switch and on the day before the clock changes`() throws {
    let polar = try schedule([(noon + 90 * 86_400, "light")], scheme: "dark", mode: "sun")
    #expect(DayCourse(polar, now: noon, localOffset: { _ in 7200 })?.now == 14.0 / 24)
    let morning = try schedule([(noon + 50_000, "light")], scheme: "dark", offset: 7200)
    #expect(DayCourse(morning, now: noon, localOffset: { $0 > noon ? 7200 : 3600 })?.now == 13.0 / 24)
  }

  @Test func `a day without a switch has one part, and no schedule has no picture`() throws {
    let polar = try #require(
      DayCourse(try schedule([(noon + 90 * 86_400, "light")], scheme: "dark", mode: "sun"), now: noon))
    #expect(polar.parts.map(\.side) == [.dark])
    #expect(polar.text == "The schedule asks for dark.")
    for text in [
      #"{"mode":"off","switches":[]}"#, #"{"mode":"sun","switches":[],"scheme":"dark","problem":"no place"}"#,
    ] {
      let none = try #require(decoded(Schedule.self, text))
      #expect(DayCourse(none, now: noon) == nil)
    }
  }

  @Test func `a switch is dragged to five minutes within the day, and not onto the other one`() throws {
    let day = try #require(
      DayCourse(try schedule([(noon + 7 * 3600, "dark"), (noon + 19 * 3600, "light")], scheme: "light"), now: noon))
    let later = try #require(day.moving(.light, to: 0.3543))
    #expect(later.marks.map(\.text) == ["08:30", "19:00"])
    #expect(later.parts.map(\.side) == [.dark, .light, .dark])
    #expect(later.parts.map(\.start) == [0, 8.5 / 24, 19.0 / 24])
    // Beyond the other one, the night is in the middle of the day.
    let night = try #require(day.moving(.light, to: 2))
    #expect(night.marks.map(\.text) == ["19:00", "23:55"])
    #expect(night.parts.map(\.side) == [.light, .dark, .light])
    #expect(day.moving(.dark, to: -1)?.parts.map(\.start) == [0, 7.0 / 24])
    #expect(day.moving(.light, to: 19.01 / 24) == nil)
  }

  @Test func `the picture is mirrored from right to left`() {
    #expect(DayCourse.position(0.25, width: 100, isRightToLeft: false) == 25)
    #expect(DayCourse.position(0.25, width: 100, isRightToLeft: true) == 75)
  }

  @Test func `each mode is a command`() {
    #expect(Schedule.command(.off) == ["schedule", "off"])
    #expect(Schedule.command(.times) == ["config", "set", "schedule.mode", "times"])
    #expect(Schedule.command(.sun, place: "-1.5,3") == ["schedule", "sun", "--at=-1.5,3"])
  }

  @Test func `a time is set alone, so that the other one stays as it is configured`() {
    #expect(Schedule.command(.light, at: "06:30") == ["config", "set", "schedule.light", "06:30"])
  }
}

@Suite struct ListTests {
  private func app(_ state: String, _ words: String, enabled: Bool = false, more: String = "") throws -> App {
    let text = #"{"apps":[{"name":"a","state":"\#(state)","enabled":\#(enabled),"words":"\#(words)"\#(more)}]}"#
    return try #require(apps(text)?.first)
  }

  @Test func `a program is in the group that its words say, with a switch if it can be enabled`() throws {
    #expect(try app("not-installed", "not installed").group == nil)
    let available = try app("available", "can be enabled: 'themectl app enable a', but its version is unknown")
    #expect(available.group == .available && available.hasSwitch && available.toWrite == nil)
    #expect(available.subtitle == "Its version is unknown")
    let plugin = try app("available", "can be enabled: 'themectl app enable a', without a line in your files")
    #expect(plugin.subtitle == "Can be enabled without a line in your files")
    let desktop = try app("available", "can be enabled: 'themectl desktop enable'")
    #expect(!desktop.hasSwitch && desktop.toWrite == "themectl desktop enable")
    let troubled = try app(
      "enabled", "does not follow: themed-apply is not running: run 'systemctl --user enable --now themed-apply'",
      enabled: true)
    #expect(troubled.group == .troubled && troubled.hasSwitch)
    #expect(troubled.toWrite == "systemctl --user enable --now themed-apply")
    let itself = try app("itself", "may follow: if you have set: theme auto", more: #","needs":"theme auto""#)
    #expect(itself.group == .following && itself.toWrite == "theme auto")
  }

  @Test func `a theme has the swatches of its sides`() throws {
    let colors = ##"{"background":"#000000","text":"#ffffff","primary":"#ff0000","error":"bad"}"##
    let list = try #require(themes(#"{"themes":[{"name":"n","sides":["dark"],"chosen":["dark"],"dark":\#(colors)}]}"#))
    let theme = try #require(list.first)
    #expect(theme.label == "n" && theme.swatch(.light) == nil)
    #expect(theme.swatch(.dark)?.patches == [Color("#ff0000")].compactMap(\.self))
    #expect(theme.words(.dark) == "n, dark side, chosen")
    #expect(theme.command(.dark) == ["set", "theme", "n", "--dark"])
  }

  @Test func `a preview has the theme's colours by libadwaita's names, and only colours`() throws {
    let colors = ##"{"background":"#101010","text":"#f0f0f0","primary":"red; } * { opacity: 0"}"##
    let list = try #require(themes(#"{"themes":[{"name":"n","sides":["dark"],"chosen":[],"dark":\#(colors)}]}"#))
    let preview = try #require(list.first?.preview(.dark))
    #expect(preview.side == .dark)
    #expect(preview.style.contains("@define-color window_bg_color #101010;"))
    #expect(preview.style.contains("@define-color accent_bg_color #f0f0f0;"))
    #expect(!preview.style.contains("opacity"))
    #expect(list.first?.preview(.light) == nil)
  }

  @Test func `findings are problems, hints and facts, without those for programs`() throws {
    let found = findings(
      """
      {"name":"bus_address","what":"unix:path=/run/bus"}
      {"name":"no_portal","what":"no portal","why":"so","commands":["apt install portal"]}
      {"name":"qt","what":"Qt does not turn","fix":"install qt5ct"}
      {"name":"daemon","what":"themed runs"}
      """)
    let list = try #require(found)
    #expect(list.map(\.kind) == [.problem, .hint, .fine])
    #expect(list.first?.text == "So\napt install portal")
  }

  @Test func `findings that cannot be read are none at all`() {
    #expect(findings("") == nil)
    #expect(findings("not JSON") == nil)
    #expect(findings("{\"name\":\"daemon\",\"what\":\"themed runs\"}\nnot JSON") == nil)
    #expect(findings(#"{"name":"bus_address","what":"unix:path=/run/bus"}"#) == [])
  }

  @Test func `a plan has its notes, and is needless if the program is enabled already`() {
    let plan = Outcome(done: true, lines: ["adds a line"], notes: ["the theme stays"])
    #expect(plan.plan == "adds a line\nthe theme stays" && !plan.isNeedless)
    #expect(Outcome(done: true, lines: ["kitty is already enabled"], notes: []).isNeedless)
    #expect(!Outcome(done: true, lines: ["kitty is already enabled"], notes: ["a note"]).isNeedless)
  }

  @Test func `errors are shown without the name of the command`() {
    #expect(message(ofErrors: "themectl: one\nthemectl: two\n") == "one\ntwo")
    #expect(message(ofErrors: "Error: one\nUsage: themectl set\n  See 'themectl set --help'\n") == "one")
  }
}
