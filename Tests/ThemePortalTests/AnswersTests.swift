import Testing
import ThemedModel
import ThemedDBus
import ThemedSystem
import ThemedTestSupport

@testable import ThemePortal

@Suite struct AnswersTests {
  private let own: Value = .structure([
    .string("org.themed"), .array([.structure([.string("status"), .variant(.string("deciding"))])]),
  ])

  @Test func `what an override, the schedule or another machine decides is answered, and not what the desktop does`() {
    for rule in [Rule.override, .appOverride, .schedule, .upstream] {
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
    let accent = try #require(Color(red: 1, green: 0, blue: 0.5))
    let override = Origin(.override)
    let answers = Answers(
      State(
        scheme: .light, desktop: .light, highContrast: true, reducedMotion: false,
        accentColor: accent,
        origins: [
          "scheme": Origin(.portal), "highContrast": override, "reducedMotion": override, "accentColor": override,
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

  @Test(
    arguments: [
      [], [""], ["*"], ["org.*"], ["org.*", "other"], ["other", "org.freedesktop.appearance", "org.themed"],
    ] as [[Text]])
  func `these patterns mean all that there is`(_ patterns: [Text]) {
    let appearance = Value.structure([
      .string("org.freedesktop.appearance"), .array([.structure([.string("color-scheme"), .variant(.uint32(1))])]),
    ])
    #expect(Answers(state(.dark, by: .override)).values(patterns) == .array([appearance, own]))
  }

  @Test(arguments: ["org.themed", "org.themed*", "org.them*"] as [Text])
  func `these patterns mean our own namespace`(_ pattern: Text) {
    #expect(Answers(state(.dark, by: .override)).values([pattern]) == .array([own]))
  }

  @Test(arguments: ["org.freedesktop.appearance.*", "org.freedesktop", "org.gnome.*", "*.appearance"] as [Text])
  func `these patterns mean nothing of ours`(_ pattern: Text) {
    #expect(Answers(state(.dark, by: .override)).values([pattern]) == .array([]))
  }

  @Test func `a namespace of which nothing is decided is left out`() {
    #expect(Answers(state(.dark, by: .portal)).values([Key.namespace]) == .array([]))
  }
}

@Suite struct ForeignValueTests {
  private static let nested = (0..<70).reduce(Value.uint32(1)) { value, _ in .structure([value]) }
  private static let strange: [Value] = [
    .boolean(true), .double(1), .string("dark"), .array([.uint32(1)]), .structure([]), .structure([.uint32(1)]),
    .variant(.uint32(1)), .other, .structure([.double(1), .double(0)]),
    .structure([.double(1), .double(0), .double(.infinity)]),
    .structure([.double(.nan), .double(0), .double(0)]), nested, .int64(-1), .uint64(.max), .int32(-1), .int16(-1),
  ]
  private static let ones: [Value] = [
    .byte(1), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1), .uint64(1),
  ]

  @Test func `a number of any type from below is said as the portal's own type`() throws {
    for value in Self.ones {
      #expect(try said(value, of: .colorScheme) == .uint32(1))
      #expect(try said(value, of: .accentColor) == Key.accentColor.neutral)
    }
    let color = Value.structure([.double(1), .double(0), .double(0.5)])
    #expect(try said(color, of: .accentColor) == color)
  }

  @Test func `a value of no meaning from below is said as no preference, and ends nothing`() throws {
    for value in Self.strange {
      for key in Key.allCases { #expect(try said(value, of: key) == key.neutral) }
    }
  }

  /// What programs are told where the portal answers this without us.
  private func said(_ value: Value, of key: Key) throws -> Value? {
    var backend = Backend()
    for event in [.portal(":1.2"), .bus, .named] as [Backend.Event] { _ = backend.handle(event) }
    guard case .emit(key, let said)? = backend.handle(.answered(key, value)).first else { return nil }
    // Written as the service writes it: what cannot be would end the process.
    let message = Message.signal("/a", "a.b", "SettingChanged", "ssv", [.string("a"), .string("b"), .variant(said)])
    return message.arguments().last?.unwrapped
  }
}

/// A state whose scheme this rule has decided.
func state(_ scheme: ColorScheme, by rule: Rule, desktop: Preference = .light) -> State {
  State(
    scheme: scheme, desktop: desktop, origins: ["scheme": Origin(rule)])
}
