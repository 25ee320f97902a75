import Foundation
import Testing
import ThemedTestSupport

/// A schedule, as users meet it.
///
/// The clock of the machine is not set: the time zone is chosen so that it is just before, or behind, what is waited for.
@Suite(.ownThreads) struct ScheduleStories {
  /// A zone, as `TZ` has it, in which it is so many seconds after midnight right now.
  static func zone(_ second: Int) -> String {
    let now = Int(Date().timeIntervalSince1970) % 86_400
    let ahead = (second - now + 86_400) % 86_400
    let west = ahead > 43_200 ? 86_400 - ahead : -ahead
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let parts = [abs(west) / 3600, abs(west) / 60 % 60, abs(west) % 60].map(two)
    return "AAA\(west < 0 ? "-" : "")\(parts.joined(separator: ":"))"
  }

  private static let times = "[schedule]\nmode=times\nlight=07:00\ndark=19:00\n"

  @Test func `a switch comes at its time, is told once, and ends what lasts until then; the desktop stays to be seen`()
    throws
  {
    // A slow machine may come too late for a near one.
    let comes = try [8, 40, 200].contains { try switches(in: $0) }
    #expect(comes)
  }

  /// Whether the daemon was there before a switch that is so many seconds ahead, and did right.
  private func switches(in margin: Int) throws -> Bool {
    var comes = false
    try withSession { session in
      session.environment["TZ"] = Self.zone(7 * 3600 - margin)
      try session.configure(Self.times)
      let themed = try session.startThemed()
      let monitor = try session.subscribe()
      let first = try monitor.frame()
      guard first.scheme == "dark" else { return }
      #expect(first.desktop == "unavailable")
      #expect(first.string("parameters.state.origins.scheme.rule") == "schedule")
      let time = try #require(first.int("parameters.state.nextSwitch.time"))
      #expect(first.string("parameters.state.nextSwitch.scheme") == "light")
      let set = try session.connect().call("SetOverride", #"{"override":{"scheme":"dark","untilDesktopChanges":true}}"#)
      #expect(set.error == nil)
      guard Int(Date().timeIntervalSince1970) < time else { return }
      #expect(try monitor.frame().string("parameters.state.origins.scheme.rule") == "override")
      let second = try monitor.frame()
      #expect(second.scheme == "light" && Int(Date().timeIntervalSince1970) >= time)
      #expect(second.string("parameters.state.origins.scheme.rule") == "schedule")
      #expect(second.int("parameters.state.nextSwitch.time") == time + 12 * 3600)
      #expect(try session.connect().call("ListOverrides").text.contains(#""overrides":[]"#))
      try themed.errorLine(containing: "light: the schedule until")
      #expect(!monitor.hasInput)
      comes = true
    }
    return comes
  }

  @Test func `it says what it will do, and where it is looked at; and overrides end with the sun`() throws {
    try withSession { session in
      session.environment["TZ"] = "Europe/Oslo"
      try session.configure("[schedule]\nmode=sun\n")
      _ = try session.startThemed()
      let said = try session.themectl("schedule")
      #expect(said.status == .exited(0), "\(said.errors)")
      #expect(said.lines.first?.contains(" by the sun, until ") == true, "\(said.output)")
      #expect(said.lines.contains("  zone      Europe/Oslo"))
      // Its own place, or that of the zone that it is another name for.
      #expect(said.lines.contains { $0.hasPrefix("  place     5") && $0.contains("(Europe/") }, "\(said.output)")
      #expect(said.lines.count >= 9)
      let json = try session.connect().call("GetSchedule")
      let (sunrise, sunset) = (
        try #require(json.int("parameters.sunrise")), try #require(json.int("parameters.sunset"))
      )
      for (word, time) in [("sunrise", sunrise), ("sunset", sunset)] {
        let set = try session.themectl("set", "dark", "--until", word, "--json")
        #expect(set.output.contains("\"expiresAt\":\(time)"), "\(set.output) \(set.errors)")
      }
      #expect(try session.themectl("schedule", "--json").output.contains(#""mode":"sun""#))
      #expect(try session.themectl("status").output.contains("schedule"))
    }
  }

  @Test func `without a place it says what to do, and the desktop decides; so does a set that ends with the sun`()
    throws
  {
    try withSession { session in
      session.environment["TZ"] = "UTC"
      try session.configure("[schedule]\nmode=sun\n[appearance]\nno-desktop=dark\n")
      let themed = try session.startThemed()
      try themed.errorLine(
        containing: "the time zone UTC has none; run 'themectl schedule sun --at LATITUDE,LONGITUDE'")
      #expect(try session.themectl("get").lines == ["dark"])
      let schedule = try session.themectl("schedule")
      #expect(
        schedule.status == .exited(1) && schedule.errors.contains("--at LATITUDE,LONGITUDE"), "\(schedule.errors)")
      // Nothing is wrong with the file.
      let config = try session.themectl("config")
      #expect(config.status == .exited(0) && config.errors.isEmpty, "\(config.errors)")
      #expect(try session.themectl("doctor").output.contains("problem: the schedule is not followed"))
      let set = try session.themectl("set", "dark", "--until", "sunset")
      #expect(set.status == .exited(64) && set.errors.contains("--at LATITUDE,LONGITUDE"), "\(set.errors)")
      #expect(set.errors.contains("\n       themectl set contrast"), "the usage is as anywhere else: \(set.errors)")
      // A place of one's own: at once.
      let monitor = try session.subscribe()
      _ = try monitor.frame()
      try session.configure("[schedule]\nmode=sun\nlatitude=0\nlongitude=0\n[appearance]\nno-desktop=dark\n")
      _ = try monitor.frame { $0.string("parameters.state.origins.scheme.rule") == "schedule" }
      #expect(try session.themectl("schedule").status == .exited(0))
    }
  }

  @Test func `a mistake is named, and what held stays; then a changed zone, and one that is gone for a moment`() throws
  {
    try withSession { session in
      let zones = try session.directory.directory("zoneinfo")
      for name in ["Etc/GMT+12", "Etc/GMT-1", "Etc/UTC"] {
        let file = name.split(separator: "/")[1]
        try FileManager.default.createSymbolicLink(
          atPath: "\(zones)/\(file)", withDestinationPath: "/usr/share/zoneinfo/\(name)")
      }
      let hour = Int(Date().timeIntervalSince1970) % 86_400 / 3600
      func point(_ file: String) throws {
        let link = session.directory.path("localtime")
        try? FileManager.default.removeItem(atPath: link + ".new")
        try FileManager.default.createSymbolicLink(atPath: link + ".new", withDestinationPath: "\(zones)/\(file)")
        guard unsafe rename(link + ".new", link) == 0 else { throw Failure("the link cannot be replaced") }
      }
      // In UTC it is light for six hours around now, and on the other side of the Earth it is not.
      func clock(_ hour: Int) -> String { "\((hour + 24) % 24):00" }
      let good = "[schedule]\nmode=times\nlight=\(clock(hour - 3))\ndark=\(clock(hour + 4))\n"
      try point("UTC")
      session.environment["TZ"] = ":" + session.directory.path("localtime")
      try session.configure(good)
      let themed = try session.startThemed()
      let monitor = try session.subscribe()
      #expect(try monitor.frame().scheme == "light")
      try session.configure(good.replacing("mode=times", with: "mode=times\nlatitude=99\nlongitude=0"))
      let line = try themed.errorLine(containing: "latitude")
      #expect(line.contains("themed.conf:3: [schedule] latitude is '99', but should be degrees from -90 to 90"))
      #expect(try session.themectl("get").lines == ["light"])
      try session.configure(good)
      try point("GMT+12")
      #expect(try monitor.frame { $0.scheme == "dark" }.string("parameters.state.origins.scheme.rule") == "schedule")
      // tzdata is being replaced.
      try FileManager.default.removeItem(atPath: "\(zones)/GMT+12")
      try themed.errorLine(containing: "does not exist; is tzdata installed?")
      #expect(try session.themectl("get").lines == ["dark"])
      #expect(try session.themectl("schedule").status == .exited(1))
      try point("UTC")
      #expect(try monitor.frame { $0.scheme == "light" }.string("parameters.state.origins.scheme.rule") == "schedule")
      #expect(try session.themectl("schedule").status == .exited(0))
    }
  }

  @Test func `it waits by a timer that a jump of the clock wakes, and without a schedule by none`() throws {
    try withSession { session in
      session.environment["TZ"] = Self.zone(12 * 3600)
      try session.configure(Self.times)
      let themed = try session.startThemed()
      #expect(try session.themectl("get").lines == ["light"])
      #expect(try ClockStories.timers(of: themed) == ["clockid: 0, settime flags: 03"])
      let monitor = try session.subscribe()
      _ = try monitor.frame()
      try session.configure("[schedule]\nmode=off\n")
      _ = try monitor.frame { $0.string("parameters.state.origins.scheme.rule") == "default" }
      #expect(try ClockStories.timers(of: themed) == [])
    }
  }
}
