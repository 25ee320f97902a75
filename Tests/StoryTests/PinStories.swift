import Foundation
import Testing
import ThemedTestSupport

/// Fields of an app that are pinned to what lies below the overrides, and calls that set and clear at once.
@Suite(.ownThreads) struct PinStories {
  @Test func `a field of an app is pinned to the desktop for a time, and 'status' says so`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      try following.portal.tell("set contrast u:1")
      try following.portal.tell("emit contrast u:1")
      _ = try following.watch.frame { $0.bool("parameters.state.highContrast") == true }
      #expect(try session.themectl("set", "contrast", "normal").lines == ["normal"])
      #expect(try session.themectl("set", "contrast", "auto", "--app", "nvim", "--for", "2h").lines == ["high"])
      #expect(try session.themectl("get", "contrast").lines == ["normal"])
      let status = try session.themectl("status", "--app", "nvim").lines
      #expect(
        status.contains { $0.hasPrefix("  contrast  high (desktop, auto for nvim, until ") && $0.hasSuffix(" left))") })
      let overrides = try session.themectl("overrides").lines
      #expect(overrides.first == "(all apps)\tnormal contrast\t-")
      #expect(overrides.last?.hasPrefix("nvim\tcontrast auto\t") == true)
      let origin = "parameters.state.origins.highContrast"
      let state = try session.connect().call("GetState", #"{"app":"nvim"}"#)
      #expect(state.string("\(origin).rule") == "portal" && state.bool("\(origin).pinned") == true)
      #expect(state.int("\(origin).expiresAt") != nil)
      #expect(try session.themectl("unset", "contrast", "--app", "nvim").lines == ["normal"])
    }
  }

  @Test func `a theme of an app is pinned to the configuration's, and a pin is restored after a kill`() throws {
    try withSession { session in
      for name in ["one", "two"] {
        try session.directory.write("[light.palette]\n[dark.palette]\n", to: "data/themed/themes/\(name).theme")
      }
      try session.configure("[appearance]\nlight-theme=one\n")
      let themed = try session.startThemed()
      #expect(try session.themectl("set", "theme", "two").status == .exited(0))
      #expect(try session.themectl("set", "theme", "--light", "auto", "--app", "nvim").lines == ["light one"])
      themed.send(.kill)
      _ = try themed.wait()
      _ = try session.startThemed()
      let state = try session.connect().call("GetState", #"{"app":"nvim"}"#)
      #expect(state.string("parameters.state.theme") == "one")
      #expect(state.string("parameters.state.origins.theme.rule") == "default")
      #expect(try session.themectl("get", "theme").lines == ["two"])
    }
  }

  @Test func `for all apps 'auto' clears the field, and has no end`() throws {
    try withSession { session in
      _ = try session.startThemed()
      #expect(try session.themectl("set", "motion", "reduced").lines == ["reduced"])
      #expect(try session.themectl("set", "motion", "auto").lines == ["-"])
      #expect(try session.themectl("overrides").lines == [])
      let refused = try session.themectl("set", "theme", "--dark", "auto", "--for", "1h")
      #expect(refused.status == .exited(64))
      #expect(refused.errors.contains("cannot be used with it"))
    }
  }

  @Test func `what is set and what is cleared in one call is one change`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let connection = try session.connect()
      _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark","highContrast":true}}"#)
      let before = try watch.frame()
      #expect(before.scheme == "dark" && before.bool("parameters.state.highContrast") == true)
      let both = ##"{"override":{"accentColor":"#3584e4"},"clear":["scheme","highContrast"]}"##
      #expect(try connection.call("SetOverride", both).bool("parameters.saved") == true)
      let after = try watch.frame()
      #expect(after.scheme == "light" && after.value("parameters.state.highContrast") == nil)
      #expect(after.string("parameters.state.accentColor") == "#3584e4")
    }
  }
}
