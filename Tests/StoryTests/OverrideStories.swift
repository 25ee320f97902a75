import Foundation
import Testing
import ThemedTestSupport

/// Overrides that people mean: for one app, for a time, of every field, and never lost.
@Suite(.ownThreads) struct OverrideStories {
  @Test func `an override of one app is heard by that app alone, and 'auto' pins it to the desktop`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      _ = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop == "light" }
      let nvim = try session.spawnThemectl("monitor", "--app", "nvim")
      let everyone = try session.spawnThemectl("monitor")
      #expect(try nvim.line() == "light")
      #expect(try everyone.line() == "light")

      #expect(try session.themectl("set", "dark", "--app", "nvim").lines == ["dark"])
      #expect(try nvim.line() == "dark")
      #expect(try session.themectl("get").lines == ["light"])
      #expect(try session.themectl("get", "--app", "nvim").lines == ["dark"])
      #expect(try session.themectl("is", "dark", "--app", "nvim").status == .exited(0))

      #expect(try session.themectl("set", "dark").lines == ["dark"])
      #expect(try everyone.line() == "dark")
      #expect(try session.themectl("set", "auto", "--app", "nvim").lines == ["light"])
      #expect(try nvim.line() == "light")
      try desktop.set(.dark)
      #expect(try nvim.line() == "dark")

      #expect(try session.themectl("overrides").lines == ["(all apps)\tdark\t-", "nvim\tauto\t-"])
      #expect(try session.themectl("overrides", "--app", "nvim").lines == ["nvim\tauto\t-"])
      #expect(
        try session.themectl("app").lines == ["(without a name)\tfollows (1 client)", "nvim\tfollows (1 client)"])
      let table = try session.inTerminal("app")
      #expect(table.contains("1 client: themectl"), "a person is told which program: \(table)")
      try desktop.set(.light)
      #expect(try nvim.line() == "light")
      #expect(try session.themectl("unset", "--app", "nvim").lines == ["dark"])
      #expect(try nvim.line() == "dark")
      #expect(nvim.lines == ["light", "dark", "light", "dark", "light", "dark"])
      #expect(everyone.lines == ["light", "dark"])
    }
  }

  @Test func `an override for a time ends by itself, with its cause in the log and on the disk`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      #expect(try session.themectl("set", "dark", "--for", "6s").lines == ["dark"])
      #expect(try monitor.line() == "dark")
      #expect(try monitor.line() == "light")
      try themed.errorLine(containing: "an override expired")
      let connection = try session.connect()
      #expect((try connection.call("ListOverrides").value("parameters.overrides") as? [Any])?.isEmpty == true)
    }
  }

  @Test func `a timed override survives kill -9, and one that expired meanwhile is gone at the start`() throws {
    try withSession { session in
      var themed = try session.startThemed()
      _ = try session.themectl("set", "dark", "--for", "2h")
      _ = try session.themectl("set", "dark", "--app", "lasting")
      let end = Int(time(nil)) + 5
      let brief = #"{"override":{"app":"brief","scheme":"dark","expiresAt":\#(end)}}"#
      #expect(try session.connect().call("SetOverride", brief).bool("parameters.saved") == true)
      themed.send(.kill)
      _ = try themed.wait()
      while time(nil) <= end { usleep(50_000) }
      themed = try session.startThemed()
      #expect(try session.themectl("get").lines == ["dark"])
      let overrides = try session.connect().call("ListOverrides").value("parameters.overrides") as? [[String: Any]]
      #expect(overrides?.count == 2)
      #expect(overrides?.first?["expiresAt"] != nil)
      #expect(overrides?.last?["app"] as? String == "lasting")
    }
  }

  @Test func `toggled twice, what holds for a time ends when it would have, also after a kill in between`() throws {
    try withSession { session in
      var themed = try session.startThemed()
      func overrides() throws -> [[String: Any]] {
        try #require(session.connect().call("ListOverrides").value("parameters.overrides") as? [[String: Any]])
      }
      #expect(try session.themectl("set", "dark", "--for", "2h", "--until", "changed").lines == ["dark"])
      let end = try #require(overrides().first?["expiresAt"] as? Int)
      #expect(try session.themectl("toggle").lines == ["light"])
      #expect(try overrides().isEmpty)
      themed.send(.kill)
      _ = try themed.wait()
      themed = try session.startThemed()
      #expect(try session.themectl("get").lines == ["light"])
      #expect(try session.themectl("toggle").lines == ["dark"])
      #expect(try overrides().first?["expiresAt"] as? Int == end)
      #expect(try overrides().first?["untilDesktopChanges"] as? Bool == true)
    }
  }

  @Test func `what is toggled for a time is what it was before, when that is over`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      _ = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop == "light" }
      let monitor = try session.spawnThemectl("monitor", "--app", "nvim")
      #expect(try monitor.line() == "light")
      _ = try session.themectl("set", "dark", "--app", "nvim")
      #expect(try monitor.line() == "dark")
      #expect(try session.themectl("toggle", "--app", "nvim", "--for", "10 seconds").lines == ["light"])
      #expect(try monitor.line() == "light")
      #expect(try monitor.line() == "dark")
      #expect(try session.themectl("overrides").lines == ["nvim\tdark\t-"])

      #expect(try session.themectl("toggle", "--until", "tomorrow").lines == ["dark"])
      #expect(try session.themectl("toggle", "--until", "tomorrow").lines == ["light"])
      #expect(try session.themectl("overrides").lines == ["nvim\tdark\t-"])
      #expect(try session.themectl("toggle", "--until", "changed").lines == ["dark"])
      try desktop.set(.none)
      _ = try session.subscribe().frame { $0.desktop == "none" && $0.scheme == "light" }
      #expect(try session.themectl("overrides").lines == ["nvim\tdark\t-"])
    }
  }

  @Test func `until-changed ends when the desktop's own preference changes`() throws {
    try withSession { session in
      let desktop = try session.startDesktop(.light)
      let themed = try session.startThemed()
      _ = try session.subscribe().frame { $0.desktop == "light" }
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      #expect(try session.themectl("set", "dark", "--until", "changed").lines == ["dark"])
      #expect(try monitor.line() == "dark")
      try desktop.set(.none)
      #expect(try monitor.line() == "light")
      try themed.errorLine(containing: "the desktop's preference changed")
    }
  }

  @Test func `contrast, motion and accent are overridden apart, and status shows what decided`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl("set", "contrast", "high").lines == ["high"])
      #expect(try session.themectl("set", "motion", "reduced", "--for", "2h").status == .exited(0))
      #expect(try session.themectl("set", "accent", "#3584e4").lines == ["#3584e4"])
      #expect(try session.themectl("set", "dark", "--until", "changed").status == .exited(0))
      let status = try session.themectl("status").lines
      #expect(
        status.first
          == "Dark, because you set it (until the desktop's setting changes); the desktop's setting is unavailable.")
      #expect(status.contains("> all apps  dark, until the desktop's setting changes"))
      #expect(status.contains("  desktop   unavailable; 'themectl doctor' says why"))
      #expect(status.contains("  default   light (no-desktop= in themed.conf)"))
      #expect(status.contains("  contrast  high (override)"))
      #expect(status.contains { $0.hasPrefix("  motion    reduced (override, until ") && $0.hasSuffix(" left))") })
      #expect(status.contains("  accent    #3584e4 (override)"))

      _ = try session.themectl("set", "contrast", "auto")
      #expect(try session.themectl("unset", "accent", "scheme").lines == ["-\tlight"])
      let state = try session.connect().call("GetState")
      #expect(state.value("parameters.state.highContrast") == nil)
      #expect(state.value("parameters.state.accentColor") == nil)
      #expect(state.bool("parameters.state.reducedMotion") == true)
      #expect(state.scheme == "light")
    }
  }

  @Test func `the same override again is told to nobody, and a renewed expiry as a state that prints no word`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let words = try session.spawnThemectl("monitor")
      #expect(try words.line() == "light")
      let connection = try session.connect()
      let base = Int(time(nil)) + 10_000
      for expiry in [100, 100, 200] {
        let time = base + expiry
        _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark","expiresAt":\#(time)}}"#)
      }
      // Before it is over: who prints words leaves out what he has not come to print.
      #expect(try words.line() == "dark")
      _ = try connection.call("ClearOverride")
      let expiries = try (0..<3).map { _ in try watch.frame().int("parameters.state.origins.scheme.expiresAt") }
      #expect(expiries[1] == (expiries[0] ?? 0) + 100)
      #expect(expiries[2] == nil)
      #expect(try words.line() == "light")
      #expect(words.lines == ["light", "dark", "light"])
    }
  }

  @Test(arguments: [#"{"expiresAt":1}"#, #"{"expiresAt":9999999999}"#, #"{"expiresAt":1.5}"#])
  func `a toggle until the past, beyond ten years or between seconds is refused, and toggles nothing`(
    parameters: String
  ) throws {
    try withSession { session in
      _ = try session.startThemed()
      let connection = try session.connect()
      let reply = try connection.call("Toggle", parameters)
      #expect(reply.error == "org.varlink.service.InvalidParameter")
      #expect(reply.string("parameters.parameter") == "expiresAt")
      #expect(try connection.call("GetState").scheme == "light")
    }
  }

  @Test(arguments: [
    ["--until", "tomorrow"], ["--until", "tomorrow 07:30"], ["--for", "2hours"], ["--for", "1 day 12 hours"],
  ])
  func `an end may be written as people say it`(words: [String]) throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl(["set", "dark"] + words).status == .exited(0))
      let overrides = try session.connect().call("ListOverrides").value("parameters.overrides") as? [[String: Any]]
      #expect(overrides?.first?["expiresAt"] is Int)
    }
  }

  @Test(arguments: [
    #"{"override":{"scheme":"dark","expiresAt":1}}"#, #"{"override":{"scheme":"dark","expiresAt":9999999999}}"#,
    #"{"override":{"scheme":"dark","expiresAt":1.5}}"#, #"{"override":{"auto":["scheme"],"expiresAt":4000000000}}"#,
  ])
  func `an end in the past, beyond ten years, between seconds or of nothing is refused by its name`(parameters: String)
    throws
  {
    try withSession { session in
      _ = try session.startThemed()
      let reply = try session.connect().call("SetOverride", parameters)
      #expect(reply.error == "org.varlink.service.InvalidParameter")
      #expect(reply.string("parameters.parameter") == "override.expiresAt")
    }
  }

  @Test(arguments: [
    ("SetOverride", #"{"override":{"scheme":"dark","app":"NAME"}}"#, "override.app"),
    ("Toggle", #"{"app":"NAME"}"#, "app"), ("ClearOverride", #"{"app":"NAME"}"#, "app"),
    ("GetState", #"{"app":"NAME"}"#, "app"),
  ])
  func `a name that is empty, too long or holds control characters is refused`(
    method: String, parameters: String, parameter: String
  ) throws {
    try withSession { session in
      _ = try session.startThemed()
      let connection = try session.connect()
      for name in ["", String(repeating: "x", count: 256), #"a\nb"#, #"\u007f"#] {
        let reply = try connection.call(method, parameters.replacingOccurrences(of: "NAME", with: name))
        #expect(reply.string("parameters.parameter") == parameter, "\(name)")
      }
      let longest = parameters.replacingOccurrences(of: "NAME", with: String(repeating: "x", count: 255))
      #expect(try connection.call(method, longest).error == nil)
    }
  }

  @Test(arguments: [
    ["set", "purple"], ["set", "contrast", "very"], ["set", "accent", "blue-ish"], ["set"],
    ["set", "dark", "--for", "soon"], ["set", "dark", "--until", "25:00"], ["set", "dark", "--for", "99999d"],
    ["set", "dark", "--until", "2001-01-01T00:00"], ["set", "dark", "--for", "1h", "--until", "07:30"],
    ["set", "contrast", "auto", "--for", "1h"], ["set", "auto", "--for", "1h"], ["set", "auto", "--until", "changed"],
    ["set", "dark", "--app", ""], ["get", "--app", "a\u{7}b"], ["toggle", "--for", "soon"],
    ["toggle", "--until", "25:00"],
    ["toggle", "--for", "1h", "--until", "07:30"],
  ])
  func `a mistake on the command line gets a sentence with an example, and exit status 64`(words: [String]) throws {
    try withSession { session in
      // No daemon is needed to see it.
      let finished = try session.themectl(words)
      #expect(finished.status == .exited(64))
      #expect(finished.errors.contains("example") || finished.errors.contains("Usage"), "\(finished.errors)")
    }
  }

  @Test func `more apps than the configuration allows are refused, and the others live on`() throws {
    try withSession { session in
      try session.configure("[limits]\noverrides=2\n")
      _ = try session.startThemed()
      let connection = try session.connect()
      for app in ["one", "two"] {
        #expect(try connection.call("SetOverride", #"{"override":{"app":"\#(app)","scheme":"dark"}}"#).error == nil)
      }
      let refused = try connection.call("SetOverride", #"{"override":{"app":"three","scheme":"dark"}}"#)
      #expect(refused.error == "org.themed.theme.TooManyOverrides")
      #expect(refused.int("parameters.maximum") == 2)
      #expect(try connection.call("SetOverride", #"{"override":{"app":"two","scheme":"light"}}"#).error == nil)
    }
  }
  @Test func `an override whose time is over makes room, also for a call that the daemon hears of first`() throws {
    try withSession { session in
      try session.configure("[limits]\noverrides=2\n")
      let themed = try session.startThemed()
      let connection = try session.connect()
      // So late that it is still to come when the call is read.
      let end = Int(time(nil)) + 8
      for (app, ending) in [("lasting", ""), ("brief", #","expiresAt":\#(end)"#)] {
        let set = #"{"override":{"app":"\#(app)","scheme":"dark"\#(ending)}}"#
        #expect(try connection.call("SetOverride", set).error == nil)
      }
      themed.send(.stop)
      // It hears of the call first, and of the time then.
      try connection.send(
        #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"app":"next","scheme":"dark"}}}"#)
      try eventually("the time is over") { time(nil) > end }
      themed.send(.continue)
      let set = try connection.frame()
      #expect(set.error == nil, "\(set.text)")
    }
  }
}
