import Foundation

/// The seed of this run: a new one each time, unless `THEMED_TEST_SEED` names one to run again.
public let chosenSeed: UInt64 = {
  let named = ProcessInfo.processInfo.environment["THEMED_TEST_SEED"].flatMap(UInt64.init)
  let seed = named ?? UInt64.random(in: 0...UInt64.max)
  print("THEMED_TEST_SEED=\(seed)")
  return seed
}()

/// Random numbers that can be had again: a failing test prints this value, and so the seed.
public struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible, Sendable {
  /// What it began with.
  public let seed: UInt64
  private var state: UInt64

  /// The numbers of a seed.
  public init(seed: UInt64 = chosenSeed) {
    self.seed = seed
    state = seed
  }

  /// The next one (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// How to have them again.
  public var description: String { "run again with THEMED_TEST_SEED=\(seed)" }
}
