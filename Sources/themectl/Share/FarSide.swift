import ThemedInterface
import ThemedSystem

/// Reads what the other machine sends: two known words, and error messages.
///
/// Nothing else is read, and nothing of it is ever executed or treated as a call.
struct FarSide: Hashable {
  /// How many bytes other than the known words a connection may send; a connection that sends more costs time here.
  private static let mostNoise = 1 << 20
  /// How many lines of a connection the user sees.
  private static let most = 40
  /// How many error messages are kept, to explain the end of the connection.
  private static let kept = 20

  private var output = LineReader(limit: 64, keepsEnd: true)
  private var errors = LineReader(limit: 500)
  private var passed = 0
  private var noise = 0
  /// Whether themed on the other machine has said that it follows us.
  private(set) var isReady = false
  /// The last error messages.
  private(set) var complaints: [Text] = []

  /// A new connection.
  init() {}

  /// How many received bytes are kept.
  var heldBytes: Int { output.heldBytes + errors.heldBytes + complaints.reduce(0) { $0 + $1.count } }

  /// Whether more was received than themed and its error messages would send.
  var isNoisy: Bool { noise > Self.mostNoise }

  /// Takes the output of themed on the other machine, and returns the word in it, which counts once.
  mutating func print(_ bytes: ArraySlice<UInt8>) -> [UpstreamGreeting] {
    noise += bytes.count
    var said: [UpstreamGreeting] = []
    for line in output.receive(bytes) {
      // Startup files of a shell may print text without a line end, such as a window title.
      guard let word = UpstreamGreeting.allCases.first(where: { line.hasSuffix(Text($0.rawValue)) }) else { continue }
      switch word {
      case .ready where !isReady: isReady = true
      // Nothing can take this share's place before it has one.
      case .taken where isReady && !said.contains(.taken): break
      default: continue
      }
      said.append(word)
    }
    return said
  }

  /// Takes error messages of ssh or of the other machine, and returns the lines for the user.
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

/// Splits received bytes into lines; of a line that is too long, it keeps the beginning or the end.
struct LineReader: Hashable {
  private let limit: Int
  private let keepsEnd: Bool
  private var begun: [UInt8] = []

  /// A reader that keeps the first or the last `limit` bytes of each line.
  init(limit: Int, keepsEnd: Bool = false) {
    (self.limit, self.keepsEnd) = (limit, keepsEnd)
  }

  /// How many received bytes are kept.
  var heldBytes: Int { begun.count }

  /// The lines that end in these bytes, without their line ends.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Text] {
    var lines: [Text] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<end])
      // Output for terminals ends lines with both characters.
      if begun.last == UInt8(ascii: "\r") { begun.removeLast() }
      lines.append(Text(decoding: begun))
      begun = []
      rest = rest[(end + 1)...]
    }
    add(rest)
    return lines
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard keepsEnd else { return begun += bytes.prefix(limit - begun.count) }
    begun = Array((begun + bytes.suffix(limit)).suffix(limit))
  }
}
