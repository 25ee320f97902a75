import ThemeResolution
import ThemeClient
import ThemedText
import Testing

/// Which states say something new.
@Suite struct ChangesTests {
  @Test("A state is new when what holds differs from the one before, whoever says it")
  func changes() {
    var changes = Changes()
    let states = [
      sample(.light, serial: 1), sample(.light, serial: 1), sample(.light, serial: 2),
      sample(.light, serial: 1, instance: "two"), sample(.dark, serial: 2, instance: "two"),
      sample(.light, serial: 3, instance: "two"),
    ]
    #expect(states.map { changes.isNew($0) } == [true, false, false, false, true, true])
  }
}

func sample(_ scheme: ThemeScheme, serial: Int64 = 1, instance: String = "one") -> ThemeState {
  let reading = Reading(scheme: scheme == .light ? .light : .dark)
  return ThemeState(
    State(
      instance: Text(instance), serial: serial,
      resolution: resolve(app: nil, all: Rules(), reading: reading, defaults: Defaults())))
}
