import Foundation
import Testing
import ThemedTestSupport

/// Themes, from their files to subscribers.
@Suite(.ownThreads) struct ThemeStories {
  @Test func `a theme is chosen, shown with its side, edited, broken, mended and removed, and each subscriber sees it`()
    throws
  {
    try withSession { session in
      try session.theme("mint", "[theme]\ntitle=Mint\n[light.palette]\ntint=26c472\n[dark.palette]\ntint=84ffbf\n")
      let themed = try session.startThemed()
      let plain = try session.subscribe()
      let details = try session.subscribe(details: true)
      let before = try plain.frame().text
      #expect(try details.frame().text == before, "without a theme there is nothing more to tell")
      #expect(!before.contains("theme"))

      let client = try session.connect()
      let set = try client.call("SetOverride", #"{"override":{"lightTheme":"mint","darkTheme":"mint"}}"#)
      #expect(set.string("parameters.state.theme") == "mint")
      #expect(set.value("parameters.state.palette") == nil)
      #expect(try plain.frame().string("parameters.state.themeTitle") == "Mint")
      #expect(try details.frame().color("primary") == "#26c472")
      _ = try client.call("Toggle")
      #expect(try plain.frame().value("parameters.state.palette") == nil)
      #expect(try details.frame().color("primary") == "#84ffbf")

      try session.theme("mint", "[dark.palette]\ntint=111111\n")
      #expect(try details.frame().color("primary") == "#111111")
      try session.theme("mint", "[dark.palette]\ntint=dark green\n")
      let line = try themed.errorLine(containing: "dark green")
      for words in ["mint.theme", "[dark.palette] tint", "a colour such as"] { #expect(line.contains(words)) }
      #expect(try client.state(details: true).color("primary") == "#111111")
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("dark green") && doctor.contains("mint.theme"), "\(doctor)")

      try session.theme("mint", "[light.palette]\n[dark.palette]\ntint=222222\n")
      #expect(try details.frame().color("primary") == "#222222")
      try FileManager.default.removeItem(atPath: session.themePath("mint"))
      #expect(try details.frame().value("parameters.state.theme") == nil)
      // Its directory goes and comes again.
      try FileManager.default.removeItem(atPath: session.directory.path("data/themed"))
      try session.theme("mint", "[light.palette]\n[dark.palette]\ntint=333333\n")
      #expect(try details.frame().color("primary") == "#333333")
      #expect(themed.isRunning)
    }
  }

  @Test func `a theme whose wallpaper is missing is shown without it, and with it once that is there`() throws {
    try withSession { session in
      let picture = session.directory.path("pictures/deep/day.png")
      try session.theme("mint", "[light.palette]\ntint=26c472\n[light.assets]\nwallpaper=\(picture)\n")
      let themed = try session.startThemed()
      let details = try session.subscribe(details: true)
      _ = try details.frame()
      let client = try session.connect()
      let set = try client.call("SetOverride", #"{"override":{"lightTheme":"mint"}}"#)
      #expect(set.string("parameters.state.theme") == "mint")
      let first = try details.frame()
      #expect(first.color("primary") == "#26c472")
      #expect(first.string("parameters.state.assets.wallpaper") == nil)
      #expect(try themed.errorLine(containing: picture).contains("[light.assets] wallpaper"))
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains(picture), "\(doctor)")
      try session.directory.write("x", to: "pictures/deep/day.png")
      #expect(try details.frame().string("parameters.state.assets.wallpaper") == picture)
      try FileManager.default.removeItem(atPath: session.directory.path("pictures"))
      #expect(try details.frame().string("parameters.state.assets.wallpaper") == nil)
      try session.directory.write("x", to: "pictures/deep/day.png")
      #expect(try details.frame().string("parameters.state.assets.wallpaper") == picture)
      // Another theme has other images.
      try session.theme("mint", "[light.palette]\n[light.assets]\nwallpaper=night.png\n")
      #expect(try details.frame().string("parameters.state.assets.wallpaper") == nil)
      try session.directory.write("x", to: "data/themed/themes/night.png")
      #expect(try details.frame().string("parameters.state.assets.wallpaper")?.hasSuffix("/night.png") == true)
    }
  }

  @Test func `every frame with details is of one moment, however scheme and themes are changed`() throws {
    try withSession { session in
      for name in ["one", "two"] { try session.theme(name, Self.text(name, 0)) }
      _ = try session.startThemed()
      let details = try session.subscribe(details: true)
      let client = try session.connect()
      var random = SeededGenerator(seed: 3)
      var moments = 0
      for round in 1...200 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: _ = try client.call("Toggle")
        case 1:
          let names = ["one", "two"].shuffled(using: &random)
          let override = #"{"override":{"lightTheme":"\#(names[0])","darkTheme":"\#(names[1])"}}"#
          _ = try client.call("SetOverride", override)
        default: try session.theme(["one", "two"].randomElement(using: &random) ?? "", Self.text("", round))
        }
        while details.hasInput {
          if try Self.expectOneMoment(details.frame()) { moments += 1 }
        }
      }
      #expect(moments > 20, "of frames that show a theme")
    }
  }

  @Test func `files that are broken at random, under the daemon's eyes, never take the theme away`() throws {
    try withSession { session in
      try session.theme("one", Self.text("one", 0))
      let themed = try session.startThemed()
      let client = try session.connect()
      _ = try client.call("SetOverride", #"{"override":{"lightTheme":"one","darkTheme":"one"}}"#)
      let details = try session.subscribe(details: true)
      _ = try details.frame()
      var random = SeededGenerator(seed: 8)
      // But for its first line: a file that is right, and only has no light side, does take it away.
      let first = "[light.palette]\n".utf8.count
      for round in 0..<400 {
        var bytes = Array(Self.text("one", round % 256).utf8)
        for _ in 0..<Int.random(in: 1..<5, using: &random) {
          bytes[Int.random(in: first..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) { bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))) }
        try Data(bytes).write(to: URL(filePath: session.themePath("one")))
        if round.isMultiple(of: 20) { themed.send(.hangup) }
        let state = try client.state(details: true)
        #expect(state.string("parameters.state.theme") == "one")
        #expect((state.value("parameters.state.palette") as? [String: Any])?.count == 58)
      }
      try session.theme("one", Self.text("one", 255))
      let mended = try details.frame { $0.string("parameters.state.values.version") == "ff" }
      #expect(try Self.expectOneMoment(mended))
      #expect(themed.isRunning)
    }
  }

  @Test func `a theme costs those who do not ask for it three words, and what they got before is the same to the byte`()
    throws
  {
    try withSession { session in
      try session.theme("one", Self.text("one", 0))
      _ = try session.startThemed()
      let client = try session.connect()
      let before = try client.state().text
      #expect(try client.state(details: true).text == before)
      #expect(try client.call("GetState", #"{"details":false}"#).text == before)
      _ = try client.call("SetOverride", #"{"override":{"lightTheme":"one"}}"#)
      let after = try client.state().text
      #expect(
        after
          == before.replacingOccurrences(of: #""serial":1"#, with: #""serial":2"#)
          .replacingOccurrences(
            of: #"{"rule":"default"}}}}}"#,
            with: #"{"rule":"default"},"theme":{"rule":"override"}},"theme":"one","themeTitle":"one","#
              + #""transitionMilliseconds":200}}}"#))
      _ = try client.call("ClearOverride")
      #expect(try client.state().text == before.replacingOccurrences(of: #""serial":1"#, with: #""serial":3"#))
    }
  }

  /// A theme whose every part tells which side and which version of the file it is of.
  private static func text(_ name: String, _ version: Int) -> String {
    let digits = String(version + 0x100, radix: 16).suffix(2)
    return ["light", "dark"].map { side in
      """
      [\(side).palette]
      primary=#\(side == "light" ? "00" : "ff")\(digits)00
      [\(side).values]
      side=\(side)
      version=\(digits)

      """
    }.joined()
  }

  /// Expects all of a theme to be of one side and one version of its file; false where the frame shows no theme.
  private static func expectOneMoment(_ frame: Frame) throws -> Bool {
    guard frame.value("parameters.state.theme") != nil else { return false }
    let scheme = try #require(frame.scheme)
    let version = try #require(frame.string("parameters.state.values.version"))
    #expect(frame.string("parameters.state.values.side") == scheme)
    #expect(frame.color("primary") == "#\(scheme == "light" ? "00" : "ff")\(version)00")
    return true
  }

  @Test func `an unknown theme, a missing side, a faulty file and no name are refused by name, and nothing changes`()
    throws
  {
    try withSession { session in
      try session.theme("night", "[dark.palette]\n")
      try session.theme("bad", "[dark.palette]\ntext=x\n")
      try session.theme("empty", "[theme]\n")
      _ = try session.startThemed()
      let client = try session.connect()
      let before = try client.state().text
      func refusal(_ override: String) throws -> Frame {
        try client.call("SetOverride", #"{"override":{\#(override)}}"#)
      }
      let unknown = try refusal(#""darkTheme":"nihgt""#)
      #expect(unknown.error == "org.themed.theme.UnknownTheme")
      #expect(unknown.string("parameters.theme") == "nihgt")
      for (name, side, words) in [
        ("night", "light", "no light side"), ("bad", "dark", "[dark.palette] text is 'x'"),
        ("empty", "dark", "there should be a side"),
      ] {
        let unusable = try refusal(#""scheme":"dark","\#(side)Theme":"\#(name)""#)
        #expect(unusable.error == "org.themed.theme.UnusableTheme")
        #expect(unusable.string("parameters.theme") == name)
        #expect(unusable.string("parameters.problem")?.contains(words) == true, "\(unusable.text)")
      }
      for name in ["", "../night", ".", "a/b"] {
        #expect(try refusal(#""darkTheme":"\#(name)""#).error == "org.themed.theme.UnknownTheme")
        #expect(try client.call("GetTheme", #"{"name":"\#(name)"}"#).error == "org.themed.theme.UnknownTheme")
      }
      #expect(try client.state().text == before)
      #expect(try client.call("ListOverrides").text.contains("[]"))
    }
  }

  @Test func `a theme is for one app, for a time, by default and kept over a restart`() throws {
    try withSession { session in
      for name in ["one", "two", "three"] { try session.theme(name, Self.text(name, 1)) }
      try session.configure("[appearance]\nlight-theme=one\ndark-theme=two\ntransition=350\n")
      let themed = try session.startThemed()
      let client = try session.connect()
      // A start waits for its files for a second only.
      let first = try eventually("the configured theme") {
        let state = try client.state()
        return state.string("parameters.state.theme") == "one" ? state : nil
      }
      #expect(first.string("parameters.state.origins.theme.rule") == "default")
      #expect(first.int("parameters.state.transitionMilliseconds") == 350)
      let nvim = #"{"override":{"app":"nvim","lightTheme":"three","reducedMotion":true}}"#
      let changed = try client.call("SetOverride", nvim)
      #expect(changed.string("parameters.state.theme") == "three")
      #expect(changed.string("parameters.state.origins.theme.rule") == "app_override")
      #expect(changed.int("parameters.state.transitionMilliseconds") == 0)
      #expect(try client.state().string("parameters.state.theme") == "one")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))

      _ = try session.startThemed()
      let again = try session.connect()
      try eventually("the kept theme") {
        try again.call("GetState", #"{"app":"nvim"}"#).string("parameters.state.theme") == "three"
          && again.state().string("parameters.state.theme") == "one"
      }
      let monitor = try session.subscribe()
      _ = try monitor.frame()
      // So far away that it is to come still when the call is read.
      let ends = Int(Date().timeIntervalSince1970) + 10
      _ = try again.call("SetOverride", #"{"override":{"lightTheme":"two","expiresAt":\#(ends)}}"#)
      #expect(try monitor.frame().string("parameters.state.theme") == "two")
      #expect(try monitor.frame().string("parameters.state.theme") == "one", "it expired")
      let cleared = try again.call("ClearOverride", #"{"app":"nvim","fields":["lightTheme"]}"#)
      #expect(cleared.string("parameters.state.theme") == "one")
      try session.configure("")
      #expect(try monitor.frame().value("parameters.state.theme") == nil)
    }
  }

  @Test func `themes are listed by name, the user's before the system's, and told whole`() throws {
    try withSession { session in
      let system = try session.directory.write("[dark.palette]\n", to: "system/themed/themes/mint.theme")
      try session.directory.write("[dark.palette]\n", to: "system/themed/themes/teal.theme")
      session.environment["XDG_DATA_DIRS"] = session.directory.path("system")
      _ = try session.startThemed()
      let client = try session.connect()
      #expect(
        try client.themes() == ["mint": system, "teal": session.directory.path("system/themed/themes/teal.theme")])
      try session.theme("mint", "[theme]\ntitle=Mine\n[light.palette]\nbase0D=#123456\n[light.values]\nbat=x\n")
      #expect(try client.themes()["mint"] == session.themePath("mint"))
      let theme = try client.call("GetTheme", #"{"name":"mint"}"#)
      #expect(theme.string("parameters.theme.title") == "Mine")
      #expect(theme.string("parameters.theme.light.palette.primary") == "#123456")
      #expect(theme.value("parameters.theme.light.given") as? [String] == ["base0D"])
      #expect(theme.string("parameters.theme.light.values.bat") == "x")
      #expect(theme.value("parameters.theme.dark") == nil)
    }
  }
}

extension Session {
  /// Where a theme of the user's own is.
  fileprivate func themePath(_ name: String) -> String { directory.path("data/themed/themes/\(name).theme") }

  /// Writes a theme of the user's own, in one step, as careful editors do.
  fileprivate func theme(_ name: String, _ text: String) throws {
    let new = try directory.write(text, to: "data/themed/themes/.\(name).new")
    guard unsafe rename(new, themePath(name)) == 0 else { throw Failure("a theme could not be written") }
  }

  fileprivate func subscribe(details: Bool) throws -> VarlinkConnection {
    let connection = try connect()
    try connection.send(#"{"method":"org.themed.theme.Monitor","parameters":{"details":\#(details)},"more":true}"#)
    return connection
  }
}

extension VarlinkConnection {
  fileprivate func state(details: Bool = false) throws -> Frame {
    try call("GetState", details ? #"{"details":true}"# : "{}")
  }

  fileprivate func themes() throws -> [String: String] {
    var paths: [String: String] = [:]
    for case let theme as [String: Any] in try call("ListThemes").value("parameters.themes") as? [Any] ?? [] {
      if let name = theme["name"] as? String { paths[name] = theme["path"] as? String }
    }
    return paths
  }
}

extension Frame {
  fileprivate func color(_ role: String) -> String? { string("parameters.state.palette.\(role)") }
}
