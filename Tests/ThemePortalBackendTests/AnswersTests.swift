import ThemeClient
import ThemedDBus
import ThemedText
import Testing

@testable import ThemePortalBackend

@Suite struct AnswersTests {
  private let own: Value = .structure([
    .string("org.themed"), .array([.structure([.string("status"), .variant(.string("deciding"))])]),
  ])

  @Test func `what an override or the schedule decides is answered, and nothing that the desktop decides`() {
    for rule in [ThemeOrigin.Rule.override, .appOverride, .schedule] {
      let answers = Answers(state(.light, by: rule))
      #expect(answers.value(Key.namespace, "color-scheme") == .uint32(2))
      #expect(answers.value(Key.namespace, "contrast") == nil)
    }
    #expect(Answers(state(.dark, by: .portal)).decided == [:])
    #expect(Answers().decided == [:])
  }

  @Test func `a default decides only where somebody has written down that it is dark`() {
    #expect(Answers(state(.dark, by: .default)).value(Key.namespace, "color-scheme") == .uint32(1))
    #expect(Answers(state(.light, by: .default)).decided == [:])
  }

  @Test func `contrast, motion and accent are answered in the portal's own types`() throws {
    let accent = try #require(ThemeColor(red: 1, green: 0, blue: 0.5))
    let override = ThemeOrigin(.override)
    let answers = Answers(
      ThemeState(
        scheme: .light, desktop: .light, highContrast: true, reducedMotion: false,
        accentColor: accent,
        origins: [
          "scheme": ThemeOrigin(.portal), "highContrast": override, "reducedMotion": override, "accentColor": override,
        ]))
    #expect(
      answers.decided == [
        .contrast: .uint32(1), .reducedMotion: .uint32(0),
        .accentColor: .structure([.double(1), .double(0), .double(0.5)]),
      ])
  }

  @Test func `the key of our own is answered whatever is decided`() {
    #expect(Answers().value("org.themed", "status") == .string("waiting"))
    #expect(Answers(state(.dark, by: .portal)).value("org.themed", "status") == .string("following"))
    #expect(Answers(state(.dark, by: .override)).value("org.themed", "status") == .string("deciding"))
    #expect(Answers().value("org.themed", "other") == nil)
    #expect(Answers().value("org.gnome.desktop.interface", "color-scheme") == nil)
  }

  @Test(arguments: [[], [""], ["org.*"], ["other", "org.freedesktop.appearance", "org.themed"]] as [[Text]])
  func `these patterns mean all that there is`(_ patterns: [Text]) {
    let appearance = Value.structure([
      .string("org.freedesktop.appearance"), .array([.structure([.string("color-scheme"), .variant(.uint32(1))])]),
    ])
    #expect(Answers(state(.dark, by: .override)).values(patterns) == .array([appearance, own]))
  }

  @Test(arguments: ["org.themed", "org.themed.*"] as [Text])
  func `these patterns mean our own namespace`(_ pattern: Text) {
    #expect(Answers(state(.dark, by: .override)).values([pattern]) == .array([own]))
  }

  @Test(arguments: ["org.freedesktop.appearanc*", "org.freedesktop", "org.gnome.*", "*.appearance"] as [Text])
  func `these patterns mean nothing of ours`(_ pattern: Text) {
    #expect(Answers(state(.dark, by: .override)).values([pattern]) == .array([]))
  }

  @Test func `a namespace of which nothing is decided is left out`() {
    #expect(Answers(state(.dark, by: .portal)).values([Key.namespace]) == .array([]))
  }
}

/// A state whose scheme this rule has decided.
func state(_ scheme: ThemeScheme, by rule: ThemeOrigin.Rule, desktop: ThemePreference = .light) -> ThemeState {
  ThemeState(
    scheme: scheme, desktop: desktop, origins: ["scheme": ThemeOrigin(rule)])
}
