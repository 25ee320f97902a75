internal import ThemeResolution
internal import ThemedText

/// The core in its shell: what happens comes in by ``send(_:)``, from wherever, and what follows is done in order.
///
/// What happens while that is being done comes after it.
final class Engine {
  /// Called with each effect.
  var perform: (Effect) -> Void = { _ in }

  private(set) var core: Core
  private var waiting: [Event] = []
  private var isPerforming = false

  /// How many events wait for their turn.
  var waitingCount: Int { waiting.count }

  /// A shell around this core.
  init(_ core: Core) {
    self.core = core
  }

  /// Takes in what has happened, and does what follows.
  func send(_ event: Event) {
    guard !isPerforming else { return waiting.append(event) }
    isPerforming = true
    defer { isPerforming = false }
    for effect in core.handle(event) { perform(effect) }
    while !waiting.isEmpty {
      for effect in core.handle(waiting.removeFirst()) { perform(effect) }
    }
  }

  // What is asked of the core at each change is asked here: a core that is handed over is copied.

  /// See ``Core/serial(for:)``.
  func serial(for app: Text?) -> Int64 { core.serial(for: app) }

  /// See ``Core/state(for:)``.
  func state(for app: Text?) -> State { core.state(for: app) }

  /// Whether there are overrides of this app's own.
  func hasOverrides(of app: Text) -> Bool { core.overrides.apps[app] != nil }
}
