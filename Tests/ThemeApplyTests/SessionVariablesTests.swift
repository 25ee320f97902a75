import ThemedText
import Testing

@testable import ThemeApply

/// What programs get beside our own environment.
@Suite struct SessionVariablesTests {
  @Test func `those of the session are newer, what we lack is added, and what the unit may have set stays`() {
    let all = SessionVariables.merged(
      ["DISPLAY": ":0", "PATH": "/own", "SWAYSOCK": "/run/old"],
      with: ["DISPLAY=:7", "PATH=/manager", "EDITOR=vi=x", "EMPTY=", "broken"])
    #expect(
      all == [
        "DISPLAY": ":7", "PATH": "/own", "SWAYSOCK": "/run/old", "EDITOR": "vi=x", "EMPTY": "",
      ])
  }
}
