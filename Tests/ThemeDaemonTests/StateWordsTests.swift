import Glibc
import Testing
import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

/// Times in words.
@Suite struct StateWordsTests {
  @Test(
    arguments: [
      Int64.min, .min + 1, -67_768_040_609_740_800, -1, 0, 67_767_976_233_532_799, 67_768_000_000_000_000,
      67_768_036_191_676_799, 67_768_036_191_676_800, .max,
    ])
  func `any number of seconds is a time or itself`(time: Int64) {
    for now in [Int64.min, 0, 1_700_000_000, .max] { #expect(!localTime(time, now: now).isEmpty) }
  }

  @Test func `a rule that is not known here keeps its own name`() {
    let shown = Resolution(scheme: .dark, desktop: .none, origins: ["scheme": Origin(.init(rawValue: "moon\u{1B}"))])
    #expect(shown.summary(now: 0) == "dark: moon?")
  }

  @Test func `what is shown is told with the contrast and the motion, where they are not as usual`() {
    var shown = Resolution(scheme: .light, desktop: .unavailable)
    #expect(shown.summary(now: 0) == "light: default, no desktop heard yet")
    (shown.highContrast, shown.reducedMotion) = (true, true)
    #expect(shown.summary(now: 0) == "light: default, no desktop heard yet, high contrast, reduced motion")
  }

  // In a process of its own: the zone is the whole process's.
  @Test func `times are told in the zone as it is now`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("TZ", "UTC0", 1)
      let before = localTime(0, now: 0)
      unsafe setenv("TZ", "XYZ-05:30", 1)
      exit(before == "00:00" && localTime(0, now: 0) == "05:30" ? 0 : 1)
    }
  }
}
