/// What a machine does that it must not, as a sentence.
public struct Broken: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// Says `description`.
  public init(_ description: String) {
    self.description = description
  }
}

/// What came of going through all that can happen to a machine.
public struct Exploration<Event>: CustomStringConvertible {
  /// How many states were met that differ.
  public fileprivate(set) var states = 1
  /// How many events were sent, each to another state than the same event before.
  public fileprivate(set) var steps = 0
  /// How many events the longest sequence has.
  public fileprivate(set) var depth = 0
  /// Whether that was all: no sequence of these events, of whatever length, leads to a state that was not met.
  public fileprivate(set) var isComplete = false
  /// What was broken, by the shortest sequence that breaks anything; nil where nothing was.
  public fileprivate(set) var fault: (broken: Broken, events: [Event])?

  /// All of it in one line, for the test's output.
  public var description: String {
    guard let fault else {
      return "\(states) states, \(steps) steps, sequences of " + (isComplete ? "any length" : "up to \(depth) events")
    }
    return "\(fault.broken), after \(fault.events.map { "\($0)" }.joined(separator: ", "))"
  }
}

/// Sends to a machine every sequence of the events of `alphabet`, up to a length, or until so many states were met.
///
/// What has led to equal states is gone on with once: what comes after depends on the state alone. `step` sends an
/// event, and says whether it can occur there; `invariant` looks at each state that is met. Both throw what is broken.
public func explore<State: Hashable, Event>(
  from start: State, alphabet: [Event], depth: Int = .max, states: Int = .max,
  step: (inout State, Event) throws(Broken) -> Bool, invariant: (State) throws(Broken) -> Void
) -> Exploration<Event> {
  var result = Exploration<Event>()
  var known: Set<State> = [start]
  // How each state was come to first: from which one, and by which event.
  var ways: [(origin: Int, event: Int)] = [(0, 0)]
  var frontier = [start]
  while !frontier.isEmpty, result.depth < depth, known.count < states {
    let first = ways.count - frontier.count
    var next: [State] = []
    for (offset, state) in frontier.enumerated() {
      for (number, event) in alphabet.enumerated() {
        var after = state
        do throws(Broken) {
          guard try step(&after, event) else { continue }
          result.steps += 1
          guard known.insert(after).inserted else { continue }
          ways.append((first + offset, number))
          next.append(after)
          try invariant(after)
        } catch {
          var events = [event]
          var state = first + offset
          while state > 0 {
            events.append(alphabet[ways[state].event])
            state = ways[state].origin
          }
          result.fault = (error, events.reversed())
          return result
        }
      }
    }
    frontier = next
    result.states = known.count
    result.depth += 1
  }
  result.isComplete = frontier.isEmpty
  return result
}
