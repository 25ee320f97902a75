/// Tracks terminals of known programs that no program seems to have opened, and the signs that one has: pure.
struct UnopenedTerminals {
  /// A sign that is a reason to look at a terminal again.
  enum Sign { case openedOrWritten, opened }

  private var looks: [LaneName: [Int: Int]] = [:]

  /// Handles the numbers of unopened terminals, and returns the signs to wait for.
  ///
  /// A terminal with repeated output that still seems unopened, such as that of a program that cannot be inspected, is no
  /// longer checked for output.
  mutating func take(_ numbers: Set<Int>, by lane: LaneName) -> [Int: Sign] {
    let before = looks[lane] ?? [:]
    let now = Dictionary(uniqueKeysWithValues: numbers.map { ($0, (before[$0] ?? 0) + 1) })
    looks[lane] = now.isEmpty ? nil : now
    return now.mapValues { $0 > Limits.looksForOutput ? .opened : .openedOrWritten }
  }

  /// Handles a new terminal, which may have the number of one that is gone.
  mutating func forget() { looks = [:] }
}
