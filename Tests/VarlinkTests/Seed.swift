import Foundation

/// The seed of this run: a new one each time, unless the environment names one to run again.
let chosenSeed: UInt64 = {
  let named = ProcessInfo.processInfo.environment["THEMED_TEST_SEED"].flatMap(UInt64.init)
  let seed = named ?? UInt64.random(in: 0...UInt64.max)
  print("THEMED_TEST_SEED=\(seed)")
  return seed
}()
