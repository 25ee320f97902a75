import Testing
import ThemedTestSupport

/// What goes through all that can happen to a machine.
@Suite struct ExplorationTests {
  /// A counter that knows no more than so much, and goes up and down.
  private enum Event { case up, down }

  private func explore(most: Int, depth: Int = .max, forbidden: Int? = nil) -> Exploration<Event> {
    ThemedTestSupport.explore(from: 0, alphabet: [Event.down, .up], depth: depth) { (number, event) throws(Broken) in
      guard event == .up ? number < most : number > 0 else { return false }
      number += event == .up ? 1 : -1
      return true
    } invariant: { (number) throws(Broken) in
      if number == forbidden { throw Broken("\(number) is met") }
    }
  }

  @Test func `every state is met once, and each event sent to each`() {
    let result = explore(most: 10)
    #expect(result.states == 11)
    #expect(result.steps == 20)
    #expect(result.isComplete && result.fault == nil)
  }

  @Test func `no sequence is longer than was asked for`() {
    let result = explore(most: 10, depth: 4)
    #expect(result.states == 5)
    #expect(result.depth == 4)
    #expect(!result.isComplete)
  }

  @Test func `what is broken is told with the shortest sequence that breaks it`() {
    let result = explore(most: 10, forbidden: 3)
    #expect(result.fault?.events == [.up, .up, .up])
    #expect(result.description == "3 is met, after up, up, up")
  }
}
