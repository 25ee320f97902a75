internal import ThemeModel
internal import ThemedSystem

/// Runs the core: events come in through ``send(_:)``, and their effects are carried out in order.
///
/// An event that is sent meanwhile waits for its turn.
final class Engine {
  /// Called with each effect.
  var perform: (Effect) -> Void = { _ in }

  private(set) var core: Core
  private var waiting: [Event] = []
  private var isPerforming = false

  /// How many events wait for their turn.
  var waitingCount: Int { waiting.count }

  /// An engine for this core.
  init(_ core: Core) {
    self.core = core
  }

  /// Handles an event and carries out its effects.
  func send(_ event: Event) {
    guard !isPerforming else { return waiting.append(event) }
    isPerforming = true
    defer { isPerforming = false }
    for effect in core.handle(event) { perform(effect) }
    while !waiting.isEmpty {
      for effect in core.handle(waiting.removeFirst()) { perform(effect) }
    }
  }

  // Ask the core through these at each change: passing the core itself would copy it.

  /// See ``Core/serial(for:)``.
  func serial(for app: Text?) -> Int64 { core.serial(for: app) }

  /// See ``Core/state(for:)``.
  func state(for app: Text?) -> State { core.state(for: app) }

  /// Whether this app has overrides of its own.
  func hasOverrides(of app: Text) -> Bool { core.overrides.apps[app] != nil }
}
