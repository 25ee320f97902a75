/// The core in its shell: what happens comes in by ``send(_:)``, from wherever, and what follows is done in order.
///
/// What happens while that is being done comes after it.
final class Engine {
  /// Called with each effect.
  var perform: (Effect) -> Void = { _ in }

  private(set) var core: Core
  private var waiting: [Event] = []
  private var isPerforming = false

  /// A shell around this core.
  init(_ core: Core) {
    self.core = core
  }

  /// Takes in what has happened, and does what follows.
  func send(_ event: Event) {
    waiting.append(event)
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !waiting.isEmpty {
      for effect in core.handle(waiting.removeFirst()) { perform(effect) }
    }
  }
}
