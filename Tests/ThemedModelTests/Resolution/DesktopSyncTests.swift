import Testing
import ThemedSystem

@testable import ThemedModel

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
    sync.report(.dark, isNewSession: false, defaults)
    let readsAgain = sync.written(2, problem: "no room")
    let settled = sync.settled(shown: .light, defaults)
    #expect(readsAgain && settled == nil)
    #expect(sync.wish == .light)
  }

  @Test func `the echo of an earlier write is no switch while the next write is under way`() {
    var sync = inStep(.light)
    sync.show(.dark, defaults)
    sync.show(.light, defaults)
    sync.report(.dark, isNewSession: false, defaults)
    let early = sync.settled(shown: .light, defaults)
    #expect(early == nil && sync.pending != nil)
    let readsAgain = sync.written(2, problem: nil)
    sync.report(.light, isNewSession: false, defaults)
    let late = sync.settled(shown: .light, defaults)
    #expect(readsAgain && late == nil && sync.pending == nil)
  }

  @Test func `a signal is no switch until a read confirms it, and until then nothing is written`() {
    var sync = inStep(.light)
    sync.report(.dark, isNewSession: false, defaults)
    sync.show(.light, defaults)
    #expect(
      sync.pending == nil && sync.record?.reported == .light, "another process hears of the switch as of a new one")
    var (lied, confirmed) = (sync, sync)
    lied.report(.light, isNewSession: false, defaults)
    let nothing = lied.settled(shown: .light, defaults)
    #expect(nothing == nil && lied.wish == .light)
    let wish = confirmed.settled(shown: .light, defaults)
    #expect(wish == .dark)
    // Until the read, the user may have asked for the same in another way.
    let same = sync.settled(shown: .dark, defaults)
    #expect(same == nil && sync.confirmed == nil)
  }

  @Test func `the first report of a session is no switch, and what we wrote before is no wish`() {
    var sync = inStep(.light)
    sync.show(.dark, defaults)
    sync = DesktopSync(sync.record ?? DesktopSync.Record(isOn: true, asked: .none, reported: .none))
    sync.report(.dark, isNewSession: true, defaults)
    #expect(sync.confirmed == nil && sync.asked == .light)
    var other = inStep(.light)
    other.report(.dark, isNewSession: true, defaults)
    #expect(other.confirmed == nil && other.asked == .dark, "another desktop asks for something else")
  }

  @Test func `a writer that connects again gets the target as a new one, and reports that`() throws {
    var sync = inStep(.light)
    sync.show(.dark, defaults)
    let first = try #require(sync.pending?.target)
    _ = sync.written(first.number, problem: nil)
    sync = DesktopSync(try #require(sync.record))
    _ = sync.writers(1)
    let second = try #require(sync.pending?.target)
    #expect(second.number != first.number && second.preferences == first.preferences)
    let old = sync.written(first.number, problem: nil)
    let new = sync.written(second.number, problem: nil)
    #expect(!old && new)
  }

  @Test func `a record that is read late still says what the desktop asked for by itself`() throws {
    var before = inStep(.light)
    before.show(.dark, defaults)
    before.report(.dark, isNewSession: false, defaults)
    _ = before.written(before.number, problem: nil)
    _ = before.settled(shown: .dark, defaults)
    let record = try #require(before.record)
    for reported: Preference in [.dark, .unavailable] {
      var late = DesktopSync(reported: reported)
      late.resume(record)
      late.turn(on: true, defaults)
      late.report(.dark, isNewSession: false, defaults)
      #expect(late.asked == .light, "\(reported)")
    }
    var on = inStep(.dark)
    on.resume(record)
    #expect(on.asked == .light)
    // A desktop that reports something else was switched meanwhile.
    var other = inStep(.none)
    other.resume(record)
    #expect(other.asked == .none)
  }

  @Test func `the value that the desktop had is the best one to write`() {
    var sync = inStep(.none)
    sync.show(.dark, defaults)
    #expect(sync.pending?.target.preferences == [.dark])
    sync.show(.light, defaults)
    #expect(sync.pending?.target.preferences == [.none, .light])
  }
}
