internal import ThemedSystem

/// Decides who speaks for the desktop: a pure state machine that ``Desktop`` carries out.
///
/// Usually that is the portal. While our backend is on the bus, it is the backends after ours, each by its own name,
/// because the portal's answer may then be ours.
///
/// In doubt the portal is not trusted. It speaks for the desktop again only after it has answered that it does not have
/// our key: before that answer, it has passed on everything that we sent.
struct PortalChain: Hashable {
  enum Event: Hashable {
    /// The bus reported the owner of our backend's name; nil: none.
    case ours(Text?)
    /// The bus reported the owner of the portal's name; nil: none.
    case portal(Text?)
    /// The bus names of the backends that the portal would ask without ours, in order; nil: they could not be found
    /// out.
    case listed(Question, [Text]?)
    /// The portal answered whether it has our key; nil: it did not answer.
    case answered(Question, Bool?)
    case woken
    case reload
    case busLost
  }

  enum Action: Hashable {
    case list(Question, portal: Text)
    case ask(Question, portal: Text)
    case follow([Text])
    /// Follow the portal from scratch: everything that was read from it may have been ours.
    case followPortal
    /// Send ``Event/woken`` after this many milliseconds, instead of any earlier request.
    case wake(afterMilliseconds: Int)
  }

  /// The number of a question, to recognize answers to outdated ones.
  typealias Question = Int

  /// Whether the backends after ours speak for the desktop.
  private(set) var isDownstream = false

  private var ours: Text?
  private var portal: Text?
  private var followed: [Text] = []
  private var question: Question = 0
  private var retries = PortalRetries()

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .ours(let name):
      guard name != ours || name == nil && isDownstream else { return [] }
      ours = name
      if name != nil { isDownstream = true }
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
      guard question == self.question, isDownstream, ours == nil else { return [] }
      return isKnown == false ? leave() : [.wake(afterMilliseconds: retries.next().delay)]
    case .woken, .reload: return find()
    case .busLost:
      (ours, portal, followed) = (nil, nil, [])
      question += 1
      return isDownstream ? [.follow([])] : []
    }
  }

  /// Finds out who speaks for the desktop.
  private mutating func find() -> [Action] {
    guard isDownstream else { return [] }
    question += 1
    guard let portal else { return ours == nil ? leave() : [] }
    return [ours == nil ? .ask(question, portal: portal) : .list(question, portal: portal)]
  }

  private mutating func leave() -> [Action] {
    (isDownstream, followed, retries) = (false, [], PortalRetries())
    return [.follow([]), .followPortal]
  }
}
