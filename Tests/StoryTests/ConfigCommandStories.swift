import Foundation
import Testing
import ThemedTestSupport

/// `themectl schedule` and `themectl config` write themed.conf.
@Suite(.ownThreads) struct ConfigCommandStories {
  private let file = "config/themed/themed.conf"

  @Test func `a setting that only the file has can be unset`() throws {
    try withSession { session in
      try session.configure("[use kitty]\nlight=~/day.conf\ndark=~/night.conf\n[log]\nlevel=info\n")
      _ = try session.startThemed()
      let unset = try session.themectl("config", "unset", "use kitty.light", "use kitty.dark")
      #expect(unset.status == .exited(0), "\(unset)")
      #expect(session.text(file) == "[log]\nlevel=info\n")
    }
  }

  @Test func `a schedule is written, used and shown, and everything else in the file stays`() throws {
    try withSession { session in
      try session.configure("# mine\n[appearance]\ntransition=5\n\n[schedule]\n#mode=off\nsunset-offset=-30\n")
      _ = try session.startThemed()
      let times = try session.themectl("schedule", "7:00-19:30")
      #expect(times.status == .exited(0), "\(times.errors)")
      #expect(times.lines.first?.contains("by times of the day, until") == true, "\(times.lines)")
      #expect(
        session.text(file)
          == "# mine\n[appearance]\ntransition=5\n\n[schedule]\n#mode=off\nmode=times\nsunset-offset=-30\nlight=07:00\n"
          + "dark=19:30\n")
      let sun = try session.themectl("schedule", "sun", "--at", "-33.87,151.21")
      #expect(sun.lines.contains { $0.contains("place     -33.87, 151.21") }, "\(sun.lines) \(sun.errors)")
      #expect(try session.themectl("config", "get", "mode", "latitude").lines == ["sun\t-33.87"])
      let off = try session.themectl("schedule", "off")
      #expect(off.status == .exited(0))
      #expect(off.lines.first?.hasPrefix("No schedule.") == true, "\(off.lines)")
      #expect(session.text(file)?.contains("latitude=-33.87\n") == true)
    }
  }

  @Test func `an override that hides the new schedule is named`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let told = try session.themectl("schedule", "07:00-19:00")
      #expect(told.status == .exited(0))
      #expect(told.errors.contains("dark stays until you remove your override, as with 'themectl unset'"))
    }
  }

  @Test func `an override that ends with the schedule's next switch does not hide the schedule`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark", "--until", "changed")
      #expect(try session.themectl("schedule", "07:00-19:00").errors == "")
      #expect(
        try session.themectl("overrides").lines.first?
          .contains("until the desktop's setting changes or the schedule switches at") == true)
    }
  }

  @Test func `without a daemon the file is written, and the command says when it counts`() throws {
    try withSession { session in
      let told = try session.themectl("schedule", "sun")
      #expect(told.status == .exited(0))
      #expect(told.lines.first?.contains("themed is not running") == true, "\(told.lines)")
      #expect(session.text(file) == "[schedule]\nmode=sun\n")
      #expect(try session.themectl("schedule", "sun", "--json").output.hasPrefix(#"{"mode":"sun","#))
      let set = try session.themectl("config", "set", "log.level", "debug")
      #expect(set.lines == ["debug"])
      #expect(set.errors.contains("themed is not running"), "\(set.errors)")
      #expect(try session.themectl("config", "get", "schedule.mode", "level", "dark").lines == ["sun\tdebug\t19:00"])
      #expect(try session.themectl("config", "unset", "mode").lines == ["off"])
      #expect(session.text(file) == "[log]\nlevel=debug\n")
    }
  }

  @Test func `settings are got, set and unset, and the daemon uses them when the command ends`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl("config", "get", "no-desktop").lines == ["light"])
      #expect(try session.themectl("config", "set", "no-desktop", "dark").lines == ["dark"])
      #expect(try session.themectl("get").lines == ["dark"])
      #expect(
        try session.themectl("config", "set", "latitude", "-33.9", "longitude", "18.4").lines == ["-33.9\t18.4"])
      #expect(
        try session.themectl("config", "get", "schedule.latitude", "light-theme", "--json").lines
          == [#"{"schedule.latitude":"-33.9","appearance.light-theme":null}"#])
      let empty = try session.themectl("config", "get", "light-theme")
      #expect(empty.lines == ["-"] && empty.status == .exited(1))
      #expect(try session.themectl("config", "unset", "no-desktop", "latitude", "longitude").lines == ["light\t-\t-"])
      #expect(try session.themectl("get").lines == ["light"])
      #expect(session.text(file)?.isEmpty != false)
    }
  }

  @Test(arguments: [
    (["set", "no-desktop", "drak"], "[appearance] no-desktop is 'drak', but should be light or dark"),
    (["set", "latitude", "52.5"], "longitude should be set, because latitude is set"),
    (["set", "modle", "sun"], "did you mean 'themectl config set mode'?"),
    (["set", "paint", "sun"], "'themectl config' lists the settings"),
    (["set", "mode"], "give a value after each key"), (["set"], "give a value after each key"),
    (["set", "mode=sun"], "try: themectl config set mode sun"),
    (["get", "schedule"], "'schedule' is a group; use schedule.mode, "),
    (["set", "dark-theme", "a\nb"], "use one line"),
    (["set", "transition", "300ms"], "but should be a number of milliseconds from 0 to 60000"),
    (["mode", "sun"], "did you mean 'themectl config set mode sun'?"),
    (["mode"], "did you mean 'themectl config get mode'?"),
  ])
  func `a mistake is refused with the right words, and the file stays`(words: [String], told: String) throws {
    try withSession { session in
      let before = "[schedule]\nlight=06:00 \n"
      try session.configure(before)
      let refused = try session.themectl(["config"] + words)
      #expect(refused.status != .exited(0))
      #expect(refused.errors.contains(told), "\(refused.errors)")
      #expect(session.text(file) == before)
    }
  }

  @Test func `a mistake that is in the file already is named with its line, and can be mended`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-desktop=drak\n")
      let refused = try session.themectl("schedule", "sun")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("themed.conf:2: [appearance] no-desktop is 'drak'"), "\(refused.errors)")
      #expect(try session.themectl("config", "get", "mode").errors.contains("themed.conf:2:"))
      #expect(try session.themectl("config", "set", "no-desktop", "dark").lines == ["dark"])
      #expect(session.text(file) == "[appearance]\nno-desktop=dark\n")
      try session.configure("[appearance]\nno-desktop=drak\n")
      let unset = try session.themectl("config", "unset", "no-desktop")
      #expect(unset.status == .exited(0) && unset.lines == ["light"])
      #expect(!unset.errors.contains("drak"), "\(unset.errors)")
      let themed = try session.startThemed()
      try session.configure("[appearance]\nno-desktop=drak\n")
      try themed.errorLine(containing: "is 'drak'")
      let got = try session.themectl("config", "get", "no-desktop")
      #expect(got.status == .exited(1) && got.lines == ["light"], "\(got)")
      #expect(got.errors.contains("themed.conf:2:") && got.errors.contains("keeps the earlier"), "\(got.errors)")
    }
  }

  @Test(arguments: [
    (["07:00-07:00"], "different times"), (["7"], "use sun, off, or two times"), (["25:00-19:00"], "two times"),
    (["on"], "themectl schedule sun"), (["disable"], "themectl schedule off"), (["times"], "07:00-19:00"),
    (["sun", "--at", "here"], "try: --at 52.52,13.40"), (["sun", "--at", "91,0"], "try: --at 52.52,13.40"),
    (["--at", "1,2"], "themectl schedule sun --at"), (["off", "--at", "1,2"], "themectl schedule sun --at"),
  ])
  func `an invalid schedule is refused with an example`(words: [String], told: String) throws {
    try withSession { session in
      let refused = try session.themectl(["schedule"] + words)
      #expect(refused.status == .exited(64))
      #expect(refused.errors.contains(told), "\(refused.errors)")
      #expect(session.text(file) == nil)
    }
  }

  @Test func `settings complete, and so do their values`() throws {
    try withSession { session in
      session.environment["SAP_SHELL"] = "bash"
      func candidates(_ words: String...) throws -> [String] {
        let words = ["themectl", "config", "set"] + words + [""]
        return try session.themectl(
          ["---completion", "config", "set", "--", "positional@0", "\(words.count - 1)", "0"] + words
        ).lines
      }
      let settings = try candidates()
      #expect(settings.contains("schedule.mode"))
      #expect(try candidates("schedule.mode") == ["off", "times", "sun"])
      #expect(try candidates("in-step") == ["yes", "no"])
      #expect(try candidates("in-step", "yes").contains("log.level"))
      // A value may be the name of a setting.
      #expect(try candidates("no-preference", "light").contains("log.level"))
      #expect(try candidates("--json", "longitude", "-3", "--socket", "/nowhere", "in-step") == ["yes", "no"])
    }
  }
}
