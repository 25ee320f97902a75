import Testing
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem

/// Which states say something new.
@Suite struct ChangesTests {
  @Test("A state is new when what holds differs from the one before, whoever says it")
  func changes() {
    var changes = Changes<FollowedState>()
    let states = [
      sample(.light, serial: 1), sample(.light, serial: 1), sample(.light, serial: 2),
      sample(.light, serial: 1, instance: "two"), sample(.dark, serial: 2, instance: "two"),
      sample(.light, serial: 3, instance: "two"),
    ]
    #expect(states.map { changes.isNew($0) } == [true, false, false, false, true, true])
  }

  @Test("A list of themes is new when anything of it differs, by the byte")
  func lists() {
    var changes = Changes<FollowedCatalog>()
    let faulty = ["\u{E9}", "e\u{301}"].map { Catalog([ThemeListing(name: "a", path: "/a", problem: $0)]) }
    let lists = [
      catalog("a"), catalog("a"), catalog("b"), catalog("a", "b"), catalog("b", "a"),
      Catalog(Array(catalog("b", "a")), omitted: 1), faulty[0], faulty[0], faulty[1], faulty[0],
    ]
    #expect(
      lists.map { changes.isNew($0) } == [true, false, true, true, true, true, true, false, true, true])
  }
}

/// A list of themes of these names.
func catalog(_ names: Text...) -> Catalog {
  Catalog(names.map { ThemeListing(Theme(name: $0, light: Side()), path: "/themes/\($0).theme") })
}

typealias Catalog = ThemeItems<ThemeListing>

func sample(_ scheme: ColorScheme, serial: Int64 = 1, instance: String = "one") -> State {
  let reading = Reading(scheme: scheme == .light ? .light : .dark)
  return State(
    instance: Text(instance), serial: serial,
    resolution: resolve(app: nil, all: OverriddenFields(), reading: reading, defaults: Defaults()))
}
