internal import ThemedText

/// Who tells what the desktop itself asks for: a pure state machine, which ``Desktop`` carries out.
///
/// It is the portal; or, while a backend of ours is on the bus, the backends below it, each by its own name, since the
/// portal's answer may be ours then.
///
/// In doubt the portal is not believed: it decides again only when it has answered that it knows no key of ours, and so
/// has handed on, before that answer, whatever we had said.
struct PortalChain: Hashable {
  /// What happens.
  enum Event: Hashable {
    /// The bus has told who owns the name of our backend; nil: nobody.
    case ours(Text?)
    /// The bus has told who owns the portal's name; nil: nobody.
    case portal(Text?)
    /// These backends the portal would ask without ours, by their names on the bus, the first first; nil: that could not
    /// be found out.
    case listed(Question, [Text]?)
    /// The portal has answered whether it knows a key of ours; nil: it has not.
    case answered(Question, Bool?)
    /// The delay is over.
    case woken
    /// The user wants everything tried again.
    case reload
    /// The bus is gone.
    case busLost
  }

  /// What to do.
  enum Action: Hashable {
    /// Find out whom this portal would ask without us.
    case list(Question, portal: Text)
    /// Ask this portal for a key of ours.
    case ask(Question, portal: Text)
    /// Follow these backends, and no others.
    case follow([Text])
    /// Follow the portal anew: whatever was read of it may have been ours.
    case followPortal
    /// Send ``Event/woken`` after so many milliseconds, and not for any earlier request.
    case wake(afterMilliseconds: Int)
  }

  /// Tells the newest question from those whose answer nobody waits for any more.
  typealias Question = Int

  /// Whether the backends below decide.
  private(set) var isBelow = false

  private var ours: Text?
  private var portal: Text?
  private var followed: [Text] = []
  private var question: Question = 0
  private var retries = PortalRetries()

  /// What follows from an event.
  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .ours(let name):
      guard name != ours || name == nil && isBelow else { return [] }
      ours = name
      if name != nil { isBelow = true }
      return find()
    case .portal(let name):
      guard name != portal else { return [] }
      portal = name
      return find()
    case .listed(let question, let names):
      guard question == self.question, ours != nil else { return [] }
      guard let names else { return [.wake(afterMilliseconds: retries.next().delay)] }
      retries = PortalRetries()
      if names == followed { return [] }
      followed = names
      return [.follow(names)]
    case .answered(let question, let isKnown):
      guard question == self.question, isBelow, ours == nil else { return [] }
      return isKnown == false ? leave() : [.wake(afterMilliseconds: retries.next().delay)]
    case .woken, .reload: return find()
    case .busLost:
      (ours, portal, followed) = (nil, nil, [])
      question += 1
      return isBelow ? [.follow([])] : []
    }
  }

  /// Finds out who decides, and by whom.
  private mutating func find() -> [Action] {
    guard isBelow else { return [] }
    question += 1
    guard let portal else { return ours == nil ? leave() : [] }
    return [ours == nil ? .ask(question, portal: portal) : .list(question, portal: portal)]
  }

  private mutating func leave() -> [Action] {
    (isBelow, followed, retries) = (false, [], PortalRetries())
    return [.follow([]), .followPortal]
  }
}
