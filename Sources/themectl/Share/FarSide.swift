import ThemeInterface
import ThemedText

/// What comes from the other machine: two words that are known, and complaints.
///
/// Nothing else is read, and nothing of it is ever a call.
struct FarSide: Hashable {
  /// How much of it is passed on to the user, for each connection, in lines.
  private static let most = 40
  /// How many complaints are kept, to tell why it ended.
  private static let kept = 20

  private var output = LineReader(limit: 64)
  private var errors = LineReader(limit: 500)
  private var passed = 0
  /// What it last complained of.
  private(set) var complaints: [Text] = []

  /// A connection that begins.
  init() {}

  /// How many bytes are kept of what came.
  var heldBytes: Int { output.heldBytes + errors.heldBytes + complaints.reduce(0) { $0 + $1.count } }

  /// Takes what the themed over there prints; what it has said by that.
  mutating func print(_ bytes: ArraySlice<UInt8>) -> [UpstreamGreeting] {
    output.receive(bytes).compactMap { line in UpstreamGreeting.allCases.first { Text($0.rawValue) == line } }
  }

  /// Takes what it, or ssh, complains of; the lines for the user.
  mutating func complain(_ bytes: ArraySlice<UInt8>) -> [String] {
    var lines: [String] = []
    for line in errors.receive(bytes) where !line.isEmpty {
      complaints.append(line)
      guard passed <= Self.most else { continue }
      passed += 1
      lines.append(passed > Self.most ? "… (more of this is not shown)" : line.shown(atMost: 500))
    }
    complaints.removeFirst(max(0, complaints.count - Self.kept))
    return lines
  }
}
