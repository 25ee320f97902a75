import ThemeInterface
import ThemedText

/// What comes from the other machine: two words that are known, and complaints.
///
/// Nothing else is read, and nothing of it is ever a call.
struct FarSide: Hashable {
  /// How much may come that is no known word, for each connection, in bytes: one that sends more costs this machine time.
  private static let mostNoise = 1 << 20
  /// How much of it is passed on to the user, for each connection, in lines.
  private static let most = 40
  /// How many complaints are kept, to tell why it ended.
  private static let kept = 20

  private var output = LineReader(limit: 64, keepsEnd: true)
  private var errors = LineReader(limit: 500)
  private var passed = 0
  private var noise = 0
  /// Whether the themed over there has said that it hears us.
  private(set) var isReady = false
  /// What it last complained of.
  private(set) var complaints: [Text] = []

  /// A connection that begins.
  init() {}

  /// How many bytes are kept of what came.
  var heldBytes: Int { output.heldBytes + errors.heldBytes + complaints.reduce(0) { $0 + $1.count } }

  /// Whether more has come than a themed and its complaints have to say.
  var isNoisy: Bool { noise > Self.mostNoise }

  /// Takes what the themed over there prints; what it has said by that, which counts once.
  mutating func print(_ bytes: ArraySlice<UInt8>) -> [UpstreamGreeting] {
    noise += bytes.count
    var said: [UpstreamGreeting] = []
    for line in output.receive(bytes) {
      // Start-up files of a shell may print what has no end of its line, such as a window's title.
      guard let word = UpstreamGreeting.allCases.first(where: { line.hasSuffix(Text($0.rawValue)) }) else { continue }
      switch word {
      case .ready where !isReady: isReady = true
      // Before it is heard nobody can take its place.
      case .taken where isReady && !said.contains(.taken): break
      default: continue
      }
      said.append(word)
    }
    return said
  }

  /// Takes what it, or ssh, complains of; the lines for the user.
  mutating func complain(_ bytes: ArraySlice<UInt8>) -> [String] {
    noise += bytes.count
    var lines: [String] = []
    for line in errors.receive(bytes) where !line.isEmpty {
      complaints.append(line)
      guard passed <= Self.most else { continue }
      passed += 1
      lines.append(passed > Self.most ? "… (further lines are not shown)" : line.shown(atMost: 500))
    }
    complaints.removeFirst(max(0, complaints.count - Self.kept))
    return lines
  }
}
