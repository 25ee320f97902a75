/// Random numbers that can be had again: a failing test prints this value, whose seed `THEMED_TEST_SEED` takes.
struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = chosenSeed) {
    self.seed = seed
    state = seed
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  var description: String { "run again with THEMED_TEST_SEED=\(seed)" }
}
