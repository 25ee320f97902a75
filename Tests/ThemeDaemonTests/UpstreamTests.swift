import Testing
import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

/// What another machine sends is read as bytes of a stranger.
@Suite struct UpstreamTests {
  private static func frame(_ scheme: String, _ more: String = "") -> [UInt8] {
    let state = #""instance":"a","serial":1,"scheme":"\#(scheme)","desktop":"none","origins":{}\#(more)"#
    return Array(#"{"parameters":{"state":{\#(state)}},"continues":true}"#.utf8) + [0]
  }

  @Test func `states are read byte by byte as they are at once, and of several the newest`() {
    let bytes = Self.frame("dark") + Self.frame("light", ##","highContrast":true,"accentColor":"#3584e4""##)
    var whole = UpstreamReader()
    let reading = whole.receive(bytes[...]).reading
    #expect(reading?.scheme == .light)
    #expect(reading?.highContrast == true)
    #expect(reading?.accentColor == Color(hexadecimal: "#3584e4"))
    #expect(reading?.upstream == Reading.Upstream())

    var single = UpstreamReader()
    var heard: [Preference] = []
    for byte in bytes {
      let news = single.receive([byte])
      #expect(news.problem == nil)
      if let reading = news.reading { heard.append(reading.scheme) }
    }
    #expect(heard == [.dark, .light])
    #expect(single.isBetweenFrames)
  }

  @Test(arguments: [
    ("garbage\0", "the message is not JSON"), ("[]\0", "the message is not a JSON object"), ("\0", "not JSON"),
    ("{\"parameters\":{}}\0", "received an invalid state"),
    (
      #"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}}}"# + "\0", "unknown member"
    ),
    (#"{"error":"org.varlink.service.PermissionDenied"}"# + "\0", "an error: org.varlink.service.PermissionDenied"),
    (
      #"{"parameters":{"state":{"instance":"a","serial":1,"scheme":"purple","desktop":"dark"}}}"# + "\0",
      "an invalid state"
    ),
    (#"{"error":"\#u{1b}]0;title"}"# + "\0", "not JSON"),
  ])
  func `what is no state is told of, and the next one is read`(bytes: String, problem: String) {
    var reader = UpstreamReader()
    let news = reader.receive(Array(bytes.utf8)[...])
    #expect(news.reading == nil)
    #expect(news.problem?.string.contains(problem) == true, "\(news)")
    #expect(reader.receive(Self.frame("dark")[...]).reading?.scheme == .dark)
  }

  @Test func `a message without end costs no more memory than the longest that is allowed, and the next one is read`() {
    var reader = UpstreamReader()
    let piece = [UInt8](repeating: UInt8(ascii: "{"), count: 64 * 1024)
    for _ in 0..<100 {
      #expect(reader.receive(piece[...]) == .init())
      #expect(reader.heldBytes <= Limits.upstreamFrame)
    }
    #expect(!reader.isBetweenFrames)
    #expect(reader.receive([0]).problem?.string == "a message is longer than \(Limits.upstreamFrame) bytes")
    #expect(reader.receive(Self.frame("dark")[...]).reading?.scheme == .dark)
  }

  @Test func `what is newer than this version is passed over`() {
    var reader = UpstreamReader()
    let news = reader.receive(Self.frame("dark", #","shimmer":{"speed":3},"palette":7,"theme":"new""#)[...])
    let theme = news.reading?.upstream?.theme
    #expect(theme?.name == "new")
    // Nothing is said of its colours: they are derived.
    #expect(theme?.details?.palette["background"] != nil)
  }

  @Test func `a theme comes as a file could have said it, with every role, and without paths`() throws {
    var reader = UpstreamReader()
    let theme = """
      ,"theme":"gruvbox","themeTitle":"Gruv\\u0007box","palette":{"text":"#010203","a/b":"#010203"},\
      "assets":{"wallpaper":"/home/me/secret.png"},"values":{"bat":"x","a b":"y"}
      """
    let shown = try #require(reader.receive(Self.frame("dark", theme)[...]).reading?.upstream?.theme)
    #expect((shown.name, shown.title) == ("gruvbox", "gruvbox"))
    let details = try #require(shown.details)
    #expect(details.palette["text"] == Color(hexadecimal: "#010203"))
    #expect(details.palette["background"] != nil)
    #expect(details.palette["a/b"] == nil)
    #expect(details.assets.isEmpty)
    #expect(details.values == ["bat": "x"])
    #expect(reader.receive(Self.frame("dark", #","theme":"../x""#)[...]).reading?.upstream?.theme == nil)
  }

  @Test func `a theme that no file can be long enough for is not shown`() {
    func theme(_ more: String) -> ShownTheme? {
      var reader = UpstreamReader()
      let bytes = Self.frame("dark", #","theme":"g""# + more)
      #expect(bytes.count < Limits.upstreamFrame)
      let news = reader.receive(bytes[...])
      #expect(news.reading?.scheme == .dark)
      return news.reading?.upstream?.theme
    }
    func value(_ length: Int) -> String { #","values":{"bat":"\#(String(repeating: "x", count: length))"}"# }
    let room = Limits.themeFile - "bat=\n".utf8.count
    #expect(theme(value(room)) != nil)
    #expect(theme(value(room + 1)) == nil)
    let colors = (1...20_000).map { ##""a\##($0)":"#010203""## }.joined(separator: ",")
    #expect(theme(#","palette":{\#(colors)}"#) == nil)
  }

  @Test func `what was heard is kept for the next daemon, which may follow something else`() throws {
    var reader = UpstreamReader()
    let theme = ##","theme":"g","palette":{"text":"#010203"},"values":{"bat":"x"},"transitionMilliseconds":9"##
    let reading = try #require(reader.receive(Self.frame("dark", theme)[...]).reading)
    let kept = try #require(LastReading.parse(LastReading.content(reading))).reading
    #expect(kept == reading)
    #expect(kept.kept(followsUpstream: true) == reading)
    #expect(kept.kept(followsUpstream: false) == Reading())
    #expect(Reading(scheme: .dark).kept(followsUpstream: true) == Reading())
    #expect(Reading(scheme: .dark).kept(followsUpstream: false) == Reading(scheme: .dark))
  }
}
