/// Which terminals of known programs belong to nobody, as far as anybody can see, and what says that they do: pure.
struct UnopenedTerminals {
  /// What is a reason to look at one again.
  enum Sign { case openedOrWritten, opened }

  private var looks: [LaneName: [Int: Int]] = [:]

  /// Takes what a look has found unopened, by number; the signs that are waited for.
  ///
  /// One that is written to again and again and still seems unopened, as that of a program into which nobody may look,
  /// is no longer looked at for what it writes.
  mutating func take(_ numbers: Set<Int>, by lane: LaneName) -> [Int: Sign] {
    let before = looks[lane] ?? [:]
    let now = Dictionary(uniqueKeysWithValues: numbers.map { ($0, (before[$0] ?? 0) + 1) })
    looks[lane] = now.isEmpty ? nil : now
    return now.mapValues { $0 > Limits.looksForOutput ? .opened : .openedOrWritten }
  }

  /// A terminal was made: it may have the number of one that is gone.
  mutating func forget() { looks = [:] }
}
