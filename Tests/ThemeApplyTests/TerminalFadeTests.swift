import Testing
import ThemedModel

@testable import ThemeApply
import ThemedSystem
import ThemedTestSupport

/// How far terminals are on their way.
@Suite struct TerminalFadeTests {
  private func state(_ milliseconds: Int, reducedMotion: Bool? = nil) -> State {
    State(scheme: .dark, reducedMotion: reducedMotion, theme: "mint", transition: milliseconds)
  }

  @Test func `a fade goes from nothing to just before the end in its time, and then only the end is left`() {
    let fade = TerminalFade(to: state(200), at: 1_000)
    #expect(fade.fraction(at: 1_000) == 0 && fade.fraction(at: 1_100) == 0.5)
    #expect(fade.fraction(at: 1_199).map { $0 < 1 } == true)
    #expect(fade.fraction(at: 1_200) == nil && fade.fraction(at: 9_999) == nil)
  }

  @Test func `nothing fades where motion is reduced, or where there is no time for it`() {
    #expect(TerminalFade(to: state(0), at: 0).fraction(at: 0) == nil)
    #expect(TerminalFade(to: state(200, reducedMotion: true), at: 0).fraction(at: 0) == nil)
    #expect(TerminalFade(to: state(200, reducedMotion: false), at: 0).fraction(at: 0) == 0)
    #expect(TerminalFade(to: State(scheme: .dark), at: 0).fraction(at: 0) == nil, "without a theme")
    #expect(TerminalFade(to: state(60_000), at: 0).duration == Limits.fade)
    #expect(TerminalFade(to: state(.max), at: 0).duration == Limits.fade, "whatever somebody else says")
  }
}
