import Testing
import ThemedModel

@testable import ThemeDaemon

@Suite struct TargetHistoryTests {
  private func target(_ number: Int64) -> DesktopTarget {
    DesktopTarget(number: number, scheme: .dark, preferences: [.dark])
  }

  @Test func `a switch soon after a target counts as switching back, and a later one does not`() {
    var history = TargetHistory()
    history.switched(now: 5)
    #expect(history.switchedBackAt == nil, "there was no target")
    history.target(target(1), now: 10)
    history.target(target(1), now: 12)
    #expect(history.since == 10)
    var late = history
    late.switched(now: 16)
    #expect(late.switchedBackAt == nil)
    // The clock was set back.
    late.switched(now: 9)
    #expect(late.switchedBackAt == nil)
    history.target(nil, now: 15)
    history.switched(now: 15)
    #expect(history.switchedBackAt == 15)
  }

  @Test func `it is forgotten as soon as the desktop follows a later target`() {
    var history = TargetHistory()
    history.target(target(1), now: 10)
    history.target(nil, now: 11)
    // In step, and then switched back.
    history.switched(now: 12)
    #expect(history.switchedBackAt == 12)
    history.target(nil, now: 20)
    #expect(history.switchedBackAt == 12, "the desktop got no target since then")
    history.target(target(2), now: 30)
    #expect(history.switchedBackAt == 12, "it is not known yet whether it follows")
    history.target(nil, now: 31)
    #expect(history.switchedBackAt == nil)
    // Another program switches it back each time.
    history.target(target(3), now: 40)
    history.target(nil, now: 41)
    history.switched(now: 41)
    #expect(history.switchedBackAt == 41)
  }
}
