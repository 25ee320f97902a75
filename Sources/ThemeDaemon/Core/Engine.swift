internal import ThemedModel
internal import ThemedSystem

/// Receives what happens: the ``Engine``.
protocol EventReceiver: AnyObject {
  /// Something has happened that may change what clients see.
  func send(_ event: Event)
}

/// Learns what the parts of the daemon notice, besides events: the ``Daemon``.
protocol InputReceiver: AnyObject {
  /// The schedule has another time to wake.
  func setClock()
  /// The configuration was read, or cannot be read for now.
  func configurationWasRead()
  /// A problem has appeared or is over.
  func statusChanged()
  /// No override is being read or saved any more.
  func savingIsIdle()
  /// Nothing has been heard on standard input for a long time.
  func upstreamIsSilent()
  /// The name of this daemon's series of states.
  var instance: Text { get }
}

/// Carries out what the core decides: the ``Daemon``.
protocol EffectPerformer: AnyObject {
  /// Carries out one effect.
  func perform(_ effect: Effect)
}

/// Runs the core: events come in through ``send(_:)``, and their effects are carried out in order.
///
/// An event that is sent meanwhile waits for its turn.
final class Engine: EventReceiver {
  /// Carries out the effects.
  weak var performer: (any EffectPerformer)?

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
    for effect in core.handle(event) { performer?.perform(effect) }
    while !waiting.isEmpty {
      for effect in core.handle(waiting.removeFirst()) { performer?.perform(effect) }
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
