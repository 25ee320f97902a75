import Testing
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

@testable import ThemeClient

/// A daemon of next year: all that its replies may have come to say, within the promise of the interface and beyond it.
@Suite(.timeLimit(.minutes(10))) struct NextYearTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  /// A state with a further member wherever there can be one, and with words and entries that mean nothing today.
  private static let state = ##"""
    {"instance":"i","serial":7,"scheme":"dark","desktop":"sepia","highContrast":"very",
    "accentColor":"oklab(1 0 0)",
    "origins":{"scheme":{"rule":"override","expiresAt":"dusk","until":"moonrise","pinned":1},
    "theme":{"rule":"schedule","expiresAt":7},"accentColor":{"rules":[]},"highContrast":"x","tide":{"rule":"sea"}},
    "override":{"scheme":"sepia"},
    "theme":"mint","themeTitle":"Mint","transitionMilliseconds":{"in":100,"out":200},
    "palette":{"background":"#101010","text":"oklab(1 0 0)","link":["#ffffff","#000000"],"glow":"#ff00ff"},
    "assets":{"wallpaper":"/w.png","sound":{"path":"/s.ogg"}},"values":{"bat":"Nord","delta":[1]},
    "sides":{"third":"sepia"}}
    """##

  private func answer(_ replies: [String]) throws -> ScriptedDaemon {
    try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      for reply in replies {
        try peer.takeCall()
        try peer.send(Array(#"{"parameters":\#(reply)}"#.utf8) + [0])
      }
    }
  }

  private func expectIsKnown(_ state: ThemeState) throws {
    #expect(state.scheme == .dark)
    // A preference that is unknown is none that could be followed.
    #expect(state.desktop == .noPreference)
    #expect(state.highContrast == nil)
    #expect(state.accentColor == nil)
    #expect(state.origin(of: .scheme) == ThemeState.Origin(.override))
    #expect(state.origin(of: .lightTheme) == ThemeState.Origin(.schedule, expiresAt: ThemeTime(secondsSinceEpoch: 7)))
    #expect(state.inner.resolution.origins["tide"]?.rule.rawValue == "sea")
    #expect(state.transition == .zero)
    let details = try #require(state.inner.resolution.theme?.details)
    #expect(details.palette.mapValues(\.hexadecimal) == ["background": "#101010", "glow": "#ff00ff"])
    #expect(state.assets == ["wallpaper": "/w.png"])
    #expect(state.values == ["bat": "Nord"])
    // What came is used, and the rest derived of it.
    let palette = try #require(state.palette)
    #expect(palette[.text].description == "#ffffff")
    #expect(palette[.background].description == "#101010")
    #expect(palette[ThemeRole(rawValue: "glow")].description == "#ff00ff")
  }

  @Test("Its states are heard, once and again, and what is new in them is passed over")
  func states() throws {
    let daemon = try answer([#"{"state":\#(Self.state),"more":[]}"#, #"{"state":\#(Self.state)}"#])
    var client = try BlockingThemeClient(socket: scratch.socket)
    try expectIsKnown(try client.state())
    try expectIsKnown(try client.state())
    daemon.join()
  }

  @Test("It is followed")
  func followed() async throws {
    let daemon = try answer([#"{"state":\#(Self.state)}"#])
    var states = AsyncThemeClient(socket: scratch.socket).states().makeAsyncIterator()
    try expectIsKnown(try #require(try await states.next()))
    daemon.join()
  }

  @Test("An override of its is told as far as it is known, and one that is none is passed over")
  func overrides() throws {
    let daemon = try answer([
      #"{"overrides":[{"scheme":"sepia","highContrast":true,"fog":1,"auto":["fog","accentColor",3]},[1],{"app":"a","scheme":"dark"}]}"#,
      #"{"state":\#(Self.state),"saved":true,"where":{}}"#,
    ])
    var theme = try ThemeConnection(socket: scratch.socket)
    #expect(
      try theme.call(.overrides)
        == ThemeItems([
          Override(highContrast: true, auto: [.accentColor]), Override(app: "a", scheme: .dark),
        ]))
    #expect(try theme.call(.setOverride(Override(scheme: .dark))).isSaved)
    daemon.join()
  }

  @Test("Its lists are read as far as they are known, without the entries that are not")
  func lists() throws {
    let daemon = try answer([
      #"{"clients":[{"pid":7,"app":1,"seat":"s"},{"pid":"eight"},{"pid":9}],"omitted":"some"}"#,
      ##"{"themes":[{"name":"mint","path":"/m","sides":3,"light":{"primary":"#26c472","glow":"#ffffff","text":7}},{"title":"dusk"},"dawn"],"next":"x"}"##,
      #"{"path":"/p","problem":{"line":3},"settings":[{"name":"[a] b","value":"1","origin":"default","unit":"ms"},{}]}"#,
      #"{"vendor":"v","product":"p","version":"2","url":"u","interfaces":["a.b",{"c":1}],"license":"MIT"}"#,
    ])
    var theme = try ThemeConnection(socket: scratch.socket)
    #expect(
      try theme.call(.clients)
        == ThemeItems([Client(app: nil, processID: 7), Client(app: nil, processID: 9)]))
    let green = try #require(Color("#26c472"))
    let mint = ThemeListing(
      name: "mint", path: "/m", swatches: [.light: [.primary: green, Role(rawValue: "glow"): .white]])
    #expect(try theme.call(.themes) == ThemeItems([mint]))
    let configuration = try theme.call(.configuration)
    #expect(configuration.settings.map { [$0.name, $0.value, $0.origin] } == [["[a] b", "1", "default"]])
    #expect(try theme.call(.serviceInfo).interfaces == ["a.b"])
    daemon.join()
  }

  @Test("A theme of its is read without the entries that are none, and with the roles that are newer")
  func theme() throws {
    let daemon = try answer([
      ##"""
      {"theme":{"name":"mint","title":7,"path":"/m","rating":5,"sepia":{},"dark":{"palette":{"background":"#101010",
      "text":"white","glow":"#ffffff"},"given":["background","text","glow",1],"assets":{},"values":{"a":1,"b":"c"}}}}
      """##
    ])
    var connection = try ThemeConnection(socket: scratch.socket)
    let theme = try connection.call(.theme(named: "mint"))
    #expect(theme.theme.title == "mint")
    #expect(theme.theme.schemes == [.dark])
    let dark = try #require(theme.theme[.dark])
    #expect(dark.colors.mapValues(\.hexadecimal) == [.background: "#101010", Role(rawValue: "glow"): "#ffffff"])
    #expect(dark.values == ["b": "c"])
    daemon.join()
  }

  @Test("Its diagnostics are read without the changes and files that are not known")
  func diagnostics() throws {
    let daemon = try answer([
      #"""
      {"version":"9","later":["Themes",3],"bus":{"state":"shared","address":1},"session":"half",
      "portal":{"standsIn":false,"version":"2"},"configuration":{"path":"/c"},"state":{},
      "changes":[{"time":1,"scheme":"sepia","desktop":"dark","cause":"x"},
      {"time":2,"scheme":"dark","desktop":"sepia","cause":"y","app":7},7],"themes":[1,{"path":"/t"}],"socket":"s"}
      """#
    ])
    var connection = try ThemeConnection(socket: scratch.socket)
    let diagnostics = try connection.call(.diagnostics)
    #expect(diagnostics.bus.state == "shared")
    #expect(
      diagnostics.changes.map { "\($0.time) \($0.scheme) \($0.desktop) \($0.cause)" } == [
        "2 dark none y"
      ])
    #expect(diagnostics.themes?.map(\.path) == ["/t"])
    #expect(diagnostics.socket == nil)
    daemon.join()
  }
}
