import Testing
import ThemedSystem

@testable import ThemeModel

/// Rules of keeping the desktop in step that the exploration of all orders does not single out.
@Suite struct DesktopSyncTests {
  private let defaults = Defaults()

  private func inStep(_ asked: Preference) -> DesktopSync {
    var sync = DesktopSync(reported: asked)
    _ = sync.writers(1)
    sync.turn(on: true, defaults)
    return sync
  }

  @Test func `a write that failed is not taken for the user's switch`() {
    var sync = inStep(.light)
    sync.show(.dark, defaults)
    sync.show(.light, defaults)
    // The echo of the first write, after which the second one fails.
    let echo = sync.report(.dark, isNewSession: false, shown: .light, defaults)
    let readsAgain = sync.written(2, problem: "no room")
    let settled = sync.settled(defaults)
    #expect(echo == .nothing && readsAgain && settled == .nothing)
    #expect(sync.wish == .light)
  }

  @Test func `the first report of a session is no switch, and what we wrote before is no wish`() {
    var sync = inStep(.light)
    sync.show(.dark, defaults)
    sync = DesktopSync(sync.record ?? DesktopSync.Record(isOn: true, asked: .none, reported: .none))
    let first = sync.report(.dark, isNewSession: true, shown: .dark, defaults)
    #expect(first == .nothing && sync.asked == .light)
    var other = inStep(.light)
    let another = other.report(.dark, isNewSession: true, shown: .light, defaults)
    #expect(another == .nothing && other.asked == .dark, "another desktop asks for something else")
  }

  @Test func `the value that the desktop had is the best one to write`() {
    var sync = inStep(.none)
    sync.show(.dark, defaults)
    #expect(sync.pending?.target.preferences == [.dark])
    sync.show(.light, defaults)
    #expect(sync.pending?.target.preferences == [.none, .light])
  }
}
