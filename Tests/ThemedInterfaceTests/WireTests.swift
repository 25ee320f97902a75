import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// The vocabulary's way onto the wire and back.
@Suite struct WireTests {
  @Test("An override comes back as it went", arguments: Samples.overrides)
  func overrides(override: Override) throws {
    var parameters = Parameters(override.parameters)
    #expect(try Override(reading: &parameters) == override)
    #expect(throws: Never.self) { try parameters.finish() }
    #expect(try Override(json: override.text) == override, "through its text too")
  }

  @Test("A state comes back as it went", arguments: Samples.states)
  func states(state: State) throws {
    #expect(try State(Parameters(state.parameters)) == state)
    let text = JSON.object(state.parameters).text
    guard case .object(let object) = try JSON(parsing: Array(text.utf8)) else {
      Issue.record("a state is no object")
      return
    }
    #expect(try State(Parameters(object)) == state, "through its text too")
  }

  @Test("A state's text, written at once, is that of its parameters", arguments: Samples.states)
  func written(state: State) {
    var state = state
    for _ in 0..<20 {
      for details in [false, true] {
        let text = Reply.frame(continues: details) { reply in
          reply.append("state") { state.append(to: &$0, details: details) }
          reply.append("saved", details ? .bool(true) : nil)
        }
        let parameters: JSON.Object = [
          "state": .object(state.parameters(details: details)), "saved": details ? .bool(true) : nil,
        ]
        #expect(text == Reply(parameters, continues: details).frame, "\(state)")
      }
      let field: Text = ["scheme", "theme", "highContrast", "tide \"\u{1}\"", ""].randomElement() ?? ""
      let origin = Origin(
        .init(rawValue: ["portal", "é"].randomElement() ?? ""), isPinned: .random(), expiresAt: .random(in: 0...9),
        untilDesktopChanges: .random())
      state.resolution.origins[field] = Bool.random() ? origin : nil
      state.resolution.highContrast = [nil, true, false].randomElement() ?? nil
      state.resolution.nextSwitch = Bool.random() ? Switch(time: .random(in: -9...9), scheme: .dark) : nil
      if Bool.random() { state.resolution.theme = nil }
    }
  }

  @Test(
    "A client comes back as it went",
    arguments: [Client(app: nil, processID: 1), Client(app: "org.example.Editor", processID: .max)])
  func clients(client: Client) throws {
    #expect(try Client(Parameters(client.parameters)) == client)
  }

  @Test("A state's text leaves out what is null, and names its fields as the interface does")
  func goldenState() {
    var overrides = Overrides()
    overrides[app: nil].set(Override(scheme: .dark), until: End())
    let reading = Reading(scheme: .none, highContrast: false)
    let resolution = overrides.resolve(app: nil, reading: reading, defaults: Defaults())
    let state = State(instance: "i", serial: 3, resolution: resolution)
    #expect(
      JSON.object(state.parameters).text
        == #"{"instance":"i","serial":3,"scheme":"dark","desktop":"none","highContrast":false,"#
        + #""origins":{"highContrast":{"rule":"portal"},"scheme":{"rule":"override"}}}"#)
  }

  @Test("A theme adds its name, title and transition, and its details only where they were asked for")
  func goldenTheme() throws {
    var overrides = Overrides()
    overrides[app: nil].set(Override(lightTheme: "mint"), until: End())
    let red = try #require(Color(hexadecimal: "#FF0000"))
    let details = ThemeDetails(
      palette: ["text": red, "background": red], assets: ["b": "/b", "a": "/a"], values: ["bat": "x"])
    let resolution = overrides.resolve(app: nil, reading: Reading(scheme: .light), defaults: Defaults()) { name, _ in
      ShownTheme(name: name, title: "Mint", details: details)
    }
    let state = State(instance: "i", serial: 3, resolution: resolution)
    let plain =
      #"{"instance":"i","serial":3,"scheme":"light","desktop":"light","#
      + #""origins":{"scheme":{"rule":"portal"},"theme":{"rule":"override"}},"theme":"mint","themeTitle":"Mint","transitionMilliseconds":200"#
    #expect(JSON.object(state.parameters(details: false)).text == plain + "}")
    #expect(
      JSON.object(state.parameters(details: true)).text
        == plain + ##","palette":{"background":"#ff0000","text":"#ff0000"},"assets":{"a":"/a","b":"/b"},"##
        + #""values":{"bat":"x"}}"#)
    var known = state
    known.resolution.theme?.details = nil
    #expect(try State(Parameters(state.parameters(details: false))) == known)
    #expect(try State(Parameters(state.parameters(details: true))) == state)
  }

  @Test("A theme comes back as it went, with a whole palette for programs that derive nothing")
  func themes() throws {
    let side = Side(colors: [.primary: .white, .base0F: .black], assets: ["a": "/a"], values: ["b": "c"])
    for theme in [Theme(name: "n", dark: side), Theme(name: "n", title: "N", author: "A", light: Side(), dark: side)] {
      let installed = InstalledTheme(theme: theme, path: "/p", problem: theme.author?.string)
      #expect(try InstalledTheme(Parameters(installed.parameters)) == installed)
      guard case .object(let dark)? = installed.parameters["dark"], case .object(let palette)? = dark["palette"] else {
        Issue.record("no palette")
        continue
      }
      #expect(palette.members.map(\.name) == Role.all.map(\.rawValue))
      #expect(dark["given"] == .array([.string("primary"), .string("base0F")]))
    }
    let listing = ThemeListing(name: "n", path: "/p")
    #expect(try ThemeListing(Parameters(listing.parameters)) == listing)
  }

  @Test("A role that is newer than this client comes through, behind those that it knows")
  func newerRole() throws {
    let role = Role(rawValue: "sidebar")
    let side = Side(colors: [role: .white, .primary: .black])
    let installed = InstalledTheme(theme: Theme(name: "n", dark: side), path: "/p")
    #expect(try InstalledTheme(Parameters(installed.parameters)) == installed)
    guard case .object(let dark)? = installed.parameters["dark"], case .object(let palette)? = dark["palette"] else {
      Issue.record("no palette")
      return
    }
    #expect(palette.members.last?.name == "sidebar")
    #expect(dark["given"] == .array([.string("primary"), .string("sidebar")]))
  }

  @Test("The same state has the same text, whatever the order of its origins in memory")
  func stableText() {
    var texts: Set<String> = []
    for _ in 0..<100 {
      var resolution = Resolution(scheme: .dark, desktop: .dark)
      for field: Text in ["scheme", "highContrast", "reducedMotion", "accentColor"].shuffled() {
        resolution.origins[field] = Origin(.portal)
      }
      texts.insert(JSON.object(State(instance: "i", serial: 1, resolution: resolution).parameters).text)
    }
    #expect(texts.count == 1)
  }

  @Test(
    "A client passes over what is newer than it",
    arguments: [
      #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":{"scheme":{"rule":"moon"},"tide":{"rule":"sea"}},"phase":1}"#,
      #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":{"scheme":{"rule":"moon","why":"x"}},"override":{}}"#,
      #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":{"scheme":{"rule":"moon","pinned":null}},"highContrast":null}"#,
    ])
  func newerFields(text: String) throws {
    let state = try State(json: text)
    #expect(state.scheme == .dark)
    #expect(state.resolution.origins["scheme"] == Origin(.init(rawValue: "moon")))
    #expect(try Client(json: #"{"pid":1,"session":"x"}"#) == Client(app: nil, processID: 1))
  }

  @Test(
    "A state that lacks what it must have, or has it wrong, is refused by the name of the field",
    arguments: [
      (#"{"serial":1,"scheme":"dark","desktop":"light"}"#, "instance"),
      (#"{"instance":"i","scheme":"dark","desktop":"light"}"#, "serial"),
      (#"{"instance":"i","serial":1.0,"scheme":"dark","desktop":"light"}"#, "serial"),
      (#"{"instance":"i","serial":1,"scheme":"auto","desktop":"light"}"#, "scheme"),
      (#"{"instance":"i","serial":1,"scheme":"dark","desktop":"dusk"}"#, "desktop"),
      (#"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":[]}"#, "origins"),
      (#"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":{"scheme":1}}"#, "origins"),
      (
        #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":{"scheme":{"pinned":true}}}"#,
        "origins.scheme.rule"
      ),
      (
        #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","origins":{"theme":{"rule":"a","expiresAt":"b"}}}"#,
        "origins.theme.expiresAt"
      ),
      (
        #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","accentColor":{"red":0,"green":0,"blue":0}}"#,
        "accentColor"
      ),
      (
        #"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","theme":"m","palette":{"text":"red"}}"#,
        "palette"
      ),
      (#"{"instance":"i","serial":1,"scheme":"dark","desktop":"light","theme":"m","values":[]}"#, "values"),
    ])
  func wrongStates(text: String, field: String) {
    #expect(throws: VarlinkError.invalidParameter(field)) { try State(json: text) }
  }

  @Test(
    "A wrong override is refused by the path to what is wrong",
    arguments: [
      (#"{"app":1}"#, "override.app"), (#"{"scheme":"purple"}"#, "override.scheme"),
      (#"{"scheme":null,"highContrast":"yes"}"#, "override.highContrast"),
      (#"{"reducedMotion":0}"#, "override.reducedMotion"), (#"{"expiresAt":1.5}"#, "override.expiresAt"),
      (#"{"expiresAt":"tomorrow"}"#, "override.expiresAt"),
      (#"{"untilDesktopChanges":1}"#, "override.untilDesktopChanges"),
      (#"{"accentColor":[1,0,0]}"#, "override.accentColor"), (#"{"accentColor":"red"}"#, "override.accentColor"),
      (##"{"accentColor":"#f00"}"##, "override.accentColor"), (#"{"accentColor":"ff0000"}"#, "override.accentColor"),
      (##"{"accentColor":"#ff00000"}"##, "override.accentColor"),
      (##"{"accentColor":"#ff00g0"}"##, "override.accentColor"),
      (#"{"scheme":"dark","color":"red"}"#, "override.color"), (#"{"lightTheme":1}"#, "override.lightTheme"),
      (#"{"darkTheme":{}}"#, "override.darkTheme"), (#"{"auto":"highContrast"}"#, "override.auto"),
      (#"{"auto":["contrast"]}"#, "override.auto"), (#"{"auto":[1]}"#, "override.auto"),
    ])
  func wrongOverrides(text: String, path: String) {
    #expect(throws: VarlinkError.invalidParameter(path)) { try Override(json: text) }
  }

  @Test("A color may be written with capitals, and is told without")
  func capitals() throws {
    let override = try Override(json: ##"{"accentColor":"#FF0080"}"##)
    #expect(override.accentColor == Color(hexadecimal: "#ff0080"))
    #expect(override.text == ##"{"accentColor":"#ff0080"}"##)
  }

  @Test("A theme's listing has of each side the colours to show, and comes back as it was")
  func listing() throws {
    let light = Side(colors: [.primary: try #require(Color(hexadecimal: "#26c472"))])
    let listing = ThemeListing(Theme(name: "mint", title: "Mint \"ü\"", light: light), path: "/m")
    #expect(listing.swatch(for: .light)?.count == ThemeListing.swatch.count)
    #expect(listing.swatch(for: .light)?[.primary]?.hexadecimal == "#26c472")
    #expect(listing.swatch(for: .light)?[.background] == .white)
    #expect(listing.schemes == [.light] && listing.problem == nil)
    #expect(try ThemeListing(Parameters(listing.parameters)) == listing)
    let broken = ThemeListing(name: "a", path: "/a", problem: "line 1")
    #expect(try ThemeListing(Parameters(broken.parameters)) == broken)
    #expect(broken.title == nil && broken.schemes == [])
  }

  @Test(
    "The name of an app has 1 to 255 bytes and no control character",
    arguments: [
      ("nvim", true), ("org.gnome.Terminal", true), ("日本", true), (String(repeating: "ä", count: 127) + "x", true),
      (String(repeating: "ä", count: 128), false), ("", false), ("a\nb", false), ("\u{7f}", false), ("a\u{85}", false),
    ])
  func appNames(name: String, isName: Bool) {
    #expect(isAppName(Text(name)) == isName)
  }
}

extension State {
  /// The interface's `State`, with or without the theme's details.
  fileprivate func parameters(details: Bool) -> JSON.Object {
    var object = JSON.Object()
    append(to: &object, details: details)
    return object
  }
}
